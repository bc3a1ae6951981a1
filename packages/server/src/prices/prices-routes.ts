import { AppError } from '@pilotfish/core/http/problem';
import { TAGS } from '@pilotfish/core/prices/asset-tags';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { Market } from '../market/market.ts';
import type { CandleHistory } from './candle-history.ts';
import type { CandleReader } from './candle-reader.ts';
import type { FigureTable } from './figure-table.ts';
import type { ScreenerService } from './screener-service.ts';

const TICK_MS = 1000;
/** The history begins a little after the start, when the first screens have what they need. */
const HISTORY_DELAY_MS = 3000;

/** Candles, tags and the screener: what is known of pairs beyond their last price. */
export function pricesFeature(
  { texts, timers, log, instance }: Pick<AppContext, 'texts' | 'timers' | 'log' | 'instance'>,
  parts: {
    market: Market;
    reader: CandleReader;
    history: CandleHistory;
    figures: FigureTable;
    screener: ScreenerService;
    historyDelayMs?: number;
  },
): Feature {
  const { market, reader, history, figures, screener } = parts;
  const cancels: Cancel[] = [];
  return {
    handlers: {
      listCandles: async ({ params, query }) => {
        if (!market.loaded) throw new AppError('exchange-unreachable');
        if (!market.pair(params.symbol)) throw new AppError('not-found');
        const endTime = query.endTime === undefined ? {} : { endTime: Date.parse(query.endTime) };
        const items = await reader.candles(params.symbol, query.interval, { limit: query.limit, ...endTime }).catch((error: unknown) => {
          throw error instanceof AppError ? error : toAppErrorFromExchange(error);
        });
        return { symbol: params.symbol, interval: query.interval, items };
      },
      listSparklines: ({ query }) => {
        if (!market.loaded) throw new AppError('exchange-unreachable');
        const { until, items } = figures.sparklines(query.symbols);
        return { until: new Date(Number.isNaN(until) ? market.board.asOf : until).toISOString(), items };
      },
      listTags: ({ language }) => {
        const { symbols, tags } = screener.table();
        const bySymbol = new Map<string, string[]>([...TAGS, ...instance.tags.all().map(({ key }) => key)].map((tag) => [tag, []]));
        symbols.forEach((symbol, row) => {
          for (const tag of tags[row] ?? []) bySymbol.get(tag)?.push(symbol);
        });
        const builtIn = TAGS.map((key) => ({ key, label: texts.text(language, `tags.${key}`), symbols: bySymbol.get(key) ?? [] }));
        const own = instance.tags.all().map((tag) => ({ key: tag.key, label: tag.labels[language], symbols: bySymbol.get(tag.key) ?? [] }));
        return [...builtIn, ...own];
      },
      getFilterOptions: ({ language, caller }) => screener.options(language, caller?.id),
      getFilterResults: ({ body, caller, language }) => screener.results(body, caller?.id, language),
    },
    start: async () => {
      cancels.push(
        timers.every(TICK_MS, () => {
          if (!market.loaded) return;
          try {
            figures.tick();
          } catch (error) {
            log.error({ err: error }, 'figures could not be made');
          }
        }),
        timers.after(parts.historyDelayMs ?? HISTORY_DELAY_MS, () => history.start()),
      );
    },
    stop: async () => {
      for (const cancel of cancels) cancel();
      await history.stop();
    },
  };
}
