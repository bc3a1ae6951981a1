import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { runSimulator, type SimulatorCommandOptions } from '@pilotfish/simulator/app/simulator-command';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

/** Runs the simulated exchange on its own until it is told to stop. */
export async function run({ stderr, exit, untilInterrupted }: Context, options: SimulatorCommandOptions): Promise<void> {
  const parts = await start(options, (line) => stderr.write(`${line}\n`)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalFailure('simulator', { reason }, { cause: error, exit: error instanceof RangeError ? EXIT.usage : EXIT.failed });
  });
  await untilInterrupted();
  for (const part of parts) await part.close();
  exit(EXIT.done);
}

/** What was started, in the order in which it is to be ended. */
async function start(options: SimulatorCommandOptions, print: (line: string) => void): Promise<Pick<Simulator, 'close'>[]> {
  if (options.mirror === undefined) return [await runSimulator(options, print)];
  // The client of another exchange is loaded by those alone who mirror one.
  const { mirroredExchange } = await import('./mirrored-exchange.ts');
  const exchange = mirroredExchange(options.mirror, print);
  try {
    return [await runSimulator(options, print, exchange.upstream), exchange];
  } catch (error) {
    await exchange.close();
    throw error;
  }
}
