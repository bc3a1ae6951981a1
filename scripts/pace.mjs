// How fast this machine is, learned from what it has done, and what fits into the time there is.

/** What the parts take on two idle cores, ms. */
export const PLANNED = { units: 210_000, smoke: 270_000, endToEndFile: 15_000 };

/** What is optional ends then, ms after the gate began: half a minute is left to stop it and to tell. */
export const TARGET_MS = 19.5 * 60_000;
/** Not begun any more when less than this is left over: an end-to-end file may take longer than planned, ms. */
const RESERVE_MS = 30_000;

/**
 * @param {number} slowness 1 for a machine that takes as long as planned, 2 for one that takes twice as long
 * @returns the mean of what was known and what the last part says: one part may have met a slow moment
 */
export const learned = (slowness, plannedMs, tookMs) => Math.min(20, Math.max(0.5, (slowness + tookMs / plannedMs) / 2));

/** How many times longer than usual the limits of tests are: they are for what hangs, so at least twice. */
export const patienceAt = (slowness) => Math.min(8, Math.max(2, Math.round(20 * slowness) / 10));

/**
 * How many more end-to-end files may begin now.
 * @param {number} elapsedMs since the gate began
 */
export const filesThatFit = (elapsedMs, slowness) =>
  Math.max(0, Math.floor((TARGET_MS - RESERVE_MS - elapsedMs) / (PLANNED.endToEndFile * slowness)));
