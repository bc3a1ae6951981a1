import type { Mover } from '@pilotfish/core/landing/landing-contract';
import type { ScreenerTable } from '@pilotfish/core/prices/screener-table';
import type { Market } from '../market/market.ts';
import type { LandingInterval } from './price-change.ts';

/** Movers shown on the landing page, and the volume below which a pair is too thin to be news. */
const MOVERS = 10;
const MIN_QUOTE_VOLUME = 10_000;
const PRIMARY = 'USDT';
/** Everybody sees the same ones: made once for so long. */
const KEPT_MS = 5000;
/** Closes that draw each interval, at most 48. */
const LINES = {
  '24h': { interval: '30m', count: 48 },
  '7d': { interval: '4h', count: 42 },
  '30d': { interval: '1d', count: 30 },
} as const;
const MINUTES = 60;

export type MoverSources = {
  readonly market: Pick<Market, 'loaded' | 'pair' | 'ticker' | 'board' | 'minutes'>;
  readonly isOffered: (pair: { readonly baseAsset: string; readonly quoteAsset: string }) => boolean;
  /** The figures of all pairs as they are now. */
  readonly figures: () => ScreenerTable;
  /** Closes of the last closed candles; undefined until history is there. */
  readonly closes: (symbol: string, interval: string, count: number) => Promise<number[] | undefined>;
};

/** Pairs of the primary currency that rose or fell most over an interval, from the figures: nobody is asked. */
export function createMovers({ market, isOffered, figures, closes }: MoverSources, now: () => number) {
  const made = new Map<string, { until: number; movers: Promise<Mover[]> }>();

  async function sparkline(symbol: string, interval: LandingInterval): Promise<number[]> {
    if (interval !== '1h') {
      const { interval: candle, count } = LINES[interval];
      return (await closes(symbol, candle, count)) ?? [];
    }
    const index = market.board.index(symbol);
    const minutes = index === undefined ? [] : market.minutes.last(index, market.board.asOf, MINUTES);
    // Every other minute, the newest included.
    return minutes.filter((_, n) => n % 2 === 1);
  }

  async function make(direction: 1 | -1, interval: LandingInterval): Promise<Mover[]> {
    const { symbols, numbers, words } = figures();
    const changes = numbers.get(`change.${interval}`)!;
    const volumes = numbers.get('quoteVolume')!;
    const [bases, quotes, statuses] = [words.get('base')!, words.get('quote')!, words.get('status')!];
    const rows = symbols
      .map((_, row) => row)
      .filter(
        (row) =>
          quotes[row] === PRIMARY &&
          statuses[row] === 'TRADING' &&
          volumes[row]! >= MIN_QUOTE_VOLUME &&
          changes[row]! * direction > 0 &&
          isOffered({ baseAsset: bases[row]!, quoteAsset: PRIMARY }),
      )
      .sort((a, b) => direction * (changes[b]! - changes[a]!) || (symbols[a]! < symbols[b]! ? -1 : 1))
      .slice(0, MOVERS);
    const movers = rows.map(async (row): Promise<Mover[]> => {
      const symbol = symbols[row]!;
      const ticker = market.ticker(symbol);
      if (ticker === undefined) return [];
      return [
        {
          symbol,
          baseAsset: bases[row]!,
          price: ticker.price,
          pricePrecision: market.pair(symbol)?.pricePrecision,
          changePct: interval === '24h' ? ticker.changePct : changes[row]!.toFixed(2),
          quoteVolume: ticker.quoteVolume,
          sparkline: await sparkline(symbol, interval),
        },
      ];
    });
    return (await Promise.all(movers)).flat();
  }

  return {
    of: (direction: 1 | -1, interval: LandingInterval): Promise<Mover[]> => {
      const key = `${interval} ${direction}`;
      const known = made.get(key);
      if (known !== undefined && now() < known.until) return known.movers;
      const movers = make(direction, interval);
      made.set(key, { until: now() + KEPT_MS, movers });
      movers.catch(() => made.delete(key));
      return movers;
    },
  };
}
