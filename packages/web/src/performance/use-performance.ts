import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { dayNames, dayOf } from '@pilotfish/core/time/calendar-day';
import { useEffect, useState } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { shownTimeZone } from '../ui/fields/field-time.ts';
import { useLast } from '../ui/use-last.ts';
import { isNarrowed, type PerformanceAddress, type PerformanceQuery, performanceQuery } from './performance-address.ts';

/** News of trades come in bursts; what they change is loaded at most this often. */
const REFRESH_MS = 3000;
/** After midnight, so that a clock that is a little behind does not see the old day once more. */
const AFTER_MIDNIGHT_MS = 1000;
const QUERIES = ['performance', 'performance-range', 'performance-month'];

/** The day of the reader; another one from midnight on, by which everything is loaded again. */
export function useToday(): string {
  const app = useApp();
  const { now } = app.browser;
  const [at, setAt] = useState(now);
  const zone = shownTimeZone();
  useEffect(() => {
    const timer = setTimeout(
      () => {
        setAt(now());
        app.queries.invalidate(...QUERIES);
      },
      dayOf(at, zone).end - at + AFTER_MIDNIGHT_MS,
    );
    return () => clearTimeout(timer);
  }, [app, now, at, zone]);
  return dayNames(zone)(at);
}

/** Whatever may have sold something, or changed what is held, loads the figures again. */
export function usePerformanceNews(): void {
  const app = useApp();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        app.queries.invalidate(...QUERIES);
      }, REFRESH_MS);
    };
    const stops = [
      // A beat of the reading's progress that found nothing changes no figure.
      app.live.on('positions', ({ symbols, sync }) => !(symbols.length === 0 && sync?.state === 'running') && soon()),
      app.live.on('auto-trades', soon),
      app.live.on('account', ({ kind }) => kind !== 'session' && soon()),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [app]);
}

const call = (client: Client<Contract>, query: PerformanceQuery, signal: AbortSignal) =>
  client.getPerformance({ query }, { signal, quiet: true });

/**
 * The figures that the address asks for. While others are on their way the last ones stay, unless they are of the other money.
 * @returns `isOld` while what is shown is not what is asked for; `range`: the whole range, where a day of it is picked
 */
export function usePerformance(address: PerformanceAddress, today: string) {
  usePerformanceNews();
  const query = useQuery<PerformanceQuery, Performance>('performance', call, performanceQuery(address, today));
  const isPicked = address.day !== undefined;
  const range = useQuery<PerformanceQuery, Performance>('performance-range', call, performanceQuery(address, today, true), {
    enabled: isPicked,
  });
  const last = useLast(query.data);
  const lastWhole = useLast(isPicked ? range.data : query.data);
  const isSameMoney = (one: Performance | undefined) => (one?.mode === address.mode ? one : undefined);
  const data = query.data ?? (query.hasFailed ? undefined : isSameMoney(last));
  return {
    ...query,
    data,
    isOld: data !== undefined && (query.data === undefined || (isPicked && range.isLoading)),
    range: isSameMoney(lastWhole),
    isNarrowed: isNarrowed(address),
  };
}
export type PerformanceView = ReturnType<typeof usePerformance>;
