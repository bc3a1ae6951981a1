/** What the exchange takes of an account that has no terms of its own, per cent of what is received. */
export const STANDARD_FEE_PCT = '0.1';
/** The same as a fraction. */
export const STANDARD_FEE = '0.001';
/** Most that an account on paper can be charged, per cent. */
export const MOST_FEE_PCT = '5';
/** Digits of such a per cent after the point: all of them are shown, and a fraction of it fits the exchange's eight. */
export const FEE_PCT_PLACES = 4;
/** What a paper wallet has of its own, by the names of the contract. */
export const PAPER_TERMS = ['makerFeePct', 'takerFeePct', 'latencyMs'] as const;
/** Fees in per cent, exact text; the latency in ms. */
export type PaperTerms = { readonly makerFeePct: string; readonly takerFeePct: string; readonly latencyMs: number };
/** Of a paper wallet for which nothing else is asked, and of those from before there were terms. */
export const STANDARD_PAPER_TERMS: PaperTerms = { makerFeePct: STANDARD_FEE_PCT, takerFeePct: STANDARD_FEE_PCT, latencyMs: 0 };
/**
 * Longest way of an order on paper, ms. A request that is older than five seconds on arrival is refused, as at the
 * exchange; a longer way would only produce refusals.
 */
export const MOST_LATENCY_MS = 3000;
