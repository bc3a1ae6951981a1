import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { VERSION } from '../app/version.ts';
import type { Market } from './market.ts';
import { marketChoice } from './market-choice.ts';

const REFRESH_LEAD_MS = 5 * 60_000;

/** Public market data: pairs, tickers, and what the apps must know before sign-in. */
export function marketFeature(context: AppContext, market: Market): Feature {
  const { settings } = context.instance;
  const loaded = () => {
    if (!market.loaded) throw new AppError('exchange-unreachable');
  };
  return {
    handlers: {
      ...marketChoice(context, market),
      listPairs: () => {
        loaded();
        const { isOffered } = context.instance.currencies;
        return market.pairs().map((pair) => (isOffered(pair) ? pair : { ...pair, offered: false }));
      },
      listTickers: () => {
        loaded();
        return { items: market.tickers(), asOf: new Date(market.asOf).toISOString(), stale: market.stale() };
      },
      getAppConfig: () => ({
        name: 'Pilotfish',
        version: VERSION,
        exchange: context.marketSource,
        exchangeName: 'Binance',
        primaryCurrency: 'USDT',
        locales: ['en', 'tr'],
        defaultLocale: settings.get('appearance.language'),
        defaultTheme: settings.get('appearance.theme'),
        registration: settings.get('registration.mode'),
        setupCode: context.setupCode.needed(),
        notice: noticeOf(settings.get('notice.en'), settings.get('notice.tr')),
        textsVersion: context.instance.version('texts'),
        orderTypes: ['Limit', 'Market'],
        toastDurationMs: 3000,
        refreshLeadMs: REFRESH_LEAD_MS,
        demoAccounts: context.marketSource === 'simulated',
        telegram: context.settings.telegramBotToken !== undefined && settings.get('telegram.shown'),
        features: ['auth', 'exchange-connection', 'prices', 'screener', 'auto-trades', 'wallets', 'orders', 'price-alerts'],
      }),
    },
    start: () => market.start(),
    stop: () => market.stop(),
  };
}

/** Written in one language only, it is better read in that one than not at all. */
const noticeOf = (en: string, tr: string) => (en === '' && tr === '' ? null : { en: en || tr, tr: tr || en });
