import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { RateLimits } from '@pilotfish/simulator/rest/rate-limits';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Exchange, openExchange } from './exchange.ts';
import { type Signer, signerFor } from './signing.ts';
import { userStream } from './user-stream.ts';

/** Two accounts of one exchange, asked through one client, whose requests are noted with their time. */
let time: ReturnType<typeof virtualTime>;
let simulator: Simulator;
let exchange: Exchange;
let left: { at: number; what: string }[];
let ada: Signer;
let bob: Signer;
const accountOf = async (): Promise<Signer> => {
  const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '100000', BTC: '1' } });
  return signerFor(apiKey, apiSecret);
};
beforeEach(async () => {
  time = virtualTime();
  const { now, timers } = time;
  simulator = await startSimulator({ market: testMarket(3), paused: true, now, timers });
  left = [];
  exchange = openExchange({
    origins: { rest: simulator.origin, stream: simulator.wsOrigin, api: simulator.wsOrigin },
    now,
    timers,
    random: () => 0.5,
    fetch: (url, init) => {
      const { pathname } = new URL(url as string);
      left.push({ at: time.elapsed, what: `${init?.method ?? 'GET'} ${pathname}` });
      return fetch(url, init);
    },
  });
  [ada, bob] = [await accountOf(), await accountOf()];
  await time.during(exchange.rest.syncClock());
});
afterEach(async () => {
  vi.restoreAllMocks();
  await time.during(exchange.close());
  await time.during(simulator.close());
});

let ids = 0;
const beforeSigning = () => undefined;
const order = (signer: Signer, side: 'BUY' | 'SELL', more: object) => {
  ids += 1;
  const urgent = side === 'SELL';
  return exchange.placeOrder(signer, { symbol: 'BTCUSDT', side, newClientOrderId: `drill-${ids}`, ...more } as never, {
    urgent,
    beforeSigning,
  });
};
const sale = { type: 'MARKET', quantity: '0.01' };

test('an account that has placed too many orders is held back by itself; the exit of another one leaves', async () => {
  const { price } = await time.during(exchange.moment('BTCUSDT'));
  const rests = { type: 'LIMIT', timeInForce: 'GTC', price: (price * 0.95).toFixed(2), quantity: '0.001' };
  let refused: unknown;
  for (let n = 0; n < 60 && refused === undefined; n += 1)
    await time.during(order(ada, 'BUY', rests)).catch((error: unknown) => {
      refused = error;
    });
  expect(refused).toMatchObject({ kind: 'limited', code: -1015 });
  const sent = left.length;
  await expect(time.during(order(ada, 'BUY', rests))).rejects.toMatchObject({ kind: 'limited', code: -1015 });
  expect(left).toHaveLength(sent);
  const at = time.elapsed;
  expect(await time.during(order(bob, 'SELL', sale))).toMatchObject({ status: 'FILLED' });
  expect(time.elapsed).toBe(at);
  // What is over by then is theirs again.
  await time.advance((refused as { retryAfterMs: number }).retryAfterMs);
  expect(await time.during(order(ada, 'SELL', sale))).toMatchObject({ status: 'FILLED' });
});

test('a ban of the address stops every request until its time; then exits go first', async () => {
  simulator.faults.apply({ kind: 'limit', status: 418, retryAfter: 120, times: 1 });
  await expect(time.during(exchange.account(ada))).rejects.toMatchObject({ kind: 'limited', retryAfterMs: 120_000 });
  const from = time.elapsed;
  left = [];
  const waiting = [exchange.account(ada), exchange.account(bob), exchange.tickers(), exchange.rest.serverTime(), order(bob, 'SELL', sale)];
  await time.during(Promise.all(waiting));
  expect(left.filter(({ at }) => at - from < 120_000)).toEqual([]);
  expect(
    left
      .map(({ what }) => what)
      .slice(0, 2)
      .sort(),
  ).toEqual(['GET /api/v3/time', 'POST /api/v3/order']);
  expect(left).toHaveLength(5);
});

test('a ban that only a handshake meets stops connections and requests until its time; then exits go first', async () => {
  const handshakes = vi.spyOn(RateLimits.prototype, 'countConnection').mock.calls;
  exchange.stream.subscribe('!miniTicker@arr', () => undefined);
  const accounts = [ada, bob].map((signer) => {
    const nothing = () => undefined;
    const events = { onExecution: nothing, onUnread: nothing, onBalances: nothing, onReady: nothing, onRefused: nothing };
    return userStream({ lanes: exchange.lanesOf(signer), signer, now: time.now, timers: time.timers, ...events });
  });
  const isConnected = () => exchange.stream.connected && accounts.every(({ ready }) => ready);
  await time.advance(1000);
  expect([isConnected(), handshakes.length]).toEqual([true, 2]);
  // Another program at this address goes on after its 429 until the exchange bans the address for two minutes.
  simulator.faults.apply({ kind: 'limits', weightPerMinute: 1 });
  for (let asked = 0; asked < 30; asked += 1) await fetch(`${simulator.origin}/api/v3/exchangeInfo`);
  simulator.faults.clear();
  simulator.faults.dropSockets();
  await time.advance(5000);
  // Market streams and account events come back in the same moment.
  expect(handshakes).toHaveLength(4);
  left = [];
  const waiting = [exchange.account(ada), exchange.tickers(), order(bob, 'SELL', sale)];
  await time.advance(114_000);
  expect([left, handshakes.length]).toEqual([[], 4]);
  await time.during(Promise.all(waiting));
  await time.advance(2000);
  expect([left[0]?.what, left.length, isConnected(), handshakes.length]).toEqual(['POST /api/v3/order', 3, true, 6]);
  for (const stream of accounts) stream.close();
});
