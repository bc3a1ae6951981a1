import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Keys, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, tapeFolder } from '../../testing/small-market.ts';
import { startSimulator } from '../app/simulator.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function exchange(options: { keys?: Keys; folder?: string; storageFolder?: string } = {}) {
  const folder = options.folder ?? (await tapeFolder({ BTCUSDT: flat(50_000, 5) }));
  const { storageFolder } = options;
  const simulator = await startSimulator({
    market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 },
    paused: true,
    ...(storageFolder === undefined ? {} : { storageFolder }),
  });
  open.push(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const keys = options.keys ?? (await simulator.createAccount({ balances: { USDT: '1000000', BTC: '10' } }));
  const ask = (method: string, path: string, parameters: Record<string, string | number> = {}) =>
    signed(simulator.origin, keys, method, path, { symbol: 'BTCUSDT', ...parameters });
  const limit = async (side: string, quantity: string, price: string, mode?: string) =>
    row(
      await ask('POST', '/api/v3/order', {
        side,
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity,
        price,
        ...(mode === undefined ? {} : { selfTradePreventionMode: mode }),
      }),
    );
  const sell = async (quantity: string, mode?: string) =>
    row(
      await ask('POST', '/api/v3/order', {
        side: 'SELL',
        type: 'MARKET',
        quantity,
        ...(mode === undefined ? {} : { selfTradePreventionMode: mode }),
      }),
    );
  const of = async (answer: Record<string, unknown>) => row(await ask('GET', '/api/v3/order', { orderId: Number(answer.orderId) }));
  const locked = async (asset: string) => {
    const account = row(await signed(simulator.origin, keys, 'GET', '/api/v3/account'));
    return (account.balances as { asset: string; locked: string }[]).find((one) => one.asset === asset)?.locked;
  };
  return { simulator, folder, keys, ask, limit, sell, of, locked };
}

/** A price at which a purchase is the best bid: the market's own is a tick below the last price. */
const BEST = '49999.99';

test('by default the order that rests expires, and the taker trades with the market behind it', async () => {
  const { limit, sell, of, ask, locked } = await exchange();
  const resting = await limit('BUY', '0.5', BEST);
  const taker = await sell('0.01');
  expect(taker).toMatchObject({ status: 'FILLED', executedQty: '0.01000000', selfTradePreventionMode: 'EXPIRE_MAKER' });
  const match = { preventedMatchId: 0, makerOrderId: resting.orderId, price: '49999.99000000', makerPreventedQuantity: '0.50000000' };
  expect(taker.preventedMatches).toEqual([{ ...match, makerSymbol: 'BTCUSDT' }]);
  expect(taker).not.toHaveProperty('preventedQuantity');
  expect(await of(resting)).toMatchObject({
    status: 'EXPIRED_IN_MATCH',
    executedQty: '0.00000000',
    preventedMatchId: 0,
    preventedQuantity: '0.50000000',
  });
  expect(await locked('USDT')).toBe('0.00000000');
  const row0 = {
    symbol: 'BTCUSDT',
    preventedMatchId: 0,
    takerOrderId: taker.orderId,
    makerSymbol: 'BTCUSDT',
    makerOrderId: resting.orderId,
    tradeGroupId: -1,
    selfTradePreventionMode: 'EXPIRE_MAKER',
    price: '49999.99000000',
    makerPreventedQuantity: '0.50000000',
    transactTime: taker.transactTime,
  };
  expect((await ask('GET', '/api/v3/myPreventedMatches', { orderId: Number(taker.orderId) })).body).toEqual([row0]);
  expect((await ask('GET', '/api/v3/myPreventedMatches', { preventedMatchId: 0 })).body).toEqual([row0]);
  expect(row(await ask('GET', '/api/v3/myPreventedMatches'))).toMatchObject({ code: -1128 });
});

test('EXPIRE_TAKER and EXPIRE_BOTH end the taker; its report is a TRADE_PREVENTION with the documented fields', async () => {
  const { simulator, keys, limit, sell, of } = await exchange();
  const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
  await api.signedRequest('user', 'userDataStream.subscribe.signature', keys);
  const resting = await limit('BUY', '0.5', BEST);
  const first = await sell('0.01', 'EXPIRE_TAKER');
  expect(first).toMatchObject({ status: 'EXPIRED_IN_MATCH', executedQty: '0.00000000', preventedQuantity: '0.01000000', fills: [] });
  expect(await of(resting)).toMatchObject({ status: 'NEW' });
  const second = await sell('0.02', 'EXPIRE_BOTH');
  expect(second.preventedMatches).toMatchObject([{ takerPreventedQuantity: '0.02000000', makerPreventedQuantity: '0.50000000' }]);
  expect(await of(resting)).toMatchObject({ status: 'EXPIRED_IN_MATCH' });
  await api.request('end', 'ping');
  const reports = api.seen
    .map(({ event }) => event as Record<string, unknown> | undefined)
    .filter((event) => event?.x === 'TRADE_PREVENTION');
  expect(reports.map((report) => [report?.i, report?.X])).toEqual([
    [first.orderId, 'EXPIRED_IN_MATCH'],
    [resting.orderId, 'EXPIRED_IN_MATCH'],
    [second.orderId, 'EXPIRED_IN_MATCH'],
  ]);
  expect(reports[0]).toMatchObject({
    l: '0.00000000',
    z: '0.00000000',
    t: -1,
    v: 0,
    A: '0.01000000',
    B: '0.01000000',
    u: -1,
    U: resting.orderId,
    Cs: 'BTCUSDT',
    pl: '0.01000000',
    pL: '49999.99000000',
    pY: '499.99990000',
    V: 'EXPIRE_TAKER',
    w: false,
  });
});

test('DECREMENT reduces both by what would have been traded, and the larger goes on with the rest', async () => {
  const { limit, of, ask, locked } = await exchange();
  const resting = await limit('BUY', '0.06', BEST);
  const taker = await limit('SELL', '0.02', BEST, 'DECREMENT');
  expect(taker).toMatchObject({ status: 'EXPIRED_IN_MATCH', preventedQuantity: '0.02000000' });
  expect(await of(resting)).toMatchObject({ status: 'NEW', origQty: '0.06000000', preventedQuantity: '0.02000000', preventedMatchId: 0 });
  expect([await locked('USDT'), await locked('BTC')]).toEqual(['1999.99960000', '0.00000000']);
  expect((await ask('PUT', '/api/v3/order/amend/keepPriority', { orderId: Number(resting.orderId), newQty: '0.01' })).status).toBe(400);
  // A transfer needs both orders to ask for it.
  await limit('SELL', '0.01', BEST, 'TRANSFER');
  const [, match] = rows(await ask('GET', '/api/v3/myPreventedMatches', { orderId: Number(resting.orderId) }));
  expect(match).toMatchObject({
    selfTradePreventionMode: 'DECREMENT',
    takerPreventedQuantity: '0.01000000',
    makerPreventedQuantity: '0.01000000',
  });
});

test('NONE, orders that are out of reach and those of others are no self-trade', async () => {
  const { simulator, limit, sell, of } = await exchange();
  const other = await simulator.createAccount({ balances: { USDT: '1000000' } });
  await signed(simulator.origin, other, 'POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.5',
    price: BEST,
  });
  const far = await limit('BUY', '0.5', '40000');
  expect(await sell('0.01', 'EXPIRE_TAKER')).toMatchObject({ status: 'FILLED' });
  expect(await of(far)).toMatchObject({ status: 'NEW' });
  const near = await limit('BUY', '0.5', BEST);
  expect(await sell('0.01', 'NONE')).toMatchObject({ status: 'FILLED' });
  expect(await of(near)).toMatchObject({ status: 'NEW' });
});

test('a symbol has a mode of its own and may allow only some', async () => {
  const { simulator, limit, sell } = await exchange();
  const fields = { defaultSelfTradePreventionMode: 'EXPIRE_TAKER', allowedSelfTradePreventionModes: ['NONE', 'EXPIRE_TAKER'] };
  simulator.faults.apply({ kind: 'row', symbol: 'BTCUSDT', fields });
  await limit('BUY', '0.5', BEST);
  expect(await sell('0.01')).toMatchObject({ status: 'EXPIRED_IN_MATCH', selfTradePreventionMode: 'EXPIRE_TAKER' });
  expect(await sell('0.01', 'EXPIRE_MAKER')).toEqual({
    code: -1013,
    msg: 'This symbol does not allow the specified self-trade prevention mode.',
  });
});

test('what was prevented is still there after a restart', async () => {
  const storageFolder = await mkdtemp(join(tmpdir(), 'pilotfish-prevented-'));
  open.push(() => rm(storageFolder, { recursive: true }));
  const before = await exchange({ storageFolder });
  const resting = await before.limit('BUY', '0.06', BEST);
  await before.sell('0.02', 'DECREMENT');
  await before.simulator.close();
  const after = await exchange({ storageFolder, folder: before.folder, keys: before.keys });
  expect(await after.of(resting)).toMatchObject({ status: 'NEW', preventedQuantity: '0.02000000' });
  expect(rows(await after.ask('GET', '/api/v3/myPreventedMatches', { preventedMatchId: 0 }))).toHaveLength(1);
  expect((await after.sell('0.01', 'DECREMENT')).preventedMatches).toMatchObject([{ preventedMatchId: 1 }]);
});
