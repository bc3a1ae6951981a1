import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { replayTape, type TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { StoredTrace, Trace } from '@pilotfish/core/auto-trades/trace';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterEach, beforeEach, expect } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer, type TestServerOptions } from '../src/app/testing/test-server.ts';
import { exchangeRest, type Request } from '../src/exchange/exchange-rest.ts';
import { accountPayload, ordersPayload } from '../src/exchange/payloads.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { weightBudget } from '../src/exchange/weight-budget.ts';
import { BEGIN, MINUTE, writeMarket } from './path-market.ts';

/** A bot of one coin that enters at once, at the market, and by itself leaves hardly ever. */
export const BUYS_AT_ONCE = {
  name: 'Now',
  coins: { symbols: ['BTCUSDT'] },
  entry: {
    size: { mode: 'fixed', value: '1000' },
    trigger: { kind: 'immediate' },
    trailing: { enabled: false },
    order: { type: 'Market' },
    maxSpreadPct: '5',
  },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  stopLoss: { mode: 'none' },
} as const;

export type BotStagePlan = {
  /** Closes of the minutes of BTCUSDT, and how many of them are over at the beginning; an invented market when left out. */
  readonly path?: {
    readonly closes: readonly number[];
    readonly quiet: number;
    /** Closes of other pairs beside it. */
    readonly beside?: Readonly<Record<string, readonly number[]>>;
  };
  /** What the account at the exchange holds. */
  readonly balances?: Readonly<Record<string, string>>;
  /** What the wallet of the bots holds of it, USDT. */
  readonly wallet: string;
  /** What the bots have in place of the settings of `BUYS_AT_ONCE`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** False: each test connects by itself. */
  readonly connected?: false;
  /** Records what bots are told, for `replayed`. */
  readonly tapes?: true;
  /** Where the data folder of the server lies. */
  readonly disk?: () => string;
  /** Room for a full disk. */
  readonly reserve?: NonNullable<TestServerOptions['reserve']>;
  /** How far `until` moves the market at a time, ms; the server's clock goes on by as much, up to a second. */
  readonly stepMs?: number;
};

/** Most that the clock of the server goes on between two looks. */
const MOST_STEP_MS = 1000;

/**
 * For each test of the file: an exchange whose market stands still unless it is moved, a server, and a user with keys
 * of that exchange and one live wallet. Exchange and server share a virtual clock, which goes on where `until` looks.
 */
export function botStageOfEachTest(plan: BotStagePlan) {
  let folder: string | undefined;
  let time: VirtualTime;
  let simulator: Simulator;
  let server: TestServer;
  let user: SignedInUser;
  let keys: { apiKey: string; apiSecret: string };
  let wallet: Wallet;

  /** Binds keys of an account at the exchange, and opens the wallet. */
  async function connect(burnBnb = false): Promise<void> {
    keys = await simulator.createAccount({ burnBnb, balances: plan.balances ?? { USDT: '10000' } });
    const body = { clientId: keys.apiKey, clientSecret: keys.apiSecret };
    expect((await user.call('/gateway/v2/account/connect/binance', { body })).status).toBe(200);
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: plan.wallet } })).body;
  }
  beforeEach(async () => {
    folder = undefined;
    time = virtualTime();
    const { now, timers } = time;
    if (plan.path) {
      folder = writeMarket(mkdtempSync(join(tmpdir(), 'pilotfish-path-')), { paths: { BTCUSDT: plan.path.closes, ...plan.path.beside } });
      simulator = await startSimulator({
        market: { kind: 'replay', folder, start: BEGIN + plan.path.quiet * MINUTE },
        paused: true,
        now,
        timers,
      });
    } else simulator = await startSimulator({ market: testMarket(11), paused: true, now, timers });
    const origins = { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin };
    server = await startTestServer({
      time,
      settings: { ...origins, ...(plan.tapes && { recordTapes: true }) },
      ...(plan.reserve && { reserve: plan.reserve }),
      ...(plan.disk && { disk: plan.disk() }),
    });
    user = await server.register();
    if (plan.connected !== false) await connect();
  });
  afterEach(async () => {
    await server?.close();
    if (simulator) await time.during(simulator.close());
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const settings = (over: Readonly<Record<string, unknown>> = {}) => ({ ...BUYS_AT_ONCE, walletId: wallet.id, ...plan.config, ...over });
  async function create(over: Readonly<Record<string, unknown>> = {}): Promise<AutoTrade> {
    const { body, status } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: settings(over) });
    expect(status, JSON.stringify(body).slice(0, 400)).toBe(200);
    return body.autoTrade;
  }
  const ask = <Body = AutoTrade>(bot: AutoTrade, what: string, body: unknown = {}) =>
    user.call<Body>(`/bff/v2/auto-trades/${bot.id}/${what}`, { method: 'POST', body });
  const get = async <Body>(path: string): Promise<Body> => {
    const { body, status } = await user.call<Body>(path);
    if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(body).slice(0, 400)}`);
    return body;
  };
  const detail = (bot: AutoTrade) => get<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`);
  /** Oldest first. */
  const traces = async (bot: AutoTrade) =>
    (await get<{ items: StoredTrace[] }>(`/bff/v2/auto-trades/${bot.id}/traces?pageSize=200`)).items.reverse();
  const story = async (bot: AutoTrade) => (await traces(bot)).map(({ kind, reason }) => `${kind} ${reason}`);
  const kinds = async (bot: AutoTrade) => (await traces(bot)).map(({ kind }) => kind);

  /** What the bot was told, told again. Whatever it was told last may not be on disk yet. */
  const replayed = (bot: AutoTrade): Trace[] =>
    replayTape(
      readFileSync(join(server.dataDir, 'tapes', `${bot.id}.jsonl`), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as TapeRecord),
    );

  /** Where every bot stands and what the server logged, for a wait that was in vain. */
  async function whereBotsStand(): Promise<string> {
    const { items } = await get<{ items: AutoTrade[] }>('/bff/v2/auto-trades');
    const bots = await Promise.all(
      items.map(async (bot) => {
        const { positions, evaluations } = await detail(bot);
        return JSON.stringify({
          name: bot.name,
          state: bot.state,
          positions,
          evaluations,
          logs: await get(`/bff/v2/auto-trades/${bot.id}/logs`),
        });
      }),
    );
    const logged = server.logged().split('\n');
    return [...bots, ...logged.filter((line) => line !== '' && (JSON.parse(line) as { level: number }).level >= 30).slice(-50)].join('\n');
  }
  /** Waits until it is so, and moves the market meanwhile; 0 lets it stand still. */
  const until = async (what: string, holds: () => Promise<boolean>, stepMs = plan.stepMs ?? 1000) => {
    try {
      return await untilSeen(what, holds, {
        time,
        stepMs: Math.min(stepMs || MOST_STEP_MS, MOST_STEP_MS),
        meanwhile: stepMs > 0 ? () => simulator.clock.advance(stepMs) : undefined,
      });
    } catch (cause) {
      throw new Error(`${String(cause)}\n${await whereBotsStand().catch(String)}`, { cause });
    }
  };

  /** The market and the clock go on by so much, second by second: what did not happen then did not happen in that time. */
  async function pass(ms: number): Promise<void> {
    const [wall, market] = [time.elapsed, simulator.clock.now()];
    for (let left = ms; left > 0; left -= MOST_STEP_MS) {
      await simulator.clock.advance(Math.min(left, MOST_STEP_MS));
      await time.advance(Math.min(left, MOST_STEP_MS));
    }
    expect([time.elapsed - wall, simulator.clock.now() - market]).toEqual([ms, ms]);
  }

  /** Asks the exchange with the keys of the account, as another program of its owner would. */
  const askExchange = <Answer>(request: Omit<Request<Answer>, 'weight' | 'signer'>): Promise<Answer> => {
    const { now, timers } = time;
    const rest = exchangeRest({ origin: simulator.origin, now, timers, budget: weightBudget({ limit: 6000, now, timers }) });
    return time.during(rest.request({ weight: 20, signer: signerFor(keys.apiKey, keys.apiSecret), ...request }));
  };
  const ordersAt = (path: '/api/v3/openOrders' | '/api/v3/allOrders') =>
    askExchange({ method: 'GET', path, parameters: { symbol: 'BTCUSDT' }, answer: ordersPayload });

  return {
    /** The clock of the exchange and of the server. */
    get time() {
      return time;
    },
    get simulator() {
      return simulator;
    },
    get server() {
      return server;
    },
    get user() {
      return user;
    },
    get keys() {
      return keys;
    },
    get wallet() {
      return wallet;
    },
    connect,
    settings,
    create,
    /** A bot that is at work. */
    enabled: async (over: Readonly<Record<string, unknown>> = {}): Promise<AutoTrade> => {
      const bot = await create(over);
      expect((await ask(bot, 'enable')).status).toBe(200);
      return bot;
    },
    ask,
    get,
    detail,
    traces,
    story,
    kinds,
    replayed,
    walletNow: () => get<Wallet>(`/bff/v2/wallets/${wallet.id}`),
    until,
    pass,
    untilStory: (bot: AutoTrade, what: string) => until(what, async () => (await story(bot)).includes(what)),
    /** For `until`: some position of the bot is in this state. */
    isIn: (bot: AutoTrade, state: string) => async () => (await detail(bot)).positions.some((position) => position.state === state),
    openOrders: () => ordersAt('/api/v3/openOrders'),
    ordersAtExchange: () => ordersAt('/api/v3/allOrders'),
    accountAtExchange: () => askExchange({ method: 'GET', path: '/api/v3/account', answer: accountPayload }),
    askExchange,
  };
}
