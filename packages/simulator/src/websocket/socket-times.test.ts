import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Listener, signed } from '../../testing/exchange-client.ts';
import { testMarket } from '../../testing/test-market.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';

let simulator: Simulator;
const open = async (sockets: object, time?: VirtualTime): Promise<void> => {
  const clock = time && { now: time.now, timers: time.timers };
  simulator = await startSimulator({ market: testMarket('times'), paused: true, sockets, ...clock });
};
afterEach(() => simulator.close());

const closing = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => {
    socket.once('close', resolve);
  });

test('pings carry the time; who answers stays, who does not is cut', async () => {
  const time = virtualTime();
  await open({ pingEveryMs: 20_000, pongWithinMs: 60_000 }, time);
  const polite = new WebSocket(`${simulator.wsOrigin}/ws`);
  const mute = new WebSocket(`${simulator.wsOrigin}/ws`, { autoPong: false });
  const pings: number[] = [];
  polite.on('ping', (data: Buffer) => pings.push(Number(data.toString())));
  await time.settled();
  const opened = time.now();
  await time.advance(20_000);
  expect(pings).toEqual([opened + 20_000]);
  const closed = closing(mute);
  await time.advance(40_000);
  expect(mute.readyState).toBe(WebSocket.OPEN);
  await time.advance(40_000);
  expect(await closed).toBe(1006);
  expect(polite.readyState).toBe(WebSocket.OPEN);
});

test('a connection ends with its life, whichever door it came through', async () => {
  const time = virtualTime();
  await open({ lifeMs: 50_000 }, time);
  const sockets = ['/ws', '/ws-api/v3'].map((path) => new WebSocket(simulator.wsOrigin + path));
  const closed = Promise.all(sockets.map(closing));
  await time.settled();
  await time.advance(49_000);
  expect(sockets.map(({ readyState }) => readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  await time.advance(1000);
  expect(await closed).toEqual([1000, 1000]);
});

test('moments come in microseconds where they are asked for', async () => {
  await open({});
  const streams = await Listener.open(`${simulator.wsOrigin}/stream?streams=btcusdt@trade/btcusdt@kline_1m&timeUnit=MICROSECOND`);
  const plain = await Listener.open(`${simulator.wsOrigin}/ws/btcusdt@trade`);
  await simulator.clock.advance(60_000);
  const trade = (await streams.find((message) => message.stream === 'btcusdt@trade')).data as { t: number; T: number };
  const same = await plain.find((message) => message.t === trade.t);
  expect(trade.T).toBe((same.T as number) * 1000);
  const { k } = (await streams.find((message) => message.stream === 'btcusdt@kline_1m')).data as { k: { t: number; T: number } };
  expect([k.t % 60_000_000, k.T - k.t]).toEqual([0, 59_999_999]);
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3?timeUnit=MICROSECOND`);
  expect((await api.request(1, 'time')).result).toMatchObject({ serverTime: expect.any(Number) });
  expect(((await api.request(2, 'time')).result as { serverTime: number }).serverTime).toBeGreaterThan(1e15);
  const rows = (await api.request(3, 'klines', { symbol: 'BTCUSDT', interval: '1m', limit: 1 })).result as number[][];
  expect(rows[0]![6]! - rows[0]![0]!).toBe(59_999_999);
  const keys = await simulator.createAccount();
  await api.signedRequest(4, 'userDataStream.subscribe.signature', keys);
  await signed(simulator.origin, keys, 'POST', '/api/v3/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '100' });
  const report = (await api.find((message) => 'event' in message)).event as { E: number; i: number };
  expect(report.E).toBeGreaterThan(1e15);
  expect(report.i).toBe(1);
});
