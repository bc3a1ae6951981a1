import * as z from 'zod';
import { BY_HAND, exitReason } from '../auto-trades/exit-reason-contract.ts';
import { endpoint } from '../http/endpoint.ts';
import { asset, DAYS_IN_ORDER, dayRange, daysInOrder, id, isoTime, listOf, money, percent, ratio, tradeMode } from '../http/wire.ts';

/**
 * What was earned over a range, and where it came from.
 *
 * An exit is an order that sold something: its fills are one, parts of a position are one each. Its result is what the
 * ledger (live) or the bot's own book (paper) realised by it, after fees, in `currency`; it counts on the day, by the
 * reader's time zone, of its last fill. Coins that paid a fee were sold by no order: what they won or lost since they were
 * bought is in every sum, as a conversion by hand, and counts as no exit. Every breakdown (days, bots, wallets, coins,
 * reasons, hours) adds up to `net`.
 */

/** Whose exit it was: a bot's, or by hand. */
const whose = z.union([id, z.literal(BY_HAND)]);
/** Why an exit was: a bot's reason, `hand` for an order of its owner, `conversion` for coins that were swapped or converted. */
export const performanceReason = z.enum([...exitReason.options, BY_HAND, 'conversion']);
export type PerformanceReason = z.infer<typeof performanceReason>;

/** What exits came to. `winRatePct` and `profitFactor` (won by lost) are null without exits, the factor without a loss, too. */
const tally = {
  exits: z.int(),
  wins: z.int(),
  winRatePct: percent().nullable(),
  profitFactor: ratio().nullable(),
  net: money(),
};
const dayName = z.iso.date();
const dayNet = z.object({ day: dayName, net: money() });

export const performanceDay = z.object({
  day: dayName,
  ...tally,
  fees: money(),
  /** Equity at the end of the day, or now; null where no point of the day is known, and with a filter that narrows. */
  equity: money().nullable(),
  /** What was paid in less what was taken out that day. */
  flow: money(),
  /** Below the highest before, flows left out, zero or negative; null where equity is. */
  drawdownPct: percent().nullable(),
  /** The equity of the first day held in BTC, with the same flows; null where a price is not known. */
  benchmark: money().nullable(),
});
export type PerformanceDay = z.infer<typeof performanceDay>;

export const performanceSchema = z.object({
  mode: tradeMode,
  currency: asset,
  /** Whose days and hours they are. */
  timeZone: z.string(),
  from: dayName,
  to: dayName,
  ...tally,
  /** `net` in percent of the equity at the start and what was paid in; null where equity is not known or a filter narrows. */
  returnPct: percent().nullable(),
  losses: z.int(),
  /** Sums of the results above and below zero; both zero or positive. */
  won: money(),
  lost: money(),
  averageExit: money().nullable(),
  averageWin: money().nullable(),
  /** Zero or negative. */
  averageLoss: money().nullable(),
  fees: money(),
  /** In percent of what was won before fees, exits that fees turned into losses among it; null without. */
  feesPct: percent().nullable(),
  /**
   * What is open now of the chosen bots and coins (it has no reason and no hour yet), after the fee of selling it; not part of
   * `net`. Null while a price is missing; without what is held by hand at a cost that is not known.
   */
  open: z.object({ result: money().nullable(), positions: z.int() }),
  benchmark: z
    .object({
      asset,
      pct: percent(),
      /** Of equity over the same days, less flows; what it is ahead of holding is `equityPct − pct` percentage points. */
      equityPct: percent(),
    })
    .nullable(),
  /** The deepest fall of equity by days, flows left out; null without equity. `to`: the day it was made up for, or the last. */
  drawdown: z.object({ pct: percent(), from: dayName, to: dayName, days: z.int(), recovered: z.boolean() }).nullable(),
  /** Of daily returns of equity, × √365, without a riskless rate; null with fewer than 14 days, and where nothing varies. */
  sharpe: ratio().nullable(),
  sortino: ratio().nullable(),
  /** Every day of the range up to today, oldest first; at most 3,660. */
  days: z.array(performanceDay),
  /** The calendar year of `to`, under the same filter, whatever the range; months that have begun. */
  year: z.object({
    year: z.int(),
    net: money(),
    months: z.array(z.object({ month: z.string().regex(/^\d{4}-\d{2}$/), exits: z.int(), net: money() })),
  }),
  /** Largest result first, as coins and reasons are. `name` is null for `hand`. */
  bots: z.array(z.object({ id: whose, name: z.string().nullable(), ...tally })),
  /** By the wallet that the bot lives on; `id` null for what was sold by hand. */
  wallets: z.array(z.object({ id: id.nullable(), name: z.string().nullable(), ...tally })),
  coins: z.array(z.object({ asset, ...tally })),
  reasons: z.array(z.object({ reason: performanceReason, ...tally })),
  /** All 24, by the hour of the last fill. */
  hours: z.array(z.object({ hour: z.int().min(0).max(23), ...tally })),
  more: z.object({
    /** From the first buy of what was sold to the sale; null where it is known of none. */
    averageHoldMs: z.number().nullable(),
    longestLosingRun: z.int(),
    daysWithGain: z.int(),
    daysWithExit: z.int(),
    best: dayNet.nullable(),
    worst: dayNet.nullable(),
  }),
  /** Exits that no figure counts, in the range and under the filter, and why; causes without any are not listed. */
  leftOut: z.array(z.object({ cause: z.enum(['cost-unknown', 'excluded', 'no-rate', 'unread']), count: z.int() })),
  /** What can be chosen: all that has an exit or is held, whatever the filter. */
  choices: z.object({
    bots: z.array(z.object({ id: whose, name: z.string().nullable() })),
    coins: z.array(asset),
    reasons: z.array(performanceReason),
    /** Day of the first exit; null before it. */
    first: dayName.nullable(),
  }),
  asOf: isoTime,
});
export type Performance = z.infer<typeof performanceSchema>;

export const getPerformance = endpoint({
  backend: 'bff',
  method: 'GET',
  access: 'user',
  path: '/v2/performance',
  summary: 'What was earned over a range of days, and where it came from; live and paper apart',
  query: z
    .object({
      mode: tradeMode.default('live'),
      /** By the reader's time zone, both ends included; without `from` since the first exit, without `to` until today. */
      ...dayRange,
      bots: listOf(whose).optional(),
      coins: listOf(asset).optional(),
      reasons: listOf(performanceReason).optional(),
      hour: z.coerce.number().int().min(0).max(23).optional(),
    })
    .refine(daysInOrder, DAYS_IN_ORDER),
  answer: performanceSchema,
});

export const performanceContract = { getPerformance };
