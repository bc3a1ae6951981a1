import { afterEach, expect, test } from 'vitest';
import { call, row, rows, signed } from '../../testing/exchange-client.ts';
import { SeededMarket } from '../market/seeded-market.ts';
import { type Simulator, startSimulator } from './simulator.ts';

const NOW = Date.UTC(2026, 5, 15, 13, 7, 21);
const MINUTE = 60_000;
const SEED = 'invented';
const market = new SeededMarket(SEED);
const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close();
});

const startAt = async (startTime: number): Promise<Simulator> => {
  const simulator = await startSimulator({
    market: { kind: 'seeded', seed: SEED, startTime },
    paused: true,
    limits: { weightPerMinute: 1e6 },
  });
  open.push(simulator);
  return simulator;
};

test('a pair appears when its time has come', async () => {
  const pair = market.pairs.find((one) => one.listedAt > NOW)!;
  const simulator = await startAt(pair.listedAt - MINUTE);
  const symbols = async () =>
    (row(await call(`${simulator.origin}/api/v3/exchangeInfo`)).symbols as { symbol: string }[]).map((one) => one.symbol);
  expect(await symbols()).not.toContain(pair.symbol);
  expect((await call(`${simulator.origin}/api/v3/ticker/price?symbol=${pair.symbol}`)).body).toMatchObject({ code: -1121 });
  await simulator.clock.advance(2 * MINUTE);
  expect(await symbols()).toContain(pair.symbol);
  const candles = (await call(`${simulator.origin}/api/v3/klines?symbol=${pair.symbol}&interval=1m`)).body as number[][];
  expect(candles.map((candle) => candle[0])).toEqual([pair.listedAt, pair.listedAt + MINUTE].slice(0, candles.length));
  const ticker = row(await call(`${simulator.origin}/api/v3/ticker/24hr?symbol=${pair.symbol}`));
  expect(ticker.firstId).toBe(1);
});

test('a halted pair says BREAK and takes no orders', async () => {
  let halt: { symbol: string; at: number } | undefined;
  for (let at = NOW; !halt; at += 5 * MINUTE) {
    const pair = market.pairs.find((one) => one.listedAt < NOW && one.quote === 'USDT' && market.status(one, at) === 'BREAK');
    if (pair) halt = { symbol: pair.symbol, at };
  }
  const simulator = await startAt(halt.at);
  const info = row(await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=${halt.symbol}`));
  expect((info.symbols as { status: string }[])[0]?.status).toBe('BREAK');
  const keys = await simulator.createAccount();
  const buy = { symbol: halt.symbol, side: 'BUY', type: 'MARKET', quoteOrderQty: '100' };
  expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', buy)).body).toEqual({ code: -2010, msg: 'Market is closed.' });
  await simulator.clock.advance(40 * MINUTE);
  expect((await signed(simulator.origin, keys, 'POST', '/api/v3/order', buy)).body).toMatchObject({ status: 'FILLED' });
});

test('tickers, book, trades and candles agree about the same moment', async () => {
  const simulator = await startAt(NOW);
  const get = async (path: string) => (await call(`${simulator.origin}/api/v3/${path}`)).body;
  for (const symbol of ['BTCUSDT', 'DOGEUSDT', 'ETHBTC', 'APTUSDT']) {
    const day = (await get(`ticker/24hr?symbol=${symbol}`)) as Record<string, string>;
    const best = (await get(`ticker/bookTicker?symbol=${symbol}`)) as Record<string, string>;
    const book = (await get(`depth?symbol=${symbol}&limit=20`)) as { bids: [string, string][]; asks: [string, string][] };
    const [trade] = (await get(`trades?symbol=${symbol}&limit=1`)) as Record<string, string>[];
    expect(day.lastPrice).toBe(trade?.price);
    expect(day.lastId).toBe(trade?.id);
    expect([best.bidPrice, best.bidQty, best.askPrice, best.askQty]).toEqual([...book.bids[0]!, ...book.asks[0]!]);
    expect([best.bidPrice, best.askPrice]).toContain(day.lastPrice);
    expect(Number(best.bidPrice)).toBeLessThan(Number(best.askPrice));
    const prices = [...book.bids.map(([price]) => Number(price)).reverse(), ...book.asks.map(([price]) => Number(price))];
    expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
    const minutes = (await get(`klines?symbol=${symbol}&interval=1m&limit=1000&startTime=${day.openTime}`)) as string[][];
    const rest = (await get(`klines?symbol=${symbol}&interval=1m&limit=1000&startTime=${Number(minutes.at(-1)![0]) + 1}`)) as string[][];
    const all = [...minutes, ...rest];
    expect(all).toHaveLength(1440);
    expect(Math.max(...all.map((candle) => Number(candle[2])))).toBe(Number(day.highPrice));
    expect(Math.min(...all.map((candle) => Number(candle[3])))).toBe(Number(day.lowPrice));
    expect(all[0]?.[1]).toBe(day.openPrice);
    expect(all.reduce((sum, candle) => sum + Number(candle[8]), 0)).toBe(day.count);
  }
});

test('history reaches back two years of days, 200 days of hours and a week of minutes', async () => {
  const simulator = await startAt(NOW);
  const first = async (interval: string, startTime: number) =>
    (await call(`${simulator.origin}/api/v3/klines?symbol=SOLUSDT&interval=${interval}&startTime=${startTime}&limit=1`)).body as number[][];
  const day = 86_400_000;
  for (const [interval, length, days] of [
    ['1d', day, 730],
    ['1h', 3_600_000, 200],
    ['1m', MINUTE, 7],
    ['1s', 1000, 1],
  ] as const) {
    const from = Math.floor((NOW - days * day) / length) * length;
    expect((await first(interval, from))[0]?.[0], interval).toBeLessThan(from + 5 * length);
    expect((await first(interval, from))[0]?.[0], interval).toBeGreaterThanOrEqual(from);
  }
  const weeks = rows(await call(`${simulator.origin}/api/v3/klines?symbol=SOLUSDT&interval=1w&limit=3`)) as unknown as number[][];
  expect(weeks.map((week) => new Date(week[0]!).getUTCDay())).toEqual([1, 1, 1]);
  const months = rows(await call(`${simulator.origin}/api/v3/klines?symbol=SOLUSDT&interval=1M&limit=3`)) as unknown as number[][];
  expect(months.map((month) => new Date(month[0]!).toISOString().slice(0, 10))).toEqual(['2026-04-01', '2026-05-01', '2026-06-01']);
});
