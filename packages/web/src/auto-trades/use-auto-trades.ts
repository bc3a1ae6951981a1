import type { AutoTrade, AutoTradeDetail, BotAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { heldPositions } from '@pilotfish/core/auto-trades/held-positions';
import type { TraceKind } from '@pilotfish/core/auto-trades/trace';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { useKeyNews } from '../platform/use-trading.tsx';

/** News of bots come in bursts; lists are loaded at most this often. */
const REFRESH_MS = 1000;

/** Loads the named queries again when the stream tells of a bot. */
export function useBotNews(names: readonly string[], id?: string) {
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

export function useAutoTrades({ enabled = true }: { enabled?: boolean } = {}) {
  useBotNews(['auto-trades', 'wallets', 'coin-halts']);
  useKeyNews();
  return useQuery('auto-trades', (client, _: null, signal) => client.listAutoTrades(undefined, { signal }), null, { enabled });
}

export const useWallets = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery('wallets', (client, _: null, signal) => client.listWallets(undefined, { signal }), null, { enabled });

export function useAutoTradeDetail(id: string) {
  useBotNews([`auto-trade:${id}`, `traces:${id}`, `logs:${id}`, `fills:${id}`], id);
  useKeyNews();
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

/** What the list shows of every bot beside the bot itself, in one answer. */
export function useBotFigures() {
  useBotNews(['auto-trade-figures']);
  return useQuery('auto-trade-figures', (client, _: null, signal) => client.listAutoTradeFigures(undefined, { signal, quiet: true }), null);
}

/**
 * Every open position of a mode, by bots and by hand, with its figures of now. Each mode has its own answer: the top bar looks
 * at live money beside the page of a bot on paper.
 */
export function useHeld(mode: TradeMode, { enabled = true }: { enabled?: boolean } = {}) {
  useBotNews(['held']);
  return useQuery(
    `held:${mode}`,
    (client, params: { mode: TradeMode }, signal) => client.listHeldPositions({ query: params }, { signal, quiet: true }),
    { mode },
    { enabled },
  );
}

/** What the bots hold now, of one bot or of all, with the price each was seen at. */
export const useHeldPositions = (id: string | undefined) =>
  useQuery(
    'held-positions',
    async (client, params: { id: string | undefined }, signal) => {
      const call = { signal, quiet: true };
      const bots = await client.listAutoTrades(undefined, call);
      const meant = params.id === undefined ? bots : bots.filter((bot) => bot.id === params.id);
      return heldPositions(meant, (each) => client.getAutoTradeDetail({ params: { id: each } }, call));
    },
    { id },
  );

export const useVersions = (id: string) =>
  useQuery(`versions:${id}`, (client, _: null, signal) => client.listAutoTradeVersions({ params: { id } }, { signal, quiet: true }), null);

export const useFills = (id: string, positionId: string, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery(
    `fills:${id}:${positionId}`,
    (client, _: null, signal) => client.listAutoTradePositionTrades({ params: { id, positionId } }, { signal, quiet: true }),
    null,
    { enabled },
  );

export const useCoinHalts = () =>
  useQuery('coin-halts', (client, _: null, signal) => client.listCoinHalts(undefined, { signal, quiet: true }), null);

/** Queries that a change of bots may make old. */
export const staleAfterChange = (id?: string) => [
  'unreadable',
  'auto-trades',
  'auto-trade-figures',
  'held',
  'wallets',
  'coin-halts',
  ...(id === undefined ? ['auto-trade'] : [`auto-trade:${id}`, `traces:${id}`, `logs:${id}`, `fills:${id}`]),
];

/**
 * Runs a change of bots with the bar on and loads what it may have changed. A refusal is toasted by the client, unless
 * the call is quiet, and thrown: whoever asked for it says that it was not done.
 */
export function useBotChange() {
  const { client } = useApp();
  const deed = useDeed();
  const [running, setRunning] = useState(false);
  const change = <Answer>(call: (of: typeof client) => Promise<Answer>, said?: string, id?: string): Promise<Answer> => {
    setRunning(true);
    return deed(call(client), staleAfterChange(id), said).finally(() => setRunning(false));
  };
  return { change, running };
}

/** What a person decided with an action: open positions taken over, why, whether all is sold, and whether what is due may be. */
export type ActionChoice = { detach?: boolean; reason?: string; liquidate?: boolean; sellNow?: boolean };

/** Runs an action of a bot and says how it went. */
export function useBotAction() {
  const { t } = useTranslation();
  const { change, running } = useBotChange();
  const run = async (
    bot: Pick<AutoTrade, 'id' | 'name'> & Partial<Pick<AutoTrade, 'configVersion'>>,
    action: BotAction | 'deleteLogs',
    { detach = false, reason = '', liquidate = false, sellNow = false }: ActionChoice = {},
  ): Promise<void> => {
    const params = { id: bot.id };
    const consent = sellNow ? { sellNow } : {};
    // What is started are the settings on the screen.
    const agreed = { ...consent, ...(bot.configVersion !== undefined && { version: bot.configVersion }) };
    await change(
      async (client): Promise<unknown> => {
        switch (action) {
          case 'enable':
          case 'resume':
            return client.enableAutoTrade({ params, body: { acknowledge: false, ...agreed } });
          case 'acknowledge':
            return client.enableAutoTrade({ params, body: { acknowledge: true, ...agreed } });
          case 'disable':
          case 'unfreeze':
            return client.disableAutoTrade({ params, body: { exits: 'continue', ...consent } });
          case 'freeze':
            return client.disableAutoTrade({ params, body: { exits: 'freeze' } });
          case 'reset':
            return client.resetAutoTrade({ params, body: { detach } });
          case 'delete':
            return client.deleteAutoTrade({ params, query: { detach: String(detach) as 'true' | 'false' } });
          case 'halt':
            return client.haltAutoTrades({ body: { scope: 'bot', autoTradeId: bot.id, reason, liquidate } });
          case 'deleteLogs':
            return client.deleteAutoTradeLogs({ params });
        }
      },
      t(`autoTrades.done.${action}`, { name: bot.name }),
      bot.id,
    );
  };
  return { run, running };
}
