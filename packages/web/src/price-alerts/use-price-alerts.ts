import { alertText } from '@pilotfish/core/price-alerts/alert-text';
import type { AlertFiring, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';

/** Firings come in bursts; lists are loaded at most this often. */
const BURST_MS = 400;
/** Distances of what the stream does not price move with time. */
const REFRESH_MS = 20_000;
export const HISTORY_PAGE = 25;

/** Condition in words, in the reader's language. */
export function useAlertWords() {
  const { t } = useTranslation();
  return useCallback((alert: Pick<PriceAlert, 'symbol' | 'condition'>): string => alertText(alert, (key, values) => t(key, values)), [t]);
}
/** What fired in words: the coin that a filter or a listing found stands before it. */
export function useFiringWords() {
  const say = useAlertWords();
  return useCallback(
    ({ symbol, condition }: Pick<AlertFiring, 'symbol' | 'condition'>) => {
      const words = say({ symbol: symbol ?? undefined, condition });
      return symbol !== null && !words.includes(symbol) ? `${symbol}: ${words}` : words;
    },
    [say],
  );
}

/** All alerts of the account, loaded again whenever one of them changes. */
export function usePriceAlerts({ enabled = true }: { enabled?: boolean } = {}) {
  const app = useApp();
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = app.live.on('price-alerts', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        app.queries.invalidate('price-alerts', 'alert-history');
      }, BURST_MS);
    });
    const refresh = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate('price-alerts'), REFRESH_MS);
    return () => {
      stop();
      clearTimeout(timer);
      clearInterval(refresh);
    };
  }, [app, enabled]);
  return useQuery('price-alerts', (client, _: null, signal) => client.listPriceAlerts(undefined, { signal, quiet: true }), null, {
    enabled,
  });
}

export const useAlertHistory = (page: number, symbol: string | undefined) =>
  useQuery(
    'alert-history',
    (client, params: { page: number; symbol?: string }, signal) =>
      client.getPriceAlertHistory({ query: { ...params, pageSize: HISTORY_PAGE } }, { signal, quiet: true }),
    { page, ...(symbol === undefined ? {} : { symbol }) },
  );

/** The newest firing that happened while the screen is open, for whoever listens to it. */
export function useLatestFiring(): AlertFiring | undefined {
  const app = useApp();
  const [latest, setLatest] = useState<AlertFiring>();
  useEffect(() => app.live.on('price-alerts', ({ firing }) => firing && setLatest(firing)), [app]);
  return latest;
}

/** What can be done with an alert that is there. */
export function useAlertActions() {
  const { client } = useApp();
  const { t } = useTranslation();
  const deed = useDeed({ toasts: true });
  /** Rejects when it was not done, which a toast has said by then. */
  const run = async (work: Promise<unknown>, done: string): Promise<void> => void (await deed(work, ['price-alerts'], done));
  const quiet = { quiet: true };
  return {
    snooze: ({ id }: PriceAlert, body: { minutes: number } | { until: string }) =>
      run(client.snoozePriceAlert({ params: { id }, body }, quiet), t('alerts.page.snoozed')),
    wake: ({ id }: PriceAlert) => run(client.snoozePriceAlert({ params: { id }, body: { until: null } }, quiet), t('alerts.page.woken')),
    acknowledge: ({ id }: PriceAlert) => run(client.acknowledgePriceAlert({ params: { id } }, quiet), t('alerts.page.acknowledged')),
    enable: ({ id }: PriceAlert) => run(client.enablePriceAlert({ params: { id } }, quiet), t('alerts.page.enabled')),
    disable: ({ id }: PriceAlert) => run(client.disablePriceAlert({ params: { id } }, quiet), t('alerts.page.disabled')),
    remove: ({ id }: PriceAlert) => run(client.deletePriceAlert({ params: { id } }, quiet), t('alerts.page.deleted')),
  };
}
