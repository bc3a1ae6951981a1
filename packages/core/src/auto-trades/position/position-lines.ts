import {
  add,
  commonMultiple,
  type Decimal,
  DIVISION_SCALE,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  isZero,
  lessThan,
  maximum,
  minimum,
  multiply,
  ONE,
  plusPercent,
  subtract,
  toMultiple,
  toText,
} from '../../money/decimal.ts';
import type { Percent, Price } from '../../money/figure.ts';
import type { PairFilters } from '../../prices/prices-contract.ts';
import type { PositionContext, PositionSettings } from './position-state.ts';

/** Prices a position is judged by. All exact; rounded to the tick into the direction that protects the holder. */

const HUNDREDTH = decimal('0.01');
/** Orders are planned this much above the exchange's minimum, so that a small move does not make them unsellable, and as far below its maximum. */
export const NOTIONAL_MARGIN = decimal('1.05');

/** value × (1 − percent/100), exact. */
export const lessPercent = (value: Decimal, percent: Decimal): Decimal => multiply(value, subtract(ONE, multiply(percent, HUNDREDTH)));

/** An amount or a price as text; null where there is none. */
export const textOf = (value: Decimal | null): string | null => value && toText(value);

export const toTick = (price: Decimal, filters: PairFilters, rounding: 'down' | 'up'): Decimal =>
  toMultiple(price, decimal(filters.tickSize), rounding);

/** Price of a buy that rests: the ask less the offset, on the tick. */
export const buyLimit = (ask: Price, offsetPct: Percent, filters: PairFilters): Decimal =>
  toTick(lessPercent(decimal(ask), decimal(offsetPct)), filters, 'down');

/** The newest average: a step asks for that of one position many times, and it is a long division. */
let known: { readonly quantity: string; readonly cost: string; readonly average: Decimal | null } | undefined;

/** Cost per unit held, entry fees included; null while nothing is held. */
export function averageCost({ quantity, cost }: Pick<PositionContext, 'quantity' | 'cost'>): Decimal | null {
  if (known?.cost === cost && known.quantity === quantity) return known.average;
  const units = decimal(quantity);
  const average = isPositive(units) ? divide(decimal(cost), units) : null;
  known = { quantity, cost, average };
  return average;
}

/** Lowest price at which selling what is left returns its cost after the taker fee. */
export function breakEvenPrice(context: Pick<PositionContext, 'quantity' | 'cost' | 'settings'>): Decimal | null {
  const average = averageCost(context);
  if (!average) return null;
  return toTick(divide(average, subtract(ONE, decimal(context.settings.takerFee))), context.settings.filters, 'up');
}

/** Price at which selling what is left gains `gainPct` of its cost after the taker fee; null while nothing is held. */
export function gainPrice(context: Pick<PositionContext, 'quantity' | 'cost' | 'settings'>, gainPct: Percent): Decimal | null {
  const average = averageCost(context);
  return average && divide(plusPercent(average, decimal(gainPct)), subtract(ONE, decimal(context.settings.takerFee)), DIVISION_SCALE, 'up');
}

/** Price of the stop loss: null when there is none. Rounded down, so that it never fires early. One that was moved stays where it is. */
export function stopLossPrice(context: PositionContext): Decimal | null {
  if (context.moved?.stop) return decimal(context.moved.stop);
  const { stopLoss } = context.settings.config;
  if (stopLoss.mode === 'none') return null;
  const basis = stopLoss.basis === 'firstBuy' && context.firstBuyPrice ? decimal(context.firstBuyPrice) : averageCost(context);
  return basis && toTick(lessPercent(basis, decimal(stopLoss.pct)), context.settings.filters, 'down');
}

/** Price of take-profit level `index`; null past the last. Gains count on the average cost with entry fees. */
export function takeProfitPrice(context: PositionContext, index: number): Decimal | null {
  const level = context.settings.config.takeProfit.levels[index];
  const moved = context.moved?.takeProfit[index];
  if (level && moved) return decimal(moved);
  const average = averageCost(context);
  return level && average ? toTick(plusPercent(average, decimal(level.gainPct)), context.settings.filters, 'up') : null;
}

/** Price from which the protected cost is drawn; null when off or spent. */
export function armPrice(context: PositionContext): Decimal | null {
  const { trailingCost } = context.settings.config;
  const average = averageCost(context);
  if (!trailingCost.enabled || context.lineDisarmed || !average) return null;
  if (context.moved?.trailingStart) return decimal(context.moved.trailingStart);
  return toTick(plusPercent(average, decimal(trailingCost.armGainPct)), context.settings.filters, 'up');
}

/** The protected cost that a peak of `price` justifies: below it by the distance, never under the floor. */
export function protectedCostFor(context: PositionContext, price: Decimal): Decimal {
  const { trailingCost } = context.settings.config;
  const line = toTick(lessPercent(price, decimal(trailingCost.distancePct)), context.settings.filters, 'down');
  const floor = trailingCost.floor === 'breakEven' ? breakEvenPrice(context) : null;
  return floor ? maximum(line, floor) : line;
}

/** Smallest rise of the line worth a trace: `stepPct` of the line, at least one tick. */
export function smallestRaise(context: PositionContext, line: Decimal): Decimal {
  return maximum(
    multiply(line, multiply(decimal(context.settings.config.trailingCost.stepPct), HUNDREDTH)),
    decimal(context.settings.filters.tickSize),
  );
}

/** Lowest price on the tick at which the line rises by `smallestRaise`: exactly where `protectedCostFor` says so. */
export function raisePrice(context: PositionContext): Decimal | null {
  if (context.line === null) return null;
  const line = decimal(context.line);
  const { filters, config } = context.settings;
  const factor = subtract(ONE, multiply(decimal(config.trailingCost.distancePct), HUNDREDTH));
  if (!isPositive(factor)) return null;
  const target = toTick(add(line, smallestRaise(context, line)), filters, 'up');
  return toTick(divide(target, factor, DIVISION_SCALE, 'up'), filters, 'up');
}

/** True when selling everything at `bid` returns at least the cost after the taker fee. */
export function coversCost(context: PositionContext, bid: Decimal): boolean {
  const proceeds = multiply(multiply(decimal(context.quantity), bid), subtract(ONE, decimal(context.settings.takerFee)));
  return !lessThan(proceeds, decimal(context.cost));
}

/** False where the exchange takes no orders of this kind of the pair (`orderTypes`): it would refuse each with -2010. */
export const takesOrders = ({ withoutOrders }: PairFilters, type: 'Limit' | 'Market' | 'StopLimit'): boolean =>
  withoutOrders?.includes(type) !== true;

/** The kind of order that a buy needs and the pair does not take; a bot that could not sell at the market had no stop. */
export const untakenType = (filters: PairFilters, type: 'Limit' | 'Market'): 'Limit' | 'Market' | undefined =>
  (['Market', type] as const).find((each) => !takesOrders(filters, each));

/** The most that one order may carry, as the filters of lots and, at the market, of market lots say; null without either. */
export function mostPerOrder({ maxQty, marketMaxQty }: PairFilters, type: 'Limit' | 'Market'): Decimal | null {
  const limits = [decimal(maxQty), ...(type === 'Market' ? [decimal(marketMaxQty)] : [])].filter(isPositive);
  return limits.length > 0 ? limits.reduce(minimum) : null;
}

/** Whole lots of the pair that market orders take, too: whatever is bought, a stop sells at the market. */
export function lotStep({ stepSize, marketStepSize = '0' }: PairFilters): Decimal {
  const [step, atMarket] = [decimal(stepSize), decimal(marketStepSize)];
  return isZero(atMarket) || stepSize === marketStepSize ? step : commonMultiple(step, atMarket);
}
/** The least lots of an order, at the market, too. */
export const leastLots = ({ minQty, marketMinQty = '0' }: PairFilters): Decimal => maximum(decimal(minQty), decimal(marketMinQty));

/** The part of `quantity` that an order may carry: whole lots, at most the market maximum. */
export function sellableQuantity(quantity: Decimal, filters: PairFilters): Decimal {
  const step = lotStep(filters);
  const lots = toMultiple(quantity, step, 'down');
  const most = mostPerOrder(filters, 'Market');
  return most ? minimum(lots, toMultiple(most, step, 'down')) : lots;
}

/**
 * The most lots of one order at the price that the exchange values it by: of a limit order its own, of a market order the
 * last one, or an average that we do not know and that lies above the last price after a fall. Null without a bound.
 */
export function mostLots(filters: PairFilters, type: 'Limit' | 'Market', price: Decimal): Decimal | null {
  const most = mostPerOrder(filters, type);
  const worth = decimal(type === 'Market' ? (filters.marketMaxNotional ?? '0') : filters.maxNotional);
  if (!isPositive(worth) || !isPositive(price)) return most;
  const valued = type === 'Market' && filters.averageMinutes !== 0 ? multiply(price, NOTIONAL_MARGIN) : price;
  const lots = divide(worth, valued, 28, 'down');
  return most ? minimum(most, lots) : lots;
}

/** Whole lots of a quantity, at most what one order may carry at this price. */
export function lotsWithin(quantity: Decimal, filters: PairFilters, type: 'Limit' | 'Market', price: Decimal): Decimal {
  const most = mostLots(filters, type, price);
  return toMultiple(most ? minimum(quantity, most) : quantity, lotStep(filters), 'down');
}

/** True when an order of this size at this price would break LOT_SIZE, MARKET_LOT_SIZE or NOTIONAL. */
export function tooSmallToTrade(quantity: Decimal, price: Decimal, filters: PairFilters, type: 'Limit' | 'Market' = 'Limit'): boolean {
  const lots = sellableQuantity(quantity, filters);
  const least = type === 'Market' ? (filters.marketMinNotional ?? filters.minNotional) : filters.minNotional;
  return isZero(lots) || lessThan(lots, leastLots(filters)) || lessThan(multiply(lots, price), decimal(least));
}

/** True when a market order of this size at this price would be worth more than NOTIONAL allows. */
export function tooLargeToTrade(quantity: Decimal, price: Decimal, { maxNotional, marketMaxNotional }: PairFilters): boolean {
  const most = decimal(marketMaxNotional ?? maxNotional);
  return !isZero(most) && lessThan(most, multiply(quantity, price));
}

/** Percent difference of `value` to `base`, 4 decimals, as text. */
export const percentOf = (value: Decimal, base: Decimal): string =>
  isZero(base) ? '0' : toText(divide(multiply(subtract(value, base), HUNDRED), base, 4));

/** What buying `quantity` at `price` may cost at worst: slippage and the taker fee on top. */
export function worstCost(settings: Pick<PositionSettings, 'takerFee'>, quantity: Decimal, price: Decimal, slippagePct: Percent): Decimal {
  return multiply(plusPercent(multiply(quantity, price), decimal(slippagePct)), add(ONE, decimal(settings.takerFee)));
}
