/** @module-tag smoke */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { replayTape, type TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { add, decimal, subtract, toText } from '@pilotfish/core/money/decimal';
import { grammarViolation } from '@pilotfish/core/testing/trace-grammar';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { exchangeRest } from '../src/exchange/exchange-rest.ts';
import { accountPayload } from '../src/exchange/payloads.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { weightBudget } from '../src/exchange/weight-budget.ts';

const recorded = resolve(import.meta.dirname, '../../../../shared/data/klines');
const candles = existsSync(recorded) ? readdirSync(recorded).find((name) => name.startsWith('BTCUSDT-1m')) : undefined;
if (!candles) console.warn('No recorded candles beside the project: the bot is tested on the seeded market instead.');

let folder: string;
let time: VirtualTime;
let server: TestServer;
let simulator: Simulator;
let user: SignedInUser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-replay-'));
  if (candles) symlinkSync(join(recorded, candles), join(folder, candles));
  time = virtualTime();
  const { now, timers } = time;
  simulator = await startSimulator({ market: candles ? { kind: 'replay', folder } : testMarket(7), paused: true, now, timers });
  server = await startTestServer({
    time,
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, recordTapes: true },
  });
});
afterAll(async () => {
  await server?.close();
  if (simulator) await time.during(simulator.close());
  rmSync(folder, { recursive: true, force: true });
});

/** Half a minute of the market for each second of the clock, until it is so. */
const until = <Value>(what: string, look: () => Promise<Value | undefined | false> | Value | undefined | false) =>
  untilSeen(what, look, { time, meanwhile: () => simulator.clock.advance(30_000) });

test('register, connect a demo account, run a bot on recorded candles: ledger, account and replay agree', async () => {
  user = await server.register();
  const demo = await user.call<{ clientId: string; clientSecret: string }>('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
  expect(demo.status).toBe(201);
  const connected = await user.call('/gateway/v2/account/connect/binance', { body: demo.body });
  expect(connected.status).toBe(200);
  expect(JSON.stringify(connected.body)).not.toContain(demo.body.clientSecret);

  const wallet = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '5000' } });
  expect(wallet.status).toBe(201);

  const bot = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
    body: {
      name: 'Dip',
      walletId: wallet.body.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '1000' },
        trigger: { kind: 'drop', dropPct: '0.4', lookbackMin: 120 },
        trailing: { reboundPct: '0.1', maxChasePct: '2' },
        order: { type: 'Market' },
      },
      takeProfit: {
        levels: [
          { gainPct: '1.5', sellPct: '50' },
          { gainPct: '3', sellPct: '50' },
        ],
      },
      trailingCost: { enabled: true, armGainPct: '0.4', distancePct: '0.2', stepPct: '0.02' },
      stopLoss: { mode: 'percent', pct: '3' },
      cooldown: { afterWinMin: 1, afterLossMin: 10 },
    },
  });
  expect(bot.body).toMatchObject({ autoTrade: { state: 'Disabled' } });
  const { id } = bot.body.autoTrade;
  const enabled = await user.call<AutoTrade>(`/bff/v2/auto-trades/${id}/enable`, { method: 'POST', body: {} });
  expect(enabled.body).toMatchObject({ state: 'Running' });

  const allTraces = async () => {
    const { body } = await user.call<{ items: StoredTrace[] }>(`/bff/v2/auto-trades/${id}/traces?pageSize=200`);
    return body.items.reverse();
  };
  await until('a whole cycle with a raised protected cost', async () => {
    const traces = await allTraces();
    const closed = traces.filter((trace) => trace.kind === 'Exit' && trace.reason !== 'Abandoned').map((trace) => trace.positionId);
    return traces.some((trace) => trace.kind === 'CostMovedUp' && closed.includes(trace.positionId)) ? true : undefined;
  });
  await user.call(`/bff/v2/auto-trades/${id}/disable`, { method: 'POST', body: {} });
  await until('the bot being flat', async () => {
    const { body } = await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`);
    return body.openPositions === 0 ? true : undefined;
  });

  const traces = await allTraces();
  for (const positionId of new Set(traces.map((trace) => trace.positionId))) {
    expect(
      grammarViolation(
        traces.filter((trace) => trace.positionId === positionId),
        true,
      ),
    ).toBeUndefined();
  }
  expect(traces.map((trace) => trace.seq)).toEqual(traces.map((_, index) => index + 1));

  // The account at the exchange holds exactly what the fills explain.
  const signer = signerFor(demo.body.clientId, demo.body.clientSecret);
  const clock = { now: time.now, timers: time.timers };
  const rest = exchangeRest({
    ...clock,
    origin: simulator.origin,
    budget: weightBudget({ ...clock, limit: 6000 }),
  });
  const account = await time.during(rest.request({ method: 'GET', path: '/api/v3/account', weight: 20, signer, answer: accountPayload }));
  const balance = (asset: string) => decimal(account.balances.find((each) => each.asset === asset)?.free ?? '0');
  let usdt = decimal('10000');
  let btc = decimal('0');
  for (const trace of traces) {
    if (trace.kind !== 'Buy' && trace.kind !== 'Sell') continue;
    const { quantity, quoteQuantity, fee, feeAsset } = trace.after as Record<string, string>;
    const sign = trace.kind === 'Buy' ? add : subtract;
    btc = sign(btc, decimal(quantity!));
    usdt = trace.kind === 'Buy' ? subtract(usdt, decimal(quoteQuantity!)) : add(usdt, decimal(quoteQuantity!));
    if (feeAsset === 'BTC') btc = subtract(btc, decimal(fee!));
    else if (feeAsset === 'USDT') usdt = subtract(usdt, decimal(fee!));
    else throw new Error(`a fee in ${feeAsset}`);
  }
  expect(toText(balance('USDT'))).toBe(toText(usdt));
  expect(toText(balance('BTC'))).toBe(toText(btc));

  const after = await user.call<Wallet>(`/bff/v2/wallets/${wallet.body.id}`);
  expect(walletBalances(after.body)).toBe(true);
  expect(after.body.reserved).toBe('0');

  // What the bot was told, told again: the same traces, byte for byte. The tape is written beside everything else.
  const plain = traces.map(({ id: _id, recordedAt: _recordedAt, ...trace }) => trace);
  const { lines, replayed } = await until('the tape being on disk', () => {
    const lines = readFileSync(join(server.dataDir, 'tapes', `${id}.jsonl`), 'utf8')
      .split('\n')
      .slice(0, -1);
    const replayed = replayTape(lines.map((line) => JSON.parse(line) as TapeRecord));
    return replayed.length >= plain.length && { lines, replayed };
  });
  expect(replayed.map((trace) => JSON.stringify(sorted(trace)))).toEqual(plain.map((trace) => JSON.stringify(sorted(trace))));
  console.info(`${traces.length} traces, ${lines.length} tape records, kinds ${JSON.stringify(count(traces.map((trace) => trace.kind)))}`);
});

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, each]) => [key, sorted(each)]),
        )
      : value;
const count = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};
