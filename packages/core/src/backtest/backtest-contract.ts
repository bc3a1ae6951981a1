import * as z from 'zod';
import { exitReason, traceSchema } from '../auto-trades/trace.ts';
import { asset, isoTime, money, percent, ratio, symbol } from '../http/wire.ts';
import { fillModelSchema } from './fill-model.ts';

/** Version of the report's layout; it rises when a field changes its meaning or goes. */
export const REPORT_VERSION = 1;

const passive = z.object({ endValue: money(), returnPct: percent() });
const point = z.object({ at: isoTime, value: z.number(), hold: z.number(), dca: z.number() });

/** Figures of a run. Money in decimal text of the quote asset; percentages and ratios rounded to 4 decimals; times in ms. */
export const backtestFiguresSchema = z.object({
  version: z.literal(REPORT_VERSION),
  symbols: z.array(symbol),
  quoteAsset: asset,
  from: isoTime,
  to: isoTime,
  bars: z.int(),
  intervalMs: z.int(),
  /** Recorded trades, of a run over those; its bars are what they make. Absent of runs over candles. */
  ticks: z.int().optional(),
  model: fillModelSchema,
  startBalance: money(),
  endValue: money(),
  /** After fees, what is still held at its last price. */
  netPnl: money(),
  returnPct: percent(),
  /** Everything bought at the first open, in equal parts of every coin, taker fee paid. */
  hold: passive,
  /** Equal buys at equal distances of time over the whole period, taker fee paid; the rest waits as cash. */
  dca: passive.extend({ buys: z.int(), everyMs: z.int() }),
  realised: money(),
  fees: money(),
  /** What market orders paid beyond the open of their bar: half the spread and the slippage. */
  slippage: money(),
  /** Closed positions; those that bought nothing, or ended at their cost after a price jump (`exits.PriceJump`), are not among them. */
  trades: z.int(),
  wins: z.int(),
  losses: z.int(),
  winRatePct: percent().nullable(),
  profitFactor: ratio().nullable(),
  /** Mean result of a trade. */
  expectancy: money().nullable(),
  /** Daily returns, times √365, over a riskless rate of 0. */
  sharpe: z.number().nullable(),
  sortino: z.number().nullable(),
  maxDrawdownPct: z.number(),
  maxDrawdownMs: z.number(),
  underWaterMs: z.number(),
  /** Share of the bars in which something was held. */
  exposurePct: z.number(),
  /** Bars in which stop and target lay together and nothing finer told which came first; bars that finer candles told. */
  ambiguousBars: z.int(),
  zoomedBars: z.int(),
  /** Share of the exits that were decided in an ambiguous bar. */
  ambiguousExitsPct: z.number(),
  exits: z.record(z.string(), z.int()),
  /** Orders the exchange would not have had, by its code and rule. */
  refusals: z.record(z.string(), z.int()),
  /** At most 500 points; values in doubles, for drawing. */
  equity: z.array(point),
  /** Last price of each coin at the points of `equity`; null before its first candle. */
  prices: z.record(symbol, z.array(z.number().nullable())),
});
export type BacktestFigures = Readonly<z.infer<typeof backtestFiguresSchema>>;

/** One position of the run with everything it did. */
export const backtestTradeSchema = z.object({
  positionId: z.string(),
  symbol,
  enteredAt: isoTime,
  openedAt: isoTime.nullable(),
  closedAt: isoTime.nullable(),
  reason: exitReason.nullable(),
  bought: money(),
  sold: money(),
  buys: z.int(),
  sells: z.int(),
  fees: money(),
  realised: money().nullable(),
  /** Of what was paid for it. */
  resultPct: percent().nullable(),
  traces: z.array(traceSchema),
});
export type BacktestTrade = Readonly<z.infer<typeof backtestTradeSchema>>;

export const lookAheadSchema = z.object({
  /** Every bar hidden until its turn: the traces up to 20 moments are those of the open run. */
  prefix: z.object({ passed: z.boolean(), sampled: z.int(), failedAt: isoTime.nullable() }),
  /** Buys one bar later: better beyond what chance explains is not believed. */
  delay: z.object({
    verdict: z.enum(['passed', 'improves', 'collapses', 'tooFewTrades']),
    netPnl: money(),
    trades: z.int(),
    /** Improvement by the delay, and how much of it chance explains (two standard errors), in the quote asset. */
    improvement: z.number(),
    noise: z.number(),
  }),
});
export type LookAhead = Readonly<z.infer<typeof lookAheadSchema>>;

/** The whole report as a file. */
export const backtestDocumentSchema = backtestFiguresSchema.extend({
  name: z.string(),
  checks: lookAheadSchema.nullable(),
  positions: z.array(backtestTradeSchema),
});
export type BacktestDocument = Readonly<z.infer<typeof backtestDocumentSchema>>;
