import * as z from 'zod';
import { BY_HAND, exitReason } from '../auto-trades/exit-reason-contract.ts';
import { endpoint } from '../http/endpoint.ts';
import {
  amountText,
  asset,
  DAYS_IN_ORDER,
  dayRange,
  daysInOrder,
  exchangeName,
  id,
  idParams,
  isoTime,
  listOf,
  money,
  orderSide,
  pageOf,
  pageQuery,
  percent,
  positiveText,
  price,
  quantity,
  ratio,
  sortDirection,
  symbol,
  tradeMode,
} from '../http/wire.ts';

/** Why a position's figures cannot be trusted; each names what would fix it. */
export const brokenReason = z.enum([
  'OVERSOLD',
  'MISSING_COST',
  'BALANCE_MISMATCH',
  'GAP',
  'FEE_UNVALUED',
  'UNKNOWN_OPERATION',
  'DELISTED_PRICE',
  'USER',
]);

/** What its owner may ask of a position, in the order it is offered: `position-machine.ts`. */
export const positionAction = z.enum(['calculate', 'target', 'close', 'reopen', 'split', 'break', 'mend', 'exclude', 'include']);
export type PositionAction = z.infer<typeof positionAction>;

export const brokenSchema = z.object({ code: brokenReason, detail: z.string(), fix: z.string().optional() });

const positionBase = z.object({
  id,
  exchange: exchangeName,
  symbol,
  baseAsset: asset,
  quoteAsset: asset,
  number: z.int(),
  openedAt: isoTime,
  quantity: quantity(amountText),
  /** C / H; null when a cost is missing or nothing is held. */
  averageCost: price().nullable(),
  /** Price at which selling the rest ends the position without loss, exit fee included; 0 = already recovered. */
  breakEven: price().nullable(),
  /** (ΣQ bought − ΣQ sold) / (Σq bought − Σq sold), as on the exchange's own screen. */
  averageAsOnExchange: price().nullable(),
  realised: money().nullable(),
  fees: money().nullable(),
  trades: z.int(),
  broken: z.array(brokenSchema),
  excludedFromTotals: z.boolean(),
  /** Sold out and opened again by its owner: what is bought next is of it. */
  reopened: z.boolean(),
  /** What may be asked of it now. */
  allowed: z.array(positionAction),
});

export const openPositionSchema = positionBase.extend({
  cost: money(),
  price: price().nullable(),
  value: money().nullable(),
  unrealised: money().nullable(),
  total: money().nullable(),
  /** Taker fee of selling everything now; already inside `unrealised`. */
  exitFee: money().nullable(),
  returnPct: percent().nullable(),
  targetPrice: price(positiveText).nullable(),
  /** Percent the price must rise to reach the target. */
  targetDistancePct: percent().nullable(),
  /** Realised result if everything were sold at the target, net of fees. */
  resultAtTarget: money().nullable(),
  /** Daily closes, at most 30, oldest first: for a small line, not for arithmetic. */
  sparkline: z.array(z.number()),
});
export type OpenPosition = z.infer<typeof openPositionSchema>;

export const closedPositionSchema = positionBase.extend({
  closedAt: isoTime,
  closedBy: z.enum(['sell', 'gone', 'hand']),
  matchedCost: money(),
  returnPct: percent().nullable(),
  dust: quantity(),
});
export type ClosedPosition = z.infer<typeof closedPositionSchema>;

/**
 * What ended a position: a bot's reason, `hand` for its owner, `gone` for coins that went without a sale. On paper a position
 * that its owner took over is `gone`, too.
 */
export const closedExit = z.enum([...exitReason.options, BY_HAND, 'gone']);
export type ClosedExit = z.infer<typeof closedExit>;
/** A row of the closed list: with whose it was. On paper its number counts the positions of one bot in the pair. */
export const closedRowSchema = closedPositionSchema.extend({
  /** The bots that traded in it, deleted ones too; empty where none did. */
  bots: z.array(z.object({ id, name: z.string() })),
  /** Fills that no bot brought about are in it. */
  byHand: z.boolean(),
  exit: closedExit,
});
export type ClosedRow = z.infer<typeof closedRowSchema>;

const positionTradeSchema = z.object({
  tradeId: z.string(),
  orderId: z.string().nullable(),
  symbol,
  side: orderSide,
  price: price(positiveText),
  quantity: quantity(positiveText),
  quoteQuantity: money(),
  fee: quantity(amountText),
  feeAsset: asset,
  feeInQuote: money().nullable(),
  realised: money().nullable(),
  at: isoTime,
});
export type PositionTrade = z.infer<typeof positionTradeSchema>;

/** A fill of one's own: of a bot, live or on paper, or by hand. */
export const pairFillSchema = z.object({
  mode: tradeMode,
  /** Unique among the fills of its pair and mode. */
  id: z.string(),
  at: isoTime,
  side: orderSide,
  price: price(positiveText),
  quantity: quantity(positiveText),
  /** The bot that brought it about, a deleted one too; null for what was traded by hand. */
  autoTradeId: id.nullable(),
  botName: z.string().nullable(),
});
export type PairFill = z.infer<typeof pairFillSchema>;
const transactionSchema = z.object({
  id,
  at: isoTime,
  kind: z.string(),
  asset,
  change: quantity(),
  cost: money().nullable(),
  source: z.string(),
});

/** What the closed list can be sorted by. */
export const CLOSED_ORDERS = [
  'closedAt-desc',
  'closedAt-asc',
  'realised-desc',
  'realised-asc',
  'returnPct-desc',
  'returnPct-asc',
  'symbol-asc',
  'symbol-desc',
  'matchedCost-desc',
  'matchedCost-asc',
  'held-desc',
  'held-asc',
] as const;
export type ClosedOrder = (typeof CLOSED_ORDERS)[number];

/** The order by a direction alone is that of the closing. `brokenPositions` is another name of `onlyBrokenPositions`. */
const closedQuery = pageQuery
  .extend({
    /** Of the ledger, or of the bots on paper; the two are never listed together. */
    mode: tradeMode.default('live'),
    exchange: exchangeName.optional(),
    currency: asset.optional(),
    'excludedPnl.min': money().optional(),
    'excludedPnl.max': money().optional(),
    order: z.enum([...CLOSED_ORDERS, ...sortDirection.options]).default('closedAt-desc'),
    onlyBrokenPositions: z.stringbool().optional(),
    /** Base assets. */
    coins: listOf(asset).optional(),
    /** Bots that traded in it, and `hand` for what has fills of no bot. */
    bots: listOf(z.union([id, z.literal(BY_HAND)])).optional(),
    exits: listOf(closedExit).optional(),
    /** By its realised result; zero is neither. */
    result: z.enum(['win', 'loss']).optional(),
    /** Days on which it closed. */
    ...dayRange,
    brokenPositions: z.stringbool().optional(),
  })
  .refine(daysInOrder, DAYS_IN_ORDER)
  .transform(({ order, brokenPositions, onlyBrokenPositions = brokenPositions, ...rest }) => ({
    ...rest,
    order: order === 'asc' || order === 'desc' ? (`closedAt-${order}` as const) : order,
    onlyBrokenPositions,
  }));

/** Sums of one quote currency; broken and excluded positions are counted, never summed. */
const totals = z.object({
  currency: asset,
  invested: money(),
  value: money(),
  realised: money(),
  unrealised: money(),
  fees: money(),
  count: z.int(),
  /** Closed ones in the sums with a result above zero, and below it. */
  wins: z.int(),
  losses: z.int(),
  broken: z.int(),
  excluded: z.int(),
});
export type PositionTotals = z.infer<typeof totals>;
/** Before and after of a recalculation. */
export const recalculationSchema = z.object({
  averageCostBefore: price().nullable(),
  averageCostAfter: price().nullable(),
  realisedBefore: money().nullable(),
  realisedAfter: money().nullable(),
  tradesAdded: z.int(),
  tradesRemoved: z.int(),
  broken: z.array(brokenSchema),
});

const get = { backend: 'bff', method: 'GET', access: 'user' } as const;
const post = { backend: 'bff', method: 'POST', access: 'user', params: idParams } as const;

export const getPositionsOverview = endpoint({
  ...get,
  path: '/v2/positions/overview',
  summary: 'Totals of open and closed positions',
  answer: z.object({
    totals: z.array(totals),
    winRatePct: percent().nullable(),
    /** In the primary currency; null when the rate of a result is not known. */
    realisedThisMonth: money().nullable(),
    /** `pnl` is null when the result of one of them is not known. */
    excluded: z.object({ count: z.int(), pnl: money().nullable() }),
    equity: z.array(z.object({ at: isoTime, value: money() })),
    best: closedPositionSchema.nullable(),
    worst: closedPositionSchema.nullable(),
  }),
});
export const getMonthlyOverview = endpoint({
  ...get,
  path: '/v2/positions/monthly-overview',
  summary: 'Realised results by month of the sell fill, per quote currency',
  answer: z.array(
    z.object({
      month: z.string().regex(/^\d{4}-\d{2}$/),
      currency: asset,
      realised: money(),
      realisedUsdt: money().nullable(),
      fees: money(),
      closed: z.int(),
      wins: z.int(),
      losses: z.int(),
      winRatePct: percent().nullable(),
      best: money().nullable(),
      worst: money().nullable(),
      profitFactor: ratio().nullable(),
      volume: money(),
      unmatched: z.int(),
      broken: z.int(),
    }),
  ),
});
export const listOpenPositions = endpoint({
  ...get,
  path: '/v2/positions/open',
  summary: 'Positions with something held',
  answer: z.object({ items: z.array(openPositionSchema), totals: z.array(totals), asOf: isoTime }),
});
export const listClosedPositions = endpoint({
  ...get,
  path: '/v2/positions/closed',
  summary: 'Closed positions, filtered, with the totals of the listed and of all',
  query: closedQuery,
  answer: pageOf(closedRowSchema).extend({
    totalsListed: z.array(totals),
    totalsAll: z.array(totals),
    /** What can be chosen: whatever a closed position has, and whatever the filter. */
    choices: z.object({
      bots: z.array(z.object({ id, name: z.string() })),
      coins: z.array(asset),
      exits: z.array(closedExit),
    }),
  }),
});
export const setPositionBroken = endpoint({
  ...post,
  path: '/v2/positions/{id}/set-as-broken',
  summary: 'Adds the mark of the user, or removes it with `broken: false`; derived reasons clear only by a calculation',
  body: z.object({ broken: z.boolean().default(true), text: z.string().max(500).optional() }).prefault({}),
  answer: z.union([openPositionSchema, closedPositionSchema]),
});
export const calculatePosition = endpoint({
  ...post,
  path: '/v2/positions/{id}/calculate',
  summary: 'Rebuilds the position from its trades and answers the difference',
  answer: recalculationSchema,
  errors: ['conflict'],
});
export const setTargetPrice = endpoint({
  ...post,
  method: 'PATCH',
  path: '/v2/positions/open/{id}/target-price',
  summary: 'Sets or clears the target price',
  body: z.object({ targetPrice: price(positiveText).nullable() }),
  answer: openPositionSchema,
  errors: ['filter-violated'],
});
export const setPositionClosed = endpoint({
  ...post,
  path: '/v2/positions/open/{id}/set-as-closed',
  summary: 'Closes by hand; the remainder leaves at cost unless at market is asked for; split takes a reopening back',
  /**
   * At cost by default: it invents no result. `split` is for one that was sold out and opened again: what was bought
   * since is a position of its own again; so it is, whatever is asked for, while nothing was bought.
   */
  body: z.object({ remainder: z.enum(['at-cost', 'at-market', 'split']).default('at-cost') }).prefault({}),
  answer: closedPositionSchema,
  errors: ['conflict'],
});
export const setPositionOpen = endpoint({
  ...post,
  path: '/v2/positions/closed/{id}/set-as-open',
  summary: 'Reverses a closing by hand, or joins what is bought next to one that was sold out',
  answer: z.union([openPositionSchema, closedPositionSchema]),
  errors: ['conflict'],
});
export const getDailyPerformance = endpoint({
  ...get,
  path: '/v2/positions/open/{id}/daily-performance',
  summary: 'Result per day of the account’s time zone; interpolated days are marked',
  params: idParams,
  answer: z.array(
    z.object({
      day: z.iso.date(),
      /** Whose day it is; UTC where it is not said. */
      timeZone: z.string().optional(),
      pnl: money(),
      returnPct: percent(),
      value: money(),
      interpolated: z.boolean(),
    }),
  ),
});
export const listPositionTransactions = endpoint({
  ...get,
  path: '/v2/positions/{id}/transactions',
  summary: 'Ledger lines of a position',
  params: idParams,
  query: pageQuery,
  answer: pageOf(transactionSchema),
});
/** What may be left out of every sum without being broken. */
export const setPositionExcluded = endpoint({
  ...post,
  path: '/v2/positions/{id}/excluded-from-totals',
  summary: 'Takes a position out of the sums, or back in; its result is then reported as excluded',
  body: z.object({ excluded: z.boolean() }),
  answer: z.union([openPositionSchema, closedPositionSchema]),
});

export const syncStatusSchema = z.object({
  state: z.enum(['idle', 'running', 'failed', 'never']),
  /** Pairs asked so far, of all to ask. */
  done: z.int(),
  total: z.int(),
  symbol: symbol.nullable(),
  tradesFound: z.int(),
  /** Seconds until it is done, at the pace so far. */
  etaSeconds: z.int().nullable(),
  finishedAt: isoTime.nullable(),
  /** Why the last one failed: an error code. */
  error: z.string().nullable(),
  /** When balances were compared last; null while nobody can say what is explained. */
  comparedAt: isoTime.nullable(),
  /** Assets whose balance on the exchange and in the ledger differ, with what may explain it. */
  differences: z.array(z.object({ asset, balance: quantity(), known: quantity(), difference: quantity(), reasons: z.array(z.string()) })),
  /** Rows of the exchange that could not be read and are left out: what they say is unknown. From version 0.2. */
  unread: z.array(z.object({ list: z.string(), row: z.string(), field: z.string() })).optional(),
  /** True where the exchange lists no deposits, withdrawals, rewards, conversions and dust: they are unknown. From version 0.2. */
  withoutTransfers: z.boolean().optional(),
});
export type SyncStatus = z.infer<typeof syncStatusSchema>;
export const getSyncStatus = endpoint({
  ...get,
  path: '/v2/positions/sync',
  summary: 'How far the reading of the trade history from the exchange is, and what it does not explain',
  answer: syncStatusSchema,
});
export const startSync = endpoint({
  backend: 'bff',
  method: 'POST',
  access: 'user',
  path: '/v2/positions/sync',
  summary: 'Reads the trade history from the exchange: what is new, or all of it; one at a time, resumed after a restart',
  body: z.object({ full: z.boolean().default(false), symbols: z.array(symbol).max(500).default([]) }).prefault({}),
  answer: syncStatusSchema,
  status: 202,
  errors: ['not-connected', 'exchange-unreachable'],
});

export const listPositionTrades = endpoint({
  ...get,
  path: '/v2/positions/{id}/trades',
  summary: 'Fills of a position',
  params: idParams,
  query: pageQuery,
  answer: pageOf(positionTradeSchema),
});

export const listPairFills = endpoint({
  ...get,
  path: '/v2/positions/fills',
  summary: 'The newest fills in a pair, of bots and by hand, live and on paper, newest first',
  query: z.object({ symbol, limit: z.coerce.number().int().min(1).max(500).default(100) }),
  answer: z.array(pairFillSchema),
});

export const positionsContract = {
  getPositionsOverview,
  getMonthlyOverview,
  listOpenPositions,
  listClosedPositions,
  setPositionBroken,
  calculatePosition,
  setTargetPrice,
  setPositionClosed,
  setPositionOpen,
  getDailyPerformance,
  listPositionTransactions,
  listPositionTrades,
  listPairFills,
  setPositionExcluded,
  getSyncStatus,
  startSync,
};
