import { readFileSync } from 'node:fs';
import { replayTape } from '@pilotfish/core/auto-trades/engine/tape';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { reportDocument } from '@pilotfish/core/backtest/backtest-report';
import { runTickBacktest } from '@pilotfish/core/backtest/tick-backtest';
import { traceParity } from '@pilotfish/core/backtest/tick-parity';
import { readTickTape, TickTapeError } from '@pilotfish/core/backtest/tick-tape';
import { add, decimal, toText, ZERO } from '@pilotfish/core/money/decimal';
import { formatElapsed } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { traces } from '../auto-trades/bot-columns.ts';
import { printRows } from '../ui/output.ts';
import { progressLine } from '../ui/progress-line.ts';
import { requireAmount } from '../wallets/wallets.ts';
import { configOf, feesOf } from './backtest-input.ts';
import { unpack } from './read-candles.ts';
import { type BacktestRunOptions, printReport, writeReport } from './run-backtest.ts';

export type TickRunOptions = BacktestRunOptions & { ticks: string; latency?: string };

const NEW_LINE = 10;

/** Runs a bot over the trades that a running bot was told: as it was, or with other settings over the same prices. */
export async function runTicks(context: Context, options: TickRunOptions): Promise<void> {
  const { ticks: file, latency = '0' } = options;
  if (!/^\d{1,6}$/.test(latency)) throw new UsageError('invalidValue', { word: '--latency', allowed: '0 … 999999' });
  if (options.balance !== undefined) requireAmount('--balance', options.balance);
  const bytes = read(file);
  const started = performance.now();
  const line = progressLine(context);
  try {
    const coins = coinsOf(bytes);
    const own = options.botOrFile !== undefined || options.config !== undefined;
    const config = own ? await configOf(context, options, coins.symbols) : undefined;
    const records = readTickTape(linesOf(bytes, line.show));
    const result = runTickBacktest({
      records,
      latencyMs: Number(latency),
      ...(config ? { config } : {}),
      ...(options.balance === undefined ? {} : { startBalance: options.balance }),
      ...(options.fee === undefined ? {} : { model: feesOf(options.fee) }),
    });
    line.end();
    const { counts } = result;
    const time = formatElapsed(performance.now() - started, context.language);
    await context.say('cli.backtest.tookTicks', { ticks: counts.ticks, orders: counts.orders, time });
    if (counts.beyondBest > 0) await context.say('cli.backtest.beyondBest', { count: counts.beyondBest });
    if (counts.otherFees > 0) await context.say('cli.backtest.otherFees', { count: counts.otherFees });
    if (!config && options.balance === undefined) await sayParity(context, replayTape(readTickTape(linesOf(bytes))), result.traces);
    const document = reportDocument(config?.name ?? coins.name, result, null);
    if (options.report !== undefined) await writeReport(context, options.report, document);
    if (options.traces) return printRows(context, traces(await context.texts(), document.quoteAsset), result.traces);
    await printReport(context, document);
  } catch (error) {
    line.end();
    throw explained(file, error);
  }
}

/** What the recorded run came to beside this one: how much of a backtest is to be believed. */
async function sayParity(context: Context, recorded: readonly Trace[], run: readonly Trace[]): Promise<void> {
  const { same, difference, recorded: of } = traceParity(recorded, run);
  if (!difference) return context.say('cli.backtest.sameTraces', { count: of });
  const at = (difference.recorded ?? difference.run)?.at ?? '';
  return context.say('cli.backtest.otherTraces', { same, of, at, recorded: realised(recorded), run: realised(run) });
}
const realised = (rows: readonly Trace[]): string =>
  toText(rows.reduce((sum, { kind, after }) => (kind === 'Exit' ? add(sum, decimal(String(after.realised))) : sum), ZERO));

function read(file: string): Buffer {
  try {
    return unpack(readFileSync(file));
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code ?? (error as Error).message);
    throw new LocalFailure('cannotRead', { file, reason }, { exit: EXIT.usage, cause: error });
  }
}

/** The lines of a file, one at a time: a tape can hold millions. */
function* linesOf(bytes: Buffer, onProgress?: (done: number) => void): Generator<string, void, undefined> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, from);
    const to = end < 0 ? bytes.length : end;
    yield bytes.toString('utf8', from, to);
    from = to + 1;
    onProgress?.(from / bytes.length);
  }
}

/** The name and the coins of the bot that a tape was recorded of. */
function coinsOf(bytes: Buffer): { name: string; symbols: readonly string[] } {
  const first = readTickTape(linesOf(bytes)).next().value;
  if (first?.type !== 'activated') throw new TickTapeError('NOT_ACTIVATED', 1, 'the file is empty');
  return { name: first.config.name, symbols: first.coins ?? first.pairs.map(({ symbol }) => symbol) };
}

function explained(file: string, error: unknown): unknown {
  if (!(error instanceof TickTapeError)) return error;
  const { code, line, message } = error;
  const as = { exit: EXIT.usage, cause: error };
  switch (code) {
    case 'NO_TICKS':
      return new LocalFailure('tapeWithoutPrices', { file }, as);
    case 'OTHER_CONDITIONS':
      return new LocalFailure('tapeConditions', { file }, as);
    case 'NO_REFERENCE':
      return new LocalFailure('tapeReference', { file }, as);
    case 'BAD_RECORD':
      return new LocalFailure('badTape', { file, reason: message }, as);
    default:
      return new LocalFailure('notTape', { file, line }, as);
  }
}
