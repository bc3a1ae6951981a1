/**
 * How a recorded bar becomes ticks: open, one extreme, the other, close. A rising bar is walked low first
 * (O-L-H-C), a falling one high first (O-H-L-C): the shorter way through the same four prices.
 */
export const lowFirst = (open: number, close: number): boolean => close >= open;

/** Where in the bar the four prices fall, as shares of its length. */
export const WALK: readonly [number, number, number, number] = [0, 0.25, 0.5, 0.75];
