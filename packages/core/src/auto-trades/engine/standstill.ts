/** No trade of a coin for longer than this, with or without a connection, is a standstill: ms. */
export const STANDSTILL_MS = 60_000;
/**
 * Prices before and after a standstill that differ by this factor are prices of two units (a redenomination, a swap, another
 * coin under the same name): neither is a gain or a loss of the other. A fall by less is a fall.
 */
const JUMP_FACTOR = 3;
/** More than the error of a product of doubles, far less than a tick: a factor of exactly three counts. */
const NUDGE = 1 - 1e-12;

/** True when two prices, before and after a standstill, differ by the factor of a jump. False while one is unknown (NaN). */
export const isJump = (before: number, price: number): boolean =>
  price >= before * JUMP_FACTOR * NUDGE || price * JUMP_FACTOR * NUDGE <= before;
