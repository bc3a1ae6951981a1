import { marketChoiceActors } from '@pilotfish/core/admin/market-choice-api';
import { marketChoiceMachine } from '@pilotfish/core/admin/market-choice-machine';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { type ActorRefFrom, createActor } from 'xstate';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { loadAgain } from '../platform/follow-market.ts';
import { marketChanges } from '../platform/remote.ts';

type MarketChoiceActor = ActorRefFrom<typeof marketChoiceMachine>;

export const MARKET_PATH = '/management/market';

function createMarketChoice({ client, queries, busy }: App) {
  const actor = createActor(
    marketChoiceMachine.provide({
      actors: marketChoiceActors(
        {
          // The page says what went wrong; while the server restarts, a toast for each call would say it again.
          getMarketChoice: (input, call) => client.getMarketChoice(input, { ...call, quiet: true }),
          chooseMarket: (input, call) => client.chooseMarket(input, { ...call, quiet: true }),
        },
        realTimers,
      ),
    }),
  );
  actor.subscribe({ error: (error) => console.error('market choice', error) });
  actor.on('market.changed', () => queries.invalidate('admin-audit'));
  busy.watch(actor);
  return actor;
}
const marketChoiceOf = (app: App): MarketChoiceActor => app.keepForSession('market choice', () => createMarketChoice(app));

/** Whether the question of the first run is open; false until that is known. */
export function useOpenQuestion(): boolean {
  const actor = marketChoiceOf(useApp());
  useEffect(() => {
    actor.start();
  }, [actor]);
  return useSelector(actor, ({ context }) => context.choice?.decidedBy === 'default');
}

/** The choice of the market for the page that makes it, which leaves once the server works with another one. */
export function useMarketChoice() {
  const app = useApp();
  const navigate = useNavigate();
  const actor = marketChoiceOf(app);
  const chosen = useRef<{ from: MarketSource | undefined; to: string }>({ from: undefined, to: MARKET_PATH });
  // Started from an effect, because starting sets the loading bar; a running one looks again.
  useEffect(() => {
    actor.start();
    const reload = () => actor.send({ type: 'reload.requested' });
    reload();
    // A server that restarted without this page's doing may work with another market.
    return app.live.onReset(reload);
  }, [actor, app]);
  useEffect(() => {
    let isLeaving = false;
    const changed = actor.on('market.changed', ({ market, reachable }) => {
      const { from, to } = chosen.current;
      const next = reachable ? to : MARKET_PATH;
      isLeaving = market !== from;
      if (isLeaving) loadAgain(app, next);
      else void navigate(next);
    });
    const following = actor.subscribe((snapshot) => {
      marketChanges.set(isLeaving || snapshot.matches('changing') || snapshot.matches('restarting'));
    });
    return () => {
      changed.unsubscribe();
      following.unsubscribe();
      marketChanges.set(false);
    };
  }, [actor, app, navigate]);
  return {
    actor,
    /** @param to where to go once the server works with the market and has its prices */
    choose: (market: MarketSource, to: string) => {
      chosen.current = { from: actor.getSnapshot().context.choice?.market, to };
      actor.send({ type: 'market.chosen', market });
    },
  };
}
