import * as z from 'zod';
import { autoTradePositionState } from '../auto-trades/auto-trades-contract.ts';
import { nextEventSchema } from '../auto-trades/bot-figures-contract.ts';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, id, isoTime, money, percent, price, quantity, symbol, tradeMode } from '../http/wire.ts';
import { brokenSchema } from './positions-contract.ts';

/** Why what is held by hand has no cost: the ledger's position is broken, or its bots count as much or more cost than it does. */
export const costGap = z.enum(['broken', 'bots-cost-more']);

/** One position that holds something, a bot's or what is held by hand beside the bots. Sums in the quote asset. */
export const heldPositionSchema = z.object({
  /** The bot that holds it; null for what is held by hand. */
  autoTradeId: id.nullable(),
  botName: z.string().nullable(),
  /** Of the bot's position, or of the ledger's where it is held by hand. */
  positionId: id,
  symbol,
  baseAsset: asset,
  quoteAsset: asset,
  state: autoTradePositionState,
  quantity: quantity(amountText),
  averageCost: price().nullable(),
  cost: money().nullable(),
  /** Why `cost` is null. */
  costGap: costGap.nullable(),
  /** The best bid, or the last price where none is known. */
  price: price().nullable(),
  value: money().nullable(),
  /** What selling all of it would bring above its cost, after the exit fee. */
  result: money().nullable(),
  resultPct: percent().nullable(),
  /** What its sales so far realised; null by hand, where sales are not told apart. */
  realised: money().nullable(),
  /** The stop that sells first; null where none does, as of a bot that sends no exits. */
  stop: price().nullable(),
  /** The nearest take profit, or the owner's own target where that is nearer. */
  target: price().nullable(),
  /** Prices of the rebuys still to come, nearest first. */
  rebuys: z.array(price()),
  breakEven: price().nullable(),
  /** What the result falls by when the stop fills now; null without a stop or a price. */
  atRisk: money(amountText).nullable(),
  openedAt: isoTime,
  next: nextEventSchema.nullable(),
  /** Why a bot's position waits for its owner. */
  attention: z.string().nullable(),
  /** Why figures of the ledger cannot be trusted; such a position is in no sum. */
  broken: z.array(brokenSchema),
  /** Left out by its owner: in no sum either. */
  excludedFromTotals: z.boolean(),
  /** Daily closes, at most 30, oldest first. */
  sparkline: z.array(z.number()),
});
export type HeldPositionRow = z.infer<typeof heldPositionSchema>;

/** Sums of one quote currency, without what is broken, left out, or has no price; those are counted in `leftOut`. */
export const heldTotalsSchema = z.object({
  currency: asset,
  value: money(),
  cost: money(),
  result: money(),
  /** `result` in percent of `cost`; null where nothing was paid. */
  resultPct: percent().nullable(),
  atRisk: money(amountText),
  withoutStop: z.int(),
  /** Positions in the sums. */
  count: z.int(),
  leftOut: z.int(),
});
export type HeldTotals = z.infer<typeof heldTotalsSchema>;

export const listHeldPositions = endpoint({
  backend: 'bff',
  access: 'user',
  method: 'GET',
  path: '/v2/positions/held',
  summary: 'Every open position, of bots and by hand, with stop, target, next event and what is at risk',
  query: z.object({ mode: tradeMode.default('live') }),
  answer: z.object({ items: z.array(heldPositionSchema), totals: z.array(heldTotalsSchema), asOf: isoTime }),
});

export const heldPositionsContract = { listHeldPositions };
