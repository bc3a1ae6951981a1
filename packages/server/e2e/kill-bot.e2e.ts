import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBots, untilFlat } from './bot-audit.ts';
import { buildServerProgram, callerOf, type ServerProgram } from './server-process.ts';

const KILLS = Number(process.env.PILOTFISH_KILLS ?? 12);
const recorded = resolve(import.meta.dirname, '../../../../shared/data/klines');
const candles = existsSync(recorded) ? readdirSync(recorded).find((name) => name.startsWith('BTCUSDT-1m')) : undefined;
if (!candles) console.warn('No recorded candles beside the project: the killed bot trades on the seeded market instead.');

let folder: string;
let simulator: Simulator;
let program: ServerProgram;
let child: ChildProcess | undefined;

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

async function start(): Promise<string> {
  const started = await program.start(join(folder, 'data'), {
    PILOTFISH_EXCHANGE_REST_URL: simulator.origin,
    PILOTFISH_EXCHANGE_WS_URL: simulator.wsOrigin,
  });
  child = started.child;
  return started.url;
}

/** Small and seeded: the moments of the kills are those of the last run too. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test(`kill -9 at random, ${KILLS} times while a bot trades: no order doubled, none lost, ledger equals account`, {
  timeout: 300_000 + KILLS * 4000,
}, async () => {
  let url = await start();
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
      trigger: { kind: 'drop', dropPct: '0.05', lookbackMin: 30 },
      trailing: { enabled: false },
      order: { type: 'Limit', timeoutSec: 120, onTimeout: 'reprice' },
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
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((done) => setTimeout(done, 150 + draw() * 1200));
    const victim = child!;
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    url = await start();
  }
  // Long enough for every order in flight to be asked for; then it is wound up by hand.
  await call(`/bff/v2/auto-trades/${autoTrade.id}/disable`, {});
  expect(await untilFlat(call, [autoTrade.id], 90_000)).toEqual([]);
  const { orders, executed, positions, traces } = await auditBots({
    get: call,
    origin: simulator.origin,
    keys: { apiKey: keys.clientId, apiSecret: keys.clientSecret },
    autoTradeIds: [autoTrade.id],
    walletIds: [wallet.id],
    symbols: ['BTCUSDT'],
    began: { USDT: '10000' },
  });
  console.info(
    `${KILLS} kills, ${orders} orders (${executed} executed), ${positions} positions, ${traces} traces: account and ledger equal`,
  );
  expect(executed).toBeGreaterThan(1);
});
