import {
  add,
  compare,
  type Decimal,
  decimal,
  fromFloat,
  isDecimalText,
  isPositive,
  multiply,
  toMultiple,
  toText,
} from '../money/decimal.ts';
import type { Price } from '../money/figure.ts';
import type { LevelsOutlook } from './auto-trade-actions-contract.ts';
import type { PositionLevel } from './auto-trades-contract.ts';
import type { LevelsAsked } from './position/position-levels.ts';

/** The name of a level that its owner may move, as in `lines.moved` of a position. Take profits count from 1. */
export type LevelField = 'stop' | 'trailingStart' | `takeProfit.${number}`;

/** Under which name a level is moved; undefined of one that only its bot moves. */
export function fieldOf({ kind, number }: Pick<PositionLevel, 'kind' | 'number'>): LevelField | undefined {
  if (kind === 'stopLoss') return 'stop';
  if (kind === 'arm') return 'trailingStart';
  return kind === 'takeProfit' && number !== null ? `takeProfit.${number}` : undefined;
}

const takeProfitOf = (field: LevelField): number | undefined =>
  field.startsWith('takeProfit.') ? Number(field.slice('takeProfit.'.length)) : undefined;

/** What is sent to move a level. @param price null puts it back where the settings have it */
export function askedOf(field: LevelField, price: string | null): LevelsAsked {
  const level = takeProfitOf(field);
  if (level !== undefined) return { takeProfit: [{ level, price }] };
  return field === 'stop' ? { stop: price } : { trailingStart: price };
}

/** Where an outlook has the level; null where it has none. */
export function outlookPrice(outlook: LevelsOutlook, field: LevelField): Price | null {
  const level = takeProfitOf(field);
  if (level !== undefined) return outlook.takeProfit[level - 1] ?? null;
  return field === 'stop' ? outlook.stop : outlook.trailingStart;
}

/** Whether the market has come to a level: a stop is reached from above, all else from below. */
export function isReached(field: LevelField, level: Price, price: Price): boolean {
  const side = compare(decimal(price), decimal(level));
  return field === 'stop' ? side <= 0 : side >= 0;
}

/** Whether a text is a price that can be asked for. */
export const isAskablePrice = (text: string): boolean => isDecimalText(text) && isPositive(decimal(text));

/** The tick of a pair; where the exchange takes any price, one unit of the last place that is shown. */
export function tickOf(tickSize: Price, pricePrecision: number): Decimal {
  const tick = decimal(tickSize);
  return isPositive(tick) ? tick : { units: 1n, scale: pricePrecision };
}

const atLeast = (price: Decimal, tick: Decimal): string => toText(compare(price, tick) < 0 ? tick : price);

/** A price some ticks higher, or lower for less than none; never below one tick. One between two ticks goes to the nearer end first. */
export function steppedPrice(price: string, tick: Decimal, ticks: number): string {
  const from = toMultiple(decimal(price), tick, ticks > 0 ? 'down' : 'up');
  return atLeast(add(from, multiply(tick, decimal(ticks))), tick);
}

/** The tick that is nearest to where a hand points, which is a float of a drawing; never below one tick. */
export const pointedPrice = (value: number, tick: Decimal): string =>
  atLeast(toMultiple(fromFloat(Math.max(0, value), tick.scale + 2), tick, 'half-even'), tick);
