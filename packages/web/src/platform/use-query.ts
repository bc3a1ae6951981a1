import { useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { useApp } from './app-context.tsx';
import type { QueryActor, QueryCall } from './queries.ts';

/** What a screen needs of a query to draw its four states. */
export function useQueryActor<Params, Data>(actor: QueryActor<Params, Data>) {
  const data = useSelector(actor, (snapshot) => snapshot.context.data);
  const problem = useSelector(actor, (snapshot) => snapshot.context.problem);
  const loadedAt = useSelector(actor, (snapshot) => snapshot.context.loadedAt);
  const isStale = useSelector(actor, (snapshot) => snapshot.matches('stale') && snapshot.context.problem !== undefined);
  const hasFailed = useSelector(actor, (snapshot) => snapshot.matches('failed'));
  return {
    data,
    problem,
    loadedAt,
    isStale,
    hasFailed,
    isLoading: data === undefined && !hasFailed,
    retry: () => actor.send({ type: 'query.retried' }),
  };
}

type UseQueryOptions = {
  /** False keeps it closed: a guest asking for an account's data. */
  enabled?: boolean;
  /** Stays loaded when its last screen closes: what hardly changes and costs much, such as the pairs. */
  keep?: boolean;
};

/**
 * Keeps a named query open while the component is mounted; several components may share one.
 * @param name unique per kind of data and what identifies it, e.g. `candles:BTCUSDT`
 */
export function useQuery<Params, Data>(
  name: string,
  call: QueryCall<Params, Data>,
  params: Params,
  { enabled = true, keep = false }: UseQueryOptions = {},
) {
  const app = useApp();
  const actor = app.queries.get(name, call);
  const key = JSON.stringify(params);
  useEffect(() => {
    if (!enabled) return;
    const { value, context } = actor.getSnapshot();
    const isLoaded = value !== 'idle' && value !== 'failed' && JSON.stringify(context.params) === key;
    if (!isLoaded) actor.send({ type: 'query.requested', params: JSON.parse(key) as Params });
  }, [actor, key, enabled]);
  useEffect(() => app.queries.open(name, keep), [app, name, keep]);
  return useQueryActor(actor);
}
