import { type ExactCandle, openTimeAt } from '@pilotfish/core/prices/candle-gaps';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test } from 'vitest';
import { createLog } from '../app/log.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { withUnread } from '../exchange/exchange-rows.ts';
import { minuteCloses } from '../market/minute-closes.ts';
import { tickerBoard } from '../market/ticker-board.ts';
import { weightPacer } from '../market/weight-pacer.ts';
import { decodeCandles, encodeCandles } from './candle-codec.ts';
import { candleHistory } from './candle-history.ts';
import { candleReader } from './candle-reader.ts';
import { candleStore } from './candle-store.ts';
import { figureTable } from './figure-table.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LENGTH: Record<string, number> = { '1m': 60_000, '15m': 900_000, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY };
const START = Date.UTC(2026, 9, 1, 12, 7);

const pair = (symbol: string): Pair =>
  ({
    symbol,
    baseAsset: symbol.slice(0, -4),
    quoteAsset: 'USDT',
    status: 'TRADING',
    filters: { tickSize: '0.01', minNotional: '5' },
  }) as never;

/** An exchange whose price is a wave, that knows when pairs were listed and that was away for an hour. */
function wavyExchange(listed: Record<string, number>, clock: { at: number }, away?: number) {
  const asked: string[] = [];
  let fail: ExchangeError | undefined;
  /** Candles that cannot be read: interval and when they open. */
  const odd = new Set<string>();
  return {
    asked,
    odd,
    failWith: (error: ExchangeError | undefined) => {
      fail = error;
    },
    candles: async (symbol: string, interval: string, query: { limit: number; startTime?: number; endTime?: number }) => {
      asked.push(`${symbol} ${interval}`);
      if (fail) throw fail;
      const length = LENGTH[interval]!;
      const first = Math.floor(listed[symbol]! / length) * length;
      const last = Math.floor(Math.min(query.endTime ?? clock.at, clock.at) / length) * length;
      const from = query.startTime === undefined ? last - (query.limit - 1) * length : Math.ceil(query.startTime / length) * length;
      const rows: (readonly [number, string, string, string, string, string, number, string, number])[] = [];
      for (let at = Math.max(first, from); at <= last && rows.length < query.limit; at += length) {
        if (interval !== '1d' && away === Math.floor(at / HOUR) * HOUR) continue;
        const close = (100 + 10 * Math.sin(at / DAY)).toFixed(8);
        rows.push([
          at,
          close,
          (Number(close) + 1).toFixed(8),
          (Number(close) - 1).toFixed(8),
          close,
          '10.50000000',
          at + length - 1,
          '1000.00000000',
          7,
        ]);
      }
      const isOdd = ([at]: (typeof rows)[number]) => odd.has(`${interval} ${at}`);
      return withUnread(
        rows.filter((row) => !isOdd(row)),
        rows.filter(isOdd).map((row) => ({ list: 'klines', name: String(row[0]), field: '2', given: row })),
      );
    },
  };
}

type Setup = Parameters<Parameters<typeof describeEachDialect>[1]>[0];
async function setup(open: Setup, context: Parameters<Setup>[0], more: { maxBytes?: number; away?: number } = {}) {
  const database = await open(context);
  const clock = { at: START };
  const board = tickerBoard();
  const listed = { BTCUSDT: START - 900 * DAY, NEWUSDT: START - 12 * DAY };
  const pairs = Object.keys(listed).map(pair);
  const tell = () =>
    board.apply(
      pairs.map(({ symbol }, n) => ({ s: symbol, E: clock.at, c: '104', o: '100', h: '120', l: '90', v: '1', q: String(1000 - n) })),
    );
  tell();
  const exchange = wavyExchange(listed, clock, more.away);
  const market = {
    board,
    minutes: minuteCloses(),
    loaded: true,
    pairs: () => pairs,
    pair: (symbol: string) => pairs.find((each) => each.symbol === symbol),
  };
  const figures = figureTable(market, () => []);
  let wall = 0;
  const boot = () =>
    candleHistory({
      timers: realTimers,
      exchange: exchange as never,
      market,
      store: candleStore(database, 'test'),
      figures,
      pacer: weightPacer({
        timers: realTimers,
        perMinute: Number.POSITIVE_INFINITY,
        limit: () => Number.POSITIVE_INFINITY,
        used: () => 0,
        now: () => wall,
      }),
      now: () => wall,
      log: createLog('silent'),
      rowsPerRequest: 1000,
      rest: 0,
      maxBytes: more.maxBytes ?? 1e9,
    });
  const advance = (ms: number) => {
    clock.at += ms;
    wall += ms;
    tell();
  };
  return { database, clock, exchange, figures, boot, advance, market, now: () => wall };
}

describeEachDialect('candle history', (open) => {
  test('asks once, keeps, and after a restart asks only for what is missing', async (context) => {
    const { exchange, boot, advance, figures } = await setup(open, context);
    await boot().settle();
    expect(exchange.asked.filter((line) => line.startsWith('BTCUSDT')).sort()).toEqual([
      'BTCUSDT 15m',
      'BTCUSDT 1d',
      'BTCUSDT 1d',
      'BTCUSDT 1h',
      'BTCUSDT 1m',
    ]);
    figures.refresh();
    const row = figures.row('BTCUSDT')!;
    const value = (id: string) => figures.table.numbers.get(id)![row]!;
    for (const id of [
      'rsi.15m',
      'rsi.1h',
      'rsi.4h',
      'rsi.1d',
      'sma200Distance.4h',
      'range.52w',
      'btcCorrelation.30d',
      'volatility7d',
      'change.30d',
    ])
      expect(value(id), id).toEqual(expect.any(Number));
    expect(Number.isNaN(value('sma200Distance.4h'))).toBe(false);
    expect(value('listedAt')).toBe(Math.floor((START - 900 * DAY) / DAY) * DAY);
    expect(value('listedDays')).toBe(900);
    expect(value('change.24h')).toBeCloseTo(4, 9);

    exchange.asked.length = 0;
    advance(16 * 60_000);
    const again = boot();
    await again.settle();
    // A quarter of an hour closed; hours and days did not, and both listings are known.
    expect(exchange.asked.filter((line) => !line.endsWith('1m')).sort()).toEqual(['BTCUSDT 15m', 'NEWUSDT 15m']);
    exchange.asked.length = 0;
    advance(60_000);
    await again.settle();
    expect(exchange.asked.filter((line) => !line.endsWith('1m'))).toEqual([]);
  });

  test('a candle that cannot be read is asked for again, and a listing is not dated by the next one', async (context) => {
    const { exchange, boot, advance, database } = await setup(open, context);
    const day = Math.floor((START - 12 * DAY) / DAY) * DAY;
    const hour = Math.floor(START / HOUR) * HOUR - 5 * HOUR;
    exchange.odd.add(`1d ${day}`).add(`1h ${hour}`);
    const history = boot();
    await history.settle();
    const store = () => candleStore(database, 'test');
    const hours = async () => (await store().read('NEWUSDT', '1h')).filter(({ openTime }) => openTime >= hour).length;
    expect([(await store().listings()).has('NEWUSDT'), await hours()]).toEqual([false, 0]);
    exchange.asked.length = 0;
    await history.settle();
    expect(exchange.asked).toEqual([]);
    exchange.odd.clear();
    advance(15 * 60_000);
    await history.settle();
    expect([(await store().listings()).get('NEWUSDT'), await hours()]).toEqual([day, 5]);
  });

  test('a young pair is unknown where it has no history, never zero', async (context) => {
    const { boot, figures, exchange } = await setup(open, context);
    await boot().settle();
    figures.refresh();
    const value = (id: string) => figures.table.numbers.get(id)![figures.row('NEWUSDT')!]!;
    expect(value('listedDays')).toBe(12);
    expect(exchange.asked.filter((line) => line === 'NEWUSDT 1d')).toHaveLength(1);
    for (const id of ['change.30d', 'range.52w', 'sma200Distance.1d', 'volumeVs20dAvg', 'btcCorrelation.30d', 'spreadPct', 'rsi.1d'])
      expect([id, value(id)]).toEqual([id, Number.NaN]);
    expect(value('change.7d')).toEqual(expect.any(Number));
    expect(Number.isNaN(value('rsi.1h'))).toBe(false);
  });

  test('an outage of the exchange is filled and marked; four hours are made of one', async (context) => {
    const away = openTimeAt('1h', START) - 10 * HOUR;
    const { boot, market, exchange, now, clock } = await setup(open, context, { away });
    const history = boot();
    await history.settle();
    const reader = candleReader({ exchange: exchange as never, market, history, now });
    exchange.asked.length = 0;
    const endTime = openTimeAt('1h', START) - 5 * HOUR;
    const hours = await reader.candles('BTCUSDT', '1h', { limit: 12, endTime });
    expect(exchange.asked).toEqual([]);
    expect(hours.map((candle) => candle.filled === true)).toEqual(Array.from({ length: 12 }, (_, n) => n === 6));
    expect(hours[6]).toMatchObject({ open: hours[5]!.close, close: hours[5]!.close, volume: '0', closed: true });
    expect(hours[5]!.volume).toBe('10.5');
    const four = await reader.candles('BTCUSDT', '4h', { limit: 200, endTime });
    expect([four.length, exchange.asked.length]).toEqual([200, 0]);
    // The running candle needs the exchange: once for any number of viewers.
    await Promise.all(Array.from({ length: 50 }, (_, n) => reader.candles('BTCUSDT', '1h', { limit: 50 + n })));
    expect(exchange.asked).toEqual(['BTCUSDT 1h']);
    const newest = await reader.candles('BTCUSDT', '1h', { limit: 2 });
    expect(newest.map((candle) => candle.closed)).toEqual([true, false]);
    exchange.failWith(new ExchangeError('unreachable', 'gone'));
    clock.at += 1;
    const without = await candleReader({ exchange: exchange as never, market, history, now }).candles('BTCUSDT', '1h', { limit: 3 });
    expect(without.every((candle) => candle.closed)).toBe(true);
    await expect(
      candleReader({ exchange: exchange as never, market, history, now }).candles('BTCUSDT', '1m', { limit: 3 }),
    ).rejects.toThrow('gone');
  });

  test('beyond the bound the least traded pair is let go', async (context) => {
    const { boot, database } = await setup(open, context, { maxBytes: 30_000 });
    const history = boot();
    await history.settle();
    const rows = await database.queries.selectFrom('candle_chunks').select('symbol').distinct().execute();
    expect(rows).toEqual([{ symbol: 'BTCUSDT' }]);
    expect(history.progress()).toEqual({ loaded: 1, of: 2 });
    // After a restart the stored pair is still kept up, and the other one still has no room.
    const again = boot();
    await again.settle();
    expect(again.progress()).toEqual({ loaded: 1, of: 2 });
  });

  test('two markets and broken pieces do not meet', async (context) => {
    const { database } = await setup(open, context);
    const one = candleStore(database, 'one');
    const candle: ExactCandle = {
      openTime: 0,
      open: '1',
      high: '2',
      low: '0.00000001',
      close: '1.5',
      volume: '123456789012345.12345678',
      quoteVolume: '3',
      trades: 9,
    };
    await one.write('AAAUSDT', '1h', [candle, { ...candle, openTime: 200 * HOUR }], 0);
    expect(await one.read('AAAUSDT', '1h')).toHaveLength(2);
    await one.flush();
    expect(await candleStore(database, 'one').read('AAAUSDT', '1h')).toEqual([candle, { ...candle, openTime: 200 * HOUR }]);
    expect(await candleStore(database, 'two').read('AAAUSDT', '1h')).toEqual([]);
    await database.queries
      .updateTable('candle_chunks')
      .set({ body: Buffer.from('nonsense') })
      .where('start_at', '=', 0)
      .execute();
    expect(await candleStore(database, 'one').read('AAAUSDT', '1h')).toHaveLength(1);
    await one.write('AAAUSDT', '1h', [{ ...candle, openTime: 201 * HOUR }], 190 * HOUR);
    await one.flush();
    expect((await candleStore(database, 'one').read('AAAUSDT', '1h')).map((each) => each.openTime / HOUR)).toEqual([200, 201]);
  });
});

test('candles keep every digit and about 25 bytes each', () => {
  const candles = Array.from({ length: 120 }, (_, n): ExactCandle => {
    const price = (40_000 + 500 * Math.sin(n)).toFixed(2);
    return {
      openTime: n * HOUR,
      open: price,
      high: `${price}1`,
      low: price,
      close: price,
      volume: (n * 17.123456).toFixed(5),
      quoteVolume: (n * 98_765.4321).toFixed(4),
      trades: n * 31,
    };
  });
  const body = encodeCandles(candles, '1h', 0);
  expect(decodeCandles(body, '1h', 0)).toEqual(candles);
  expect(body.length / candles.length).toBeLessThan(40);
  expect(() => decodeCandles(Buffer.from([1, 2, 3]), '1h', 0)).toThrow();
});

test('the pacer spends evenly, steps back for others and obeys the exchange', async () => {
  let time = 0;
  let used = 0;
  const waits: number[] = [];
  const pacer = weightPacer({
    perMinute: 600,
    limit: () => 6000,
    used: () => used,
    now: () => time,
    timers: {
      wait: async (ms) => {
        waits.push(ms);
        time += ms;
      },
    },
  });
  for (let n = 0; n < 5; n += 1) expect(await pacer.take(2)).toBe(true);
  expect(waits).toEqual([200, 200, 200, 200]);
  pacer.pause(30_000);
  await pacer.take(2);
  expect(time).toBe(30_800);
  used = 2999;
  const before = time;
  const waiting = pacer.take(2);
  used = 0;
  await waiting;
  expect(time - before).toBeGreaterThanOrEqual(200);
  pacer.stop();
  expect(await pacer.take(2)).toBe(false);
});
