import { runSimulator, type SimulatorCommandOptions } from '@pilotfish/simulator/app/simulator-command';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

/** Runs the simulated exchange on its own until it is told to stop. */
export async function run({ stderr, exit, untilInterrupted }: Context, options: SimulatorCommandOptions): Promise<void> {
  const simulator = await runSimulator(options, (line) => stderr.write(`${line}\n`)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalFailure('simulator', { reason }, { cause: error, exit: error instanceof RangeError ? EXIT.usage : EXIT.failed });
  });
  await untilInterrupted();
  await simulator.close();
  exit(EXIT.done);
}
