import type { ClosedPosition, OpenPosition, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { useEffect, useState } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';
import type { ClosedQuery } from './closed/closed-address.ts';

/** News of trades come in bursts; what they change is loaded at most this often. */
const REFRESH_MS = 1000;
const CLOSED_ON_PAPER = 'positions-closed:paper';
const QUERIES = ['positions-overview', 'positions-open', 'positions-closed', 'position', 'held'];

/** Everything told of positions is loaded again: after a write, or when the stream says that something changed. */
export function usePositionNews(): void {
  const app = useApp();
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const soon = (...names: readonly string[]) => {
      const key = names.join();
      if (timers.has(key)) return;
      const timer = setTimeout(() => {
        timers.delete(key);
        app.queries.invalidate(...names);
      }, REFRESH_MS);
      timers.set(key, timer);
    };
    const stops = [
      app.live.on('positions', ({ symbols, sync }) => {
        // A beat of the reading's progress that found nothing changes no figure.
        if (symbols.length > 0 || sync?.state !== 'running') soon(...QUERIES, 'migration');
      }),
      app.live.on('auto-trades', () => soon(CLOSED_ON_PAPER)),
    ];
    return () => {
      for (const stop of stops) stop();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [app]);
}

export const useOverview = () =>
  useQuery('positions-overview', (client, _: null, signal) => client.getPositionsOverview(undefined, { signal, quiet: true }), null);
/** The list is asked for again while it is looked at: soon while small lines are still on their way, rarely after that. */
const OPEN_MS = { waiting: 5_000, whole: 60_000 };
export function useOpenPositions({ enabled = true }: { enabled?: boolean } = {}) {
  const app = useApp();
  const query = useQuery(
    'positions-open',
    (client, _: null, signal) => client.listOpenPositions(undefined, { signal, quiet: true }),
    null,
    {
      enabled,
    },
  );
  const waits = query.data?.items.some(({ sparkline }) => sparkline.length < 2) ?? false;
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && app.queries.invalidate('positions-open'),
      waits ? OPEN_MS.waiting : OPEN_MS.whole,
    );
    return () => clearInterval(timer);
  }, [app, waits]);
  return query;
}
/** Each money has its own answer: what closed live never stands for a moment as closed on paper. */
export const useClosedPositions = (query: ClosedQuery) =>
  useQuery(
    query.mode === 'paper' ? CLOSED_ON_PAPER : 'positions-closed',
    (client, params: ClosedQuery, signal) => client.listClosedPositions({ query: params }, { signal, quiet: true }),
    query,
  );

/**
 * How far the reading of the history is. The stream carries its progress; that it has ended, and what the comparison of
 * balances then found, is asked for: an answer that was already under way says that it still runs.
 */
export function useSync({ enabled = true }: { enabled?: boolean } = {}) {
  const app = useApp();
  const connected = (useAccount()?.exchanges.length ?? 0) > 0;
  const query = useQuery('positions-sync', (client, _: null, signal) => client.getSyncStatus(undefined, { signal, quiet: true }), null, {
    enabled: enabled && connected,
  });
  const [progress, setProgress] = useState<{ sync: SyncStatus; at: number }>();
  useEffect(
    () =>
      app.live.on('positions', ({ symbols, sync }) => {
        if (sync?.state === 'running') return setProgress({ sync, at: app.browser.now() });
        // Trades alone, of named pairs, change neither.
        if (!sync && symbols.length > 0) return;
        setProgress(undefined);
        app.queries.invalidate('positions-sync');
      }),
    [app],
  );
  // A newer answer replaces what the stream said before it.
  return { ...query, data: progress && progress.at >= (query.loadedAt ?? 0) ? progress.sync : query.data };
}

/** Begins a reading; what it answers is shown at once. */
export function useStartSync() {
  const app = useApp();
  const [starting, setStarting] = useState(false);
  const start = async (full: boolean): Promise<void> => {
    setStarting(true);
    try {
      await app.busy.during(app.client.startSync({ body: { full, symbols: [] } }));
    } catch {
      // Toasted by the client; the panel shows what the status then says.
    } finally {
      setStarting(false);
      app.queries.invalidate('positions-sync');
    }
  };
  return { start, starting };
}

export type AnyPosition = ({ kind: 'open' } & OpenPosition) | ({ kind: 'closed' } & ClosedPosition);
const SEARCHED_PAGE = 200;

/** One position by its id, wherever it is; undefined when there is none. Closed ones are looked for page by page. */
export function usePosition(id: string) {
  return useQuery<null, AnyPosition | null>(
    `position:${id}`,
    async (client, _, signal) => {
      const call = { signal, quiet: true };
      const open = (await client.listOpenPositions(undefined, call)).items.find((item) => item.id === id);
      if (open) return { kind: 'open', ...open };
      for (let page = 1; ; page += 1) {
        const query = { page, pageSize: SEARCHED_PAGE, order: 'closedAt-desc' } as const;
        const { items, total } = await client.listClosedPositions({ query }, call);
        const closed = items.find((item) => item.id === id);
        if (closed) return { kind: 'closed', ...closed };
        if (items.length === 0 || page * SEARCHED_PAGE >= total) return null;
      }
    },
    null,
  );
}

export const DETAIL_PAGE = 50;
/** Fills drawn on the chart. */
const MARKS = 200;
export const usePositionTrades = (id: string, page: number) =>
  useQuery(
    `position:${id}:trades`,
    (client, params: { page: number }, signal) =>
      client.listPositionTrades({ params: { id }, query: { ...params, pageSize: DETAIL_PAGE } }, { signal, quiet: true }),
    { page },
  );
export const usePositionMarks = (id: string) =>
  useQuery(
    `position:${id}:marks`,
    (client, _: null, signal) =>
      client.listPositionTrades({ params: { id }, query: { page: 1, pageSize: MARKS } }, { signal, quiet: true }),
    null,
  );
export const usePositionTransactions = (id: string, page: number) =>
  useQuery(
    `position:${id}:transactions`,
    (client, params: { page: number }, signal) =>
      client.listPositionTransactions({ params: { id }, query: { ...params, pageSize: DETAIL_PAGE } }, { signal, quiet: true }),
    { page },
  );
export const useDailyPerformance = (id: string, enabled: boolean) =>
  useQuery(
    `position:${id}:daily`,
    (client, _: null, signal) => client.getDailyPerformance({ params: { id } }, { signal, quiet: true }),
    null,
    { enabled },
  );

/** Runs a change of a position with the bar on, then loads what it may have changed. Throws what went wrong. */
export function usePositionChange() {
  const app = useApp();
  return async <Answer>(change: (client: typeof app.client) => Promise<Answer>): Promise<Answer> => {
    try {
      return await app.busy.during(change(app.client));
    } finally {
      app.queries.invalidate(...QUERIES);
    }
  };
}
