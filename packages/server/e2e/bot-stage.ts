import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { replayTape, type TapeRecord } from '@pilotfish/core/auto-trades/tape';
import type { StoredTrace, Trace } from '@pilotfish/core/auto-trades/trace';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { exchangeRest } from '../src/exchange/exchange-rest.ts';
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
  readonly path?: { readonly closes: readonly number[]; readonly quiet: number };
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
  /** How far `until` moves the market at a time, ms. */
  readonly stepMs?: number;
};

/**
 * For each test of the file: an exchange whose market stands still unless it is moved, a server, and a user with keys
 * of that exchange and one live wallet.
 */
export function botStageOfEachTest(plan: BotStagePlan) {
  let folder: string | undefined;
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
    if (plan.path) {
      folder = writeMarket(mkdtempSync(join(tmpdir(), 'pilotfish-path-')), { paths: { BTCUSDT: plan.path.closes } });
      simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + plan.path.quiet * MINUTE }, paused: true });
    } else simulator = await startSimulator({ market: { kind: 'seeded', seed: 11 }, paused: true });
    const origins = { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin };
    server = await startTestServer({ realClock: true, settings: { ...origins, ...(plan.tapes && { recordTapes: true }) } });
    user = await server.register();
    if (plan.connected !== false) await connect();
  });
  afterEach(async () => {
    await server?.close();
    await simulator?.close();
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

  /** Waits until it is so, and moves the market meanwhile; 0 lets it stand still. */
  const until = (what: string, holds: () => Promise<boolean>, stepMs = plan.stepMs ?? 1000) =>
    untilSeen(what, holds, { meanwhile: stepMs > 0 ? () => simulator.clock.advance(stepMs) : undefined });

  const rest = () => exchangeRest({ origin: simulator.origin, now: Date.now, budget: weightBudget({ limit: 6000, now: Date.now }) });
  const asked = () => ({ method: 'GET', weight: 20, signer: signerFor(keys.apiKey, keys.apiSecret) }) as const;
  const ordersAt = (path: '/api/v3/openOrders' | '/api/v3/allOrders') =>
    rest().request({ ...asked(), path, parameters: { symbol: 'BTCUSDT' }, answer: ordersPayload });

  return {
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
    untilStory: (bot: AutoTrade, what: string) => until(what, async () => (await story(bot)).includes(what)),
    /** For `until`: some position of the bot is in this state. */
    isIn: (bot: AutoTrade, state: string) => async () => (await detail(bot)).positions.some((position) => position.state === state),
    openOrders: () => ordersAt('/api/v3/openOrders'),
    ordersAtExchange: () => ordersAt('/api/v3/allOrders'),
    accountAtExchange: () => rest().request({ ...asked(), path: '/api/v3/account', answer: accountPayload }),
  };
}
