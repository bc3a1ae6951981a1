import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archivePath } from '@pilotfish/core/candles/candle-archive';
import { candlesOfLines } from '@pilotfish/core/candles/candle-lines';
import { monthOf, monthStart } from '@pilotfish/core/candles/candle-month';
import type { CandleFetch, CandleMonth } from '@pilotfish/core/candles/candles-contract';
import { until } from '@pilotfish/core/testing/until';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';

// Months of candles that the server stores: from the exchange, from its archives and from files, and what can go wrong.

const LAST = monthOf(MARKET_START);
const [FIRST, SECOND] = [monthOf(monthStart(LAST) - 40 * 86_400_000), monthOf(monthStart(LAST) - 1)] as [string, string];

describe('stored candles', () => {
  let simulator: Simulator;
  let server: TestServer;
  let admin: SignedInUser;
  let user: SignedInUser;

  beforeAll(async () => {
    let started: TestServer | undefined;
    const now = () => started?.now() ?? MARKET_START;
    simulator = await startSimulator({ market: testMarket(5), now, paused: true, limits: { weightPerMinute: 1_000_000 } });
    started = await startTestServer({
      realClock: true,
      now: MARKET_START,
      settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, exchangeArchiveUrl: simulator.origin },
    });
    server = started;
    admin = await server.register();
    user = await server.register();
  });
  afterAll(async () => {
    await server?.close();
    await simulator?.close();
  });
  beforeEach(() => simulator.faults.clear());

  const months = async (symbol: string) =>
    (await user.call<{ items: CandleMonth[] }>(`/bff/v2/candle-months?symbol=${symbol}&interval=30m`)).body.items;
  const ended = async (): Promise<CandleFetch> => {
    let state: CandleFetch | undefined;
    await until('the fetch is over', () => state !== undefined && state.state !== 'running', {
      meanwhile: async () => {
        state = (await user.call<CandleFetch>('/bff/v2/candle-fetch')).body;
      },
    });
    return state!;
  };
  const fetchMonths = async (symbol: string, more: Record<string, unknown> = {}): Promise<CandleFetch> => {
    const begun = await user.call<CandleFetch>('/bff/v2/candle-fetch', { body: { symbol, interval: '30m', from: FIRST, ...more } });
    expect(begun.status, JSON.stringify(begun.body)).toBe(202);
    return ended();
  };
  const candles = async (symbol: string, month: string) => {
    const { status, body } = await user.call<string>(`/bff/v2/candle-months/${symbol}/30m/${month}`);
    expect(status).toBe(200);
    return candlesOfLines(body, '30m', monthStart(month));
  };
  const archived = (symbol: string, month: string) => `/${archivePath(symbol, '30m', month)}.zip`;
  const put = async (who: SignedInUser, symbol: string, month: string, file: Uint8Array, interval = '30m') => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), 'file.zip');
    return who.call<CandleMonth & { errors?: unknown }>(`/bff/v2/candle-months/${symbol}/${interval}/${month}`, {
      method: 'PUT',
      body: form,
    });
  };

  test('from the exchange: the running month as far as it is closed; what is there is not asked again, also after a restart', async () => {
    const first = await fetchMonths('BTCUSDT');
    expect(first).toMatchObject({ state: 'done', months: 3, done: 3, had: 0, problems: [], doing: null });
    const stored = await months('BTCUSDT');
    expect(stored.map(({ month, complete, origin }) => [month, complete, origin])).toEqual([
      [FIRST, true, 'exchange'],
      [SECOND, true, 'exchange'],
      [LAST, false, 'exchange'],
    ]);
    expect(stored[1]).toMatchObject({ rows: ((monthStart(LAST) - monthStart(SECOND)) / 1_800_000) as number, gaps: 0 });
    await server.restart();
    // Any question to the exchange would fail.
    simulator.faults.apply({ kind: 'request', path: '/api/v3/klines', symbol: 'BTCUSDT', status: 400, times: 1_000_000 });
    await until('the server knows its pairs', () => known, {
      meanwhile: async () => {
        known = (await user.call<unknown[]>('/bff/v1/pairs')).body.length > 0;
      },
    });
    expect(await fetchMonths('BTCUSDT', { to: SECOND })).toMatchObject({ state: 'done', had: 2, rows: 0, problems: [] });
  });
  let known = false;

  test('from the archives, which have microseconds: the same candles; the month they lack comes from the exchange', async () => {
    const fetched = await fetchMonths('ETHUSDT', { source: 'archives' });
    expect(fetched).toMatchObject({ state: 'done', notInArchives: 1, problems: [] });
    expect((await months('ETHUSDT')).map(({ origin }) => origin)).toEqual(['archive', 'archive', 'exchange']);
    const told = await candles('ETHUSDT', SECOND);
    expect((await admin.call('/bff/v2/candle-months/ETHUSDT/30m', { method: 'DELETE' })).body).toEqual({ removed: 3 });
    await fetchMonths('ETHUSDT', { from: SECOND, to: SECOND });
    expect(await candles('ETHUSDT', SECOND)).toEqual(told);
  });

  test('a wrong checksum is refused by its month, the others are stored; the next fetch takes what is missing', async () => {
    simulator.faults.apply({
      kind: 'request',
      path: `${archived('SOLUSDT', FIRST)}.CHECKSUM`,
      msg: `${'0'.repeat(64)}  SOLUSDT-30m-${FIRST}.zip`,
    });
    const fetched = await fetchMonths('SOLUSDT', { to: SECOND, source: 'archives' });
    expect(fetched).toMatchObject({
      state: 'done',
      problems: [{ month: FIRST, code: 'checksum', message: expect.stringContaining('checksum') }],
    });
    expect((await months('SOLUSDT')).map(({ month }) => month)).toEqual([SECOND]);
    expect(await fetchMonths('SOLUSDT', { to: SECOND, source: 'archives' })).toMatchObject({ had: 1, problems: [] });
  });

  test('a span from before the pair began is refused by the month in which it began; of one that goes further only the rest is stored', async () => {
    const never = await fetchMonths('LINKUSDT', { from: '2017-01', to: '2017-03' });
    const [problem] = never.problems;
    expect(never).toMatchObject({ state: 'failed', done: 0, problems: [{ month: '2017-01', code: 'beforePair' }] });
    const began = never.began!;
    expect(problem!.message.replace(/[\u2068\u2069]/g, '')).toBe(
      `LINKUSDT has no candles before ${began}. Start with that month: --from ${began}`,
    );
    const partly = await fetchMonths('LINKUSDT', { from: monthOf(monthStart(began) - 1), to: began });
    expect(partly).toMatchObject({ state: 'done', done: 2, before: 1, began, problems: [] });
    expect((await months('LINKUSDT')).map(({ month }) => month)).toEqual([began]);
  });

  test('a fetch that fails half-way keeps what it has, and the next one goes on from there', async () => {
    simulator.faults.apply({ kind: 'request', path: archived('BNBUSDT', SECOND), status: 500, times: 100 });
    expect(await fetchMonths('BNBUSDT', { to: SECOND, source: 'archives' })).toMatchObject({
      state: 'failed',
      done: 1,
      problems: [{ month: SECOND, code: 'archiveUnreachable' }],
    });
    simulator.faults.clear();
    expect(await fetchMonths('BNBUSDT', { to: SECOND, source: 'archives' })).toMatchObject({ state: 'done', had: 1, problems: [] });
  });

  test('a damaged file counts as not there and is fetched again', async () => {
    await fetchMonths('XRPUSDT', { to: SECOND });
    const before = await candles('XRPUSDT', FIRST);
    const folder = join(server.dataDir, 'candles');
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
      (name) => name.includes('XRPUSDT') && name.endsWith(`${FIRST}.candles`),
    );
    const bytes = readFileSync(join(folder, file!));
    bytes[bytes.length - 5]! ^= 1;
    writeFileSync(join(folder, file!), bytes);
    expect((await user.call(`/bff/v2/candle-months/XRPUSDT/30m/${FIRST}`)).status).toBe(404);
    expect(server.logged()).toContain('candles.damaged');
    expect(await fetchMonths('XRPUSDT', { to: SECOND })).toMatchObject({ had: 1, problems: [] });
    expect(await candles('XRPUSDT', FIRST)).toEqual(before);
    writeFileSync(join(folder, file!), bytes);
    expect(await fetchMonths('XRPUSDT', { to: SECOND })).toMatchObject({ had: 1, damaged: 1, problems: [] });
  });

  test('an upload: by Admins alone, whole or not at all, with the line that is wrong', async () => {
    const zip = new Uint8Array(await (await fetch(`${simulator.origin}${archived('ADAUSDT', SECOND)}`)).arrayBuffer());
    expect((await put(user, 'ADAUSDT', SECOND, zip)).status).toBe(403);
    const held = `ADAUSDT-30m-${SECOND}`;
    for (const [symbol, interval, month] of [
      ['ADAUSDT', '30m', FIRST],
      ['BNBUSDT', '30m', SECOND],
      ['ADAUSDT', '15m', SECOND],
    ] as const) {
      const wrong = await put(admin, symbol, month, zip, interval);
      expect(wrong.status).toBe(400);
      const wanted = `${symbol}-${interval}-${month}`;
      expect(wrong.body).toMatchObject({ errors: [{ path: 'file', code: 'OTHER_FILE', limit: wanted, actual: held }] });
      expect(JSON.stringify(wrong.body).replace(/[\u2068\u2069]/g, '')).toContain(
        `the file name says ${held}, not ${wanted}. Choose the file`,
      );
    }
    const row = Buffer.from(`${monthStart(FIRST) - 1_800_000},1,1,1,1,1,${monthStart(FIRST) - 1},1,1,1,1,0`);
    expect((await put(admin, 'ADAUSDT', FIRST, row)).body).toMatchObject({
      errors: [{ path: 'file', code: 'OTHER_MONTH', message: expect.stringContaining('line 1:') as string }],
    });
    expect((await put(admin, 'ADAUSDT', SECOND, zip.subarray(0, 4000))).status).toBe(400);
    expect(await months('ADAUSDT')).toEqual([]);
    expect((await put(admin, 'ADAUSDT', SECOND, zip)).body).toMatchObject({ origin: 'file', complete: true, gaps: 0 });
    const sum = await (await fetch(`${simulator.origin}${archived('ADAUSDT', SECOND)}.CHECKSUM`)).text();
    expect(sum).toBe(`${createHash('sha256').update(zip).digest('hex')}  ADAUSDT-30m-${SECOND}.zip\n`);
  });

  test('one fetch of an account at a time; its owner can end it; a span that has not begun is refused', async () => {
    simulator.faults.apply({ kind: 'request', path: archived('DOGEUSDT', FIRST), delayMs: 2000, times: 1 });
    const body = { symbol: 'DOGEUSDT', interval: '30m', from: FIRST, source: 'archives' };
    const begun = await user.call<CandleFetch>('/bff/v2/candle-fetch', { body });
    expect(begun.status).toBe(202);
    // The same again is the one that runs: a terminal that is gone can be followed from another.
    expect(await user.call('/bff/v2/candle-fetch', { body })).toMatchObject({ status: 202, body: { startedAt: begun.body.startedAt } });
    const other = await user.call('/bff/v2/candle-fetch', { body: { ...body, interval: '1h' } });
    expect(other).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/DOGEUSDT.* .*30m.* pilotfish candles stop/) as string },
    });
    expect((await user.call('/bff/v2/candle-fetch', { method: 'DELETE' })).status).toBe(204);
    expect(await ended()).toMatchObject({ state: 'ended' });
    expect(await user.call('/bff/v2/candle-fetch', { body: { ...body, from: '2099-01' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'from', code: 'too_big', limit: LAST, message: `At most ${LAST}.` }] },
    });
    expect((await user.call('/bff/v2/candle-fetch', { body: { ...body, symbol: 'NONEUSDT' } })).status).toBe(404);
  });
});
