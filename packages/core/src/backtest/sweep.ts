import * as z from 'zod';
import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import { money, percent, ratio } from '../http/wire.ts';
import { type CandleSeries, mapColumns } from '../prices/candle-series.ts';
import { type BacktestCoin, runSummary } from './backtest.ts';
import { type CandleSource, firstFrom } from './candle-feed.ts';
import type { FillModel } from './fill-model.ts';
import { type SweepAxis, type SweepSet, withSettings } from './sweep-axes.ts';

const outcome = z.object({
  netPnl: money(),
  returnPct: percent(),
  maxDrawdownPct: z.number(),
  sharpe: z.number().nullable(),
  profitFactor: ratio().nullable(),
  winRatePct: percent().nullable(),
  trades: z.int(),
});
/** What a set of settings earned, where it was chosen and where it was not. */
export const sweepRowSchema = z.object({
  index: z.int(),
  values: z.array(z.string()),
  inSample: outcome.nullable(),
  heldOut: outcome.nullable(),
  /** Why the set was not run: the rule of the config it breaks. */
  refused: z.string().nullable(),
});
export type SweepRow = Readonly<z.infer<typeof sweepRowSchema>>;
export type SweepOutcome = Readonly<z.infer<typeof outcome>>;

const part = (series: CandleSeries, from: number, to: number): CandleSeries => mapColumns(series, (column) => column.subarray(from, to));

export type HeldOut = { readonly chosenOn: readonly BacktestCoin[]; readonly heldOut: readonly BacktestCoin[]; readonly from: number };

/** Splits every series at one moment: the last `share` (0–1) of the whole time is kept for the test. Nothing is copied. */
export function splitHeldOut(coins: readonly BacktestCoin[], share: number): HeldOut {
  const first = Math.min(...coins.map(({ candles }) => candles.openTime[0]!));
  const last = Math.max(...coins.map(({ candles }) => candles.openTime.at(-1)! + candles.intervalMs));
  const from = last - (last - first) * share;
  const cut = (pick: 'before' | 'after') =>
    coins.map((coin) => {
      const { candles } = coin;
      const bar = firstFrom(candles.openTime, from);
      const before = { ...coin, candles: part(candles, 0, bar) };
      if (pick === 'before') return before;
      // What was before the test is its history: figures reach back into it, results do not.
      return { ...coin, candles: part(candles, bar, candles.openTime.length), ...(bar > 0 ? { before } : {}) };
    });
  return { chosenOn: cut('before'), heldOut: cut('after'), from };
}

export type SweepTask = {
  readonly config: AutoTradeConfig;
  readonly axes: readonly SweepAxis[];
  readonly split: HeldOut;
  readonly reference?: CandleSource;
  readonly startBalance: string;
  readonly model: FillModel;
};

/**
 * Runs a set over both parts, each with the whole start balance; the held-out part begins without memory of the other; its
 * figures reach back into it. @param onProgress told with the share of the set that is done (0–1)
 */
export function runSweepSet(task: SweepTask, { index, values }: SweepSet, onProgress?: (done: number) => void): SweepRow {
  const { config, axes, split } = task;
  const row = { index, values: [...values], inSample: null, heldOut: null, refused: null };
  let own: AutoTradeConfig;
  try {
    own = withSettings(config, axes, values);
  } catch (error) {
    return { ...row, refused: (error as Error).message };
  }
  const [first, second] = [barsOf(split.chosenOn), barsOf(split.heldOut)];
  const share = first / Math.max(1, first + second);
  const inSample = outcomeOf(task, own, split.chosenOn, (done) => onProgress?.(done * share));
  const heldOut = outcomeOf(task, own, split.heldOut, (done) => onProgress?.(share + done * (1 - share)));
  return { ...row, inSample, heldOut };
}

const barsOf = (coins: readonly BacktestCoin[]): number => coins.reduce((sum, { candles }) => sum + candles.openTime.length, 0);

function outcomeOf(
  { reference, startBalance, model }: SweepTask,
  config: AutoTradeConfig,
  coins: readonly BacktestCoin[],
  onProgress: (done: number) => void,
): SweepOutcome | null {
  if (coins.some(({ candles }) => candles.openTime.length === 0)) return null;
  const summary = runSummary({ config, coins, ...(reference ? { reference } : {}), startBalance, model, onProgress });
  const { netPnl, returnPct, maxDrawdownPct, sharpe, profitFactor, winRatePct, trades } = summary;
  return { netPnl, returnPct, maxDrawdownPct, sharpe, profitFactor, winRatePct, trades };
}

export type SweepGoal = 'returnPct' | 'sharpe' | 'profitFactor';

/** What rows are compared by; unknown counts as worst. */
export const goalOf = (result: SweepOutcome | null, goal: SweepGoal): number => {
  const value = result?.[goal];
  return value === null || value === undefined ? Number.NEGATIVE_INFINITY : Number(value);
};

/** Best first where they were chosen; ties by the smaller drawdown, then by number. */
export const ranked = (rows: readonly SweepRow[], goal: SweepGoal): SweepRow[] =>
  rows
    .filter(({ inSample }) => inSample !== null)
    .sort(
      (a, b) =>
        goalOf(b.inSample, goal) - goalOf(a.inSample, goal) || a.inSample!.maxDrawdownPct - b.inSample!.maxDrawdownPct || a.index - b.index,
    );
