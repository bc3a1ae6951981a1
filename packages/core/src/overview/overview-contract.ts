import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { asset, id, isoTime, money, percent, price, quantity, ratio, symbol, tradeMode } from '../http/wire.ts';
import type { Facts } from '../notifications/notification-facts.ts';
import { priceAlertSchema } from '../price-alerts/price-alerts-contract.ts';

/**
 * The home screen: what needs its reader, what happens next, what happened today, and how equity stands.
 *
 * Nothing here has a stream topic of its own. Reload on these, at most every few seconds:
 * - needs: `auto-trades`, `account`, `positions`, `notifications` (a channel failed), and after a `reset`.
 *   A connection or a market that fails says nothing: ask again each minute, too;
 * - next: `auto-trades`, `price-alerts`; prices and distances between two answers follow `tickers`;
 * - activity: `auto-trades`, `price-alerts`, `notifications`;
 * - equity: `account` (`balances`), `auto-trades` on paper; the server keeps a point every quarter of an hour.
 */
const bff = { backend: 'bff', method: 'GET', access: 'user' } as const;

const facts = z.record(z.string(), z.union([z.string(), z.number()])) as unknown as z.ZodType<Facts, Facts>;
/** The bot that a row is about; both null where it is about none. */
const ofBot = { autoTradeId: id.nullable(), botName: z.string().nullable() };

/**
 * Causes for which a person is needed:
 * - money without protection: `exits-frozen` (holds coins and sends no exit), `bot-unread` (a pair or the stored bot cannot be
 *   read, so the bot is not at work), `position-attention`, `no-stop` (no rule sells below), `stop-refused` (no stop rests at
 *   the exchange, the bot's own still works);
 * - trading stands still: `bot-blocked`, `bot-halted`;
 * - access: `connection-failing`, `key-no-trading`, `key-ends`;
 * - books that do not add up: `balance-difference` (one asset), `balance-differences` (more than five), `history-failed`,
 *   `positions-broken`;
 * - `channel-failed`; `market-silent` (admins only: the market has not answered yet);
 * - `unknown-source`: a source could not be read, so its causes are unknown.
 */
export const needKind = z.enum([
  'exits-frozen',
  'bot-unread',
  'position-attention',
  'no-stop',
  'stop-refused',
  'bot-blocked',
  'bot-halted',
  'connection-failing',
  'key-no-trading',
  'key-ends',
  'balance-difference',
  'balance-differences',
  'history-failed',
  'positions-broken',
  'channel-failed',
  'market-silent',
  'unknown-source',
]);
export type NeedKind = z.infer<typeof needKind>;

/** The one thing to do about it; the button's text is `overview.actions.<action>`. */
export const needAction = z.enum([
  'unfreeze',
  'resolve',
  'set-stop',
  'review',
  'resume',
  'connect',
  'renew-key',
  'allow-trading',
  'explain',
  'sync',
  'fix-channel',
  'choose-market',
  'retry',
]);
export type NeedAction = z.infer<typeof needAction>;

export const needSchema = z.object({
  /** Stays the same while the cause lasts: what to key a row by, and to remember as seen. */
  id: z.string(),
  kind: needKind,
  /** 1 money without protection · 2 access that fails or ends, bots that stand still · 3 books that do not add up · 4 channels · 5 the instance · 6 paper. */
  rank: z.int(),
  /** Whose money: null where it is about no bot and not about the connected account's money. */
  mode: tradeMode.nullable(),
  ...ofBot,
  symbol: symbol.nullable(),
  /** Why, as a stable code: of the attention, the block, the refusal, the channel, the source. */
  code: z.string(),
  /**
   * What `overview.needs.<kind>.title` and `.text` are filled with, by `shownFacts` of `notification-facts.ts`. A fact
   * `reasonKey` names the text of the reason, `reason` is the exchange's own words; `endsAt` is when a key ends.
   */
  facts,
  action: needAction,
  /** A path of the web app at which that can be done. */
  link: z.string(),
  /** Since when, where that is known. */
  since: isoTime.nullable(),
});
export type Need = z.infer<typeof needSchema>;

export const getNeeds = endpoint({
  ...bff,
  path: '/v2/overview/needs',
  summary: 'What needs its reader, most urgent first; a source that cannot be read is an item, never a failure',
  answer: z.object({ items: z.array(needSchema), checkedAt: isoTime }),
});

/**
 * What happens next: of a held position every level that sells or buys (`stop-loss`, `protected-cost`, `arm`,
 * `take-profit`, `target-price`, `rebuy`, `time-stop`), else what a coin waits for (`drop`, `rebound`, `pause`, `cooldown`,
 * `refused`, `order`, `sale-again`, as in `waitsFor`), and of an alert `alert`.
 */
export const nextEventSchema = z.object({
  /** Stays the same while the event is waited for. */
  id: z.string(),
  /** `time` is a bot's event without a price, at `at`. */
  kind: z.enum(['bot', 'alert', 'time']),
  /** The text is `overview.next.<code>`. */
  code: z.string(),
  symbol: symbol.nullable(),
  ...ofBot,
  alertId: id.nullable(),
  /** What the alert watches, for its sentence; null for bots. */
  condition: priceAlertSchema.shape.condition.nullable(),
  mode: tradeMode.nullable(),
  /** At which it happens; null where only the time decides. Alerts without a level are not listed: no price is near to them. */
  price: price().nullable(),
  priceNow: price().nullable(),
  /** From the price now to it, in percent of the price now; positive: the price must rise. */
  distancePct: percent().nullable(),
  /** When it happens, or when it is given up (`rebound`, `order`). */
  at: isoTime.nullable(),
  /** What is sold or bought, in coins and in the quote asset, where it is known before. */
  quantity: quantity().nullable(),
  quote: money().nullable(),
  /** The currency of `quote`. */
  currency: asset.nullable(),
  /** What the exchange said, where that is what is waited for. */
  detail: z.string().nullable(),
});
export type NextEvent = z.infer<typeof nextEventSchema>;

export const getNextEvents = endpoint({
  ...bff,
  path: '/v2/overview/next',
  summary: 'What bots and armed alerts do next: nearest by price first, then by time',
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(20) }),
  answer: z.object({
    items: z.array(nextEventSchema),
    /** Of all, also those past the limit. */
    total: z.int(),
    checkedAt: isoTime,
  }),
});

export const activityKind = z.enum(['buy', 'sell', 'exit', 'pause', 'block', 'halt', 'attention', 'alert']);
export type ActivityKind = z.infer<typeof activityKind>;

export const activitySchema = z.object({
  id: z.string(),
  /** When it happened; trades by the market's clock. */
  at: isoTime,
  kind: activityKind,
  /**
   * A sell or exit: its reason (`exitReasons.<code>`); a buy: `entry`, or `rebuy` with the fact `number`; the others:
   * the code of their notification, whose text is `notifications.<code>.title`. `activityText` gives the key of the text.
   */
  code: z.string(),
  facts,
  symbol: symbol.nullable(),
  ...ofBot,
  mode: tradeMode.nullable(),
  /** What a sell realised, after fees; null for all else and while a fee has no value. */
  result: money().nullable(),
  /** The currency of `result`. */
  currency: asset.nullable(),
  /** A path of the web app. */
  link: z.string().nullable(),
});
export type Activity = z.infer<typeof activitySchema>;

export const activityTotalsSchema = z.object({
  mode: tradeMode,
  currency: asset,
  /** Orders that sold; several fills of one order are one. */
  sells: z.int(),
  wins: z.int(),
  realised: money(),
});
export type ActivityTotals = z.infer<typeof activityTotalsSchema>;

export const getActivity = endpoint({
  ...bff,
  path: '/v2/overview/activity',
  summary: "What bots and alerts did, newest first; since the reader's local midnight unless said",
  /** `from`: by the market's clock; at most 31 days back, the answer says from where. */
  query: z.object({ from: isoTime.optional(), limit: z.coerce.number().int().min(1).max(200).default(50) }),
  answer: z.object({
    from: isoTime,
    /** Whose midnight it is. */
    timeZone: z.string(),
    items: z.array(activitySchema),
    /** False where there are more than the limit. */
    complete: z.boolean(),
    /** Of all since `from`, past the limit too; one for each mode and currency with a sell, never added together. */
    totals: z.array(activityTotalsSchema),
  }),
});

export const equityRange = z.enum(['today', '1d', '7d', '30d', '90d', '1y', 'all']);
export type EquityRange = z.infer<typeof equityRange>;

/** Of equity, less deposits and withdrawals. */
export const equityChangeSchema = z.object({
  change: money(),
  /** Of what was there and what came in; null when that is nothing. */
  pct: percent().nullable(),
  /** The point it is counted from. */
  since: isoTime,
  /** False where no point lies within a quarter of an hour of the moment asked about: `since` is the first one after it. */
  exact: z.boolean(),
});
export type EquityChange = z.infer<typeof equityChangeSchema>;

export const getEquity = endpoint({
  ...bff,
  path: '/v2/overview/equity',
  summary: 'Equity now, since local midnight, this month and over a range; live and paper apart',
  query: z.object({ mode: tradeMode.default('live'), range: equityRange.default('30d') }),
  answer: z.object({
    mode: tradeMode,
    range: equityRange,
    currency: asset,
    now: z.object({
      equity: money(),
      /** To be spent at once. */
      free: money(),
      /** What coins cost, or are worth where their cost is not known, and what open orders hold. */
      invested: money(),
      /** Assets without a price in the currency: named, not counted as zero. */
      unpriced: z.array(asset),
    }),
    /** Null while no point of the day is known, or a price is missing that its points had. */
    sinceMidnight: equityChangeSchema.nullable(),
    /** Since the first of the local month. */
    month: equityChangeSchema.nullable(),
    /** Oldest first; the last point is now, unless a price is missing. `flow`: what came in less what went out since the point before. */
    series: z.array(z.object({ time: isoTime, equity: money(), flow: money() })),
    /** Over the series; null with fewer than two points. */
    change: equityChangeSchema.nullable(),
    /** The series' first equity held in BTC, with the same flows; null where the price of a point is not known. */
    benchmark: z.object({ asset, pct: percent().nullable(), series: z.array(z.object({ time: isoTime, value: money() })) }).nullable(),
    other: z.object({
      btc: z.object({ quantity: quantity(), asOf: isoTime }).nullable(),
      /** In the currency of the reader's language, by the rate of a pair of this market; null without such a pair. */
      currency: z.object({ currency: asset, value: money(), rate: ratio(), asOf: isoTime }).nullable(),
    }),
    asOf: isoTime,
  }),
  errors: ['not-connected', 'exchange-unreachable'],
});

export const overviewContract = { getNeeds, getNextEvents, getActivity, getEquity };
