import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import type { Fault } from '@pilotfish/simulator/faults/fault-contract';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBots, type Get, untilFlat } from '../src/app/testing/bot-audit.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';

// Many bots trade while everything goes wrong at random; in the end the books equal the exchange to the last digit.
// An hour and a half of market by default; PILOTFISH_SOAK_HOURS=720 PILOTFISH_SOAK_BOTS=50 is the long one.

const HOURS = Number(process.env.PILOTFISH_SOAK_HOURS ?? 1.5);
const BOTS = Number(process.env.PILOTFISH_SOAK_BOTS ?? 8);
const SPEED = Number(process.env.PILOTFISH_SOAK_SPEED ?? 300);
const HOUR = 3_600_000;
/** How long the market may take, minutes: longer than its speed promises where the machine has other things to do. */
const MARKET_MS = Number(process.env.PILOTFISH_SOAK_MINUTES ?? (HOURS * 60) / SPEED + 1) * 60_000;
/** Winding up every position and comparing the books, which grow with what was traded. */
const WIND_UP_MS = 480_000 + HOURS * BOTS * 30;
/** The least that an order may be worth on these pairs, USDT. */
const SMALLEST = 5;
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'BNBUSDT', 'XRPUSDT'];

let simulator: Simulator;
let server: TestServer;
let user: SignedInUser;
let keys: { apiKey: string; apiSecret: string };

beforeAll(async () => {
  simulator = await startSimulator({
    market: testMarket(77),
    limits: { weightPerMinute: 1_000_000, requestsPer5Minutes: 10_000_000, ordersPerDay: 10_000_000 },
  });
  server = await startTestServer({
    realClock: true,
    logLevel: 'warn',
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin },
  });
  user = await server.register();
});
afterAll(async () => {
  await server?.close();
  await simulator?.close();
});

/** Small and seeded: what goes wrong, and when, is what went wrong the last time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const KINDS: Readonly<Record<string, (draw: () => number) => Fault>> = {
  'answers lost': () => ({ kind: 'request', method: 'POST', path: '/api/v3/order', loseAnswer: true, times: 2 }),
  'answers lost to cancels': () => ({ kind: 'request', method: 'DELETE', path: '/api/v3/order', loseAnswer: true, times: 2 }),
  'errors before': () => ({ kind: 'request', path: '/api/v3/order', status: 503, when: 'before', times: 3 }),
  'errors after': () => ({ kind: 'request', path: '/api/v3/order', status: 502, when: 'after', times: 2 }),
  'slow trades': () => ({ kind: 'request', path: '/api/v3/myTrades', delayMs: 400, times: 5 }),
  'events twice': () => ({ kind: 'events', action: 'duplicate', times: 5 }),
  'events out of order': () => ({ kind: 'events', action: 'reorder', times: 5 }),
  'events lost': () => ({ kind: 'events', action: 'drop', event: 'executionReport', times: 3 }),
  'streams cut': () => ({ kind: 'streams', action: 'cut', of: 'all' }),
  'streams mute': () => ({ kind: 'streams', action: 'silence', of: 'user', forMs: 500 }),
  'streams ended': () => ({ kind: 'streams', action: 'terminate' }),
  'clock off': (draw) => ({ kind: 'clock', skewMs: Math.round((draw() - 0.5) * 20_000) }),
  'clock right': () => ({ kind: 'clock', skewMs: 0 }),
  'too many requests': () => ({ kind: 'limit', status: 429, retryAfter: 1 }),
  banned: () => ({ kind: 'limit', status: 418, retryAfter: 2 }),
  'half of what could be had': (draw) => ({ kind: 'fill', share: 0.3 + draw() * 0.5, times: 5 }),
};

/** Bots that trade much, each in another way. */
function settings(index: number, walletId: string): Record<string, unknown> {
  const limit = index % 2 === 0;
  return {
    name: `Bot ${index}`,
    walletId,
    coins: { symbols: [SYMBOLS[index % SYMBOLS.length]!, SYMBOLS[(index + 2) % SYMBOLS.length]!] },
    entry: {
      size: { mode: 'fixed', value: '200' },
      trigger: { kind: 'drop', dropPct: '0.1', lookbackMin: 20 },
      trailing: { enabled: index % 3 === 0, reboundPct: '0.1' },
      order: limit ? { type: 'Limit', timeoutSec: 30, onTimeout: 'reprice' } : { type: 'Market' },
      maxSpreadPct: '5',
    },
    ...(index % 2 === 0 ? { rebuys: { levels: [{ dropPct: '0.3' }, { dropPct: '0.4' }], minMinutesBetween: 0 } } : {}),
    takeProfit: {
      levels: [
        { gainPct: '0.3', sellPct: '50' },
        { gainPct: '0.6', sellPct: '50' },
      ],
    },
    trailingCost: index % 3 === 1 ? { enabled: true, armGainPct: '0.3', distancePct: '0.08', stepPct: '0.02' } : { enabled: false },
    stopLoss: { mode: 'percent', pct: '1', basis: 'avgCost' },
    protectiveStop: { enabled: index % 2 === 1, limitOffsetPct: '0.5' },
    timeStop: { hours: 3 },
    cooldown: { afterWinMin: 0, afterLossMin: 1 },
    protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
  };
}

test(`${HOURS} h of market, ${BOTS} bots, everything goes wrong: nothing doubled, nothing lost`, {
  timeout: MARKET_MS + WIND_UP_MS + 60_000,
}, async () => {
  keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '1000000' } });
  const connected = await user.call('/gateway/v2/account/connect/binance', {
    body: { clientId: keys.apiKey, clientSecret: keys.apiSecret },
  });
  expect(connected.status).toBe(200);
  const wallets: Wallet[] = [];
  const bots: AutoTrade[] = [];
  for (let index = 0; index < BOTS; index += 1) {
    if (index % 5 === 0)
      wallets.push(
        (await user.call<Wallet>('/bff/v2/wallets', { body: { name: `W${index}`, mode: 'live', initialBalance: '20000' } })).body,
      );
    const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: settings(index, wallets.at(-1)!.id) });
    expect(body.autoTrade, JSON.stringify(body).slice(0, 300)).toBeTruthy();
    bots.push(body.autoTrade);
  }
  for (const bot of bots) {
    const enabled = await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    expect(enabled.status, JSON.stringify(enabled.body)).toBe(200);
  }

  // Only now: 50 bots are set up while the exchange has time to answer.
  simulator.clock.setSpeed(SPEED);
  const draw = random(20_261_121);
  const wrong: Record<string, number> = {};
  const names = Object.keys(KINDS);
  const began = simulator.clock.now();
  const end = began + HOURS * HOUR;
  // A machine that is too slow for the speed asked for gets less market, and says how much: the books are compared anyway.
  const patience = Date.now() + MARKET_MS;
  for (let told = 0; simulator.clock.now() < end && Date.now() < patience; ) {
    const passed = Math.floor((simulator.clock.now() - began) / HOUR);
    if (passed >= told + 24) {
      told = passed;
      console.info(`${passed} of ${HOURS} h are over`);
    }
    await new Promise((done) => setTimeout(done, 200 + draw() * 800));
    const name = names[Math.floor(draw() * names.length)]!;
    simulator.faults.apply(KINDS[name]!(draw));
    wrong[name] = (wrong[name] ?? 0) + 1;
  }
  const reached = (simulator.clock.now() - began) / HOUR;
  console.info(`${reached.toFixed(1)} of ${HOURS} h are over; positions are wound up`);
  simulator.faults.clear();
  simulator.faults.apply({ kind: 'clock', skewMs: 0 });
  // From here on nothing new is bought: a slower market leaves the machine to what is left to sell, within its time stop.
  simulator.clock.setSpeed(Math.min(SPEED, 240));

  // What was signed in with is over after a quarter of an hour.
  Object.assign(user, { session: await server.signIn(user) });
  const get: Get = async <Body>(path: string) => (await user.call<Body>(path)).body;
  const ids = bots.map(({ id }) => id);
  // A position that needed its owner goes on when the bot is enabled again; then all of them are wound up.
  for (const id of ids) await user.call(`/bff/v2/auto-trades/${id}/enable`, { method: 'POST', body: {} });
  for (const id of ids) await user.call(`/bff/v2/auto-trades/${id}/disable`, { method: 'POST', body: {} });
  const detached = new Set<string>();
  for (const id of await untilFlat(get, ids, 120_000)) {
    const { state, stateReason, positions, evaluations } = await get<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`);
    const held = positions.filter((position) => position.closedAt === null);
    for (const position of held) {
      // What is left after partial fills can be worth too little to sell once the price has fallen: the owner's to take.
      const price = Number(evaluations.find(({ symbol }) => symbol === position.symbol)?.price);
      if (position.state !== 'NeedsAttention' || !(Number(position.quantity) * price < SMALLEST * 1.1)) continue;
      const taken = await user.call(`/bff/v2/auto-trades/${id}/positions/${position.id}/detach`, { method: 'POST', body: {} });
      if (taken.status === 200) detached.add(position.id);
    }
    if (held.some((position) => !detached.has(position.id))) {
      const logs = (await get<{ items: { code: string; facts: unknown; at: string }[] }>(`/bff/v2/auto-trades/${id}/logs?pageSize=15`))
        .items;
      console.error(JSON.stringify({ state, stateReason, held, logs }));
    }
  }
  expect(await untilFlat(get, ids, 10_000)).toEqual([]);
  simulator.clock.pause();
  console.info('every position is closed; the books are compared');
  const counts = await auditBots({
    get,
    origin: simulator.origin,
    keys,
    autoTradeIds: ids,
    walletIds: wallets.map(({ id }) => id),
    symbols: SYMBOLS,
    began: { USDT: '1000000' },
    detached,
  });
  const faults = Object.entries(wrong).map(([name, count]) => `${name} ${count}`);
  console.info(
    `${reached.toFixed(1)} of ${HOURS} h × ${BOTS} bots: ${counts.orders} orders (${counts.executed} executed, ${counts.fills} fills), ${counts.positions} positions, ` +
      `${counts.traces} traces, ${detached.size} remains too small to sell; ${faults.join(', ')}: account, wallets and traces agree`,
  );
  expect(counts.executed).toBeGreaterThan(BOTS);
});
