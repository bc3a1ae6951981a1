import { orderActors } from '@pilotfish/core/orders/order-api';
import { orderMachine } from '@pilotfish/core/orders/order-machine';
import { useEffect } from 'react';
import { type ActorRefFrom, createActor } from 'xstate';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';

const REFRESH_MS = 1000;
/** Orders of other programs come and go without a word of ours: the list is read anew this often while looked at. */
const POLL_MS = 15_000;
const EXCHANGE = 'Binance';
export type OrderActor = ActorRefFrom<typeof orderMachine>;
type Named = { orderId: string; symbol: string };

/** One actor per order that somebody cancels, kept while the app lives: a cancel in flight survives leaving the screen. */
const kept = new WeakMap<App, Map<string, OrderActor>>();
function actorsOf(app: App): Map<string, OrderActor> {
  const known = kept.get(app);
  if (known) return known;
  const made = new Map<string, OrderActor>();
  kept.set(app, made);
  app.session.on('session.ended', () => {
    for (const actor of made.values()) actor.stop();
    made.clear();
  });
  return made;
}

export function orderActor(app: App, { orderId, symbol }: Named): OrderActor {
  const actors = actorsOf(app);
  const key = `${symbol}:${orderId}`;
  const known = actors.get(key);
  if (known) return known;
  const actor = createActor(orderMachine.provide({ actors: orderActors(app.client) }), { input: { orderId, symbol } });
  actor.subscribe({
    next: (snapshot) => {
      if (snapshot.matches('over')) app.queries.invalidate('open-orders', 'own-orders', 'balance');
    },
    error: (error) => console.error('order', error),
  });
  app.busy.watch(actor);
  actor.start();
  actors.set(key, actor);
  return actor;
}

/** All open orders, read again when the account's stream tells of one. */
export function useOpenOrders() {
  const app = useApp();
  const account = useAccount();
  const connected = (account?.exchanges.length ?? 0) > 0;
  const query = useQuery(
    'open-orders',
    (client, _: null, signal) => client.listOpenOrders({ params: { exchange: EXCHANGE, symbol: 'all' } }, { signal, quiet: true }),
    null,
    { enabled: connected },
  );
  useEffect(() => {
    if (!connected) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        app.queries.invalidate('open-orders');
      }, REFRESH_MS);
    };
    const stops = [app.live.on('account', renew), app.live.on('auto-trades', renew), app.live.on('positions', renew)];
    const poll = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate('open-orders'), POLL_MS);
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      clearInterval(poll);
    };
  }, [app, connected]);
  const { data } = query;
  useEffect(() => {
    if (!data) return;
    // What the list has no more is over, whoever ended it.
    const standing = new Set(data.map(({ symbol, orderId }) => `${symbol}:${orderId}`));
    for (const [key, actor] of actorsOf(app)) if (!standing.has(key)) actor.send({ type: 'order.left' });
  }, [app, data]);
  return { ...query, connected, accountKnown: account !== undefined };
}
