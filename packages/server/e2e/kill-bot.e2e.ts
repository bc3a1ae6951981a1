import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditBots, untilFlat } from '../src/app/testing/bot-audit.ts';
import { upstreamOf } from '../src/app/upstream.ts';
import { openExchange } from '../src/exchange/exchange.ts';
import { exchangeOrigins } from '../src/exchange/exchange-origins.ts';
import { buildServerProgram, callerOf, type ServerProgram } from './server-process.ts';

const KILLS = Number(process.env.PILOTFISH_KILLS ?? 12);
const recorded = resolve(import.meta.dirname, '../../../../shared/data/klines');
const candles = existsSync(recorded) ? readdirSync(recorded).find((name) => name.startsWith('BTCUSDT-1m')) : undefined;
if (!candles) console.warn('No recorded candles beside the project: the killed bot trades on the seeded market instead.');

let folder: string;
let simulator: Simulator;
let program: ServerProgram;
let child: ChildProcess | undefined;
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  child?.kill('SIGKILL');
  for (const close of open.splice(0).reverse()) await close();
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-kill-'));
  if (candles) symlinkSync(join(recorded, candles), join(folder, candles));
  program = await buildServerProgram('./bot-process-entry.ts');
  simulator = await startSimulator({
    market: candles ? { kind: 'replay', folder } : testMarket(5),
    speed: 1500,
    limits: { weightPerMinute: 1_000_000 },
  });
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
  program.remove();
});

/** Another exchange that has the market of the simulator, and accounts of its own. */
async function mirrored(): Promise<Simulator> {
  const limits = { weightPerMinute: 1_000_000 };
  const heard: { gap: () => void } = { gap: () => undefined };
  const exchange = openExchange({
    origins: exchangeOrigins('simulated', { rest: simulator.origin, ws: simulator.wsOrigin }),
    now: Date.now,
    timers: realTimers,
    random: () => 0.5,
    onGap: () => heard.gap(),
  });
  open.push(() => exchange.close());
  const { upstream, gap } = upstreamOf(exchange);
  heard.gap = gap;
  const mirror = await startSimulator({ market: { kind: 'mirror', upstream }, now: () => simulator.clock.now(), limits });
  open.push(() => mirror.close());
  return mirror;
}

async function start(at: Simulator, data: string): Promise<string> {
  const started = await program.start(join(folder, data), {
    PILOTFISH_EXCHANGE_REST_URL: at.origin,
    PILOTFISH_EXCHANGE_WS_URL: at.wsOrigin,
  });
  child = started.child;
  return started.url;
}

type Call = <Body>(path: string, body?: unknown) => Promise<Body>;
/** The bot once it is as asked for, or as it is after twenty seconds. */
async function seen(call: Call, id: string, isIt: (detail: AutoTradeDetail) => boolean): Promise<AutoTradeDetail> {
  for (let tries = 0; ; tries += 1) {
    const detail = await call<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`);
    if (isIt(detail) || tries === 100) return detail;
    await new Promise((done) => setTimeout(done, 200));
  }
}
/** Sells what is held, as soon as no order of it is under way. */
const soldByHand = (call: Call, id: string) =>
  seen(call, id, ({ openPositions, positions }) => {
    const held = positions.find(({ state }) => state === 'Open');
    if (held) void call(`/bff/v2/auto-trades/${id}/positions/${held.id}/sell`, {}).catch(() => undefined);
    return openPositions === 0;
  });

/** Small and seeded: the moments of the kills are those of the last run too. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([
  { place: 'an exchange', kills: KILLS, speed: 1500 },
  // A mirror has the time of the wall: nothing comes to its target within seconds, so it is bought at once and sold by hand.
  { place: 'a mirror whose streams are cut', kills: Math.ceil(KILLS / 2), speed: 1 },
])(
  'kill -9 at random, $kills times while a bot trades at $place: no order doubled, none lost, ledger equals account',
  {
    timeout: 300_000 + KILLS * 4000,
  },
  async ({ place, kills, speed }) => {
    simulator.clock.setSpeed(speed);
    const at = place === 'an exchange' ? simulator : await mirrored();
    let url = await start(at, place);
    const { call, register } = callerOf(() => url);
    await register();
    const keys = await call<{ clientId: string; clientSecret: string }>('/gateway/v2/account/connect/binance/demo', {});
    await call('/gateway/v2/account/connect/binance', keys);
    const wallet = await call<Wallet>('/bff/v2/wallets', { name: 'Main', mode: 'live', initialBalance: '5000' });
    const { autoTrade } = await call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      name: 'Busy',
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '1000' },
        trigger: at === simulator ? { kind: 'drop', dropPct: '0.05', lookbackMin: 30 } : { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: at === simulator ? 'Limit' : 'Market', timeoutSec: 120, onTimeout: 'reprice' },
        maxSpreadPct: '1',
      },
      takeProfit: {
        levels: [
          { gainPct: '0.25', sellPct: '50' },
          { gainPct: '0.5', sellPct: '50' },
        ],
      },
      trailingCost: { enabled: true, armGainPct: '0.22', distancePct: '0.05', stepPct: '0.01' },
      rebuys: { levels: [{ dropPct: '0.1' }, { dropPct: '0.1' }], minMinutesBetween: 0 },
      stopLoss: { mode: 'percent', pct: '0.4', basis: 'firstBuy' },
      protectiveStop: { enabled: true, limitOffsetPct: '0.5' },
      protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
      cooldown: { afterWinMin: 0, afterLossMin: 0 },
    });
    await call(`/bff/v2/auto-trades/${autoTrade.id}/enable`, {});

    const draw = random(20_261_121);
    for (let kill = 0; kill < kills; kill += 1) {
      await new Promise((done) => setTimeout(done, 150 + draw() * 1200));
      if (at !== simulator) {
        const held = await seen(call, autoTrade.id, ({ positions }) => positions.some(({ state }) => state === 'Open'));
        const [position] = held.positions.filter(({ state }) => state === 'Open');
        // One that has an order under way is refused.
        if (position && kill % 3 > 0)
          await call(`/bff/v2/auto-trades/${autoTrade.id}/positions/${position.id}/sell`, {}).catch(() => undefined);
        if (kill % 2 === 0) simulator.faults.apply({ kind: 'streams', action: 'cut', of: 'market' });
        await new Promise((done) => setTimeout(done, draw() * 300));
      }
      const victim = child!;
      victim.kill('SIGKILL');
      await once(victim, 'exit');
      url = await start(at, place);
    }
    // Long enough for every order in flight to be asked for; then it is wound up by hand.
    await call(`/bff/v2/auto-trades/${autoTrade.id}/disable`, {});
    if (at !== simulator) await soldByHand(call, autoTrade.id);
    expect(await untilFlat(call, [autoTrade.id], 90_000)).toEqual([]);
    const { orders, executed, positions, traces } = await auditBots({
      get: call,
      origin: at.origin,
      keys: { apiKey: keys.clientId, apiSecret: keys.clientSecret },
      autoTradeIds: [autoTrade.id],
      walletIds: [wallet.id],
      symbols: ['BTCUSDT'],
      began: { USDT: '10000' },
    });
    console.info(
      `${kills} kills at ${place}, ${orders} orders (${executed} executed), ${positions} positions, ${traces} traces: account and ledger equal`,
    );
    expect(executed).toBeGreaterThan(1);
  },
);
