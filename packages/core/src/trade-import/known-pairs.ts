/** A pair taken apart. `listed` is false when the exchange no longer has it and the name alone was read. */
export type SplitPair = { readonly symbol: string; readonly baseAsset: string; readonly quoteAsset: string; readonly listed: boolean };

export type KnownPairs = ReadonlyMap<string, { readonly baseAsset: string; readonly quoteAsset: string }>;

/** Quote assets the exchange has or had, for pairs it no longer lists; longer names first, so that FDUSD is not USD. */
const QUOTES = [
  'FDUSD',
  'USDT',
  'BUSD',
  'USDC',
  'TUSD',
  'USDS',
  'USDP',
  'BIDR',
  'BVND',
  'IDRT',
  'BKRW',
  'USD1',
  'AEUR',
  'EURI',
  'DOGE',
  'PAX',
  'EUR',
  'TRY',
  'GBP',
  'AUD',
  'BRL',
  'RUB',
  'UAH',
  'NGN',
  'ZAR',
  'PLN',
  'RON',
  'ARS',
  'JPY',
  'MXN',
  'CZK',
  'COP',
  'DAI',
  'UST',
  'VAI',
  'BTC',
  'ETH',
  'BNB',
  'XRP',
  'TRX',
  'DOT',
  'SOL',
  'USD',
] as const;

/** `BTCUSDT`, `BTC/USDT`, `btc-usdt` taken apart; undefined when it cannot be done without guessing. */
export function splitPair(text: string, pairs: KnownPairs): SplitPair | undefined {
  const trimmed = text.trim().toUpperCase();
  const parts = /^([A-Z0-9]{1,20})[/_-]([A-Z0-9]{1,20})$/.exec(trimmed);
  const symbol = parts ? `${parts[1]}${parts[2]}` : trimmed;
  const known = pairs.get(symbol);
  if (known) return { symbol, ...known, listed: true };
  if (parts?.[1] !== undefined && parts[2] !== undefined) return { symbol, baseAsset: parts[1], quoteAsset: parts[2], listed: false };
  if (!/^[A-Z0-9]{4,30}$/.test(symbol)) return undefined;
  const quoteAsset = QUOTES.find((quote) => symbol.endsWith(quote) && symbol.length > quote.length);
  return quoteAsset === undefined ? undefined : { symbol, baseAsset: symbol.slice(0, -quoteAsset.length), quoteAsset, listed: false };
}

/** Money here: what conversions are priced in, and what is no disposal to spend. */
export const CASH_ASSETS: ReadonlySet<string> = new Set([
  'USDT',
  'USDC',
  'FDUSD',
  'BUSD',
  'TUSD',
  'USDP',
  'DAI',
  'USD1',
  'EUR',
  'TRY',
  'GBP',
  'AUD',
  'BRL',
  'USD',
  'JPY',
  'PLN',
  'RON',
  'ARS',
  'ZAR',
  'UAH',
  'RUB',
  'NGN',
  'MXN',
  'CZK',
  'COP',
  'AEUR',
  'EURI',
]);
