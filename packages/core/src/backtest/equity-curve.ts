import { type ReturnRatios, returnRatios } from '../indicators/return-ratios.ts';

/** Most points of a curve in a report. */
export const CURVE_POINTS = 500;
const DAY_MS = 86_400_000;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** `returnRatios` of days that begin at `start`; null with fewer than ten. */
export function ratios(start: number, days: readonly number[]): ReturnRatios {
  const returns = days.map((value, index) => value / (index === 0 ? start : days[index - 1]!) - 1);
  return returns.length < 10 ? { sharpe: null, sortino: null } : returnRatios(returns);
}

/** Follows the value of the account bar by bar, in doubles: for drawing and for figures, never for orders. */
export function createEquityCurve(start: number, bars: number) {
  const every = Math.max(1, Math.ceil(bars / (CURVE_POINTS - 1)));
  const steps: number[] = [];
  const values: number[] = [];
  const days: number[] = [];
  let dayEnd = Number.NaN;
  let nextStep = 0;
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
    /** What the curve says; null where there is too little to say it from. */
    finish() {
      if (trough < peak) endFall(last.at);
      if (last.step >= 0 && steps.at(-1) !== last.step) {
        steps.push(last.step);
        values.push(last.value);
      }
      return {
        ...ratios(start, Number.isNaN(dayEnd) ? days : [...days, last.value]),
        maxDrawdownPct: round(deepest * 100),
        /** From the peak before the deepest fall to the recovery, or to the end when there was none. */
        maxDrawdownMs: deepestMs,
        /** The longest time below an earlier peak. */
        underWaterMs,
        exposurePct: bars > 0 ? round((exposed / bars) * 100) : 0,
        steps,
        values,
      };
    },
  };
}
export type EquityCurve = ReturnType<typeof createEquityCurve>;
