import { readFile } from 'node:fs/promises';
import { readFaultScript, type ScriptedFault } from '../faults/fault-contract.ts';
import type { Upstream } from '../mirror/upstream.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';

/** Options of `pilotfish simulator`, as a command line gives them (all text). */
export type SimulatorCommandOptions = {
  host?: string;
  port?: string;
  seed?: string;
  /** Folder of recorded candles; with it the seed is not used. */
  replay?: string;
  /** Whose market it has; what reaches that exchange is given beside it. */
  mirror?: string;
  /** A number, or `max`. */
  speed?: string;
  storage?: string;
  /** ISO date or ms: where the market begins. */
  start?: string;
  /** File of faults that come at their market time. */
  faults?: string;
};

/**
 * Reads the options, starts a simulator and prints where it listens. Throws `RangeError` naming the option that is
 * wrong. The caller decides how long it runs, and closes it.
 */
export async function runSimulator(
  options: SimulatorCommandOptions,
  print: (line: string) => void,
  upstream?: Upstream,
): Promise<Simulator> {
  const port = options.port === undefined ? 0 : Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError('--port must be a number from 0 to 65535');
  const speed = options.speed === undefined ? 1 : options.speed === 'max' ? 'max' : Number(options.speed);
  if (speed !== 'max' && !(Number.isFinite(speed) && speed > 0)) throw new RangeError('--speed must be a number above 0, or max');
  const start = readStart(options.start);
  for (const name of ['seed', 'replay', 'start', 'speed'] as const)
    if (upstream && options[name] !== undefined)
      throw new RangeError(`--${name} does not go with --mirror: the market is that of ${options.mirror ?? ''}`);
  const script = options.faults === undefined ? [] : await readScript(options.faults);
  const simulator = await startSimulator({
    ...(options.host === undefined ? {} : { host: options.host }),
    port,
    speed,
    market: upstream ? { kind: 'mirror', upstream } : ownMarket(options, start),
    ...(options.storage === undefined ? {} : { storageFolder: options.storage }),
    script,
    log: print,
  });
  const { kind, symbols, marketTime } = simulator.status();
  print(`Simulated exchange on ${simulator.origin} (streams ${simulator.wsOrigin})`);
  print(`${kind} market, ${symbols} pairs, market time ${new Date(marketTime).toISOString()}, speed ${speed}`);
  if (script.length > 0) print(`Faults of ${options.faults ?? ''}: ${script.length}, see ${simulator.origin}/sim/v1/faults`);
  print(`New account: curl -X POST ${simulator.origin}/sim/v1/accounts`);
  return simulator;
}

const ownMarket = ({ replay, seed }: SimulatorCommandOptions, start: number | undefined): SimulatorOptions['market'] =>
  replay === undefined
    ? { kind: 'seeded', seed: seed ?? 'pilotfish', ...(start === undefined ? {} : { startTime: start }) }
    : { kind: 'replay', folder: replay, ...(start === undefined ? {} : { start }) };

async function readScript(path: string): Promise<ScriptedFault[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new RangeError(`--faults ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return readFaultScript(text);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`--faults ${path}: ${error.message}`) : error;
  }
}

function readStart(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(time)) throw new RangeError('--start must be an ISO date such as 2025-06-01T00:00:00Z, or milliseconds');
  return time;
}
