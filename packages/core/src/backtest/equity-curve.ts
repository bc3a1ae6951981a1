import type { CandleSeries } from '../prices/candle-series.ts';
import type { Timeline } from './backtest-timeline.ts';
import { BLOCK, type CandleBlocks, PART } from './candle-blocks.ts';

/** Most points of a curve in a report. */
export const CURVE_POINTS = 500;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

/** What a curve of values says; null where there is too little to say it from. */
export type CurveFigures = {
  readonly maxDrawdownPct: number;
  /** From the peak before the deepest fall to the recovery, or to the end when there was none. */
  readonly maxDrawdownMs: number;
  /** The longest time below an earlier peak. */
  readonly underWaterMs: number;
  readonly sharpe: number | null;
  readonly sortino: number | null;
};

/** Steps of one coin that are marked at once; `openTime` and `close` by step, `length` of a step in ms. */
export type MarkedRange = {
  from: number;
  to: number;
  cash: number;
  units: number;
  holding: boolean;
  readonly openTime: Float64Array;
  readonly length: number;
  readonly close: Float64Array;
  readonly blocks: CandleBlocks;
  /** Steps before this lie in whole blocks whose extremes hold for the closes too. */
  readonly parted: number;
};

/** Nothing yet of the steps of a coin. @param close by step, that of the last trade where nothing is traded */
export const rangeOver = (
  { openTime, intervalMs }: Timeline,
  candles: CandleSeries,
  close: Float64Array,
  blocks: CandleBlocks,
): MarkedRange => ({
  from: 0,
  to: 0,
  cash: 0,
  units: 0,
  holding: false,
  openTime,
  length: intervalMs,
  close,
  blocks,
  // A close that stands for bars without volume may lie outside of what was traded.
  parted: close === candles.close ? blocks.low.length * BLOCK : 0,
});

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/**
 * Sharpe and Sortino of daily returns over a riskless rate of zero, times √365. Null with fewer than ten days, or
 * when nothing (nothing bad) ever moved.
 */
export function ratios(start: number, days: readonly number[]): Pick<CurveFigures, 'sharpe' | 'sortino'> {
  const returns = days.map((value, index) => value / (index === 0 ? start : days[index - 1]!) - 1);
  if (returns.length < 10 || !returns.every(Number.isFinite)) return { sharpe: null, sortino: null };
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
  const deviation = Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1));
  const below = Math.sqrt(returns.reduce((sum, each) => sum + Math.min(each, 0) ** 2, 0) / returns.length);
  const yearly = Math.sqrt(YEAR_DAYS);
  return {
    sharpe: deviation > 0 ? round((mean / deviation) * yearly) : null,
    sortino: below > 0 ? round((mean / below) * yearly) : null,
  };
}

/** Follows the value of the account bar by bar, in doubles: for drawing and for figures, never for orders. Not `drawn`: figures alone. */
export function createEquityCurve(start: number, bars: number, drawn = true) {
  const every = Math.max(1, Math.ceil(bars / (CURVE_POINTS - 1)));
  const steps: number[] = [];
  const values: number[] = [];
  const days: number[] = [];
  let dayEnd = Number.NaN;
  let nextStep = drawn ? 0 : Number.POSITIVE_INFINITY;
  let peak = start;
  let peakAt = Number.NaN;
  let trough = start;
  let deepest = 0;
  let deepestMs = 0;
  let underWaterMs = 0;
  let exposed = 0;
  const last = { step: -1, at: 0, value: start };
  const endFall = (at: number): void => {
    const fall = peak > 0 ? (peak - trough) / peak : 0;
    if (fall > deepest) {
      deepest = fall;
      deepestMs = at - peakAt;
    }
    if (fall > 0 && at - peakAt > underWaterMs) underWaterMs = at - peakAt;
  };
  return {
    /** The value at the close of a step; `at` is its closing time, epoch ms. */
    mark(step: number, at: number, value: number, holding: boolean): void {
      if (Number.isNaN(peakAt)) peakAt = at;
      if (holding) exposed += 1;
      if (value >= peak) {
        if (trough < peak) endFall(at);
        peak = value;
        trough = value;
        peakAt = at;
      } else if (value < trough) trough = value;
      if (!(at <= dayEnd)) {
        if (!Number.isNaN(dayEnd)) days.push(last.value);
        dayEnd = Math.ceil(at / DAY_MS) * DAY_MS;
      }
      if (step === nextStep) {
        steps.push(step);
        values.push(value);
        nextStep += every;
      }
      last.step = step;
      last.at = at;
      last.value = value;
    },
    /**
     * The same for `count` steps of one coin whose holdings do not change: `cash` and `units` at its closes. Answers
     * false, and marks nothing, where a day ends or a point of the curve falls among them.
     */
    markMany(
      step: number,
      at: number,
      length: number,
      count: number,
      cash: number,
      units: number,
      close: Float64Array,
      holding: boolean,
    ): boolean {
      const end = at + (count - 1) * length;
      if (Number.isNaN(peakAt) || end > dayEnd || nextStep < step + count) return false;
      for (let index = 0; index < count; index += 1) {
        const value = cash + units * close[step + index]!;
        if (value >= peak) {
          if (trough < peak) endFall(at + index * length);
          peak = value;
          trough = value;
          peakAt = at + index * length;
        } else if (value < trough) trough = value;
      }
      if (holding) exposed += count;
      last.step = step + count - 1;
      last.at = end;
      last.value = cash + units * close[step + count - 1]!;
      return true;
    },
    /**
     * The same as `mark` for the steps of one coin from `from` to before `to`, whose holdings do not change: `cash` and
     * `units` at its closes. Blocks that stay between the peak and the trough are passed over.
     */
    markRange(range: MarkedRange): void {
      const { from, to, openTime, length, cash, units, close, holding, blocks, parted } = range;
      let step = from;
      while (step < to) {
        const at = openTime[step]! + length;
        if (step === nextStep || Number.isNaN(peakAt) || at > dayEnd || Number.isNaN(dayEnd)) {
          this.mark(step, at, cash + units * close[step]!, holding);
          step += 1;
          continue;
        }
        // Up to the end of the day and to the next point of the curve nothing is written but extremes.
        let end = Math.min(to, nextStep, step + Math.floor((dayEnd - at) / length) + 1);
        while (openTime[end - 1]! + length > dayEnd) end = step + ((end - step) >> 1);
        if (holding) exposed += end - step;
        if (units === 0 && cash < peak) {
          if (cash < trough) trough = cash;
          step = end;
        } else if (units === 0) {
          if (trough < peak) endFall(at);
          peak = cash;
          trough = cash;
          peakAt = openTime[end - 1]! + length;
          step = end;
        }
        while (step < end) {
          // Numbers of this function's own: one that several functions share is a new object with each value it takes.
          const top = peak;
          let bottom = trough;
          let value = Number.NaN;
          for (; step < end; step += 1) {
            if (step % PART === 0 && step < parted) {
              if (step % BLOCK === 0 && step + BLOCK <= end) {
                const block = step / BLOCK;
                if (cash + units * blocks.high[block]! < top && cash + units * blocks.low[block]! >= bottom) {
                  step += BLOCK - 1;
                  continue;
                }
              } else if (step + PART <= end) {
                const part = step / PART;
                if (cash + units * blocks.partHigh[part]! < top && cash + units * blocks.partLow[part]! >= bottom) {
                  step += PART - 1;
                  continue;
                }
              }
            }
            value = cash + units * close[step]!;
            if (value >= top) break;
            if (value < bottom) bottom = value;
          }
          trough = bottom;
          if (step === end) break;
          if (bottom < top) endFall(openTime[step]! + length);
          // A rise goes on for a while: only its end is the peak.
          while (step + 1 < end && cash + units * close[step + 1]! >= value) {
            step += 1;
            value = cash + units * close[step]!;
          }
          peak = value;
          trough = value;
          peakAt = openTime[step]! + length;
          step += 1;
        }
        last.step = end - 1;
        last.at = openTime[end - 1]! + length;
        last.value = cash + units * close[end - 1]!;
      }
    },
    finish(): CurveFigures & { readonly steps: readonly number[]; readonly values: readonly number[]; readonly exposurePct: number } {
      if (trough < peak) endFall(last.at);
      if (last.step >= 0 && steps.at(-1) !== last.step) {
        steps.push(last.step);
        values.push(last.value);
      }
      return {
        maxDrawdownPct: round(deepest * 100),
        maxDrawdownMs: deepestMs,
        underWaterMs,
        ...ratios(start, Number.isNaN(dayEnd) ? days : [...days, last.value]),
        steps,
        values,
        exposurePct: bars > 0 ? round((exposed / bars) * 100) : 0,
      };
    },
  };
}
export type EquityCurve = ReturnType<typeof createEquityCurve>;
