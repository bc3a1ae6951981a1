/** How many times longer than usual tests wait for what should happen (`PILOTFISH_PATIENCE`): a slow machine needs no other test. */
const FACTOR = Number(process.env.PILOTFISH_PATIENCE ?? 1);

/**
 * A limit that only ends what hangs, for this machine.
 * Not for a time within which something must *not* happen: it would only take longer.
 * @param ms what is enough where nothing else runs
 */
export const patient = (ms: number): number => ms * FACTOR;
