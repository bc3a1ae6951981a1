import type { TapeRecord } from '../auto-trades/engine/tape.ts';
import type { StoredTrace } from '../auto-trades/trace.ts';
import { runTickBacktest } from '../backtest/tick-backtest.ts';
import type { Comparison, KnownPositionRow } from './comparison-contract.ts';
import { compareRuns, knownById } from './run-comparison.ts';

/** The bot of a recording; `slots` is its maximum of open positions. */
export type RecordedBot = Comparison['real'] & { readonly currency: string; readonly slots: number };

/**
 * A bot beside what a backtest makes of the prices that it was given: the run as it was recorded, by the backtest's exchange.
 * @param records of a tape, the activation first
 * @param stored all traces that the server keeps of the bot, newest first
 * @param known what those do not say of its positions
 * @param latencyMs how long each order of the backtest takes to its exchange
 * @param recording name of the backtest
 * @throws TickTapeError, where the tape holds no prices or misses what the settings look at
 */
export function compareWithRecording({
  bot,
  records,
  stored,
  known,
  latencyMs,
  recording,
}: {
  bot: RecordedBot;
  records: readonly TapeRecord[];
  stored: readonly StoredTrace[];
  known: readonly KnownPositionRow[];
  latencyMs: number;
  recording: string;
}): Comparison {
  const { id, name, mode, currency, slots } = bot;
  const { traces } = runTickBacktest({ records, latencyMs });
  const [first] = records;
  // Highs of the look-back window are older than the recording.
  const times = records.flatMap((record) => (record.type === 'tick' || record.type === 'moment' ? [record.at] : []));
  const [since, until] = [times[0] ?? 0, times.at(-1) ?? 0];
  // What happened before the tape began is not on it.
  const recorded = stored.filter(({ seq }) => seq > (first?.type === 'activated' ? first.seq : 0)).reverse();
  const isOnTape = ({ at }: { readonly at: string }) => Date.parse(at) >= since && Date.parse(at) <= until;
  return {
    currency,
    real: { id, name, mode },
    other: { id, name: recording, mode: 'paper', differs: [] },
    candidates: [],
    comparison: compareRuns({ traces: recorded, slots, known: knownById(known) }, { traces, slots }, since, isOnTape),
  };
}
