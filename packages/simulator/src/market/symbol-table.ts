import { type Decimal, decimal, placesOf, toFloat } from '@pilotfish/core/money/decimal';
import type { Pair } from './market-contract.ts';
import table from './symbol-table.json' with { type: 'json' };

/** The rules of one pair before a market gives it an index and a listing time. */
export type PairFacts = Omit<Pair, 'index' | 'listedAt'> & { readonly firstDay: number | null };

/** Completes the rules of a pair; every derived column comes from the decimals. */
export function pairFacts(facts: {
  base: string;
  quote: string;
  tickSize: string;
  stepSize: string;
  minQty: string;
  maxQty: string;
  maxPrice: string;
  minNotional: string;
  liquidity: number;
  firstDay: number | null;
}): PairFacts {
  const tickSize: Decimal = decimal(facts.tickSize);
  const stepSize: Decimal = decimal(facts.stepSize);
  return {
    symbol: facts.base + facts.quote,
    base: facts.base,
    quote: facts.quote,
    tickSize,
    stepSize,
    minQty: decimal(facts.minQty),
    maxQty: decimal(facts.maxQty),
    maxPrice: decimal(facts.maxPrice),
    minNotional: decimal(facts.minNotional),
    pricePlaces: placesOf(tickSize),
    quantityPlaces: placesOf(stepSize),
    tick: toFloat(tickSize),
    step: toFloat(stepSize),
    liquidity: facts.liquidity,
    firstDay: facts.firstDay,
  };
}

/** Every pair of the bundled table (made by scripts/build-symbol-table.mjs). */
export function knownPairs(): PairFacts[] {
  return table.pairs.map((row) => {
    const [base = '', quote = '', tickSize = '', stepSize = '', minQty = '', maxQty = '', maxPrice = '', minNotional = '', liquidity, day] =
      row.split(' ');
    return pairFacts({
      base,
      quote,
      tickSize,
      stepSize,
      minQty,
      maxQty,
      maxPrice,
      minNotional,
      liquidity: Number(liquidity),
      firstDay: day === undefined || day === '-' ? null : Date.parse(`${day}T00:00:00Z`),
    });
  });
}

/** About what one unit of an asset is worth in USD in the invented market. */
export const anchorOf = (asset: string): number => (table.anchors as Record<string, number | undefined>)[asset] ?? 1;

/** Longest first, so that `XUSDT` is not read as a pair quoted in a shorter asset. */
const QUOTES = ['FDUSD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'EURI', 'BTC', 'ETH', 'BNB', 'TRY', 'EUR', 'BRL', 'DAI'];

/** Base and quote asset of a symbol that is not in the table. */
export function splitSymbol(symbol: string): { base: string; quote: string } {
  const quote = QUOTES.find((asset) => symbol.length > asset.length && symbol.endsWith(asset));
  if (!quote) throw new Error(`cannot tell the base and the quote asset of ${symbol}: its name must end with one of ${QUOTES.join(', ')}`);
  return { base: symbol.slice(0, -quote.length), quote };
}
