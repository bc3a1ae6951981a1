import { add, type Decimal, divide, HUNDRED, isPositive, isZero, maximum, multiply, ONE, subtract, ZERO } from '../money/decimal.ts';
import type { FoldedPosition } from './folded-position.ts';

/** Everything a screen shows of a position beside what the fold knows. Quote units; null where nothing can be said. */
export type PositionFigures = {
  /** C / H. */
  readonly averageCost: Decimal | null;
  /**
   * The price at which selling the rest ends the whole position without loss, exit fee included:
   * max(0, (Σ bought − Σ sold) / (H × (1 − taker))). 0 says that what was paid is already recovered.
   */
  readonly breakEven: Decimal | null;
  /** (ΣQ bought − ΣQ sold) / (Σq bought − Σq sold) over the fills, as the exchange itself shows an average price. */
  readonly averageAsOnExchange: Decimal | null;
  readonly value: Decimal | null;
  /** H × bid × (1 − taker) − C; gross leaves the exit fee out. */
  readonly unrealised: Decimal | null;
  readonly exitFee: Decimal | null;
  /** Realised plus unrealised. */
  readonly total: Decimal | null;
  /** Percent: of the cost of what was sold (closed), of the most ever invested (open). */
  readonly returnPct: Decimal | null;
};

/** What selling all of it at `price` brings above its cost, after the taker fee: quantity × price × (1 − taker) − cost. */
export const openResult = ({ quantity, cost }: Pick<FoldedPosition, 'quantity' | 'cost'>, price: Decimal, taker: Decimal): Decimal =>
  subtract(multiply(multiply(quantity, price), subtract(ONE, taker)), cost);

const quotient = (part: Decimal, whole: Decimal): Decimal | null => (isZero(whole) ? null : divide(part, whole));
/** A result in percent of what was paid for it; null where nothing was. */
export const returnOn = (result: Decimal, cost: Decimal): Decimal | null =>
  isPositive(cost) ? divide(multiply(result, HUNDRED), cost) : null;

/**
 * The figures of a position at a price. `taker` is a fraction (0.001 = 0.1 %). Nothing is said of results when the
 * entries themselves are not whole: a cost or a fee is missing, or more was sold than was ever held.
 */
export function positionFigures(
  position: FoldedPosition,
  { price, taker, gross = false }: { price: Decimal | null; taker: Decimal; gross?: boolean },
): PositionFigures {
  const { quantity, cost, realised, fills } = position;
  const whole = position.reasons.size === 0;
  const keep = subtract(ONE, taker);
  const held = isPositive(quantity);
  const value = price === null ? null : multiply(quantity, price);
  const exitFee = value === null ? null : multiply(value, taker);
  const unrealised = price === null || !whole ? null : openResult(position, price, gross ? ZERO : taker);
  const total = !whole ? null : held ? (unrealised === null ? null : add(realised, unrealised)) : realised;
  const boughtLess = subtract(position.bought, position.sold);
  const asOnExchange = quotient(subtract(fills.boughtQuote, fills.soldQuote), subtract(fills.boughtQuantity, fills.soldQuantity));
  return {
    averageCost: whole && held ? quotient(cost, quantity) : null,
    breakEven: whole && held ? maximum(ZERO, divide(boughtLess, multiply(quantity, keep))) : null,
    averageAsOnExchange: held ? asOnExchange : null,
    value: held ? value : ZERO,
    unrealised: held ? unrealised : ZERO,
    exitFee: held ? exitFee : ZERO,
    total,
    returnPct: total === null ? null : returnOn(total, held ? position.peakCost : position.matchedCost),
  };
}

/** Realised result at `target`, net of the exit fee, if all that is held were sold there. */
export const resultAtTarget = (position: FoldedPosition, target: Decimal, taker: Decimal): Decimal =>
  add(position.realised, openResult(position, target, taker));
