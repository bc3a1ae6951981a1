import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { wholeNumber } from '../ui/whole-number.ts';

export type PriceChoice = {
  quote?: string;
  search?: string;
  tag?: string;
  watchlist?: string;
  minVolume?: string;
  minChange?: string;
  maxChange?: string;
  sort?: string;
  limit?: string;
};

const FIGURES = ['price', 'changePct', 'open', 'high', 'low', 'volume', 'quoteVolume', 'at'] as const;
const SORTABLE: readonly string[] = ['symbol', ...FIGURES];

/** Ignores case, accents and the Turkish dots: `İ`, `I`, `ı` and `i` find the same pairs. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

type Order = { readonly key: string; readonly direction: 1 | -1 };

/** `changePct:asc,symbol`: text begins with the first, figures with the largest unless told. @throws UsageError */
function ordersOf(sort: string): Order[] {
  return sort.split(',').map((part) => {
    const [key = '', direction] = part.trim().split(':');
    if (!SORTABLE.includes(key)) throw new UsageError('invalidValue', { word: '--sort', allowed: SORTABLE.join(', ') });
    if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
      throw new UsageError('invalidValue', { word: `--sort ${key}`, allowed: 'asc, desc' });
    return { key, direction: (direction ?? (key === 'symbol' ? 'asc' : 'desc')) === 'asc' ? 1 : -1 };
  });
}

function bound(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (!isDecimalText(text)) throw new UsageError('amount', { flag, value: text });
  return Number(text);
}

/** A figure to order by; floats are exact enough for a place in a list. */
const figure = (row: Ticker, key: string): number => (key === 'at' ? Date.parse(row.at) : Number(row[key as 'price']));

/**
 * The pairs that were asked for, in their order; ties by symbol, so that the order is always the same.
 * @param tagged symbols of the asked tags, when tags were asked for
 * @throws UsageError naming the option that cannot be read
 */
export function choose(items: readonly Ticker[], choice: PriceChoice, tagged?: ReadonlySet<string>): Ticker[] {
  const count = wholeNumber(choice.limit, '--limit') ?? items.length;
  const wanted = choice.search === undefined ? '' : fold(choice.search);
  const quote = choice.quote?.toUpperCase();
  const [minVolume, minChange, maxChange] = [
    bound(choice.minVolume, '--min-volume'),
    bound(choice.minChange, '--min-change'),
    bound(choice.maxChange, '--max-change'),
  ];
  const orders = ordersOf(choice.sort ?? 'quoteVolume');
  const isWanted = (row: Ticker): boolean =>
    (quote === undefined || (row.symbol.endsWith(quote) && row.symbol !== quote)) &&
    (wanted === '' || fold(row.symbol).includes(wanted)) &&
    (tagged === undefined || tagged.has(row.symbol)) &&
    (minVolume === undefined || Number(row.quoteVolume) >= minVolume) &&
    (minChange === undefined || Number(row.changePct) >= minChange) &&
    (maxChange === undefined || Number(row.changePct) <= maxChange);
  const keyed = items.filter(isWanted).map((row) => ({ row, figures: orders.map(({ key }) => (key === 'symbol' ? 0 : figure(row, key))) }));
  const bySymbol = (a: Ticker, b: Ticker) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0);
  keyed.sort((a, b) => {
    for (const [index, { key, direction }] of orders.entries()) {
      const by = key === 'symbol' ? bySymbol(a.row, b.row) : a.figures[index]! - b.figures[index]!;
      if (by !== 0) return by * direction;
    }
    return bySymbol(a.row, b.row);
  });
  return keyed.slice(0, count).map(({ row }) => row);
}

/** A pair that the exchange does not have, with the one that was probably meant. */
export function noSuchPair(symbol: string, known: readonly string[]): LocalFailure {
  const suggestion = nearestWord(symbol, known);
  return new LocalFailure(
    suggestion ? 'unknownPair' : 'unknownPairAtAll',
    { symbol, ...(suggestion ? { suggestion } : {}) },
    {
      exit: EXIT.notFound,
    },
  );
}
