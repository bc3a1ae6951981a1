import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Listener, signed } from '../../testing/exchange-client.ts';
import { type Simulator, startSimulator } from '../app/simulator.ts';

let simulator: Simulator;
const START = Date.UTC(2025, 5, 1);
const open = async (sockets: object): Promise<void> => {
  simulator = await startSimulator({ market: { kind: 'seeded', seed: 'times', startTime: START }, paused: true, sockets });
};
afterEach(() => simulator.close());

const closing = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => {
    socket.once('close', resolve);
  });

test('pings carry the time; who answers stays, who does not is cut', async () => {
  await open({ pingEveryMs: 20, pongWithinMs: 60 });
  const polite = new WebSocket(`${simulator.wsOrigin}/ws`);
  const mute = new WebSocket(`${simulator.wsOrigin}/ws`, { autoPong: false });
  const ping = await new Promise<Buffer>((resolve) => {
    polite.once('ping', resolve);
  });
  expect(Math.abs(Number(ping.toString()) - Date.now())).toBeLessThan(5000);
  expect(await closing(mute)).toBe(1006);
  expect(polite.readyState).toBe(WebSocket.OPEN);
});

test('a connection ends with its life, whichever door it came through', async () => {
  await open({ lifeMs: 50 });
  const sockets = ['/ws', '/ws-api/v3'].map((path) => new WebSocket(simulator.wsOrigin + path));
  expect(await Promise.all(sockets.map(closing))).toEqual([1000, 1000]);
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
