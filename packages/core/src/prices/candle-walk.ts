/**
 * How a recorded bar becomes ticks: open, one extreme, the other, close. A rising bar is walked low first
 * (O-L-H-C), a falling one high first (O-H-L-C): the shorter way through the same four prices. The simulated
 * exchange walks its recordings the same way.
 */
export const lowFirst = (open: number, close: number): boolean => close >= open;

/** When the four prices of a bar of `length` ms happen, in ms from its start: first, thirds, last. */
export const walkTime = (point: number, length: number): number => (point === 3 ? length - 1 : Math.floor((point * length) / 3));
