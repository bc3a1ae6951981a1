import * as z from 'zod';
import { endpoint, fileText } from '../http/endpoint.ts';
import { id, idParams, isoTime, money, nothing, positiveText, price, ratio, symbol } from '../http/wire.ts';
import { autoTradePositionSchema, evaluationSchema } from './auto-trades-contract.ts';

/** What an owner does by hand: enter, sell, take over, the kill switches, and fetching what was recorded. */
const bff = { backend: 'bff', access: 'user' } as const;
const positionParams = z.object({ id, positionId: id });

/** A coin may be halted for seven days at most. */
export const MAX_COIN_HALT_HOURS = 168;
export const haltAutoTrades = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/halt',
  summary: 'Kill switch: from the commit on nothing is signed for this account, one bot of it, or entries of one coin',
  body: z
    .object({
      scope: z.enum(['coin', 'bot', 'all']),
      autoTradeId: id.optional(),
      /** For the scope coin: of all bots, or of the one named. */
      symbol: symbol.optional(),
      /** For the scope coin: how long. */
      hours: z.number().positive().max(MAX_COIN_HALT_HOURS).default(24),
      reason: z.string().max(200).default(''),
      /** Sells what the halted bots hold at the market; the only orders that are then signed. */
      liquidate: z.boolean().default(false),
    })
    .refine(({ scope, autoTradeId }) => scope !== 'bot' || autoTradeId !== undefined, {
      path: ['autoTradeId'],
      params: { code: 'required' },
    })
    .refine(({ scope, symbol: coin }) => scope !== 'coin' || coin !== undefined, { path: ['symbol'], params: { code: 'required' } }),
  answer: z.object({ halted: z.int(), liquidating: z.int() }),
});
export const coinHaltSchema = z.object({
  id,
  symbol,
  autoTradeId: id.nullable(),
  reason: z.string(),
  haltedAt: isoTime,
  until: isoTime,
});
export type CoinHalt = z.infer<typeof coinHaltSchema>;
export const listCoinHalts = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/halts',
  summary: 'Kill switches of single coins in force',
  answer: z.array(coinHaltSchema),
});
export const liftCoinHalt = endpoint({
  ...bff,
  method: 'DELETE',
  path: '/v2/auto-trades/halts/{id}',
  summary: 'Lets bots enter the coin again',
  params: idParams,
  answer: nothing,
  status: 204,
});
export const enterAutoTrade = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/enter',
  summary: 'Enters a coin now, by hand; every rule but the trigger still holds',
  params: idParams,
  body: z.object({ symbol }),
  answer: z.object({ entered: z.boolean(), evaluation: evaluationSchema }),
  idempotent: true,
  errors: ['not-ready', 'trading-disabled'],
});
export const sellAutoTradePosition = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/positions/{positionId}/sell',
  summary: 'Sells a position now, at the market',
  params: positionParams,
  answer: autoTradePositionSchema,
  idempotent: true,
  errors: ['not-ready', 'not-trading', 'order-in-flight', 'trading-disabled'],
});
export const setAutoTradePositionTarget = endpoint({
  ...bff,
  method: 'PATCH',
  path: '/v2/auto-trades/{id}/positions/{positionId}/target-price',
  summary: 'Sells everything at this price; null leaves it to the settings',
  params: positionParams,
  body: z.object({
    targetPrice: price(positiveText).nullable(),
    /** Consent to a price the market has reached already: everything is then sold at once. */
    sellNow: z.boolean().default(false),
  }),
  answer: autoTradePositionSchema,
  errors: ['not-ready', 'would-sell-now', 'trading-disabled'],
});
const levelsOutlookSchema = z.object({
  stop: price().nullable(),
  trailingStart: price().nullable(),
  takeProfit: z.array(price()),
  /** What selling everything at the stop in force brings above its cost, after the fee; null without one. A gap can cost more. */
  worst: money().nullable(),
});
export type LevelsOutlook = z.infer<typeof levelsOutlookSchema>;
export const moveAutoTradePositionLevels = endpoint({
  ...bff,
  method: 'PATCH',
  path: '/v2/auto-trades/{id}/positions/{positionId}/levels',
  summary: 'Moves stop, trailing start and take profits of one position; the settings of its bot stay as they are',
  params: positionParams,
  /** A price is put on the tick, the stop below and all else above; null puts a level back where the settings have it. */
  body: z.object({
    stop: price(positiveText).nullable().optional(),
    trailingStart: price(positiveText).nullable().optional(),
    /** `level` counts from 1. */
    takeProfit: z
      .array(z.object({ level: z.int().min(1), price: price(positiveText).nullable() }))
      .max(20)
      .optional(),
    /** Says what would be, and changes nothing. */
    validateOnly: z.boolean().default(false),
    /** Consent to a level that the market has reached already: it then sells at once. */
    sellNow: z.boolean().default(false),
  }),
  answer: z.object({
    before: levelsOutlookSchema,
    after: levelsOutlookSchema,
    /** A level is reached already: without `sellNow` it is refused. */
    sellsNow: z.boolean(),
    /** The position with its new levels; null where it was only asked. */
    position: autoTradePositionSchema.nullable(),
  }),
  errors: ['not-ready', 'would-sell-now', 'trading-disabled'],
});
export const detachAutoTradePosition = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/positions/{positionId}/detach',
  summary: 'The owner takes over: the bot forgets the position, the coins stay',
  params: positionParams,
  answer: autoTradePositionSchema,
  errors: ['not-ready', 'order-in-flight'],
});
export const resumeAutoTradePosition = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/positions/{positionId}/resume',
  summary: 'A position that needed attention goes on',
  params: positionParams,
  /** `sellNow`: consent where an exit is due that its rules have waited with. */
  body: z.object({ sellNow: z.boolean().default(false) }).prefault({}),
  answer: autoTradePositionSchema,
  errors: ['not-ready', 'would-sell-now'],
});
export const carryOverAutoTradePosition = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/positions/{positionId}/carry-over',
  summary: 'The coin was redenominated or swapped: a position that waits because of a price jump goes on in the new unit, at its cost',
  params: positionParams,
  body: z.object({
    /** How many new coins there are for one old one. */
    factor: ratio(positiveText),
    /** Consent where its rules would sell at once in the new unit. */
    sellNow: z.boolean().default(false),
  }),
  answer: autoTradePositionSchema,
  errors: ['not-ready', 'no-jump', 'would-sell-now'],
});
export const downloadAutoTradeTape = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/tape',
  summary: 'Everything the bot was told since it was recorded, one JSON record a line; empty unless the instance records',
  params: idParams,
  answers: 'file',
  mediaType: 'application/x-ndjson',
  answer: fileText,
});

export const autoTradeActionsContract = {
  enterAutoTrade,
  sellAutoTradePosition,
  setAutoTradePositionTarget,
  moveAutoTradePositionLevels,
  detachAutoTradePosition,
  resumeAutoTradePosition,
  carryOverAutoTradePosition,
  downloadAutoTradeTape,
  haltAutoTrades,
  listCoinHalts,
  liftCoinHalt,
};
