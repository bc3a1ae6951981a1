import type { TradeMode } from '@pilotfish/core/http/wire';
import type { Facts } from '@pilotfish/core/notifications/notification-facts';
import { shownFacts } from '@pilotfish/core/notifications/notification-facts';
import type { EquityRange } from '@pilotfish/core/overview/overview-contract';
import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBotNews } from '../auto-trades/use-auto-trades.ts';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { shownTimeZone } from '../ui/fields/field-time.ts';

/** Prices move what is held and how far the next events are; they are asked for this often while the page is seen. */
const PRICES_MS = 5000;
const SLOW_MS = 60_000;
const NEXT_SHOWN = 6;
const ACTIVITY_SHOWN = 12;

/** Loads the named queries again at intervals, while somebody looks. */
export function useEvery(ms: number, ...names: string[]): void {
  const app = useApp();
  const key = names.join();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate(...key.split(',')), ms);
    return () => clearInterval(timer);
  }, [app, ms, key]);
}

/** What the stream says of alerts, notifications and the account reloads what it may have changed. */
export function useOverviewNews(): void {
  const app = useApp();
  useBotNews(['overview-needs', 'overview-next', 'overview-activity', 'held', 'overview-equity']);
  useEvery(PRICES_MS, 'held', 'overview-next');
  useEvery(SLOW_MS, 'overview-needs', 'overview-equity', 'overview-activity', 'auto-trade-figures');
  useEffect(() => {
    const stops = [
      app.live.on('account', ({ kind }) => kind !== 'session' && app.queries.invalidate('overview-equity', 'overview-needs', 'held')),
      app.live.on('notifications', () => app.queries.invalidate('overview-needs', 'overview-activity', 'overview-next')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [app]);
}

export const useNeeds = () =>
  useQuery('overview-needs', (client, _: null, signal) => client.getNeeds(undefined, { signal, quiet: true }), null);

export const useNextEvents = () =>
  useQuery(
    'overview-next',
    (client, params: { limit: number }, signal) => client.getNextEvents({ query: params }, { signal, quiet: true }),
    { limit: NEXT_SHOWN },
  );

export const useActivity = () =>
  useQuery(
    'overview-activity',
    (client, params: { limit: number }, signal) => client.getActivity({ query: params }, { signal, quiet: true }),
    { limit: ACTIVITY_SHOWN },
  );

export const useEquity = (mode: TradeMode, range: EquityRange) =>
  useQuery(
    `overview-equity:${mode}`,
    (client, params: { mode: TradeMode; range: EquityRange }, signal) => client.getEquity({ query: params }, { signal, quiet: true }),
    { mode, range },
  );

/** Facts of what needs somebody or has happened, as the texts take them. */
export function useShownFacts(): (facts: Facts) => Record<string, string> {
  const { t, i18n } = useTranslation();
  return useCallback(
    (facts) =>
      shownFacts(facts, {
        language: i18n.language,
        timeZone: shownTimeZone(),
        text: (key) => t(key, { defaultValue: '' }) || undefined,
      }),
    [t, i18n.language],
  );
}
