import { add, type Decimal, decimal, divide, HUNDRED, lessThan, minimum, multiply, subtract, toText, ZERO } from '../../money/decimal.ts';
import { leastLots, NOTIONAL_MARGIN, sellableQuantity, takeProfitPrice, tooSmallToTrade } from './position-lines.ts';
import type { PositionContext } from './position-state.ts';

/** The next sale of the take-profit ladder: at which level, at what price, and what it sells. */
export type Slice = {
  /** The level whose price it waits for; the levels before it that were too small to sell are merged into it. */
  readonly level: number;
  readonly price: Decimal;
  readonly quantity: string;
  /** It sells everything: the last level, or what would remain could not be sold. */
  readonly last: boolean;
};

/**
 * The next slice, null when there is no level left or nothing held. A level's share is of all that was bought, rebuys
 * included, and at most what is left. A share too small to trade at its price (5 % above the exchange's minimum) is
 * sold with the next level.
 */
export function nextSlice(context: PositionContext): Slice | null {
  const { config, filters } = context.settings;
  const { levels } = config.takeProfit;
  let share = ZERO;
  for (let level = context.levelsDone; level < levels.length; level += 1) {
    const price = takeProfitPrice(context, level);
    if (!price) return null;
    share = add(share, decimal(levels[level]!.sellPct));
    if (level === levels.length - 1) return { level, price, quantity: context.quantity, last: true };
    const wanted = divide(multiply(decimal(context.bought), share), HUNDRED, 28, 'down');
    const lots = sellableQuantity(minimum(wanted, decimal(context.quantity)), filters);
    if (tooSmallToTrade(lots, divide(price, NOTIONAL_MARGIN), filters)) continue;
    const rest = subtract(decimal(context.quantity), lots);
    const last = tooSmallToTrade(rest, price, filters) || lessThan(rest, leastLots(filters));
    return { level, price, quantity: last ? context.quantity : toText(lots), last };
  }
  return null;
}

export const sliceIsLast = (context: PositionContext): boolean => nextSlice(context)?.last ?? true;
