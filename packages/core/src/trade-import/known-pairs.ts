import { isAssetName, isName, NAME_CHARACTER } from '../money/asset-name.ts';
import { UNSURE } from './file-signs.ts';

/** A pair taken apart. `listed` is false when the exchange no longer has it and the name alone was read. */
export type SplitPair = { readonly symbol: string; readonly baseAsset: string; readonly quoteAsset: string; readonly listed: boolean };

export type KnownPairs = ReadonlyMap<string, { readonly baseAsset: string; readonly quoteAsset: string }>;

/** Quote assets the exchange has or had, for pairs it no longer lists; longer names first, so that FDUSD is not USD. */
const QUOTES_OF_DELISTED = [
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

/** Cells of the row of a pair: amounts of its two assets, with their names glued on or not, and any asset that is named. */
export type PairHints = { readonly base?: string; readonly quote?: string; readonly named?: readonly string[] };

const PARTED = new RegExp(`^(${NAME_CHARACTER}{1,20})[/_-](${NAME_CHARACTER}{1,20})$`, 'u');
const PLAIN = /^-?[\d.,]*(e[+-]?\d+)?\s*$/i;
const BEGINS_AS_NUMBER = /^-?[.,]?\d/;
/** A cell is a plain number, or one with this asset after it. `N/A` says nothing of the pair: its own column is what is wrong. */
function isOf(cell: string | undefined, asset: string): boolean {
  const given = cell?.trim().toUpperCase() ?? '';
  const text = given.endsWith(UNSURE) ? given.slice(0, -UNSURE.length) : given;
  if (!BEGINS_AS_NUMBER.test(text)) return true;
  return PLAIN.test(text) || (text.endsWith(asset) && PLAIN.test(text.slice(0, -asset.length)));
}

/**
 * `BTCUSDT`, `BTC/USDT`, `btc-usdt` taken apart; undefined when it cannot be done without guessing. What the cells of its
 * row name decides: `LUNAEUR` beside `10LUNA` is no pair of AEUR.
 */
export function splitPair(text: string, pairs: KnownPairs, { base, quote, named = [] }: PairHints = {}): SplitPair | undefined {
  const trimmed = text.trim().toUpperCase();
  const parts = PARTED.exec(trimmed);
  const symbol = parts ? `${parts[1]}${parts[2]}` : trimmed;
  const fits = ({ baseAsset, quoteAsset }: { baseAsset: string; quoteAsset: string }) => isOf(base, baseAsset) && isOf(quote, quoteAsset);
  const known = pairs.get(symbol);
  if (known) return fits(known) ? { symbol, ...known, listed: true } : undefined;
  if (parts?.[1] !== undefined && parts[2] !== undefined) {
    const written = { baseAsset: parts[1], quoteAsset: parts[2] };
    return fits(written) ? { symbol, ...written, listed: false } : undefined;
  }
  if (!isName(symbol) || symbol.length < 4) return undefined;
  const splits = QUOTES_OF_DELISTED.filter((each) => symbol.endsWith(each) && symbol.length > each.length)
    .map((quoteAsset) => ({ baseAsset: symbol.slice(0, -quoteAsset.length), quoteAsset }))
    .filter((each) => isAssetName(each.baseAsset) && fits(each));
  const isNamed = ({ baseAsset, quoteAsset }: (typeof splits)[number]) => named.includes(baseAsset) || named.includes(quoteAsset);
  const split = splits.find(isNamed) ?? splits[0];
  return split && { symbol, ...split, listed: false };
}

/** Cash: fiat, and coins worth a dollar or a euro. A conversion from or into it is a trade priced in it; spending it is not a sale. */
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
