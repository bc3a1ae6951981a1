import { type CandleFetch, type CandleMonth, candlesContract } from '@pilotfish/core/candles/candles-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { nameFrom } from '@pilotfish/core/money/asset-name';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { monthsOf, pairOf } from './candle-span.ts';
import type { CandlesClient } from './fetch-candles.ts';

const MEGABYTE = 1024 * 1024;
const count = (value: number): string => formatQuantity(String(value));

const months = (originOf: (origin: string) => string): Resource<CandleMonth> => ({
  empty: 'candleMonths',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'interval', value: ({ interval }) => interval },
    { key: 'month', value: ({ month }) => month },
    { key: 'rows', right: true, value: ({ rows }) => String(rows), shown: ({ rows }) => count(rows) },
    { key: 'gaps', right: true, rank: 1, value: ({ gaps }) => String(gaps), shown: ({ gaps }) => count(gaps) },
    { key: 'origin', rank: 2, value: ({ origin }) => origin, shown: ({ origin }) => originOf(origin) },
    { key: 'coveredTo', rank: 3, value: ({ coveredTo }) => coveredTo, shown: ({ coveredTo }) => localTime(coveredTo) },
    { key: 'bytes', right: true, rank: 4, value: ({ bytes }) => String(bytes), shown: ({ bytes }) => count(bytes) },
  ],
});

/** The fetch of the account that runs, also where the terminal that began it is gone. */
async function runningFetch(client: CandlesClient): Promise<CandleFetch | undefined> {
  const last = await client.getCandleFetch().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return undefined;
    throw error;
  });
  return last?.state === 'running' ? last : undefined;
}

/** Stored months of candles, how much room they take, and what is being fetched. */
export async function list(context: Context, options: { symbol?: string; from?: string; to?: string }): Promise<void> {
  const span = monthsOf(options);
  const client = await context.client(candlesContract);
  const symbol = options.symbol === undefined ? {} : { symbol: nameFrom(options.symbol) };
  const { items, bytes, mostBytes } = await client.listCandleMonths({ query: { ...symbol, ...span } });
  const t = await context.texts();
  await printRows(
    context,
    months((origin) => t(`candles.origins.${origin}`)),
    items,
  );
  if (!['table', 'plain'].includes(formatOf(context))) return;
  const running = await runningFetch(client);
  if (running) {
    const { done, months: all, doing } = running;
    const share = Math.floor(((done + (doing?.share ?? 0)) / all) * 100);
    await context.say('cli.candles.running', { symbol: running.symbol, interval: running.interval, done, months: all, share });
  }
  if (formatOf(context) === 'table')
    await context.say('cli.candles.room', { used: count(Math.ceil(bytes / MEGABYTE)), most: count(Math.floor(mostBytes / MEGABYTE)) });
}

/** Ends the running fetch of the account, wherever it was begun. */
export async function stop(context: Context): Promise<void> {
  const client = await context.client(candlesContract);
  const running = await runningFetch(client);
  if (!running) return context.say('cli.candles.noFetch');
  await client.endCandleFetch();
  await context.say('cli.candles.ended', { symbol: running.symbol, interval: running.interval });
}

/** Removes stored months, after a yes. */
export async function remove(
  context: Context,
  { from, to, ...pair }: { symbol: string; interval: string; from?: string; to?: string },
): Promise<void> {
  const [params, query] = [pairOf(pair), monthsOf({ from, to })];
  const client = await context.client(candlesContract);
  const { items } = await client.listCandleMonths({ query: { ...params, ...query } });
  const words = { ...params, count: items.length };
  if (items.length > 0) {
    if (!(await confirm(context, 'cli.candles.remove', words))) throw new Ended(EXIT.failed);
    await client.removeCandleMonths({ params, query });
  }
  await context.say('cli.candles.removed', words);
}
