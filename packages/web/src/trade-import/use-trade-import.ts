import { tradeImportActors } from '@pilotfish/core/trade-import/trade-import-api';
import { type ImportFile, tradeImportMachine } from '@pilotfish/core/trade-import/trade-import-machine';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type ActorRefFrom, createActor } from 'xstate';
import type { App } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { showToast } from '../ui/toasts.ts';

const EXCHANGE = 'Binance';
const ADDRESS = '/positions/import';
/** Everything an import may change. */
export const CHANGED = [
  'imports',
  'half-swaps',
  'positions-overview',
  'positions-monthly',
  'positions-open',
  'positions-closed',
  'positions-sync',
  'position',
  'migration',
];
export type TradeImportActor = ActorRefFrom<typeof tradeImportMachine>;

// One import per app: it goes on while another screen is looked at, and is found again where it was.
const held = new WeakMap<App, TradeImportActor>();

function actorOf(app: App, t: TFunction): TradeImportActor {
  const known = held.get(app);
  if (known) return known;
  const actor = createActor(tradeImportMachine.provide({ actors: tradeImportActors(app.client, (file) => file as ImportFile & Blob) }), {
    input: { newId: () => crypto.randomUUID() },
  });
  let leave: (() => void) | undefined;
  let wasBusy: string | undefined;
  actor.subscribe({
    next: (snapshot) => {
      const isBusy = snapshot.status === 'active' && snapshot.hasTag('busy');
      if (isBusy && !leave) leave = app.live.on('trade-import', (told) => actor.send({ type: 'progress.told', ...told }));
      if (!isBusy && leave) {
        leave();
        leave = undefined;
      }
      const value = String(snapshot.value);
      if (wasBusy !== undefined && !isBusy) {
        if (wasBusy !== 'reading') app.queries.invalidate(...CHANGED);
        // Who went elsewhere meanwhile is told that it ended.
        if (app.browser.path() !== ADDRESS && value !== 'idle')
          void showToast(
            value === 'failed' || value === 'notCommitted' ? 'error' : 'success',
            t(value === 'done' ? 'imports.toast.done' : value === 'preview' ? 'imports.toast.read' : 'imports.toast.waits', {
              file: snapshot.context.file?.name ?? '',
            }),
          );
      }
      wasBusy = isBusy ? value : undefined;
    },
    error: (error) => console.error('trade import', error),
  });
  app.session.on('session.ended', () => {
    leave?.();
    actor.stop();
    held.delete(app);
  });
  app.busy.watch(actor);
  actor.start();
  held.set(app, actor);
  return actor;
}

export function useTradeImport(): TradeImportActor {
  const { t } = useTranslation();
  return actorOf(useApp(), t);
}

export const useImports = () =>
  useQuery('imports', (client, _: null, signal) => client.listImports({ params: { exchange: EXCHANGE } }, { signal, quiet: true }), null);
