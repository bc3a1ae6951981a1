import { RECV_WINDOW_MS } from '../exchange/exchange-rest.ts';

// How long, and how often, orders are waited for and tried again. All in ms.

/** How long after its decision an entry may be signed at the latest; exits wait for as long as it takes. */
export const ENTRY_PATIENCE_MS = 10_000;
/** How long a sale is tried again that a gateway turned away, before it needs a person. */
export const GATEWAY_PATIENCE_MS = 5 * 60_000;
/** How long a sale that is refused for a rule waits for the rules of now: it is planned anew by them. */
export const RULES_PATIENCE_MS = 3000;
/** How often a sale is sent again that found too little of a coin of which there is enough by now. */
export const MOST_RESENDS = 3;
/** Between two tries of the same. */
const RETRY_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;
export const LEAST_RETRY_MS = 100;
/**
 * When the exchange's own clock is so far past the time that an order carries, the order is there or never will be: its
 * receive window, and three seconds in which a new order may not be found yet. Ours is not asked: it may be wrong by as
 * much as an answer took when the two were compared, and either may have been set since.
 */
export const ABSENT_AFTER_MS = RECV_WINDOW_MS + 3000;
/** By how much an earlier process may have been ahead of the exchange's clock: half of the longest answer. */
export const EARLIER_DOUBT_MS = 5000;
/** An order that the exchange took and then does not know for this long needs a person. */
export const VANISHED_AFTER_MS = 60_000;

/** How long to wait before the next try, when so many failed before. */
export const retryDelay = (failed: number): number => RETRY_MS[Math.min(failed, RETRY_MS.length - 1)] ?? LEAST_RETRY_MS;
