import {
  type Decimal,
  decimal,
  divide,
  isPositive,
  isZero,
  maximum,
  minimum,
  ONE,
  plusPercent,
  subtract,
  sum,
  toMultiple,
  toText,
  ZERO,
} from '../../money/decimal.ts';
import type { Percent } from '../../money/figure.ts';
import type { OrderPurpose } from '../../orders/orders-contract.ts';
import type { ExitReason } from '../trace.ts';
import { clientOrderIdFor, MAX_ATTEMPT } from './position-ids.ts';
import {
  buyLimit,
  lessPercent,
  lotStep,
  lotsWithin,
  sellableQuantity,
  takesOrders,
  textOf,
  tooSmallToTrade,
  toTick,
  worstCost,
} from './position-lines.ts';
import {
  type Effect,
  LATE,
  type MarketMoment,
  type OrderInFlight,
  type PlannedOrder,
  type PositionContext,
  type PositionEvent,
} from './position-state.ts';

/** Pieces that the steps of a position share: the orders it places and the lines it writes. */

export type Of<Type extends PositionEvent['type']> = Extract<PositionEvent, { type: Type }>;
export type Reducer<Type extends PositionEvent['type']> = (context: PositionContext, event: Of<Type>) => PositionContext;

export const next = (context: PositionContext, change: Partial<PositionContext>, effects: readonly Effect[] = []): PositionContext => ({
  ...context,
  ...change,
  effects,
});

/** Widens the extremes seen at decisions; they go into the Exit row. */
export const seen = (context: PositionContext, price: string): Pick<PositionContext, 'maxPrice' | 'minPrice' | 'knownPrice'> => ({
  knownPrice: price,
  maxPrice: context.maxPrice ? toText(maximum(decimal(context.maxPrice), decimal(price))) : price,
  minPrice: context.minPrice ? toText(minimum(decimal(context.minPrice), decimal(price))) : price,
});

export const log = (code: string, level: 'info' | 'warning' | 'error', facts: Record<string, string | number | null> = {}): Effect => ({
  kind: 'log',
  code,
  level,
  facts,
});

/** True when the event is about the stop that rests at the exchange. */
export const isOfResident = (context: PositionContext, event: PositionEvent): boolean =>
  context.resident !== null && 'clientOrderId' in event && event.clientOrderId === context.resident.clientOrderId;

/** An order whose end is asked for. */
export const asked = <Order extends OrderInFlight | null>(order: Order): Order => (order ? { ...order, cancelRequested: true } : order);
/** Asks for the end of an order in flight; nothing when that was asked for already. */
export const cancelled = (order: OrderInFlight | null): readonly Effect[] =>
  order && !order.cancelRequested ? [{ kind: 'cancel', clientOrderId: order.clientOrderId, orderId: order.orderId, order }] : [];
/** Everything in flight is taken back; the end of the last places what was decided. */
export const makeWay = ({ order, resident }: PositionContext) => ({
  change: { order: asked(order), resident: asked(resident) },
  effects: [...cancelled(order), ...cancelled(resident)],
});

type Placed = { readonly order: OrderInFlight; readonly step: number; readonly effect: Effect };

export function place(
  context: PositionContext,
  purpose: OrderPurpose,
  { patienceSec, ...planned }: PlannedOrder,
  at: number,
  repeat: { attempt: number; reprices: number; level: number | null; unfilled?: number } = { attempt: 0, reprices: 0, level: null },
): Placed {
  const { config, orderPrefix } = context.settings;
  const buys = purpose === 'entry' || purpose === 'rebuy';
  const { timeoutSec, maxSlippagePct } = (buys ? config.entry : config.exit).order;
  const attempt = repeat.attempt > MAX_ATTEMPT ? 0 : repeat.attempt;
  const step = attempt > 0 ? context.step : context.step + 1;
  const order: OrderInFlight = {
    clientOrderId: clientOrderIdFor(context.positionId, step, attempt, orderPrefix),
    purpose,
    side: buys ? 'Buy' : 'Sell',
    ...planned,
    placedAt: at,
    deadline: at + (patienceSec ?? timeoutSec) * 1000,
    attempt,
    reprices: repeat.reprices,
    orderId: null,
    executed: '0',
    tradeIds: [],
    cancelRequested: false,
    level: repeat.level,
    ...(repeat.unfilled === undefined ? {} : { unfilled: repeat.unfilled }),
  };
  return { order, step, effect: { kind: 'place', order, maxSlippagePct } };
}

/** What took the place of a market order may not rest for as long as a patient sale: it follows the book. */
const IN_PLACE_OF_MARKET_SEC = 5;

/** A sell of whole lots: at the market, or a limit at the bid plus the configured offset (0 takes the bid). Stop losses never rest. */
export function plannedSell(context: PositionContext, quantity: string, moment: MarketMoment, urgent: boolean): PlannedOrder {
  const { config, filters } = context.settings;
  const { order } = config.exit;
  const lotsAt = (type: 'Limit' | 'Market', price: Decimal): string =>
    toText(minimum(sellableQuantity(decimal(quantity), filters), lotsWithin(decimal(quantity), filters, type, price)));
  const atMarket = urgent || order.type === 'Market' || !takesOrders(filters, 'Limit');
  if (atMarket && takesOrders(filters, 'Market'))
    return { type: 'Market', quantity: lotsAt('Market', decimal(moment.price)), price: null, offered: moment.bid };
  // Without market orders a limit that takes the book as far down as the slippage allows sells in their place.
  const price = atMarket
    ? maximum(decimal(filters.tickSize), toTick(lessPercent(decimal(moment.bid), decimal(order.maxSlippagePct)), filters, 'down'))
    : toTick(plusPercent(decimal(moment.bid), decimal(order.offsetPct)), filters, 'up');
  const limit = { type: 'Limit' as const, quantity: lotsAt('Limit', price), price: toText(price), offered: moment.bid };
  return atMarket ? { ...limit, patienceSec: IN_PLACE_OF_MARKET_SEC } : limit;
}

/**
 * Codes of orders that nobody could have had: nothing may be signed, the coin is not traded just now (sales only), or it
 * reached the exchange too late, as from a process that stood still. Such an order is not tried again; what it was for is
 * decided anew, at the next price.
 */
const HELD_BACK: ReadonlySet<string> = new Set(['HALTED', 'FROZEN', 'MARKET_CLOSED', LATE]);
export const isHeldBack = (event: PositionEvent): boolean => event.type === 'order.ended' && HELD_BACK.has(event.code ?? '');

/**
 * The exchange would not have the order: it refused it, or found nobody to trade with at the market. One that never
 * arrived says nothing about the next, nor does one of coins that are not there.
 */
export const isRefusal = (context: PositionContext, event: PositionEvent): boolean =>
  event.type === 'order.ended' &&
  !isHeldBack(event) &&
  event.balance === undefined &&
  (event.status === 'REJECTED'
    ? event.code !== 'ABSENT'
    : event.status !== 'FILLED' && context.order?.type === 'Market' && isZero(decimal(context.order.executed)));

/** Reasons that must not wait in a resting order. */
export const isUrgent = (reason: ExitReason | null): boolean =>
  reason === 'StopLoss' || reason === 'TrailingCost' || reason === 'KillSwitch';

/** What a buy may spend: of what is set aside for the position, the part of its own level. */
export function setAsideFor(context: PositionContext, purpose: OrderPurpose, level = context.rebuysDone): Decimal {
  if (purpose === 'entry') return minimum(decimal(context.reserved), decimal(context.entryReserve));
  const later = sum(context.ladder.slice(level + 1).map(({ reserve }) => decimal(reserve)));
  return maximum(ZERO, subtract(decimal(context.reserved), later));
}

/** Whole lots at a price, at most what is set aside pays for with slippage and fee. */
export function payableLots(
  context: PositionContext,
  wanted: Decimal,
  price: Decimal,
  slippagePct: Percent,
  purpose: OrderPurpose,
): Decimal {
  const unit = worstCost(context.settings, ONE, price, slippagePct);
  const payable = divide(setAsideFor(context, purpose), unit, 28, 'down');
  return toMultiple(minimum(wanted, payable), lotStep(context.settings.filters), 'down');
}

/**
 * A buy again at the present price, no larger than what was set aside for it pays; undefined when that is too
 * little to trade, or when no price is known.
 */
export function repricedBuy(context: PositionContext, moment: Pick<MarketMoment, 'ask' | 'price'>): PlannedOrder | undefined {
  const { settings } = context;
  const { onTimeout, offsetPct, maxSlippagePct } = settings.config.entry.order;
  const limit = onTimeout === 'market' ? null : buyLimit(moment.ask, offsetPct, settings.filters);
  const price = limit ?? decimal(moment.ask);
  if (!context.order || !isPositive(price)) return undefined;
  const { purpose, quantity: wanted } = context.order;
  const type = limit ? 'Limit' : 'Market';
  const most = lotsWithin(decimal(wanted), settings.filters, type, limit ?? decimal(moment.price));
  const quantity = payableLots(context, most, price, limit ? '0' : maxSlippagePct, purpose);
  if (tooSmallToTrade(quantity, price, settings.filters)) return undefined;
  return { type, quantity: toText(quantity), price: textOf(limit) };
}
