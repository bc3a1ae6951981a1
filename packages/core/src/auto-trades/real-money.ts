import type { AutoTrade } from './auto-trades-contract.ts';

/** Whose money orders move: play money, that of a simulated or test exchange, or real money. */
export type MoneyKind = 'paper' | 'test' | 'live';

/**
 * What the orders of a bot or a wallet spend. Wherever it is not paper, letting a bot trade is asked about first; the
 * question names the money. An exchange that is not known yet is one where mistakes cost something.
 */
export const moneyOf = ({
  mode,
  exchange,
}: Pick<AutoTrade, 'mode'> & { readonly exchange: AutoTrade['exchange'] | undefined }): MoneyKind =>
  mode === 'live' && exchange !== undefined && exchange !== 'binance' ? 'test' : mode;
