import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { TraceKind } from '@pilotfish/core/auto-trades/trace';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { useQuery } from '../app/use-query.ts';
import { showToast } from '../ui/toasts.ts';

/** News of bots come in bursts; lists are loaded at most this often. */
const REFRESH_MS = 1000;

/** Loads the named queries again when the stream tells of a bot. */
function useBotNews(names: readonly string[], id?: string) {
  const app = useApp();
  const key = names.join();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = app.live.on('auto-trades', ({ autoTradeId }) => {
      if (id !== undefined && autoTradeId !== id) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        app.queries.invalidate(...key.split(','));
      }, REFRESH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [app, key, id]);
}

export function useAutoTrades() {
  useBotNews(['auto-trades', 'wallets']);
  return useQuery('auto-trades', (client, _: null, signal) => client.listAutoTrades(undefined, { signal }), null);
}

export const useWallets = () => useQuery('wallets', (client, _: null, signal) => client.listWallets(undefined, { signal }), null);

export function useAutoTradeDetail(id: string) {
  useBotNews([`auto-trade:${id}`, `traces:${id}`, `logs:${id}`], id);
  const detail = useQuery<null, AutoTradeDetail>(
    `auto-trade:${id}`,
    (client, _, signal) => client.getAutoTradeDetail({ params: { id } }, { signal }),
    null,
  );
  // The last evaluation moves with every tick, which the stream does not tell bot by bot.
  const app = useApp();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate(`auto-trade:${id}`), 5000);
    return () => clearInterval(timer);
  }, [app, id]);
  return detail;
}

export const PAGE_SIZE = 30;
export const useTraces = (id: string, page: number, kind: TraceKind | undefined, positionId?: string) =>
  useQuery(
    `traces:${id}`,
    (client, params: { page: number; kind?: TraceKind; positionId?: string }, signal) =>
      client.listAutoTradeTraces({ params: { id }, query: { ...params, pageSize: PAGE_SIZE } }, { signal }),
    { page, ...(kind ? { kind } : {}), ...(positionId ? { positionId } : {}) },
  );
export const useLogs = (id: string, page: number) =>
  useQuery(
    `logs:${id}`,
    (client, params: { page: number }, signal) =>
      client.listAutoTradeLogs({ params: { id }, query: { ...params, pageSize: PAGE_SIZE } }, { signal }),
    { page },
  );

export type BotAction = 'enable' | 'acknowledge' | 'disable' | 'freeze' | 'reset' | 'delete' | 'halt' | 'deleteLogs';

/** What may be done to a bot in its state, by the rules of its machine. */
export function actionsFor({
  state,
  openPositions,
  mustAcknowledge,
}: Pick<AutoTrade, 'state' | 'openPositions' | 'mustAcknowledge'>): BotAction[] {
  switch (state) {
    case 'Disabled':
      return [mustAcknowledge ? 'acknowledge' : 'enable', 'reset', ...(openPositions === 0 ? (['delete'] as const) : []), 'halt'];
    case 'Halted':
      return ['acknowledge', 'disable'];
    case 'Running':
    case 'Paused':
    case 'Blocked':
      return ['disable', ...(openPositions > 0 ? (['freeze'] as const) : []), 'halt'];
    case 'Draft':
    case 'Deleted':
      return [];
  }
}

/** Runs an action of a bot, says how it went and loads what it changed. A refusal is toasted by the client. */
export function useBotAction() {
  const app = useApp();
  const { t } = useTranslation();
  const [running, setRunning] = useState<string>();
  const run = async (bot: Pick<AutoTrade, 'id' | 'name'>, action: BotAction): Promise<boolean> => {
    const { client } = app;
    const params = { id: bot.id };
    const call = (): Promise<unknown> => {
      switch (action) {
        case 'enable':
          return client.enableAutoTrade({ params, body: { acknowledge: false } });
        case 'acknowledge':
          return client.enableAutoTrade({ params, body: { acknowledge: true } });
        case 'disable':
          return client.disableAutoTrade({ params, body: { exits: 'continue' } });
        case 'freeze':
          return client.disableAutoTrade({ params, body: { exits: 'freeze' } });
        case 'reset':
          return client.resetAutoTrade({ params, body: { detach: false } });
        case 'delete':
          return client.deleteAutoTrade({ params, query: {} });
        case 'halt':
          return client.haltAutoTrades({ body: { scope: 'bot', autoTradeId: bot.id } });
        case 'deleteLogs':
          return client.deleteAutoTradeLogs({ params });
      }
    };
    setRunning(bot.id);
    try {
      await app.busy.during(call());
      void showToast('success', t(`autoTrades.done.${action}`, { name: bot.name }));
      return true;
    } catch {
      return false;
    } finally {
      setRunning(undefined);
      app.queries.invalidate('auto-trades', 'wallets', `auto-trade:${bot.id}`, `traces:${bot.id}`, `logs:${bot.id}`);
    }
  };
  return { run, running };
}
