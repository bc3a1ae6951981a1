import { exchangeConnectionActors } from '@pilotfish/core/exchange-connection/exchange-connection-api';
import { exchangeConnectionMachine } from '@pilotfish/core/exchange-connection/exchange-connection-machine';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type ActorRefFrom, createActor } from 'xstate';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { problemHeadline, showToast } from '../ui/toasts.ts';

export type ExchangeConnectionActor = ActorRefFrom<typeof exchangeConnectionMachine>;

function createConnection({ client, queries, busy }: App) {
  const actor = createActor(exchangeConnectionMachine.provide({ actors: exchangeConnectionActors(client) }));
  actor.subscribe({ error: (error) => console.error('exchange connection', error) });
  actor.on('connection.changed', () => queries.invalidate('account'));
  busy.watch(actor);
  return actor;
}

/** The connection of the account, which lives as long as its session. */
export function useExchangeConnection(): ExchangeConnectionActor {
  const app = useApp();
  const actor = app.keepForSession('exchange connection', () => createConnection(app));
  const { t } = useTranslation();
  // Started from an effect, because starting sets the loading bar; a running one looks again.
  useEffect(() => {
    actor.start();
    actor.send({ type: 'reload.requested' });
  }, [actor]);
  useEffect(() => {
    const refused = actor.on('connection.failed', ({ problem }) => void showToast('error', problemHeadline(problem, t)));
    const changed = actor.on(
      'connection.changed',
      ({ connected }) =>
        void showToast('success', t(connected ? 'exchangeConnection.connectedToast' : 'exchangeConnection.disconnectedToast')),
    );
    return () => {
      refused.unsubscribe();
      changed.unsubscribe();
    };
  }, [actor, t]);
  return actor;
}
