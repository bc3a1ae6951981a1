import { monthEnd, monthOf, monthStart, monthsBetween } from '@pilotfish/core/candles/candle-month';
import type { CandleFetch, CandleMonth, CandleOrigin } from '@pilotfish/core/candles/candles-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { type ExactCandle, intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Logger } from 'pino';
import { isDiskFull } from '../database/database-error.ts';
import { type CandleMonthStore, candlesOf, type MonthKey } from './candle-month-store.ts';
import { MonthRefused } from './month-from-archive.ts';

/** Fetches of all accounts that run at once. */
const MOST_RUNNING = 3;
const RETRY_SECONDS = 30;
/** A closed candle is asked for a little later: the exchange writes it out at its close. */
const GRACE_MS = 2000;
/** Until then a candle that is missing at the end may still come, as after an outage; later there was none. */
const SETTLED_MS = 86_400_000;

/** `reason` is what the exchange said, in its own words. */
type Problem = { readonly month: string; readonly code: MonthRefused['code']; readonly reason: string };
/** As the contract has it, with the problems in codes alone. */
export type FetchState = Omit<CandleFetch, 'problems'> & { readonly problems: readonly Problem[] };
type Mutable = { -readonly [Key in keyof FetchState]: FetchState[Key] };
export type FetchWish = Pick<CandleFetch, 'symbol' | 'interval' | 'from' | 'source'> & { readonly to?: string | undefined };
type Job = {
  readonly accountId: string;
  readonly state: Mutable;
  readonly abort: AbortController;
  /** Most that the account's months may take together, bytes; undefined for Admins. */
  readonly share: number | undefined;
  /** When the pair began, epoch ms, once it was asked. */
  began?: number;
  /** Nothing of it runs or waits any more. */
  isOver: boolean;
};

export type FetchParts = {
  store: CandleMonthStore;
  fromExchange: (
    span: { symbol: string; interval: string; from: number; to: number },
    how: { signal: AbortSignal; onShare: (share: number) => void },
  ) => Promise<ExactCandle[]>;
  /** When the exchange's oldest candle of a pair opened, epoch ms. */
  oldest: (pair: { symbol: string; interval: string }, signal: AbortSignal) => Promise<number | undefined>;
  /** Undefined where there are none, for the reason `noArchives`. */
  fromArchive: ((key: MonthKey, signal: AbortSignal) => Promise<ExactCandle[] | undefined>) | undefined;
  noArchives: 'no_archives' | 'no_market';
  /** The market's time, which in a simulated market is not ours. */
  venueNow: () => number;
  now: () => number;
  log: Logger;
};

const refuse = (path: string, code: string, limit: string): AppError =>
  new AppError('invalid', { fields: [{ path, code, message: '', limit }] });

const roomProblem = ({ parameters: { context } }: AppError): Problem['code'] =>
  context === 'candles_bound' ? 'bound' : context === 'candles_share' ? 'share' : 'noRoom';

/**
 * Fetches months of candles that are not stored, one fetch at a time for an account. Stored months are skipped,
 * so that the same request continues where another one ended, also after a restart.
 */
export function candleFetches({ store, fromExchange, oldest, fromArchive, noArchives, venueNow, now, log }: FetchParts) {
  const jobs = new Map<string, Job>();
  /** Those that were ended and still wait for an answer among them. */
  let active = 0;
  const closedUntil = (interval: string): number => {
    const length = intervalLength(interval)!;
    return Math.floor((venueNow() - GRACE_MS) / length) * length;
  };

  /** What is stored of a month and sound. */
  async function sound(key: MonthKey) {
    const [listed] = await store.list({ ...key, from: key.month, to: key.month });
    const read = listed && (await store.read(key));
    return { read, isDamaged: listed !== undefined && read === undefined };
  }

  /** Whether a month is from before the pair began. @throws MonthRefused where all months of the fetch are */
  async function isBefore(job: Job, { symbol, interval, month: each }: MonthKey): Promise<boolean> {
    if (job.began === undefined) {
      const began = await oldest({ symbol, interval }, job.abort.signal);
      job.abort.signal.throwIfAborted();
      if (began === undefined) throw new MonthRefused('noCandles');
      job.began = began;
      job.state.began = monthOf(began);
      if (job.state.began > job.state.to) throw new MonthRefused('beforePair');
    }
    return monthEnd(each) <= job.began;
  }

  async function fetched(
    { state, abort: { signal } }: Job,
    key: MonthKey,
    before: { month: CandleMonth; candles: ExactCandle[] } | undefined,
    to: number,
  ): Promise<{ candles: ExactCandle[]; origin: CandleOrigin }> {
    const isOver = to === monthEnd(key.month);
    if (state.source === 'archives' && fromArchive && isOver) {
      state.doing = { month: key.month, what: 'downloading', share: 0 };
      const candles = await fromArchive(key, signal);
      if (candles) return { candles, origin: 'archive' };
    }
    const from = before ? Date.parse(before.month.coveredTo) : monthStart(key.month);
    const onShare = (share: number) => {
      state.doing = { month: key.month, what: 'asking', share };
    };
    onShare(0);
    const more = await fromExchange({ symbol: key.symbol, interval: key.interval, from, to }, { signal, onShare });
    return { candles: [...(before?.candles ?? []), ...more], origin: 'exchange' };
  }

  async function month(job: Job, key: MonthKey): Promise<void> {
    const { state, abort } = job;
    state.doing = { month: key.month, what: 'checking', share: 0 };
    const { read, isDamaged } = await sound(key);
    const to = Math.min(monthEnd(key.month), closedUntil(key.interval));
    if (to <= monthStart(key.month)) return;
    if (read && Date.parse(read.month.coveredTo) >= to) {
      state.had += 1;
      return;
    }
    if (job.began !== undefined && (await isBefore(job, key))) {
      state.before += 1;
      return;
    }
    const { candles, origin } = await fetched(job, key, read && { month: read.month, candles: await candlesOf(read) }, to);
    abort.signal.throwIfAborted();
    if (candles.length === 0 && (await isBefore(job, key))) {
      state.before += 1;
      return;
    }
    state.doing = { month: key.month, what: 'storing', share: 1 };
    const isSettled = origin === 'archive' || to <= venueNow() - SETTLED_MS;
    const last = candles.at(-1)?.openTime;
    const coveredTo = isSettled ? to : last === undefined ? monthStart(key.month) : last + intervalLength(key.interval)!;
    const stored = await store.write(
      { ...key, candles, origin, coveredTo },
      job.share === undefined ? undefined : { by: job.accountId, most: job.share },
    );
    if (state.source === 'archives' && origin === 'exchange') state.notInArchives += 1;
    if (isDamaged) state.damaged += 1;
    state.rows += stored.rows;
    state.bytes += stored.bytes;
  }

  const problemOf = (error: unknown): Problem['code'] => {
    if (error instanceof MonthRefused) return error.code;
    if (error instanceof AppError && error.code === 'storage-full') return roomProblem(error);
    return isDiskFull(error) ? 'noRoom' : 'failed';
  };
  /** After these every other month would fail, too. */
  const ENDS: readonly Problem['code'][] = [
    'exchangeUnreachable',
    'exchangeRefused',
    'exchangeLimited',
    'archiveUnreachable',
    'unknownPair',
    'beforePair',
    'noCandles',
    'noRoom',
    'bound',
    'share',
    'failed',
  ];

  async function run(job: Job): Promise<void> {
    const { state, abort } = job;
    const { symbol, interval } = state;
    for (const each of monthsBetween(state.from, state.to)) {
      try {
        await month(job, { symbol, interval, month: each });
      } catch (error) {
        if (abort.signal.aborted) return;
        const code = problemOf(error);
        log.warn({ err: error, symbol, interval, month: each }, 'candles.month_failed: a month of candles could not be stored');
        state.problems = [...state.problems, { month: each, code, reason: error instanceof MonthRefused ? error.reason : '' }];
        if (ENDS.includes(code)) {
          state.state = 'failed';
          return;
        }
      }
      if (abort.signal.aborted) return;
      state.done += 1;
    }
    state.state = 'done';
  }

  return {
    /**
     * Begins a fetch. While the same one of the account runs, that one.
     * @param share most that the account's months may take together, bytes
     * @throws AppError for an empty span, while another fetch of the account runs, and while too many run
     */
    start: (accountId: string, wish: FetchWish, share?: number): FetchState => {
      const newest = monthOf(venueNow());
      const to = wish.to === undefined || wish.to > newest ? newest : wish.to;
      const last = jobs.get(accountId);
      if (last?.state.state === 'running') {
        const { state: running } = last;
        const isSame = (['symbol', 'interval', 'from', 'source'] as const).every((key) => running[key] === wish[key]) && running.to === to;
        if (isSame) return running;
        const { symbol, interval } = running;
        throw new AppError('not-possible-now', { parameters: { context: 'candle_fetch', symbol, interval } });
      }
      // One that was ended may wait for its answer: to end and begin again must not take the turns of other accounts.
      if (last?.isOver === false || active >= MOST_RUNNING)
        throw new AppError('rate-limited', {
          retryAfter: RETRY_SECONDS,
          parameters: { context: last?.isOver === false ? 'candle_ending' : 'candle_turns' },
        });
      if (wish.source === 'archives' && !fromArchive) throw new AppError('not-possible-now', { parameters: { context: noArchives } });
      if (wish.from > newest) throw refuse('from', 'too_big', newest);
      if (wish.from > to) throw refuse('to', 'too_small', wish.from);
      const state: Mutable = {
        symbol: wish.symbol,
        interval: wish.interval,
        from: wish.from,
        to,
        source: wish.source,
        state: 'running',
        startedAt: new Date(now()).toISOString(),
        months: monthsBetween(wish.from, to).length,
        done: 0,
        had: 0,
        before: 0,
        notInArchives: 0,
        damaged: 0,
        began: null,
        rows: 0,
        bytes: 0,
        doing: null,
        problems: [],
      };
      const job: Job = { accountId, state, abort: new AbortController(), share, isOver: false };
      jobs.set(accountId, job);
      active += 1;
      void run(job).finally(() => {
        active -= 1;
        job.isOver = true;
        state.doing = null;
        if (state.state === 'running') state.state = 'ended';
      });
      return state;
    },
    get: (accountId: string): FetchState | undefined => jobs.get(accountId)?.state,
    /** Ends a fetch; false where the account has none. */
    end: (accountId: string): boolean => {
      const job = jobs.get(accountId);
      job?.abort.abort();
      if (job?.state.state === 'running') job.state.state = 'ended';
      return job !== undefined;
    },
    forget: (accountId: string): void => {
      jobs.get(accountId)?.abort.abort();
      jobs.delete(accountId);
    },
    /** Does not wait for them: one may rest for a minute until there is weight again, and a month is written whole or not at all. */
    stop: async (): Promise<void> => {
      for (const { abort } of jobs.values()) abort.abort();
    },
  };
}
