import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Market } from '../market/market.ts';
import { newListings } from './new-listings.ts';
import { createNews } from './news.ts';
import { changeOver } from './price-change.ts';

const NEWS_MS = 10 * 60_000;
const LOOK_MS = 60_000;
const LISTINGS_SHOWN = 10;

/** News and new listings; movers are the market's. */
export function landingFeature(
  { settings, database, now, log }: AppContext,
  market: Pick<Market, 'pairs' | 'pair' | 'ticker' | 'candles'>,
): Feature {
  const news = createNews({ feeds: settings.newsFeeds, now, log });
  const listings = newListings(database, settings.exchange, now);
  const timers: NodeJS.Timeout[] = [];
  const look = () =>
    listings.look(market.pairs()).catch((error: unknown) => log.warn({ err: error }, 'new listings could not be looked for'));

  return {
    handlers: {
      getNews: () => news.current(),
      getNewListings: async ({ query }) => {
        const newest = await listings.newest(LISTINGS_SHOWN);
        const rows = await Promise.all(
          newest.map(async ({ symbol, firstSeenAt }) => {
            const [pair, ticker] = [market.pair(symbol), market.ticker(symbol)];
            const changePct = pair === undefined ? undefined : await changeOver(market, symbol, query.interval).catch(() => undefined);
            // Listed, but not traded yet, or gone again: nothing to show.
            if (pair === undefined || ticker === undefined || changePct === undefined) return [];
            return [
              {
                symbol,
                baseAsset: pair.baseAsset,
                price: ticker.price,
                changePct,
                quoteVolume: ticker.quoteVolume,
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
      timers.push(setInterval(() => void look(), LOOK_MS).unref());
      if (settings.newsFeeds.length === 0) return;
      // Feeds may be slow; the start does not wait for them.
      void news.refresh();
      timers.push(setInterval(() => void news.refresh(), NEWS_MS).unref());
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
