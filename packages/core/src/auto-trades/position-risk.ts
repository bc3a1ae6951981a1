import { type Decimal, decimal, greaterThan, isPositive, maximum, minimum, multiply, ONE, subtract, ZERO } from '../money/decimal.ts';
import type { Percent, Price } from '../money/figure.ts';
import type { AutoTradePosition, Evaluation } from './auto-trades-contract.ts';
import type { NextEvent } from './bot-figures-contract.ts';
import { percentOf } from './position/position-lines.ts';

type Lines = AutoTradePosition['lines'];
type Floors = Pick<Lines, 'stopLoss' | 'protectedCost' | 'protectiveStop'>;

const highest = (prices: readonly (Price | null)[]): Decimal | null =>
  prices.reduce<Decimal | null>((best, price) => {
    if (price === null) return best;
    return best === null ? decimal(price) : maximum(best, decimal(price));
  }, null);

/**
 * The stop of a position that sells first: the higher of stop loss and protected cost. While its rules send no exits, as of
 * a bot that is frozen, halted or not at work, only what rests at the exchange sells.
 * @returns null when nothing sells below
 */
export const stopInForce = ({ stopLoss, protectedCost, protectiveStop }: Floors, sendsExits: boolean): Decimal | null =>
  highest(sendsExits ? [stopLoss, protectedCost] : [protectiveStop]);

/**
 * What the open result falls by when the stop fills now: quantity × (price − stop) × (1 − taker), never below zero. A gap
 * can cost more. `taker` is a fraction.
 */
export const amountAtRisk = (quantity: Decimal, price: Decimal, stop: Decimal, taker: Decimal): Decimal =>
  maximum(ZERO, multiply(multiply(quantity, subtract(price, stop)), subtract(ONE, taker)));

/** The price at which a position next takes profit: its nearest level to come, or the owner's target where that is nearer. */
export function nearestTarget({ takeProfit, target }: Pick<Lines, 'takeProfit' | 'target'>): Decimal | null {
  const levels = takeProfit.flatMap(({ price, done }) => (done ? [] : [decimal(price)]));
  const all = target === null ? levels : [...levels, decimal(target)];
  const [first, ...others] = all.filter(isPositive);
  return first === undefined ? null : others.reduce(minimum, first);
}

/** Percent that a price must rise to reach another, below zero to fall; 4 decimals. Null without a price. */
export const distancePct = (price: Price | null, to: Price | null): Percent | null =>
  price === null || to === null || !isPositive(decimal(price)) ? null : percentOf(decimal(to), decimal(price));

/** What a coin waits for next and how far its last price is from there; null when it waits for nothing. */
export const nextEventOf = ({ waitsFor, price }: Pick<Evaluation, 'waitsFor' | 'price'>): NextEvent | null =>
  waitsFor && { waitsFor, distancePct: distancePct(price, waitsFor.price) };

type Waiting = NextEvent & { readonly symbol: string };

/** Held coins are of more interest than watched ones, and among these one that the exchange refuses. */
const interestOf = ({ state, waitsFor }: Pick<Evaluation, 'state' | 'waitsFor'>): number =>
  state !== 'Watching' ? 0 : waitsFor?.code === 'refused' ? 1 : 2;
const nearnessOf = ({ distancePct: percent }: NextEvent): Decimal | null => {
  if (percent === null) return null;
  const distance = decimal(percent);
  return maximum(distance, subtract(ZERO, distance));
};
const isNearer = (one: Waiting, other: Waiting): boolean => {
  const [near, far] = [nearnessOf(one), nearnessOf(other)];
  return near !== null && (far === null || greaterThan(far, near));
};

/** Of all that a bot's coins wait for what comes next: of a held coin first, the nearest of these; the first of equals. */
export function nextOfBot(evaluations: readonly Pick<Evaluation, 'symbol' | 'state' | 'price' | 'waitsFor'>[]): Waiting | null {
  let best: { readonly interest: number; readonly waiting: Waiting } | undefined;
  for (const evaluation of evaluations) {
    const event = nextEventOf(evaluation);
    if (!event) continue;
    const found = { interest: interestOf(evaluation), waiting: { symbol: evaluation.symbol, ...event } };
    const isBetter = !best || found.interest < best.interest || (found.interest === best.interest && isNearer(found.waiting, best.waiting));
    if (isBetter) best = found;
  }
  return best?.waiting ?? null;
}
