import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { archiveName } from '@pilotfish/core/candles/candle-archive';
import { monthEnd } from '@pilotfish/core/candles/candle-month';
import type { CandleFetch } from '@pilotfish/core/candles/candles-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { nextOpenTime } from '@pilotfish/core/prices/candle-gaps';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { UploadedFile } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import type { BackgroundReading } from '../prices/prices.ts';
import { candleFetches, type FetchState } from './candle-fetches.ts';
import { candleMonthStore, type MonthKey } from './candle-month-store.ts';
import { candlesOfMonthFile, MONTH_ROOM, MonthFileRefused } from './month-file.ts';
import { archiveOf } from './month-from-archive.ts';
import { candlesFromExchange, oldestCandle } from './month-from-exchange.ts';

const MEGABYTE = 1024 * 1024;
/** Of the room, for what one account that is no Admin stores: none can fill it for all. */
const SHARE = 1 / 4;
/** Where Binance publishes its candles by month. */
const BINANCE_ARCHIVE = 'https://data.binance.vision';

/** Invented markets of other seeds, and exchanges at other addresses, are other markets. */
const folderName = (source: string, marketName: string): string =>
  marketName === source ? source : `${source}-${createHash('sha256').update(marketName).digest('hex').slice(0, 12)}`;

async function bytesOf({ stream, end }: UploadedFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MONTH_ROOM.bytes) throw new AppError('payload-too-large');
    chunks.push(chunk);
  }
  await end?.();
  return Buffer.concat(chunks);
}

/** Months of candles, stored once for the backtests of all accounts; see `candle-month-store.ts`. */
export function candlesFeature(
  context: Pick<
    AppContext,
    'accountExtras' | 'audit' | 'log' | 'marketDecision' | 'marketSource' | 'now' | 'sessions' | 'settings' | 'storage' | 'texts' | 'timers'
  >,
  { exchange, market, background }: { exchange: Pick<Exchange, 'candles'>; market: Market; background: BackgroundReading },
): Feature {
  const { log, marketDecision, marketSource, now, sessions, settings, storage, texts, timers } = context;
  const mostBytes = settings.candleMonthsMb * MEGABYTE;
  const share = Math.floor(mostBytes * SHARE);
  const store = candleMonthStore({
    folder: join(settings.dataDir, 'candles', folderName(marketSource, background.marketName)),
    mostBytes,
    free: () => {
      if (storage.isFull()) return 0;
      const { bavail, bsize } = statfsSync(settings.dataDir);
      return bavail * bsize;
    },
    log,
  });
  // Before a market is chosen nothing leaves the machine, whatever address is set. Behind another REST address
  // is another market: Binance's candles would be stored as its own.
  const published = marketSource === 'binance' && settings.exchangeRestUrl === undefined ? BINANCE_ARCHIVE : undefined;
  const archive = marketDecision.by === 'default' ? undefined : (settings.exchangeArchiveUrl ?? published);
  const fetches = candleFetches({
    store,
    fromExchange: (span, how) => candlesFromExchange({ exchange, timers, ...background }, span, how),
    oldest: (pair, signal) => oldestCandle({ exchange, timers, ...background }, pair, signal),
    noArchives: marketDecision.by === 'default' ? 'no_market' : 'no_archives',
    fromArchive: archive === undefined ? undefined : archiveOf(archive, timers),
    venueNow: () => market.board.asOf,
    now,
    log,
  });
  context.accountExtras.afterDelete.push(async (accountId) => fetches.forget(accountId));
  const shown = (state: FetchState, language: Language): CandleFetch => ({
    ...state,
    problems: state.problems.map(({ month, code, reason }) => {
      const values = { reason, symbol: state.symbol, began: state.began ?? '', megabytes: Math.floor(share / MEGABYTE) };
      return { month, code, message: texts.text(language, `candles.problems.${code}`, values) };
    }),
  });
  /** Not among the texts of errors: the browser's first page carries those, and has no use for these. */
  const withWords = (error: AppError, language: Language): AppError => {
    const { code, fields, retryAfter, parameters } = error;
    const detail = texts.find(language, `candles.waits.${parameters.context ?? ''}`, parameters);
    return detail === undefined ? error : new AppError(code, { fields, retryAfter, parameters, detail, cause: error });
  };
  const requirePair = (symbol: string): void => {
    if (!market.loaded) throw new AppError('exchange-unreachable');
    if (!market.pair(symbol)) throw new AppError('not-found');
  };
  const refused = ({ code, line, found }: MonthFileRefused, { symbol, interval, month }: MonthKey, language: Language): AppError => {
    const wanted = archiveName(symbol, interval, month);
    const message = texts.text(language, `candles.refused.${code}`, { line, wanted, found: found ?? '' });
    const details = found === undefined ? { actual: String(line) } : { limit: wanted, actual: found };
    return new AppError('invalid', { fields: [{ path: 'file', code, message, ...details }] });
  };

  return {
    handlers: {
      listCandleMonths: async ({ query }) => ({
        items: await store.list(query),
        bytes: await store.bytes(),
        mostBytes,
      }),
      readCandleMonth: async ({ params }) => {
        const found = await store.read(params);
        if (found === undefined) throw new AppError('not-found');
        return found.lines;
      },
      putCandleMonth: async ({ params, file, language, account, origin }) => {
        requirePair(params.symbol);
        const upload = await file();
        const candles = await candlesOfMonthFile(await bytesOf(upload), params, upload.name).catch((error: unknown) => {
          throw error instanceof MonthFileRefused ? refused(error, params, language) : error;
        });
        // Only up to its last candle: a file does not say whether it was cut off there.
        const coveredTo = Math.min(monthEnd(params.month), nextOpenTime(params.interval, candles.at(-1)!.openTime));
        if (coveredTo > market.board.asOf) throw refused(new MonthFileRefused('OTHER_MONTH', candles.length), params, language);
        const stored = await store.write({ ...params, candles, origin: 'file', coveredTo });
        const { symbol, interval, month } = params;
        await context.audit.record({
          accountId: account.id,
          action: 'admin.candles-upload',
          target: `${symbol} ${interval} ${month}`,
          origin,
          details: { rows: stored.rows },
        });
        return stored;
      },
      removeCandleMonths: async ({ params, query, account, origin }) => {
        const removed = await store.remove({ ...params, ...query });
        if (removed > 0)
          await context.audit.record({
            accountId: account.id,
            action: 'admin.candles-remove',
            target: `${params.symbol} ${params.interval}`,
            origin,
            details: { removed },
          });
        return { removed };
      },
      startCandleFetch: async ({ account, body, language }) => {
        requirePair(body.symbol);
        const isAdmin = await sessions.isAdmin(account.id);
        try {
          return shown(fetches.start(account.id, body, isAdmin ? undefined : share), language);
        } catch (error) {
          throw error instanceof AppError ? withWords(error, language) : error;
        }
      },
      getCandleFetch: ({ account, language }) => {
        const state = fetches.get(account.id);
        if (state === undefined) throw new AppError('not-found');
        return shown(state, language);
      },
      endCandleFetch: ({ account }) => {
        if (!fetches.end(account.id)) throw new AppError('not-found');
      },
    },
    stop: () => fetches.stop(),
  };
}
