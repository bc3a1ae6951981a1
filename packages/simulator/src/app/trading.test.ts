import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { call, type Keys, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, type Row, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from './simulator.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** An exchange that stands at the end of the first candle of a small tape, and an account on it. */
async function exchange(tapes: Record<string, readonly Row[]>, balances: Record<string, string> = { USDT: '10000', BTC: '1', BNB: '5' }) {
  const folder = await tapeFolder(tapes);
  const simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 }, paused: true });
  open.push(async () => {
    await simulator.close();
    await rm(folder, { recursive: true });
  });
  const keys = await simulator.createAccount({ balances });
  const order = (parameters: Record<string, string | number>, method = 'POST', path = '/api/v3/order') =>
    signed(simulator.origin, keys, method, path, { symbol: 'BTCUSDT', ...parameters });
  return { simulator, keys, order };
}

async function balance(simulator: Simulator, keys: Keys, asset: string): Promise<[free: string, locked: string]> {
  const account = row(await signed(simulator.origin, keys, 'GET', '/api/v3/account'));
  const found = (account.balances as Record<string, string>[]).find((one) => one.asset === asset);
  return [found?.free ?? '0', found?.locked ?? '0'];
}

const limit = (side: string, quantity: string, price: string) => ({ side, type: 'LIMIT', timeInForce: 'GTC', quantity, price });

describe('market orders', () => {
  test('walk the book and pay 0.1 % in what they receive', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5) });
    const answer = row(await order({ side: 'BUY', type: 'MARKET', quantity: '0.01' }));
    expect(answer).toMatchObject({
      status: 'FILLED',
      executedQty: '0.01000000',
      origQty: '0.01000000',
      price: '0.00000000',
      type: 'MARKET',
    });
    const fills = answer.fills as Record<string, string>[];
    expect(fills[0]).toMatchObject({ price: '50000.00000000', commission: '0.00001000', commissionAsset: 'BTC' });
    expect(await balance(simulator, keys, 'BTC')).toEqual(['1.00999000', '0.00000000']);
    expect(await balance(simulator, keys, 'USDT')).toEqual(['9500.00000000', '0.00000000']);
  });

  test('spend at most the quote amount, in whole lots', async () => {
    const { order } = await exchange({ BTCUSDT: flat(50_000, 5) });
    const answer = row(await order({ side: 'BUY', type: 'MARKET', quoteOrderQty: '100.3' }));
    expect(answer).toMatchObject({
      executedQty: '0.00200000',
      cummulativeQuoteQty: '100.00000000',
      origQuoteOrderQty: '100.30000000',
      status: 'FILLED',
    });
  });

  test('that smart order routing fills have allocations in place of trades', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5) });
    const body = JSON.stringify({ apiKey: keys.apiKey, symbol: 'BTCUSDT', side: 'BUY', quantity: '0.01' });
    const answer = row(await call(`${simulator.origin}/sim/v1/sor`, { method: 'POST', body }));
    const [fill] = answer.fills as Record<string, unknown>[];
    expect(answer).toMatchObject({ status: 'FILLED', workingFloor: 'SOR', usedSor: true });
    expect(fill).toMatchObject({ matchType: 'ONE_PARTY_TRADE_REPORT', tradeId: -1, allocId: expect.any(Number), commissionAsset: 'BTC' });
    await order({ side: 'BUY', type: 'MARKET', quantity: '0.02' });
    const read = async (path: string, parameters = {}) =>
      rows(await signed(simulator.origin, keys, 'GET', path, { symbol: 'BTCUSDT', ...parameters }));
    expect(await read('/api/v3/myTrades')).toMatchObject([{ qty: '0.02000000' }]);
    const told = { allocationId: fill!.allocId, allocationType: 'SOR', qty: '0.01000000', commission: '0.00001000', isAllocator: false };
    expect(await read('/api/v3/myAllocations')).toMatchObject([told]);
    expect(await read('/api/v3/myAllocations', { fromAllocationId: Number(fill!.allocId) + 1 })).toEqual([]);
    expect(await read('/api/v3/allOrders')).toMatchObject([{ usedSor: true, workingFloor: 'SOR' }, { executedQty: '0.02000000' }]);
    const info = row(await call(`${simulator.origin}/api/v3/exchangeInfo`));
    expect(info.sors).toEqual([{ baseAsset: 'BTC', symbols: ['BTCUSDT'] }]);
  });

  test('pay nothing on a pair that is free, which the account is told, too', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5), USDCUSDT: flat(1, 5) }, { USDT: '900' });
    const [fill] = row(await order({ symbol: 'USDCUSDT', side: 'BUY', type: 'MARKET', quantity: '100' })).fills as Record<string, string>[];
    expect(fill).toMatchObject({ qty: '100.00000000', commission: '0.00000000', commissionAsset: 'USDC' });
    const told = async (symbol: string) =>
      row(await signed(simulator.origin, keys, 'GET', '/api/v3/account/commission', { symbol })).standardCommission;
    expect(await told('USDCUSDT')).toMatchObject({ maker: '0.00000000', taker: '0.00000000' });
    expect(await told('BTCUSDT')).toMatchObject({ maker: '0.00100000', taker: '0.00100000' });
  });

  test('larger than a level take the next ones, and a level that was taken is gone until the next trade', async () => {
    const { simulator, order } = await exchange({ BTCUSDT: flat(50_000, 5) }, { USDT: '900000' });
    const depth = row(await call(`${simulator.origin}/api/v3/depth?symbol=BTCUSDT&limit=5`));
    const [[price, quantity], [nextPrice]] = depth.asks as [[string, string], [string, string]];
    const answer = row(await order({ side: 'BUY', type: 'MARKET', quantity: (Number(quantity) + 0.00001).toFixed(5) }));
    const fills = answer.fills as Record<string, string>[];
    expect(fills.map((fill) => [fill.price, fill.qty])).toEqual([
      [price, quantity],
      [nextPrice, '0.00001000'],
    ]);
    expect((row(await order({ side: 'BUY', type: 'MARKET', quantity: '0.001' })).fills as Record<string, string>[])[0]?.price).toBe(
      nextPrice,
    );
    await simulator.clock.advance(MINUTE);
    expect((row(await order({ side: 'BUY', type: 'MARKET', quantity: '0.001' })).fills as Record<string, string>[])[0]?.price).toBe(price);
  });

  test('pay fees in BNB at three quarters when the account wants it and has enough', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5), BNBUSDT: flat(500, 5) });
    await signed(simulator.origin, keys, 'POST', '/sapi/v1/bnbBurn', { spotBNBBurn: 'true' });
    const answer = row(await order({ side: 'BUY', type: 'MARKET', quantity: '0.01' }));
    // 500 USDT × 0.1 % × 0.75 = 0.375 USDT = 0.00075 BNB
    expect((answer.fills as unknown[])[0]).toMatchObject({ commission: '0.00075000', commissionAsset: 'BNB' });
    expect(await balance(simulator, keys, 'BNB')).toEqual(['4.99925000', '0.00000000']);
    expect(await balance(simulator, keys, 'BTC')).toEqual(['1.01000000', '0.00000000']);
  });
});

describe('resting orders', () => {
  test('lock exactly what they need and give it back when cancelled', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5) });
    await order({ ...limit('BUY', '0.1', '49000'), newClientOrderId: 'mine' });
    expect(await balance(simulator, keys, 'USDT')).toEqual(['5100.00000000', '4900.00000000']);
    const cancelled = row(await order({ origClientOrderId: 'mine' }, 'DELETE'));
    expect(cancelled).toMatchObject({ origClientOrderId: 'mine', status: 'CANCELED', executedQty: '0.00000000' });
    expect(await balance(simulator, keys, 'USDT')).toEqual(['10000.00000000', '0.00000000']);
  });

  test('are not touched by a trade at their own price, and fill at it one tick below, 5 % of each trade at most', async () => {
    const touches: Row = [50_000, 50_000, 49_000, 50_000, 4];
    const passes: Row = [50_000, 50_000, 48_999.99, 50_000, 4];
    const { simulator, keys, order } = await exchange({ BTCUSDT: [...flat(50_000, 1), touches, passes, passes] });
    const { orderId } = row(await order(limit('BUY', '0.1', '49000'))) as { orderId: number };
    await simulator.clock.advance(MINUTE);
    expect(row(await order({ orderId }, 'GET'))).toMatchObject({ status: 'NEW', executedQty: '0.00000000' });
    await simulator.clock.advance(MINUTE);
    // The trade at the low is a quarter of the candle: 1 BTC, of which 5 % are ours.
    expect(row(await order({ orderId }, 'GET'))).toMatchObject({
      status: 'PARTIALLY_FILLED',
      executedQty: '0.05000000',
      cummulativeQuoteQty: '2450.00000000',
    });
    expect(await balance(simulator, keys, 'USDT')).toEqual(['5100.00000000', '2450.00000000']);
    await simulator.clock.advance(MINUTE);
    expect(row(await order({ orderId }, 'GET'))).toMatchObject({
      status: 'FILLED',
      executedQty: '0.10000000',
      cummulativeQuoteQty: '4900.00000000',
    });
    const trades = rows(await order({}, 'GET', '/api/v3/myTrades'));
    expect(trades).toHaveLength(2);
    expect(trades[0]).toMatchObject({
      price: '49000.00000000',
      qty: '0.05000000',
      isMaker: true,
      isBuyer: true,
      commission: '0.00005000',
      commissionAsset: 'BTC',
    });
    expect(await balance(simulator, keys, 'USDT')).toEqual(['5100.00000000', '0.00000000']);
  });

  test('a limit order through the book takes first and rests with the remainder', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5) }, { USDT: '600000' });
    const depth = row(await call(`${simulator.origin}/api/v3/depth?symbol=BTCUSDT&limit=5`));
    const [price, quantity] = (depth.asks as [string, string][])[0]!;
    const wanted = Number(quantity) + 0.1;
    const answer = row(await order(limit('BUY', wanted.toFixed(5), Number(price).toFixed(2))));
    expect(answer).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: quantity });
    expect((await balance(simulator, keys, 'USDT'))[1]).toBe('5000.00000000');
  });

  test('IOC expires what it did not get, FOK gets all or nothing, LIMIT_MAKER never takes', async () => {
    const { simulator, keys, order } = await exchange({ BTCUSDT: flat(50_000, 5) }, { USDT: '1000000' });
    const depth = row(await call(`${simulator.origin}/api/v3/depth?symbol=BTCUSDT&limit=5`));
    const quantity = Number((depth.asks as [string, string][])[0]![1]);
    const big = { ...limit('BUY', (quantity + 1).toFixed(5), '50000') };
    expect(row(await order({ ...big, timeInForce: 'FOK' }))).toMatchObject({
      status: 'EXPIRED',
      executedQty: '0.00000000',
      fills: [],
      expiryReason: 'UNFILLED_FOK_ORDER_EXPIRED',
    });
    expect(await balance(simulator, keys, 'USDT')).toEqual(['1000000.00000000', '0.00000000']);
    const ioc = row(await order({ ...big, timeInForce: 'IOC' }));
    expect(ioc).toMatchObject({ status: 'EXPIRED', executedQty: quantity.toFixed(8), expiryReason: 'UNFILLED_IOC_QUANTITY_EXPIRED' });
    const maker = await order({ side: 'BUY', type: 'LIMIT_MAKER', quantity: '0.01', price: '50001' });
    expect(maker.body).toEqual({ code: -2010, msg: 'Order would immediately match and take.' });
  });

  test('stop orders wait for their price', async () => {
    const falls: Row = [50_000, 50_000, 48_000, 48_500, 40];
    const { simulator, order } = await exchange({ BTCUSDT: [...flat(50_000, 1), falls, ...flat(48_500, 3)] });
    const stop = { side: 'SELL', type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC', quantity: '0.1', price: '47000', stopPrice: '49000' };
    expect((await order({ ...stop, stopPrice: '50001' })).body).toEqual({ code: -2010, msg: 'Order would trigger immediately.' });
    const placed = row(await order(stop));
    expect(placed).not.toHaveProperty('fills');
    expect(row(await order({ orderId: placed.orderId as number }, 'GET'))).toMatchObject({
      isWorking: false,
      workingTime: -1,
      stopPrice: '49000.00000000',
    });
    const profit = row(await order({ ...stop, type: 'TAKE_PROFIT_LIMIT', price: '55000', stopPrice: '51000', newOrderRespType: 'RESULT' }));
    expect(profit).toMatchObject({ status: 'NEW', type: 'TAKE_PROFIT_LIMIT' });
    const market = row(await order({ side: 'SELL', type: 'STOP_LOSS', quantity: '0.2', stopPrice: '49500' }));
    await simulator.clock.advance(MINUTE);
    const sold = row(await order({ orderId: placed.orderId as number }, 'GET'));
    expect(sold).toMatchObject({ status: 'FILLED', isWorking: true });
    expect(Number(sold.cummulativeQuoteQty) / 0.1).toBeGreaterThan(47_900);
    expect(row(await order({ orderId: market.orderId as number }, 'GET'))).toMatchObject({
      status: 'FILLED',
      executedQty: '0.20000000',
    });
    expect(row(await order({ orderId: profit.orderId as number }, 'GET'))).toMatchObject({ status: 'NEW', isWorking: false });
  });

  test('cancelReplace swaps an order, and tells which half failed', async () => {
    const { order } = await exchange({ BTCUSDT: flat(50_000, 5) });
    const { orderId } = row(await order(limit('BUY', '0.1', '49000'))) as { orderId: number };
    const swap = (extra: Record<string, string | number>) =>
      order({ ...limit('BUY', '0.1', '48000'), cancelReplaceMode: 'STOP_ON_FAILURE', ...extra }, 'POST', '/api/v3/order/cancelReplace');
    const done = row(await swap({ cancelOrderId: orderId }));
    expect(done).toMatchObject({
      cancelResult: 'SUCCESS',
      newOrderResult: 'SUCCESS',
      cancelResponse: { orderId },
      newOrderResponse: { price: '48000.00000000' },
    });
    const stopped = await swap({ cancelOrderId: orderId });
    expect(stopped.status).toBe(400);
    expect(stopped.body).toMatchObject({
      code: -2022,
      data: { cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED', cancelResponse: { code: -2011 } },
    });
    const partly = await swap({ cancelOrderId: orderId, cancelReplaceMode: 'ALLOW_FAILURE' });
    expect(partly.status).toBe(409);
    expect(partly.body).toMatchObject({ code: -2021, data: { cancelResult: 'FAILURE', newOrderResult: 'SUCCESS' } });
  });

  test('lists: open orders, all orders, trades by window and id', async () => {
    const { order, simulator } = await exchange({ BTCUSDT: flat(50_000, 10) });
    await order(limit('BUY', '0.01', '49000'));
    await simulator.clock.advance(MINUTE);
    await order({ side: 'SELL', type: 'MARKET', quantity: '0.01' });
    expect(rows(await order({}, 'GET', '/api/v3/openOrders')).map((one) => one.orderId)).toEqual([1]);
    expect(rows(await order({}, 'GET', '/api/v3/allOrders')).map((one) => one.orderId)).toEqual([1, 2]);
    expect(rows(await order({ startTime: BEGIN + MINUTE }, 'GET', '/api/v3/allOrders')).map((one) => one.orderId)).toEqual([2]);
    expect(rows(await order({ orderId: 2 }, 'GET', '/api/v3/myTrades'))).toHaveLength(1);
    expect((await order({ startTime: 1, endTime: 86_400_002 }, 'GET', '/api/v3/myTrades')).body).toMatchObject({ code: -1127 });
    expect(rows(await order({}, 'DELETE', '/api/v3/openOrders'))).toHaveLength(1);
    expect((await order({}, 'DELETE', '/api/v3/openOrders')).body).toEqual({ code: -2011, msg: 'Unknown order sent.' });
  });
});

describe('refusals', () => {
  test.each([
    [{ ...limit('BUY', '0.01', '49000.001') }, -1013, 'Filter failure: PRICE_FILTER'],
    [{ ...limit('BUY', '0.0000123', '49000') }, -1013, 'Filter failure: LOT_SIZE'],
    [{ ...limit('BUY', '0.00005', '49000') }, -1013, 'Filter failure: NOTIONAL'],
    [{ ...limit('BUY', '0.01', '900') }, -1013, 'Filter failure: PERCENT_PRICE_BY_SIDE'],
    [{ ...limit('BUY', '0.012345678', '49000') }, -1111, "Parameter 'quantity' has too much precision."],
    [
      { ...limit('BUY', '1e-2', '49000') },
      -1100,
      "Illegal characters found in parameter 'quantity'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
    ],
    [{ ...limit('BUY', '1', '49000') }, -2010, 'Account has insufficient balance for requested action.'],
    [
      { side: 'BUY', type: 'LIMIT', quantity: '1', price: '49000' },
      -1102,
      "Mandatory parameter 'timeInForce' was not sent, was empty/null, or malformed.",
    ],
    [{ side: 'BUY', type: 'MARKET', quantity: '1', price: '1' }, -1106, "Parameter 'price' sent when not required."],
    [{ side: 'HOLD', type: 'MARKET', quantity: '1' }, -1117, 'Invalid side.'],
    [{ side: 'BUY', type: 'WISH', quantity: '1' }, -1116, 'Invalid orderType.'],
    [{ ...limit('BUY', '0.01', '49000'), timeInForce: 'GTX' }, -1115, 'Invalid timeInForce.'],
    [{ side: 'BUY', type: 'MARKET', quantity: '1', symbol: 'NOSUCH' }, -1121, 'Invalid symbol.'],
    [
      { ...limit('BUY', '0.01', '49000'), colour: 'red' },
      -1104,
      "Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
    ],
  ])('%j is refused with %i', async (parameters, code, msg) => {
    const { order, simulator, keys } = await exchange({ BTCUSDT: flat(50_000, 3) });
    const answer = await order(parameters as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ code, msg });
    expect(await balance(simulator, keys, 'USDT')).toEqual(['10000.00000000', '0.00000000']);
  });

  test('a client order id cannot be open twice, but can be used again', async () => {
    const { order } = await exchange({ BTCUSDT: flat(50_000, 3) });
    const mine = { ...limit('BUY', '0.01', '49000'), newClientOrderId: 'mine' };
    expect((await order(mine)).status).toBe(200);
    expect((await order(mine)).body).toEqual({ code: -2010, msg: 'Duplicate order sent.' });
    await order({ origClientOrderId: 'mine' }, 'DELETE');
    expect((await order(mine)).status).toBe(200);
  });

  test('order/test places nothing', async () => {
    const { order } = await exchange({ BTCUSDT: flat(50_000, 3) });
    expect((await order({ side: 'BUY', type: 'MARKET', quantity: '0.01' }, 'POST', '/api/v3/order/test')).body).toEqual({});
    expect((await order(limit('BUY', '100', '49000'), 'POST', '/api/v3/order/test')).body).toMatchObject({ code: -2010 });
    expect(rows(await order({}, 'GET', '/api/v3/allOrders'))).toEqual([]);
  });

  test('unknown orders: -2013 for a query, -2011 for a cancel', async () => {
    const { order } = await exchange({ BTCUSDT: flat(50_000, 3) });
    expect((await order({ orderId: 7 }, 'GET')).body).toEqual({ code: -2013, msg: 'Order does not exist.' });
    expect((await order({ orderId: 7 }, 'DELETE')).body).toEqual({ code: -2011, msg: 'Unknown order sent.' });
  });
});
