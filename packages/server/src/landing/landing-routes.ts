import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Market } from '../market/market.ts';
import { createMovers, type MoverSources } from './movers.ts';
import { newListings } from './new-listings.ts';
import { createNews } from './news.ts';
import { type CandlesOf, changePercent, type LandingInterval, spanOf } from './price-change.ts';

const NEWS_MS = 10 * 60_000;
const LOOK_MS = 60_000;
const LISTINGS_SHOWN = 10;

export type LandingSources = MoverSources & {
  readonly market: MoverSources['market'] & Pick<Market, 'pairs' | 'pair' | 'ticker'>;
  readonly candles: CandlesOf;
};

/** News, movers and new listings. */
export function landingFeature(
  { settings, marketSource, database, now, timers, log, instance }: AppContext,
  sources: LandingSources,
): Feature {
  const { market } = sources;
  const news = createNews({ feeds: () => instance.settings.get('news.feeds'), trusted: settings.newsFeeds, now, timers, log });
  // An Admin's new feed is read at once, not at the next round.
  let read = instance.settings.get('news.feeds').join(' ');
  instance.onChange('settings', () => {
    const feeds = instance.settings.get('news.feeds').join(' ');
    if (feeds !== read) void news.refresh();
    read = feeds;
  });
  const listings = newListings(database, marketSource, now);
  const cancels: Cancel[] = [];
  const look = () =>
    listings.look(market.pairs()).catch((error: unknown) => log.warn({ err: error }, 'new listings could not be looked for'));
  const movers = createMovers(sources, now);
  const best = (direction: 1 | -1, interval: LandingInterval) => {
    if (!market.loaded) throw new AppError('exchange-unreachable');
    return movers.of(direction, interval);
  };

  return {
    handlers: {
      getNews: () => news.current(),
      getGainers: ({ query }) => best(1, query.interval),
      getLosers: ({ query }) => best(-1, query.interval),
      getNewListings: async ({ query }) => {
        const newest = await listings.newest(LISTINGS_SHOWN);
        const rows = await Promise.all(
          newest.map(async ({ symbol, firstSeenAt }) => {
            const [pair, ticker] = [market.pair(symbol), market.ticker(symbol)];
            const span = pair === undefined ? [] : await spanOf(sources, symbol, query.interval).catch(() => []);
            const first = span[0];
            const changePct = first === undefined || ticker === undefined ? undefined : changePercent(first.open, ticker.price);
            // Listed, but not traded yet, gone again, or not offered here: nothing to show.
            if (pair === undefined || ticker === undefined || changePct === undefined || !sources.isOffered(pair)) return [];
            return [
              {
                symbol,
                baseAsset: pair.baseAsset,
                price: ticker.price,
                pricePrecision: pair.pricePrecision,
                changePct,
                quoteVolume: ticker.quoteVolume,
                sparkline: span.map(({ close }) => Number(close)),
                firstSeenAt: new Date(firstSeenAt).toISOString(),
              },
            ];
          }),
        );
        return rows.flat();
      },
    },
    start: async () => {
      await look();
      cancels.push(timers.every(LOOK_MS, () => void look()));
      // Feeds may be slow; the start does not wait for them.
      void news.refresh();
      cancels.push(timers.every(NEWS_MS, () => void news.refresh()));
    },
    stop: async () => {
      for (const cancel of cancels) cancel();
    },
  };
}
