import type { Trace } from '../auto-trades/trace.ts';
import { add, decimal, divide, HUNDRED, isNegative, isPositive, multiply, subtract, toText, ZERO } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import type { FillModel } from './backtest-broker.ts';

/** Figures of a run. Money in decimal text of the quote asset; percentages and ratios rounded to 4 decimals. */
export type BacktestReport = {
  readonly symbol: string;
  readonly from: string;
  readonly to: string;
  readonly bars: number;
  readonly model: FillModel;
  readonly startBalance: string;
  readonly endValue: string;
  readonly netPnl: string;
  readonly returnPct: string;
  readonly holdReturnPct: string;
  readonly realised: string;
  readonly fees: string;
  readonly trades: number;
  readonly wins: number;
  readonly losses: number;
  readonly winRatePct: string | null;
  readonly profitFactor: string | null;
  readonly expectancy: string | null;
  readonly maxDrawdownPct: number;
  readonly maxDrawdownBars: number;
  readonly exposurePct: number;
  readonly ambiguousBars: number;
  readonly exits: Readonly<Record<string, number>>;
  /** At most 500 points of [time, value]. */
  readonly equity: readonly (readonly [string, number])[];
};

const EQUITY_POINTS = 500;
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

export function createReport({ startBalance, candles, model }: { startBalance: number; candles: CandleSeries; model: FillModel }) {
  const size = candles.openTime.length;
  const every = Math.max(1, Math.ceil(size / EQUITY_POINTS));
  const equity: [string, number][] = [];
  let peak = startBalance;
  let peakBar = 0;
  let drawdown = 0;
  let drawdownBars = 0;
  let exposed = 0;
  let ambiguous = 0;
  return {
    ambiguous(): void {
      ambiguous += 1;
    },
    bar(index: number, value: number, holding: boolean): void {
      if (holding) exposed += 1;
      if (value > peak) {
        peak = value;
        peakBar = index;
      } else {
        const fall = (peak - value) / peak;
        if (fall > drawdown) drawdown = fall;
        if (index - peakBar > drawdownBars) drawdownBars = index - peakBar;
      }
      if (index % every === 0) equity.push([new Date(candles.openTime[index]!).toISOString(), Math.round(value * 100) / 100]);
    },
    finish({
      traces,
      endValue,
      realised,
      holdReturnPct,
    }: {
      traces: readonly Trace[];
      endValue: string;
      realised: string;
      holdReturnPct: string;
    }): BacktestReport {
      const start = decimal(String(startBalance));
      let gains = ZERO;
      let losses = ZERO;
      let fees = ZERO;
      let wins = 0;
      let lost = 0;
      const exits: Record<string, number> = {};
      for (const trace of traces) {
        // Fees of what is still held are in the result too.
        if (trace.kind === 'Buy' || trace.kind === 'Sell') fees = add(fees, decimal(String(trace.after.feeInQuote)));
        if (trace.kind !== 'Exit' || trace.reason === 'Abandoned') continue;
        const result = decimal(String(trace.after.realised));
        exits[trace.reason] = (exits[trace.reason] ?? 0) + 1;
        if (isPositive(result)) {
          gains = add(gains, result);
          wins += 1;
        } else {
          lost += 1;
          if (isNegative(result)) losses = add(losses, result);
        }
      }
      const trades = wins + lost;
      const pnl = subtract(decimal(endValue), start);
      return {
        symbol: candles.symbol,
        from: new Date(candles.openTime[0]!).toISOString(),
        to: new Date(candles.openTime[size - 1]! + candles.intervalMs).toISOString(),
        bars: size,
        model,
        startBalance: toText(start),
        endValue,
        netPnl: toText(pnl),
        returnPct: toText(divide(multiply(pnl, HUNDRED), start, 4)),
        holdReturnPct,
        realised,
        fees: toText(fees),
        trades,
        wins,
        losses: lost,
        winRatePct: trades > 0 ? toText(divide(decimal(wins * 100), decimal(trades), 2)) : null,
        profitFactor: isNegative(losses) ? toText(divide(gains, subtract(ZERO, losses), 4)) : null,
        expectancy: trades > 0 ? toText(divide(add(gains, losses), decimal(trades), 8)) : null,
        maxDrawdownPct: round(drawdown * 100),
        maxDrawdownBars: drawdownBars,
        exposurePct: round((exposed / size) * 100),
        ambiguousBars: ambiguous,
        exits,
        equity,
      };
    },
  };
}
