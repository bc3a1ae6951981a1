import { useEffect, useMemo, useState } from 'react';
import { useApp } from '../../platform/app-context.tsx';
import { useQuery } from '../../platform/use-query.ts';

/** A point is added once an hour, at a time of the server's own. */
const REFRESH_MS = 10 * 60_000;
/** A server that has just started knows more pairs from moment to moment. */
const WHILE_GROWING_MS = 15_000;

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
  const count = data?.items.length;
  const [before, setBefore] = useState<number>();
  const every = count === undefined || count === 0 || count !== before ? WHILE_GROWING_MS : REFRESH_MS;
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      setBefore(count);
      app.queries.invalidate('sparklines');
    }, every);
    return () => clearInterval(timer);
  }, [app, enabled, count, every]);
  return useMemo(() => new Map(data?.items.map(({ symbol, points }) => [symbol, points])), [data]);
}
