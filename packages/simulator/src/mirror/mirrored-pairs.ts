import { type Decimal, decimal, divide, isPositive, lessThan, placesOf, toFloat } from '@pilotfish/core/money/decimal';
import * as z from 'zod';
import { type Market, PAIR_STATUSES, type Pair, type PairStatus } from '../market/market-contract.ts';
import { type SymbolFilter, symbolFilter } from '../matching/symbol-filter.ts';

/** A pair of which everything but its place can change while it is traded. */
export type MirroredPair = { -readonly [Field in keyof Pair]: Pair[Field] };

const row = z.object({
  symbol: z.string(),
  status: z.string(),
  baseAsset: z.string(),
  quoteAsset: z.string(),
  isSpotTradingAllowed: z.boolean().optional(),
  filters: z.array(z.unknown()),
});
/** Rows are read one by one: an odd one leaves its pair out, and no other. */
export const mirroredInfo = z.object({ symbols: z.array(z.unknown()) });

type Rules = { readonly filters: readonly SymbolFilter[]; readonly status: PairStatus };
const NO_FILTER = { minPrice: '0', maxPrice: '0', minQty: '0', maxQty: '0', minNotional: '0' };

/** What changed of a pair whose orders the engine holds. */
export type PairChange =
  | { readonly kind: 'rules'; readonly pair: Pair; readonly filters: readonly SymbolFilter[] }
  /** Prices and quantities count in smaller units from now on: by how many times there are more of them. */
  | { readonly kind: 'units'; readonly pair: Pair; readonly price: number; readonly quantity: number }
  | { readonly kind: 'gone'; readonly pair: Pair };

/** Fields that are new to us are left out, and a filter that lacks one of its own binds nobody here. */
function toFilter(given: unknown): SymbolFilter | undefined {
  const parsed = symbolFilter.safeParse(given);
  if (parsed.success) return parsed.data;
  const unknown = new Set(parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])));
  if (unknown.size === 0) return undefined;
  const known = Object.fromEntries(Object.entries(given as object).filter(([name]) => !unknown.has(name)));
  return symbolFilter.safeParse(known).data;
}

const positive = (text: string, otherwise: string): Decimal => {
  const value = decimal(text);
  return isPositive(value) ? value : decimal(otherwise);
};

function setUnits(pair: MirroredPair, tickSize: Decimal, stepSize: Decimal): void {
  pair.tickSize = tickSize;
  pair.stepSize = stepSize;
  pair.pricePlaces = placesOf(tickSize);
  pair.quantityPlaces = placesOf(stepSize);
  pair.tick = toFloat(tickSize);
  pair.step = toFloat(stepSize);
}

/**
 * The pairs of the mirrored exchange with its rules. It has no trades of its own: what happens is brought by the feed,
 * and seen by the view of the mirror.
 */
export class MirroredPairs implements Market {
  readonly kind = 'mirror';
  readonly pairs: MirroredPair[] = [];
  readonly grid = 60_000;
  readonly endTime = null;
  private readonly bySymbol = new Map<string, MirroredPair>();
  private readonly rules = new Map<string, Rules>();

  find(symbol: string): Pair | undefined {
    return this.bySymbol.get(symbol);
  }
  /** False for one that the exchange no longer lists. */
  isListed(pair: Pair): boolean {
    return this.rules.has(pair.symbol);
  }
  status(pair: Pair): PairStatus {
    return this.rules.get(pair.symbol)?.status ?? 'BREAK';
  }
  filtersOf(pair: Pair): readonly SymbolFilter[] {
    return this.rules.get(pair.symbol)?.filters ?? [];
  }
  barLength(): number {
    return this.grid;
  }
  ticks(): never {
    throw new Error('a mirrored market has no trades of its own');
  }
  previousClose(): never {
    return this.ticks();
  }
  aggregate(): undefined {
    return undefined;
  }

  /** Takes over what the exchange lists now, and answers what that changes. Nothing is given up for a row that cannot be read. */
  update(symbols: readonly unknown[]): PairChange[] {
    const changes: PairChange[] = [];
    const named = new Set<string>();
    for (const each of symbols) {
      const name = (each as { symbol?: unknown } | null)?.symbol;
      if (typeof name === 'string') named.add(name);
      const parsed = row.safeParse(each);
      if (parsed.success && parsed.data.isSpotTradingAllowed !== false) changes.push(...this.take(parsed.data));
    }
    if (named.size === 0) return [];
    for (const symbol of this.rules.keys()) {
      if (named.has(symbol)) continue;
      this.rules.delete(symbol);
      changes.push({ kind: 'gone', pair: this.bySymbol.get(symbol)! });
    }
    return changes;
  }

  private take({ symbol, status, baseAsset, quoteAsset, filters: rows }: z.infer<typeof row>): PairChange[] {
    const filters = rows.flatMap((each) => toFilter(each) ?? []);
    const price = filters.find((each) => each.filterType === 'PRICE_FILTER');
    const lot = filters.find((each) => each.filterType === 'LOT_SIZE');
    if (!price || !lot) return [];
    const tickSize = positive(price.tickSize, '0.00000001');
    const stepSize = positive(lot.stepSize, '0.00000001');
    const known = this.bySymbol.get(symbol);
    const before = this.rules.get(symbol);
    // A status of which we do not know what it allows allows nothing.
    this.rules.set(symbol, { filters, status: PAIR_STATUSES.find((each) => each === status) ?? 'BREAK' });
    const pair = known ?? this.add(symbol, baseAsset, quoteAsset);
    pair.minQty = decimal(lot.minQty);
    pair.maxQty = decimal(lot.maxQty);
    pair.maxPrice = decimal(price.maxPrice);
    const notional = filters.find((each) => each.filterType === 'NOTIONAL' || each.filterType === 'MIN_NOTIONAL');
    pair.minNotional = decimal(notional && 'minNotional' in notional ? notional.minNotional : NO_FILTER.minNotional);
    if (!known) {
      setUnits(pair, tickSize, stepSize);
      return [{ kind: 'rules', pair, filters }];
    }
    const changes: PairChange[] = JSON.stringify(before?.filters) === JSON.stringify(filters) ? [] : [{ kind: 'rules', pair, filters }];
    const finer = this.refine(pair, tickSize, stepSize);
    return finer ? [...changes, finer] : changes;
  }

  /** Units only ever become smaller: orders of before may stand at prices between the new ticks. */
  private refine(pair: MirroredPair, tickSize: Decimal, stepSize: Decimal): PairChange | undefined {
    const tick = lessThan(tickSize, pair.tickSize) ? tickSize : pair.tickSize;
    const step = lessThan(stepSize, pair.stepSize) ? stepSize : pair.stepSize;
    if (tick === pair.tickSize && step === pair.stepSize) return undefined;
    const times = (of: Decimal, by: Decimal): number => Number(divide(of, by, 0, 'down').units);
    const change = { kind: 'units', pair, price: times(pair.tickSize, tick), quantity: times(pair.stepSize, step) } as const;
    setUnits(pair, tick, step);
    return change;
  }

  private add(symbol: string, base: string, quote: string): MirroredPair {
    const zero = decimal('0');
    const pair = {
      index: this.pairs.length,
      symbol,
      base,
      quote,
      liquidity: 0,
      listedAt: 0,
      minQty: zero,
      maxQty: zero,
      maxPrice: zero,
      minNotional: zero,
    } as unknown as MirroredPair;
    this.pairs.push(pair);
    this.bySymbol.set(symbol, pair);
    return pair;
  }
}
