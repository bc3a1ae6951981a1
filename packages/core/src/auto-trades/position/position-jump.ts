import { decimal, divide, fromFloat, isPositive, maximum, multiply, rescale, toText } from '../../money/decimal.ts';
import { opened } from './position-entry.ts';
import { noRebuyTrail, orderFilled, released, undrawn } from './position-fills.ts';
import { breakEvenPrice, toTick } from './position-lines.ts';
import { log, makeWay, next, type Reducer } from './position-orders.ts';
import { BALANCE_JUMP, type Effect, type Jump, type MarketMoment, type PositionContext, PRICE_JUMP } from './position-state.ts';
import { averageText, exitTrace } from './position-traces.ts';

/** Steps of a position whose coin stood still and went on at a price of another unit. */

/** Its owner is asked whether the unit changed or the market moved. */
export const jumpIsAsked = ({ attention }: PositionContext): boolean => attention === PRICE_JUMP || attention === BALANCE_JUMP;
export const jumpIsNone = (context: PositionContext): boolean => !jumpIsAsked(context);
export const jumpMetBuy = ({ jump }: PositionContext): boolean => jump !== null;
export const noJumpMetBuy = (context: PositionContext): boolean => !jumpMetBuy(context);

const jumpLog = ({ jump }: PositionContext): Effect =>
  log('PRICE_JUMPED', 'error', { before: jump?.before ?? null, price: jump?.price ?? null });

/** Orders in flight count in the old unit: they are cancelled. The extremes seen so far stay those of that unit. */
function withoutOrders(context: PositionContext, { at, before, price }: MarketMoment & { readonly before: string }): PositionContext {
  const { change, effects } = makeWay(context);
  return next(context, { ...change, knownPrice: price, jump: { at, before, price }, stopSince: null, salePause: null }, effects);
}

export const priceJumped: Reducer<'price.jumped'> = (context, event) => {
  const after = withoutOrders(context, event);
  return next(after, { attention: PRICE_JUMP }, [jumpLog(after), ...after.effects]);
};

/** The same where the balance says so, whatever the price did. */
export const balanceJumped: Reducer<'balance.jumped'> = (context, event) => {
  const { effects, ...after } = withoutOrders(context, event);
  const jump = after.jump && { ...after.jump, balance: event.factor };
  return next(context, { ...after, jump, attention: BALANCE_JUMP }, [log('BALANCE_JUMPED', 'error', { factor: event.factor }), ...effects]);
};
/** What is asked about already is known better by it. */
export const balanceNoted: Reducer<'balance.jumped'> = (context, { factor }) =>
  next(context, { jump: context.jump && { ...context.jump, balance: factor } });

/** Nothing is held yet: the buy is cancelled and nothing is asked, unless it bought something before that. */
export const buyJumped: Reducer<'price.jumped'> = (context, event) => {
  const after = withoutOrders(context, event);
  return next(after, { entryWithdrawn: true }, [log('ENTRY_WITHDRAWN', 'info'), ...after.effects]);
};
export const filledOverJump: Reducer<'order.filled'> = (context, event) => {
  const after = orderFilled(context, event);
  return next(after, { attention: PRICE_JUMP }, [...after.effects, jumpLog(after)]);
};

/** What is held leaves at its cost: its worth in the new unit cannot be told from prices. */
export const endedAtCost: Reducer<'jump.settled'> = (context, event) => {
  const { cost, reserved, jump } = context;
  const reason = 'PriceJump';
  const over = { closedAt: event.at, exitReason: reason, exitFacts: { before: jump?.before ?? '0' }, attention: null } as const;
  const after = next(context, { ...undrawn, ...over, quantity: '0', cost: '0', reserved: '0' });
  const back: Effect = { kind: 'wallet', entry: { kind: 'sell', cost, proceeds: cost } };
  return next(after, {}, [...released(reserved), back, exitTrace(after, reason, event)]);
};

/** Digits of a quantity at the exchange. */
const QUANTITY_PLACES = 8;

/**
 * The unit changed: so many new coins for one old. What is held cost what it cost, and every price is that of one new coin,
 * on the tick where orders and lines need it. The stop follows from them, as after a purchase.
 */
export const carriedOver: Reducer<'position.carriedOver'> = (context, event) => {
  const factor = decimal(event.factor);
  const { filters, config } = context.settings;
  const coins = (text: string): string => toText(rescale(multiply(decimal(text), factor), QUANTITY_PLACES, 'down'));
  const price = (text: string | null): string | null => text && toText(divide(decimal(text), factor));
  const onTick = (text: string | null, rounding: 'down' | 'up') => text && toText(toTick(divide(decimal(text), factor), filters, rounding));
  const positive = (text: string | null) => (text !== null && isPositive(decimal(text)) ? text : null);
  const scaled: PositionContext = {
    ...context,
    ...noRebuyTrail,
    quantity: coins(context.quantity),
    bought: coins(context.bought),
    carriedQuantity: coins(context.carriedQuantity),
    firstBuyPrice: price(context.firstBuyPrice),
    lastBuyPrice: price(context.lastBuyPrice),
    maxPrice: onTick(context.maxPrice, 'up'),
    minPrice: onTick(context.minPrice, 'down'),
    triggerPrice: onTick(context.triggerPrice, 'down'),
    entryLow: onTick(context.entryLow, 'down'),
    targetPrice: onTick(context.targetPrice, 'up'),
    // A stop below the first tick would never sell: it is that of the settings again.
    moved: context.moved && {
      stop: positive(onTick(context.moved.stop, 'down')),
      trailingStart: onTick(context.moved.trailingStart, 'up'),
      takeProfit: context.moved.takeProfit.map((level) => onTick(level, 'up')),
    },
    peak: onTick(context.peak, 'down'),
    knownPrice: event.price,
    jump: null,
  };
  const line = onTick(context.line, 'down');
  const floor = config.trailingCost.floor === 'breakEven' ? breakEvenPrice(scaled) : null;
  const drawn = line && floor ? toText(maximum(decimal(line), floor)) : line;
  const after = opened({ ...scaled, line: drawn }, event);
  const { quantity } = after;
  return next(after, {}, [
    log('CARRIED_OVER', 'warning', { factor: event.factor, quantity, averageCost: averageText(after) }),
    ...after.effects,
  ]);
};

/**
 * How many new coins an old one may have become, by the balances or else the prices on both sides of a jump: a power of ten
 * where one is near, because most coins are redenominated by one, or else two digits. A proposal for the owner to check.
 */
export function proposedFactor({ before, price, balance }: Jump): string {
  const ratio = Number(balance) > 0 ? Number(balance) : Number(before) / Number(price);
  const power = 10 ** Math.round(Math.log10(ratio));
  const near = ratio > power * 0.75 && ratio < power * 1.33 ? power : Number(ratio.toPrecision(2));
  return toText(fromFloat(near, QUANTITY_PLACES));
}
