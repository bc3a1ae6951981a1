/** What the virtual clock shows that was made or moved last, for the message of a test that fails. */
let latest: (() => number) | undefined;

/** @param now epoch ms; undefined where a file begins, whose worker may have had another one before */
export const noteClock = (now: (() => number) | undefined): void => {
  latest = now;
};

/** Epoch ms; undefined where the file has no virtual clock. */
export const latestTime = (): number | undefined => latest?.();
