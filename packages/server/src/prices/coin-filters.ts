import { AppError } from '@pilotfish/core/http/problem';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { CoinFilter, getCoinFilterCoins } from '@pilotfish/core/prices/screener-contract';
import type * as z from 'zod';
import type { Market } from '../market/market.ts';
import type { CoinFiltersStore, StoredCoinFilter } from './coin-filters-store.ts';
import type { FigureTable } from './figure-table.ts';
import type { ScreenerService } from './screener-service.ts';

type Coins = z.infer<typeof getCoinFilterCoins.answer>;
export type LeftOutReason = Coins['leftOut'][number]['reason'];

const REASONS: readonly LeftOutReason[] = [
  'notTrading',
  'notOffered',
  'excluded',
  'stablePair',
  'leveraged',
  'feeAsset',
  'age',
  'volume',
  'spread',
  'conditions',
  'maxCoins',
];
const FEE_ASSET = 'BNB';
const BY_VOLUME = [{ key: 'quoteVolume', direction: 'desc' as const }];

export type CoinFilters = ReturnType<typeof coinFilters>;

/**
 * Which coins a filter selects. Coins named in `include` pass every rule but being tradable and not excluded, and keep
 * their places when there are too many.
 */
export function coinFilters(parts: {
  store: CoinFiltersStore;
  screener: Pick<ScreenerService, 'rows'>;
  figures: Pick<FigureTable, 'pairAt'>;
  market: Pick<Market, 'board' | 'loaded' | 'stale'>;
  isOffered: (pair: Pair) => boolean;
  /** Whether the account pays fees in BNB; undefined when that is not known. */
  paysFeesInBnb: (accountId: string) => Promise<boolean | undefined>;
  now: () => number;
}) {
  const { store, screener, figures, market, now } = parts;

  async function select(filter: CoinFilter, accountId: string): Promise<Omit<Coins, 'asOf' | 'stale'>> {
    const sort = filter.sort.length === 0 ? BY_VOLUME : filter.sort;
    const keepsFeeAsset = (await parts.paysFeesInBnb(accountId)) !== true;
    const { table, rows } = await screener.rows({ filter: undefined, sort, columns: [] }, accountId);
    const matching = filter.conditions
      ? new Set((await screener.rows({ filter: filter.conditions, sort: [], columns: [] }, accountId)).rows)
      : undefined;
    const column = (id: string) => table.numbers.get(id);
    const [include, exclude] = [new Set(filter.include), new Set(filter.exclude)];
    const least = decimal(filter.minQuoteVolume24h);
    const widest = Number(filter.maxSpreadPct);
    const left = new Map<LeftOutReason, number>();

    /** The first rule a pair breaks. What is not known of a pair cannot be vouched for. */
    const reasonOf = (row: number): LeftOutReason | undefined => {
      const symbol = table.symbols[row]!;
      const pair = figures.pairAt(row);
      if (pair?.status !== 'TRADING') return 'notTrading';
      if (!parts.isOffered(pair)) return 'notOffered';
      if (exclude.has(symbol)) return 'excluded';
      if (include.has(symbol)) return undefined;
      const tags = table.tags[row] ?? [];
      if (tags.includes('stable-pair')) return 'stablePair';
      if (tags.includes('leveraged')) return 'leveraged';
      if (pair.baseAsset === FEE_ASSET && !keepsFeeAsset) return 'feeAsset';
      if (filter.minAgeDays > 0 && !(column('listedDays')![row]! >= filter.minAgeDays)) return 'age';
      if (compare(decimal(market.board.row(symbol)?.quoteVolume ?? '0'), least) < 0) return 'volume';
      if (!(column('spreadPct')![row]! <= widest)) return 'spread';
      return matching !== undefined && !matching.has(row) ? 'conditions' : undefined;
    };
    const passed: number[] = [];
    for (const row of rows) {
      if (table.words.get('quote')![row] !== filter.quoteAsset) continue;
      const reason = reasonOf(row);
      if (reason === undefined) passed.push(row);
      else left.set(reason, (left.get(reason) ?? 0) + 1);
    }
    const isNamed = (row: number) => include.has(table.symbols[row]!);
    const places = new Set([...passed.filter(isNamed), ...passed.filter((row) => !isNamed(row))].slice(0, filter.maxCoins));
    if (passed.length > places.size) left.set('maxCoins', passed.length - places.size);
    return {
      coins: passed.filter((row) => places.has(row)).map((row) => table.symbols[row]!),
      leftOut: REASONS.flatMap((reason) => (left.has(reason) ? [{ reason, count: left.get(reason)! }] : [])),
    };
  }

  /** The coins now; what was good last, or none, while the market cannot be read. */
  async function coins(filter: StoredCoinFilter): Promise<Coins> {
    const readable = market.loaded && !market.stale();
    const found = readable ? await select(filter, filter.accountId).catch((error: unknown) => toFailure(error)) : undefined;
    if (found !== undefined) {
      await store.saveLast(filter.id, { coins: found.coins, at: market.board.asOf });
      return { ...found, asOf: new Date(market.board.asOf).toISOString(), stale: false };
    }
    if (filter.onError === 'empty') return { coins: [], asOf: new Date(now()).toISOString(), stale: true, leftOut: [] };
    if (filter.last === undefined) throw new AppError('exchange-unreachable');
    return { coins: filter.last.coins, asOf: new Date(filter.last.at).toISOString(), stale: true, leftOut: [] };
  }

  return {
    coins,
    isKnown: async (filterId: string, accountId: string): Promise<boolean> => (await store.find(filterId, accountId)) !== undefined,
    /**
     * For bots: the coins of a filter, looked for anew when they are older than its `refreshMinutes`; undefined for a
     * filter that is gone or somebody else's. @throws AppError `exchange-unreachable` when there never were any
     */
    coinsOf: async (filterId: string, accountId: string): Promise<{ coins: string[]; asOf: string; stale: boolean } | undefined> => {
      const filter = await store.find(filterId, accountId);
      if (filter === undefined) return undefined;
      const age = filter.last === undefined ? Number.POSITIVE_INFINITY : market.board.asOf - filter.last.at;
      if (filter.last !== undefined && age >= 0 && age < filter.refreshMinutes * 60_000)
        return { coins: filter.last.coins, asOf: new Date(filter.last.at).toISOString(), stale: false };
      const { coins: found, asOf, stale } = await coins(filter);
      return { coins: found, asOf, stale };
    },
  };
}

/** Only what the market's absence explains is answered from memory. @throws everything else */
function toFailure(error: unknown): undefined {
  if (error instanceof AppError && error.family === 'connectivity') return undefined;
  throw error;
}
