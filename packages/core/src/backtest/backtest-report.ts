import { isUndecided, profitFactor, winRatePct } from '../auto-trades/exit-tally.ts';
import { textOf } from '../auto-trades/position/position-lines.ts';
import type { Trace } from '../auto-trades/trace.ts';
import {
  add,
  type Decimal,
  decimal,
  divide,
  fromFloat,
  HUNDRED,
  isNegative,
  isPositive,
  multiply,
  subtract,
  toText,
  ZERO,
} from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { type BacktestDocument, type BacktestFigures, type BacktestTrade, type LookAhead, REPORT_VERSION } from './backtest-contract.ts';
import type { Timeline } from './backtest-timeline.ts';
import type { EquityCurve } from './equity-curve.ts';
import type { FillModel } from './fill-model.ts';
import type { PassiveBenchmarks } from './passive-benchmarks.ts';

const cents = (value: number): number => Math.round(value * 100) / 100;
const percent = (part: Decimal, whole: Decimal): string => (isPositive(whole) ? toText(divide(multiply(part, HUNDRED), whole, 4)) : '0');
const amountOf = (trace: Trace, key: string): Decimal => decimal(String(trace.after[key] ?? '0'));

export type SummaryParts = {
  readonly symbols: readonly string[];
  readonly quoteAsset: string;
  readonly timeline: Timeline;
  readonly model: FillModel;
  readonly startBalance: string;
  readonly endValue: string;
  readonly realised: string;
  readonly slippage: string;
  readonly figures: ReturnType<EquityCurve['finish']>;
  readonly traces: readonly Trace[];
  /** Ids of positions that sold in an ambiguous bar. */
  readonly ambiguous: ReadonlySet<string>;
  readonly ambiguousBars: number;
  readonly zoomedBars: number;
  readonly refusals: Readonly<Record<string, number>>;
};

export type ReportParts = SummaryParts & { readonly passive: PassiveBenchmarks; readonly candles: readonly CandleSeries[] };

/**
 * What the positions of a run came to, from its traces: amounts in the quote asset, `losses` negative, `fees` of what is
 * still held too. @param ambiguous ids of positions that sold in an ambiguous bar; `ambiguousExits` counts theirs
 */
function tallyOf(traces: readonly Trace[], ambiguous: ReadonlySet<string>) {
  let gains = ZERO;
  let losses = ZERO;
  let fees = ZERO;
  let wins = 0;
  let lost = 0;
  let ambiguousExits = 0;
  const exits: Record<string, number> = {};
  for (const trace of traces) {
    // Fees of what is still held are in the result too.
    if (trace.kind === 'Buy' || trace.kind === 'Sell') fees = add(fees, amountOf(trace, 'feeInQuote'));
    if (trace.kind !== 'Exit' || trace.reason === 'Abandoned') continue;
    const result = amountOf(trace, 'realised');
    exits[trace.reason] = (exits[trace.reason] ?? 0) + 1;
    if (ambiguous.has(trace.positionId)) ambiguousExits += 1;
    if (isUndecided(trace.reason, result)) continue;
    if (isPositive(result)) {
      gains = add(gains, result);
      wins += 1;
    } else {
      lost += 1;
      if (isNegative(result)) losses = add(losses, result);
    }
  }
  return { fees, gains, losses, wins, lost, ambiguousExits, exits };
}

/** What a run came to, without what it is compared with and drawn by. */
export type BacktestSummary = Omit<BacktestFigures, 'hold' | 'dca' | 'equity' | 'prices'>;

/** The figures of a run from its positions and its curve. */
export function summaryFigures(parts: SummaryParts): BacktestSummary {
  const { timeline } = parts;
  const { steps: _steps, values: _values, ...curve } = parts.figures;
  const { fees, gains, losses, wins, lost, ambiguousExits, exits } = tallyOf(parts.traces, parts.ambiguous);
  const start = decimal(parts.startBalance);
  const trades = wins + lost;
  const pnl = subtract(decimal(parts.endValue), start);
  const { intervalMs, openTime, size } = timeline;
  return {
    version: REPORT_VERSION,
    symbols: [...parts.symbols],
    quoteAsset: parts.quoteAsset,
    from: new Date(openTime[0]!).toISOString(),
    to: new Date(openTime[size - 1]! + intervalMs).toISOString(),
    bars: size,
    intervalMs,
    model: parts.model,
    startBalance: toText(start),
    endValue: parts.endValue,
    netPnl: toText(pnl),
    returnPct: percent(pnl, start),
    realised: parts.realised,
    fees: toText(fees),
    slippage: parts.slippage,
    trades,
    wins,
    losses: lost,
    winRatePct: textOf(winRatePct(wins, trades)),
    profitFactor: textOf(profitFactor(gains, losses)),
    expectancy: trades > 0 ? toText(divide(add(gains, losses), decimal(trades), 8)) : null,
    ...curve,
    ambiguousBars: parts.ambiguousBars,
    zoomedBars: parts.zoomedBars,
    ambiguousExitsPct: trades > 0 ? Math.round((ambiguousExits / trades) * 1e6) / 1e4 : 0,
    exits: { ...exits },
    refusals: { ...parts.refusals },
  };
}

/** The same with the benchmarks beside it and the curve to draw. */
export function reportFigures(parts: ReportParts): BacktestFigures {
  const { timeline, figures, passive } = parts;
  const start = decimal(parts.startBalance);
  const compared = (end: number) => {
    const value = fromFloat(end, 8);
    return { endValue: toText(value), returnPct: percent(subtract(value, start), start) };
  };
  const { intervalMs, openTime } = timeline;
  return {
    ...summaryFigures(parts),
    hold: compared(passive.hold.end),
    dca: { ...compared(passive.dca.end), buys: passive.dca.buys, everyMs: passive.dca.everyMs },
    equity: figures.steps.map((step, index) => ({
      at: new Date(openTime[step]! + intervalMs).toISOString(),
      value: cents(figures.values[index]!),
      hold: cents(passive.hold.values[index] ?? passive.hold.end),
      dca: cents(passive.dca.values[index] ?? passive.dca.end),
    })),
    prices: Object.fromEntries(parts.candles.map((series, coin) => [series.symbol, pricesAt(series, coin, timeline, figures.steps)])),
  };
}

/** Closes at some steps; where a pair has no bar the one before stands. */
function pricesAt({ close, openTime }: CandleSeries, coin: number, timeline: Timeline, steps: readonly number[]): (number | null)[] {
  let bar = -1;
  return steps.map((step) => {
    if (timeline.aligned) bar = timeline.barAt(coin, step);
    else while (bar + 1 < openTime.length && openTime[bar + 1]! <= timeline.openTime[step]!) bar += 1;
    return bar < 0 ? null : close[bar]!;
  });
}

/** The positions of a run, oldest first, each with its traces. Positions that bought nothing are among them. */
export function tradesOf(traces: readonly Trace[]): BacktestTrade[] {
  const byPosition = new Map<string, Trace[]>();
  for (const trace of traces) {
    const rows = byPosition.get(trace.positionId);
    if (rows) rows.push(trace);
    else byPosition.set(trace.positionId, [trace]);
  }
  return [...byPosition].map(([positionId, rows]) => {
    const buys = rows.filter(({ kind }) => kind === 'Buy');
    const sells = rows.filter(({ kind }) => kind === 'Sell');
    const exit = rows.find(({ kind }) => kind === 'Exit');
    const total = (all: readonly Trace[], key: string) => all.reduce((sum, trace) => add(sum, amountOf(trace, key)), ZERO);
    const bought = total(buys, 'quoteQuantity');
    return {
      positionId,
      symbol: rows[0]!.symbol,
      enteredAt: rows[0]!.at,
      openedAt: buys[0]?.at ?? null,
      closedAt: exit?.at ?? null,
      reason: (exit?.reason ?? null) as BacktestTrade['reason'],
      bought: toText(bought),
      sold: toText(total(sells, 'quoteQuantity')),
      buys: buys.length,
      sells: sells.length,
      fees: toText(total([...buys, ...sells], 'feeInQuote')),
      realised: exit ? toText(amountOf(exit, 'realised')) : null,
      resultPct: exit ? percent(amountOf(exit, 'realised'), bought) : null,
      traces: rows,
    };
  });
}

/** The whole report of a run. */
export const reportDocument = (
  name: string,
  { report, traces }: { readonly report: BacktestFigures; readonly traces: readonly Trace[] },
  checks: LookAhead | null,
): BacktestDocument => ({ ...report, name, checks, positions: tradesOf(traces) });
