import { type CandleFetch, candlesContract } from '@pilotfish/core/candles/candles-contract';
import type { Client } from '@pilotfish/core/http/client';
import { AppError } from '@pilotfish/core/http/problem';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT, SIGNAL_EXIT } from '../app/exit-codes.ts';
import { Ended, UsageError } from '../app/failure.ts';
import { formatOf } from '../ui/output.ts';
import { progressLine } from '../ui/progress-line.ts';
import { monthsOf, pairOf } from './candle-span.ts';

const POLL_MS = 500;

export type FetchOptions = { symbol: string; interval: string; from?: string; to?: string; archives?: true | string };
export type CandlesClient = Client<typeof candlesContract>;

const isRunning = ({ state }: CandleFetch): boolean => state === 'running';

/** Exit code for the first problem. */
const exitOf = ({ problems }: CandleFetch): number => {
  const [code] = problems.map((each) => each.code);
  if (code === undefined) return EXIT.done;
  if (code.startsWith('exchange')) return EXIT.refusedByExchange;
  if (code === 'beforePair') return EXIT.usage;
  return code === 'unknownPair' || code === 'noCandles' ? EXIT.notFound : EXIT.failed;
};

type Wish = Parameters<CandlesClient['startCandleFetch']>[0]['body'];
/** Begins a fetch, or joins the same one. @throws UsageError for a month that has not begun at the market */
async function begin(client: CandlesClient, body: Wish): Promise<CandleFetch> {
  try {
    return await client.startCandleFetch({ body });
  } catch (error) {
    const late = error instanceof AppError ? error.fields.find(({ path, code }) => path === 'from' && code === 'too_big') : undefined;
    if (late?.limit === undefined) throw error;
    throw new UsageError('lateMonth', { flag: '--from', given: body.from, newest: late.limit });
  }
}

/**
 * Stores months of candles at the server: from the exchange, from its archives, or from a folder of archive files. Stored
 * months are skipped, so the same command continues where another one stopped.
 */
export async function fetchCandleMonths(context: Context, options: FetchOptions): Promise<void> {
  const pair = pairOf(options);
  const { from, to } = monthsOf(options);
  if (from === undefined) throw new UsageError('needsFlag', { flag: '--from' });
  const client = await context.client(candlesContract);
  const span = { from, ...(to === undefined ? {} : { to }) };
  if (typeof options.archives === 'string')
    return (await import('./upload-candles.ts')).uploadMonths(context, client, { ...pair, ...span }, options.archives);
  const source = options.archives === true ? 'archives' : 'exchange';
  const { body: last, stopped } = await followed(context, client, await begin(client, { ...pair, ...span, source }));
  await report(context, last);
  if (stopped) throw new Ended(SIGNAL_EXIT.SIGINT);
  // Stopped from elsewhere, it is no success for the script that waited for it.
  const exit = last.state === 'ended' ? EXIT.failed : exitOf(last);
  if (exit !== EXIT.done) throw new Ended(exit);
}

/** Shows the progress until the fetch is over; Ctrl-C ends it at the server, too. */
async function followed(context: Context, client: CandlesClient, started: CandleFetch): Promise<{ body: CandleFetch; stopped: boolean }> {
  const line = progressLine(context, `${started.symbol} ${started.interval}`);
  let isStopped = false;
  const stop = context.untilInterrupted().then(() => {
    isStopped = true;
  });
  let body = started;
  for (; isRunning(body); body = await client.getCandleFetch()) {
    line.show((body.done + (body.doing?.share ?? 0)) / body.months, body.doing?.month ?? '');
    const pause = new Promise<void>((resolve) => void context.timers.setTimeout(resolve, POLL_MS));
    await Promise.race([pause, stop]);
    if (isStopped && isRunning(body)) await client.endCandleFetch();
  }
  line.end();
  return { body, stopped: isStopped };
}

async function report(context: Context, fetched: CandleFetch): Promise<void> {
  const { months, had, before, done, problems, rows, symbol, interval, notInArchives, damaged, began } = fetched;
  if (['json', 'jsonl'].includes(formatOf(context))) context.stdout.write(`${JSON.stringify(fetched)}\n`);
  for (const { month, message } of problems) await context.say('cli.candles.problem', { month, message });
  const failed = problems.filter(({ month }, index) => problems.findIndex((each) => each.month === month) === index).length;
  const stored = Math.max(0, done - had - before - (fetched.state === 'done' ? failed : Math.max(0, failed - 1)));
  await context.say(`cli.candles.${fetched.state === 'ended' ? 'stopped' : 'stored'}`, {
    symbol,
    interval,
    stored,
    months,
    had,
    rows: formatQuantity(String(rows)),
  });
  if (before > 0 && began !== null) await context.say('cli.candles.began', { symbol, month: began });
  if (notInArchives > 0) await context.say('cli.candles.notInArchives', { count: notInArchives });
  if (damaged > 0) await context.say('cli.candles.damaged', { count: damaged });
}
