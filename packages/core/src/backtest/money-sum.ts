/** Digits after the point that the exchange tells amounts of money with. */
const PARTS = 100_000_000;

/**
 * A sum of amounts with at most eight decimals, in two doubles that stay whole numbers: whole units and
 * hundred-millionths. What is taken away again leaves nothing behind, and the value is the double nearest to the exact
 * sum, as of the text the exchange writes.
 */
export type MoneySum = { whole: number; parts: number };

export const newSum = (): MoneySum => ({ whole: 0, parts: 0 });

/** @param sign 1 to put in, -1 to take away what was put in */
export function addTo(sum: MoneySum, amount: number, sign: 1 | -1 = 1): void {
  const whole = Math.floor(amount);
  sum.whole += sign * whole;
  sum.parts += sign * Math.round((amount - whole) * PARTS);
}

/** The double nearest to a sum of whole units and hundred-millionths, neither below zero. */
export function sumValue(whole: number, parts: number): number {
  const carried = Math.floor(parts / PARTS);
  const rest = parts - carried * PARTS;
  return rest === 0 ? whole + carried : Number(`${whole + carried}.${String(rest).padStart(8, '0')}`);
}
