import { AppError } from '@pilotfish/core/http/problem';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { VERSION } from '../app/version.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { Market } from './market.ts';

/** Movers shown on the landing page, and the volume below which a pair is too thin to be news. */
const MOVERS = 10;
const MIN_QUOTE_VOLUME = decimal('10000');
const REFRESH_LEAD_MS = 5 * 60_000;

/** Public market data: pairs, tickers, candles, and what the apps must know before sign-in. */
export function marketFeature(context: AppContext, market: Market): Feature {
  const loaded = () => {
    if (!market.loaded) throw new AppError('exchange-unreachable');
  };
  /** The 24 h figures answer the default interval at once; other intervals need history. */
  const movers = (direction: 1 | -1, interval: string) => {
    loaded();
    if (interval !== '24h') throw new AppError('not-implemented', { detail: `Only the interval 24h is available yet, not ${interval}.` });
    return market
      .tickers()
      .flatMap((ticker) => {
        const pair = market.pair(ticker.symbol);
        const counts =
          pair?.quoteAsset === 'USDT' && pair.status === 'TRADING' && compare(decimal(ticker.quoteVolume), MIN_QUOTE_VOLUME) >= 0;
        return counts
          ? [
              {
                symbol: ticker.symbol,
                baseAsset: pair.baseAsset,
                price: ticker.price,
                changePct: ticker.changePct,
                quoteVolume: ticker.quoteVolume,
              },
            ]
          : [];
      })
      .filter((mover) => compare(decimal(mover.changePct), decimal('0')) === direction)
      .sort((a, b) => direction * compare(decimal(b.changePct), decimal(a.changePct)) || (a.symbol < b.symbol ? -1 : 1))
      .slice(0, MOVERS);
  };
  return {
    handlers: {
      listPairs: () => {
        loaded();
        return market.pairs();
      },
      listTickers: () => {
        loaded();
        return { items: market.tickers(), asOf: new Date(market.asOf).toISOString(), stale: market.stale() };
      },
      listCandles: async ({ params, query }) => {
        loaded();
        if (!market.pair(params.symbol)) throw new AppError('not-found');
        const endTime = query.endTime === undefined ? {} : { endTime: Date.parse(query.endTime) };
        const items = await market.candles(params.symbol, query.interval, { limit: query.limit, ...endTime }).catch((error: unknown) => {
          throw toAppErrorFromExchange(error);
        });
        return { symbol: params.symbol, interval: query.interval, items };
      },
      getGainers: ({ query }) => movers(1, query.interval),
      getLosers: ({ query }) => movers(-1, query.interval),
      getAppConfig: () => ({
        name: 'Pilotfish',
        version: VERSION,
        exchange: context.settings.exchange,
        exchangeName: 'Binance',
        primaryCurrency: 'USDT',
        locales: ['en', 'tr'],
        defaultLocale: 'en',
        orderTypes: ['Limit', 'Market'],
        toastDurationMs: 3000,
        refreshLeadMs: REFRESH_LEAD_MS,
        demoAccounts: context.settings.exchange === 'simulated',
        telegram: context.settings.telegramBotToken !== undefined,
        features: ['auth', 'exchange-connection', 'prices', 'auto-trades', 'wallets', 'orders'],
      }),
    },
    start: () => market.start(),
    stop: () => market.stop(),
  };
}
