import { getAccount } from '@pilotfish/core/account/account-contract';
import { type AutoTrade, type AutoTradeDetail, autoTradesContract } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import type { Client } from '@pilotfish/core/http/client';
import { type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import type { TickerRow } from '@pilotfish/core/http/stream-contract';
import type { Interval } from '@pilotfish/core/http/wire';
import { listNotifications, type Notification, readNotification } from '@pilotfish/core/notifications/notifications-contract';
import { listOpenPositions, type OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { type PriceAlert, priceAlertsContract } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { getAppConfig, listCandles, listPairs, listTickers, type Pair, type Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { type BeatStore, beatStore } from '../ui/beat-store.ts';
import type { DrawnCandle } from '../ui/candle-chart.ts';
import { reloader } from '../ui/reloader.ts';
import { follow } from '../ui/stream.ts';
import { unchecked } from '../ui/unchecked.ts';

/** 15 redraws a second at most, however many ticks arrive. */
const BEAT_MS = 67;
const KEPT_TRACES = 200;
export const CANDLES: { interval: Interval; count: number } = { interval: '1h', count: 240 };
/** Candles older than this are asked for again when their pair is looked at. */
const CANDLES_FRESH_MS = 60_000;

const calls = {
  ...autoTradesContract,
  ...priceAlertsContract,
  getAccount,
  getAppConfig,
  listOpenPositions,
  listNotifications,
  readNotification,
  listPairs: unchecked(listPairs),
  listTickers: unchecked(listTickers),
  listCandles,
};
export type DashboardClient = Client<typeof calls>;
export const dashboardClient = (context: Context): Promise<DashboardClient> => context.client(calls);

export type List = 'positions' | 'bots' | 'alerts' | 'notifications';

/** Everything the dashboard draws. A list is undefined until it was read once. */
export type DashboardState = {
  readonly status: 'connecting' | 'live' | 'offline';
  /** When the market was heard of last, epoch ms of this machine. */
  readonly heardAt: number;
  readonly stale: boolean;
  readonly username: string;
  readonly simulated: boolean;
  readonly exchange: string;
  readonly tickers: ReadonlyMap<string, Ticker>;
  readonly pairs: ReadonlyMap<string, Pair>;
  readonly positions: readonly OpenPosition[] | undefined;
  readonly bots: readonly AutoTrade[] | undefined;
  readonly alerts: readonly PriceAlert[] | undefined;
  readonly notifications: readonly Notification[] | undefined;
  readonly unread: number;
  /** Newest last, of all bots. */
  readonly traces: readonly StoredTrace[];
  readonly candles: ReadonlyMap<string, readonly DrawnCandle[]>;
  readonly details: ReadonlyMap<string, { readonly detail: AutoTradeDetail; readonly story: readonly StoredTrace[] }>;
  /** What could not be read, and why. */
  readonly problems: ReadonlyMap<List, ShownProblem>;
};

export type DashboardData = {
  readonly store: BeatStore<DashboardState>;
  readonly client: DashboardClient;
  /** Reads a list again: at once when quiet, at most once a second. */
  readonly reload: (list: List) => void;
  /** The list on screen: only its figures are read again as prices move. */
  look(list: List | undefined): void;
  /** Asks for what a row's detail needs. */
  want(what: { candlesOf: string } | { bot: string }): void;
  /** Follows the stream until the signal aborts. @throws AppError `unauthenticated` when the session ends */
  follow(): Promise<void>;
};

/** @throws AppError when nobody is signed in or the server cannot be reached */
export async function openDashboardData(context: Context, signal: AbortSignal): Promise<DashboardData> {
  const client = await dashboardClient(context);
  const [account, config, tickers] = await Promise.all([client.getAccount(), client.getAppConfig(), client.listTickers()]);
  const store = beatStore<DashboardState>(
    {
      status: 'connecting',
      heardAt: context.now(),
      stale: tickers.stale,
      username: account.username,
      simulated: config.exchange === 'simulated',
      exchange: config.exchange === 'simulated' ? config.exchangeName : config.exchange,
      tickers: new Map(tickers.items.map((row) => [row.symbol, row])),
      pairs: new Map(),
      positions: undefined,
      bots: undefined,
      alerts: undefined,
      notifications: undefined,
      unread: 0,
      traces: [],
      candles: new Map(),
      details: new Map(),
      problems: new Map(),
    },
    BEAT_MS,
    { set: setTimeout },
  );

  const load: Record<List, () => Promise<Partial<DashboardState>>> = {
    positions: async () => ({ positions: (await client.listOpenPositions()).items }),
    bots: async () => ({ bots: await client.listAutoTrades() }),
    alerts: async () => ({ alerts: await client.listPriceAlerts() }),
    notifications: async () => {
      const { items, unread } = await client.listNotifications({ query: {} });
      return { notifications: items, unread };
    },
  };
  const lists = Object.fromEntries(
    (Object.keys(load) as List[]).map((list) => [
      list,
      reloader(async () => {
        const problems = new Map(store.newest().problems);
        problems.delete(list);
        try {
          const part = await load[list]();
          store.change({ ...part, problems });
        } catch (error) {
          store.change({ problems: new Map(store.newest().problems).set(list, shownProblem(error)) });
        }
      }, signal),
    ]),
  ) as Record<List, () => void>;
  const loadPairs = async () => store.change({ pairs: new Map((await client.listPairs()).map((pair) => [pair.symbol, pair])) });
  const reloadAll = () => {
    for (const reload of Object.values(lists)) reload();
  };

  const asked = new Map<string, number>();
  const loadCandles = async (symbol: string) => {
    if (context.now() - (asked.get(symbol) ?? -Infinity) < CANDLES_FRESH_MS) return;
    asked.set(symbol, context.now());
    const { items } = await client.listCandles({
      params: { symbol },
      query: { interval: CANDLES.interval, limit: CANDLES.count },
    });
    const drawn = items.map((candle) => ({
      openTime: Date.parse(candle.openTime),
      open: Number(candle.open),
      high: Number(candle.high),
      low: Number(candle.low),
      close: Number(candle.close),
      volume: Number(candle.volume),
      filled: candle.filled === true,
    }));
    store.change({ candles: new Map(store.newest().candles).set(symbol, drawn) });
  };
  let looked: List | undefined;
  let wantedBot: string | undefined;
  const loadBot = reloader(async () => {
    const id = wantedBot;
    if (id === undefined) return;
    const [detail, page] = await Promise.all([
      client.getAutoTradeDetail({ params: { id } }),
      client.listAutoTradeTraces({ params: { id }, query: { pageSize: 50 } }),
    ]);
    store.change({ details: new Map(store.newest().details).set(id, { detail, story: [...page.items].reverse() }) });
  }, signal);

  reloadAll();
  void loadPairs().catch(() => undefined);
  return {
    store,
    client,
    reload: (list) => lists[list](),
    look: (list) => {
      looked = list;
      if (list) lists[list]();
    },
    want: (what) => {
      if ('bot' in what) {
        wantedBot = what.bot;
        loadBot();
      } else
        void loadCandles(what.candlesOf).catch(() => {
          asked.delete(what.candlesOf);
        });
    },
    follow: () =>
      follow(context, {
        topics: ['tickers', 'positions', 'auto-trades', 'price-alerts', 'notifications', 'instance'],
        signal,
        onStatus: (status) => {
          store.change({ status });
          // The first lists were asked for before anybody listened.
          if (status === 'live') reloadAll();
        },
        onReset: () => {
          reloadAll();
          loadBot();
        },
        onMessage: (topic, payload) => {
          if (topic === 'tickers' && 'items' in payload) {
            store.change({
              tickers: newer(store.newest().tickers, payload.items, payload.at),
              stale: payload.stale,
              ...(payload.stale ? {} : { heardAt: context.now() }),
            });
            // Values and distances follow the prices.
            if (looked === 'positions' || looked === 'alerts') lists[looked]();
          } else if (topic === 'positions') lists.positions();
          else if (topic === 'price-alerts') lists.alerts();
          // An Admin may offer other currencies from now on.
          else if (topic === 'instance') void loadPairs().catch(() => undefined);
          else if (topic === 'notifications') lists.notifications();
          else if (topic === 'auto-trades' && 'traces' in payload) {
            lists.bots();
            if (payload.autoTradeId === wantedBot) loadBot();
            store.change({ traces: [...store.newest().traces, ...payload.traces].slice(-KEPT_TRACES) });
          }
        },
      }),
  };
}

/** The map with the rows of one message in it: [symbol, price, changePct, quoteVolume, high, low]. */
function newer(before: ReadonlyMap<string, Ticker>, items: readonly TickerRow[], at: string): ReadonlyMap<string, Ticker> {
  const next = new Map(before);
  for (const [symbol, price, changePct, quoteVolume, high, low] of items) {
    const old = before.get(symbol) ?? { open: price, volume: '0' };
    next.set(symbol, { ...old, symbol, price, changePct, quoteVolume, high, low, at });
  }
  return next;
}
