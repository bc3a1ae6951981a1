import { tagsOfPair } from '@pilotfish/core/prices/asset-tags';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Market } from '../market/market.ts';
import { type WeightPacer, weightPacer } from '../market/weight-pacer.ts';
import { botFacts } from './bot-facts.ts';
import { candleHistory } from './candle-history.ts';
import { type CandleReader, candleReader } from './candle-reader.ts';
import { candleStore } from './candle-store.ts';
import { type CoinFilters, coinFilters } from './coin-filters.ts';
import { coinFiltersFeature } from './coin-filters-routes.ts';
import { coinFiltersStore } from './coin-filters-store.ts';
import { type FigureTable, figureTable } from './figure-table.ts';
import { personalFacts } from './personal-facts.ts';
import { pricesFeature } from './prices-routes.ts';
import { type ScreenerService, screenerService } from './screener-service.ts';

/** History may use this much of a minute's weight; half of the limit is left to everything else. */
const HISTORY_WEIGHT = 2400;
const MEGABYTE = 1024 * 1024;
/** Our own process answers for the simulated exchange: small questions and long rests keep it answering others. */
const MANNERS = {
  simulated: { rowsPerRequest: 200, rest: 2, workers: 1 },
  remote: { rowsPerRequest: 1000, rest: 0, workers: 4 },
} as const;

/** How candles are read in the background: within one weight, however many read. */
export type BackgroundReading = {
  readonly pacer: WeightPacer;
  readonly rowsPerRequest: number;
  readonly rest: number;
  /** Under which name what was read is kept. */
  readonly marketName: string;
};

export type Prices = {
  readonly background: BackgroundReading;
  readonly features: readonly Feature[];
  readonly reader: CandleReader;
  readonly figures: FigureTable;
  readonly screener: ScreenerService;
  readonly coinFilters: CoinFilters;
};

/** History, figures, screener and coin filters, put together. */
export function openPrices(
  context: AppContext,
  parts: {
    exchange: Exchange;
    market: Market;
    heldAssets: (accountId: string) => Promise<ReadonlySet<string> | undefined>;
    isConnected: (accountId: string) => Promise<boolean>;
    paysFeesInBnb: (accountId: string) => Promise<boolean | undefined>;
  },
): Prices {
  const { database, log, marketSource, newId, now, settings, texts, timers } = context;
  const { exchange, market } = parts;
  let assets = { of: [] as readonly unknown[], codes: new Set<string>() };
  /** Codes of all base assets; the pairs are looked through once per list. */
  const isAsset = (code: string): boolean => {
    const pairs = market.pairs();
    if (assets.of.length !== pairs.length) assets = { of: pairs, codes: new Set(pairs.map((pair) => pair.baseAsset)) };
    return assets.codes.has(code);
  };
  const figures = figureTable(market, (pair, listedAt, at) => [
    ...tagsOfPair(pair, listedAt, at, isAsset),
    ...context.instance.tags.of(pair.baseAsset),
  ]);
  const kept = marketName(marketSource, settings);
  const manners = MANNERS[marketSource === 'simulated' ? 'simulated' : 'remote'];
  const pacer = weightPacer({
    perMinute: HISTORY_WEIGHT,
    limit: () => exchange.rest.weightLimit,
    used: () => exchange.rest.weightUsed,
    now,
    timers,
  });
  const history = candleHistory({
    exchange,
    market,
    store: candleStore(database, kept),
    figures,
    pacer,
    now,
    timers,
    log,
    maxBytes: settings.candlesMb * MEGABYTE,
    ...manners,
  });
  const reader = candleReader({ exchange, market, history, now });
  const bots = botFacts(database);
  const personal = personalFacts({ ...parts, openSymbols: bots.openSymbols, now });
  const screener = screenerService({
    market,
    figures,
    texts,
    personal,
    now,
    newId,
    isOffered: context.instance.currencies.isOffered,
    tags: () => context.instance.tags.all().map(({ key }) => key),
  });
  const store = coinFiltersStore(database);
  const filters = coinFilters({
    store,
    screener,
    figures,
    market,
    isOffered: context.instance.currencies.isOffered,
    paysFeesInBnb: parts.paysFeesInBnb,
    now,
  });
  return {
    features: [
      pricesFeature(context, { market, reader, history, figures, screener }),
      coinFiltersFeature(context, { store, filters, screener, market, bots }),
    ],
    background: { pacer, rowsPerRequest: manners.rowsPerRequest, rest: manners.rest, marketName: kept },
    reader,
    figures,
    screener,
    coinFilters: filters,
  };
}

/** Under which name candles are kept: invented and recorded markets must not be taken for real ones, or for each other. */
function marketName(exchange: AppContext['marketSource'], { exchangeRestUrl, marketReplay, marketSeed }: AppContext['settings']): string {
  if (exchangeRestUrl !== undefined) return `${exchange} ${exchangeRestUrl}`;
  return exchange === 'simulated' ? `simulated ${marketReplay ?? marketSeed}` : exchange;
}
