import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candlesOfLines } from '@pilotfish/core/candles/candle-lines';
import { monthEnd, monthOf, monthStart, monthsBetween } from '@pilotfish/core/candles/candle-month';
import type { CandleFetch, CandleMonth } from '@pilotfish/core/candles/candles-contract';
import { until } from '@pilotfish/core/testing/until';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildServerProgram, callerOf, type ServerProgram } from './server-process.ts';

// kill -9 while candles are fetched: no month is stored half, and the same fetch goes on with what is missing.

const TO = monthOf(monthStart(monthOf(MARKET_START)) - 1);
const MONTHS = monthsBetween(monthOf(monthStart(TO) - 40 * 86_400_000), TO);

let folder: string;
let simulator: Simulator;
let program: ServerProgram;
let child: ChildProcess | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-candles-kill-'));
  program = await buildServerProgram('./candle-crash-entry.ts');
  simulator = await startSimulator({ market: testMarket(5), paused: true, limits: { weightPerMinute: 1_000_000 } });
});
afterEach(() => void child?.kill('SIGKILL'));
afterAll(async () => {
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
  program?.remove();
});

/** Opening times of a month, as the exchange has them. */
async function opened(month: string): Promise<string[]> {
  const times: string[] = [];
  for (let from = monthStart(month); from < monthEnd(month); ) {
    const query = `symbol=BTCUSDT&interval=30m&startTime=${from}&endTime=${monthEnd(month) - 1}&limit=1000`;
    const rows = (await (await fetch(`${simulator.origin}/api/v3/klines?${query}`)).json()) as [number, string][];
    times.push(...rows.map(([time, open]) => `${time} ${Number(open)}`));
    if (rows.length < 1000) break;
    from = rows.at(-1)![0] + 1;
  }
  return times;
}

test.each([
  ['between its pages', 1],
  ['in its file', 1],
  ['before its file has its name', 1],
  ['after its file has its name', 2],
])('kill -9 of the second month %s: %i stored, whole; the rest is fetched', { timeout: 120_000 }, async (moment, stored) => {
  const dataDir = join(folder, moment);
  const start = async (crashAt: string): Promise<string> => {
    const started = await program.start(dataDir, {
      PILOTFISH_CRASH_AT: crashAt,
      PILOTFISH_EXCHANGE_REST_URL: simulator.origin,
      PILOTFISH_EXCHANGE_WS_URL: simulator.wsOrigin,
    });
    child = started.child;
    return started.url;
  };
  let url = await start(moment);
  const { call, register } = callerOf(() => url);
  await register();
  const months = async () => (await call<{ items: CandleMonth[] }>('/bff/v2/candle-months?symbol=BTCUSDT&interval=30m')).items;
  const fetchMonths = async () => {
    await until('the server knows its pairs', async () => (await call<unknown[]>('/bff/v1/pairs')).length > 0);
    await call<CandleFetch>('/bff/v2/candle-fetch', { symbol: 'BTCUSDT', interval: '30m', from: MONTHS[0], to: TO });
  };
  const died = once(child!, 'exit');
  await fetchMonths();
  expect(await died).toEqual([null, 'SIGKILL']);

  url = await start('');
  expect((await months()).map(({ month, complete }) => [month, complete])).toEqual(MONTHS.slice(0, stored).map((month) => [month, true]));
  const names = readdirSync(join(dataDir, 'candles'), { recursive: true, encoding: 'utf8' }).filter((name) => /\d\.candles/.test(name));
  expect(names.filter((name) => !name.endsWith('.candles'))).toEqual([]);
  await fetchMonths();
  const done = await until('the fetch is over', async () => {
    const state = await call<CandleFetch>('/bff/v2/candle-fetch');
    return state.state !== 'running' && state;
  });
  expect(done).toMatchObject({ state: 'done', months: MONTHS.length, had: stored, damaged: 0, problems: [] });
  for (const month of MONTHS) {
    const candles = candlesOfLines(await call<string>(`/bff/v2/candle-months/BTCUSDT/30m/${month}`), '30m', monthStart(month));
    expect(candles.map(({ openTime, open }) => `${openTime} ${Number(open)}`)).toEqual(await opened(month));
  }
});
