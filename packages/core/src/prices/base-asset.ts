/** The coin of a pair by its name, where the exchange's list of pairs does not tell it. */
export const baseAssetOf = (symbol: string, quoteAsset: string): string =>
  symbol.endsWith(quoteAsset) ? symbol.slice(0, -quoteAsset.length) : symbol;
