import { useEffect, useMemo } from 'react';
import { useApp } from '../app/app-context.tsx';
import { useQuery } from '../app/use-query.ts';

/** An hour is added once an hour; asked for a little more often, for nobody knows when. */
const REFRESH_MS = 10 * 60_000;

/** The last 24 hours of every pair that is traded as points of 0 to 100, by symbol; empty until they are here, and where they cannot be had. */
export function useSparklines({ enabled = true }: { enabled?: boolean } = {}): ReadonlyMap<string, readonly number[]> {
  const app = useApp();
  const { data } = useQuery(
    'sparklines',
    (client, _: null, signal) => client.listSparklines({ query: {} }, { signal, quiet: true }),
    null,
    {
      enabled,
      keep: true,
    },
  );
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate('sparklines'), REFRESH_MS);
    return () => clearInterval(timer);
  }, [app, enabled]);
  return useMemo(() => new Map(data?.items.map(({ symbol, points }) => [symbol, points])), [data]);
}
