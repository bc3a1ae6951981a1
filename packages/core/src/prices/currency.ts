import type { Pair } from './prices-contract.ts';

/** Where the picture of a currency is, from the root of the app. @param code e.g. `BTC` */
export const currencyIconPath = (code: string): string => `/icons/currency/${encodeURIComponent(code)}.png`;

/** False where an Admin no longer offers one of its assets: not to be found or chosen any more. What is held stays. */
export const isOffered = (pair: Pick<Pair, 'offered'>): boolean => pair.offered !== false;
