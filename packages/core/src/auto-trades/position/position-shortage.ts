import {
  add,
  type Decimal,
  decimal,
  greaterThan,
  HUNDRED,
  isPositive,
  isZero,
  lessThan,
  maximum,
  multiply,
  subtract,
  toText,
  ZERO,
} from '../../money/decimal.ts';
import { takeOut } from '../../positions/average-cost.ts';
import { closed, exitRepeated, heldAgain } from './position-exit.ts';
import { tooSmallToTrade } from './position-lines.ts';
import { isOfResident, next, type Of, type Reducer } from './position-orders.ts';
import { residentEnded } from './position-resident.ts';
import type { CoinBalance, Effect, PositionContext, PositionEvent } from './position-state.ts';
import { averageText, traceOf } from './position-traces.ts';

/**
 * A sale was refused because the account has less of the coin than the books: fees of other bots, a sale by hand, a
 * transfer. What is there is sold; the difference leaves the budget at its cost, as what its owner takes over does.
 */

/** What the account has of the coin; undefined when the end of the order says nothing of it. */
const balanceOf = (event: PositionEvent): CoinBalance | undefined => (event.type === 'order.ended' ? event.balance : undefined);

/**
 * How much the account lacks of what the books say. Coins in an order of the owner are missing for an exit, which cannot wait
 * for that order, and there for a stop that should rest.
 */
function missingFrom(context: PositionContext, event: PositionEvent) {
  const balance = balanceOf(event);
  if (!balance) return ZERO;
  const there = isOfResident(context, event) ? add(decimal(balance.free), decimal(balance.locked)) : decimal(balance.free);
  return maximum(ZERO, subtract(decimal(context.quantity), there));
}

export const lacksCoins = (context: PositionContext, event: PositionEvent): boolean => isPositive(missingFrom(context, event));

const isMost = (part: Decimal, { quantity }: PositionContext): boolean => !lessThan(add(part, part), decimal(quantity));

/**
 * Nothing that the exchange would take is left of the position: no whole lot, or too little after most of it went. What only
 * a fallen price makes too little is held on.
 */
export function lacksAll(context: PositionContext, event: PositionEvent): boolean {
  const missing = missingFrom(context, event);
  if (!isPositive(missing)) return false;
  const rest = subtract(decimal(context.quantity), missing);
  const { filters, config } = context.settings;
  if (tooSmallToTrade(rest, decimal('1'), { ...filters, minNotional: '0' })) return true;
  const isSmall = !greaterThan(multiply(rest, HUNDRED), multiply(decimal(context.bought), decimal(config.dust.maxResidualPct)));
  const price = decimal('price' in event && event.price ? event.price : '0');
  return (isSmall || isMost(missing, context)) && tooSmallToTrade(rest, price, filters);
}

/**
 * The books reduced to what the account has. The difference becomes a Sell row at its cost and without a result, so that the
 * rows still add up to the position.
 */
function withoutMissing(
  context: PositionContext,
  event: Of<'order.ended'>,
): { readonly left: PositionContext; readonly effects: readonly Effect[] } {
  const missing = missingFrom(context, event);
  const held = takeOut({ quantity: decimal(context.quantity), cost: decimal(context.cost) }, missing);
  const [quantity, cost] = [toText(missing), toText(held.matchedCost)];
  const left: PositionContext = {
    ...context,
    quantity: toText(held.quantity),
    cost: toText(held.cost),
    // A position of which nothing is left was bought all the same: what it carried from the one before is not carried twice.
    bought: isZero(held.quantity) ? context.bought : toText(subtract(decimal(context.bought), missing)),
    spent: toText(subtract(decimal(context.spent), held.matchedCost)),
  };
  const nothing = { quoteQuantity: '0', fee: '0', feeAsset: context.settings.quoteAsset, feeInQuote: '0', realised: '0', level: null };
  const { free, locked } = event.balance ?? { free: '0', locked: '0' };
  // What its owner's orders hold counts as there for a stop.
  const there = { free, locked: isOfResident(context, event) ? '0' : locked };
  const facts = { quantity, asset: context.settings.baseAsset, cost, matchedCost: cost, ...nothing, ...there };
  const before = { averageCost: averageText(context), position: context.quantity };
  return {
    left,
    effects: [
      ...(isPositive(held.matchedCost) ? ([{ kind: 'wallet', entry: { kind: 'detach', amount: cost } }] as const) : []),
      traceOf(context, 'Sell', 'SoldOutside', event, before, { ...facts, position: left.quantity }),
    ],
  };
}

const preceded = (effects: readonly Effect[], after: PositionContext): PositionContext => ({
  ...after,
  effects: [...effects, ...after.effects],
});

/** What is there is sold in place of what the books said. */
export const exitOfWhatIsThere: Reducer<'order.ended'> = (context, event) => {
  const { left, effects } = withoutMissing(context, event);
  return preceded(effects, exitRepeated(left, event));
};

/** A part was to be sold: how much of what is there the next price decides. */
export const heldAsIs: Reducer<'order.ended'> = (context, event) => {
  const { left, effects } = withoutMissing(context, event);
  return next(heldAgain(left, event), {}, effects);
};

/** The next stop stands for what is there. */
export const residentLacked: Reducer<'order.ended'> = (context, event) => {
  const { left, effects } = withoutMissing(context, event);
  return next(residentEnded(left, event), { residentRetryAt: null, stopRefusal: context.stopRefusal }, effects);
};

/** Nothing is left to be sold: whoever sold it, it was not the bot, unless this exit sold some of it before. */
export const closedWithoutCoins: Reducer<'order.ended'> = (context, event) => {
  const { left, effects } = withoutMissing(context, event);
  const { order, bought, quantity, exitReason } = context;
  const resident = isOfResident(context, event) ? null : context.resident;
  const soldBefore = !resident && order !== null && order.reprices > 0 && lessThan(decimal(quantity), decimal(bought));
  const isOutside = isMost(missingFrom(context, event), context) && !soldBefore;
  return preceded(effects, closed({ ...left, resident, exitReason: isOutside ? 'SoldOutside' : (exitReason ?? 'Dust') }, event));
};
