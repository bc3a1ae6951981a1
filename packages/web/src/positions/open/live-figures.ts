import {
  add,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isDecimalText,
  isPositive,
  isZero,
  multiply,
  ONE,
  rescale,
  subtract,
  toText,
} from '@pilotfish/core/money/decimal';
import type { Money, Percent, Price } from '@pilotfish/core/money/figure';
import { openResult } from '@pilotfish/core/positions/position-figures';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';

/** What of an open position moves with the price. */
export type LiveFigures = Pick<OpenPosition, 'price' | 'value' | 'exitFee' | 'unrealised' | 'total' | 'returnPct' | 'targetDistancePct'>;

/** Digits kept of what was divided: more than any screen shows, less than what a text of the wire may hold. */
const PLACES = 18;
export const text = (value: Decimal): string => toText(value.scale > PLACES ? rescale(value, PLACES, 'half-even') : value);

/**
 * The figures of a position at a newer price, by the same exact arithmetic as the server's. The fee's rate is taken
 * from the server's own figures. What the server does not know stays unknown; without a price nothing changes.
 */
export function liveFigures(position: OpenPosition, newest: Price | undefined): LiveFigures {
  const { price, value, exitFee, unrealised, total, returnPct, targetPrice, targetDistancePct } = position;
  const known = { price, value, exitFee, unrealised, total, returnPct, targetDistancePct };
  if (newest === undefined || newest === price || !isDecimalText(newest) || value === null || exitFee === null) return known;
  const now = decimal(newest);
  const before = decimal(value);
  if (!isPositive(now) || !isPositive(before)) return known;
  const worth = multiply(decimal(position.quantity), now);
  const taker = divide(decimal(exitFee), before);
  const held = { quantity: decimal(position.quantity), cost: decimal(position.cost) };
  const open = unrealised === null ? null : openResult(held, now, taker);
  const result = open === null || position.realised === null ? null : add(decimal(position.realised), open);
  return {
    price: newest,
    value: text(worth),
    exitFee: text(multiply(worth, taker)),
    unrealised: open && text(open),
    total: result && text(result),
    returnPct: result && returnOf(result, total, returnPct),
    targetDistancePct: targetPrice === null ? null : text(multiply(subtract(divide(decimal(targetPrice), now), ONE), HUNDRED)),
  };
}

/** A return is a result by what was invested at most, which two figures of the server tell between them. */
function returnOf(result: Decimal, total: Money | null, returnPct: Percent | null): Percent | null {
  if (total === null || returnPct === null) return null;
  const [before, percent] = [decimal(total), decimal(returnPct)];
  return isZero(before) || isZero(percent) ? returnPct : text(divide(multiply(result, percent), before));
}

/** What closing by hand would book: nothing more at cost; the difference between value and cost at market, without a fee. */
export function closingPreview({ realised, value, cost }: Pick<OpenPosition, 'realised' | 'value' | 'cost'>) {
  const atMarket = realised === null || value === null ? null : toText(add(decimal(realised), subtract(decimal(value), decimal(cost))));
  return { atCost: realised, atMarket };
}

/** Share of the way from average cost to target that the price has gone, 0 to 100, for a bar; undefined when there is no way. */
export function targetProgress(averageCost: Price | null, target: Price | null, price: Price | null): number | undefined {
  if (averageCost === null || target === null || price === null) return undefined;
  const way = subtract(decimal(target), decimal(averageCost));
  if (!isPositive(way)) return undefined;
  const gone = Number(toText(rescale(divide(multiply(subtract(decimal(price), decimal(averageCost)), HUNDRED), way), 2, 'down')));
  return Math.min(100, Math.max(0, gone));
}
