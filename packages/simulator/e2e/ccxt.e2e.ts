import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Guard, guardLoopback } from './loopback-guard.ts';
import { openMarket, type Stage } from './stage.ts';

/** ccxt as its users run it, pointed at the simulator the way docs/simulator.md says. */
async function connect(origin: string, wsOrigin: string, keys?: { apiKey: string; apiSecret: string }) {
  const exchange = new ccxt.pro.binance({
    ...(keys ? { apiKey: keys.apiKey, secret: keys.apiSecret } : {}),
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] }, fetchOpenOrders: { warnWithoutSymbol: false } },
  });
  const api = exchange.urls.api as Record<string, unknown>;
  exchange.urls.api = {
    ...api,
    public: `${origin}/api/v3`,
    private: `${origin}/api/v3`,
    v1: `${origin}/api/v1`,
    sapi: `${origin}/sapi/v1`,
    ws: { ...(api.ws as object), spot: `${wsOrigin}/stream/ws`, 'ws-api': { spot: `${wsOrigin}/ws-api/v3` } },
  };
  await exchange.loadHttpProxyAgent();
  return exchange;
}

let guard: Guard;
let stage: Stage;
beforeAll(async () => {
  guard = guardLoopback();
  stage = await openMarket();
});
afterAll(async () => {
  await stage.close();
  guard.release();
  expect(guard.attempts, 'nothing left this machine').toEqual([]);
});

describe.each(['hmac', 'ed25519'] as const)('ccxt with an %s key', (keyType) => {
  let exchange: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    exchange = await connect(stage.simulator.origin, stage.simulator.wsOrigin, await stage.account(keyType));
  });
  afterAll(() => exchange.close());

  test('loads the markets, its signed wallet paths included', async () => {
    const markets = await exchange.loadMarkets();
    expect(markets['BTC/USDT']).toMatchObject({ id: 'BTCUSDT', spot: true, active: true });
    expect(markets['BTC/USDT']?.limits.cost?.min).toBe(5);
    expect(await exchange.fetchTime()).toBeGreaterThan(Date.UTC(2025, 0, 1));
    const currencies = await exchange.fetchCurrencies();
    expect(currencies.BTC?.code).toBe('BTC');
  });

  test('reads candles, book, trades and tickers', async () => {
    expect(await exchange.fetchOHLCV('BTC/USDT', '1m', undefined, 5)).toHaveLength(5);
    const book = await exchange.fetchOrderBook('BTC/USDT', 5);
    expect(book.bids[0]![0]!).toBeLessThan(book.asks[0]![0]!);
    expect((await exchange.fetchTrades('BTC/USDT', undefined, 10)).length).toBe(10);
    expect((await exchange.fetchTicker('BTC/USDT')).last).toBeGreaterThan(0);
    expect(Object.keys(await exchange.fetchTickers()).length).toBeGreaterThan(100);
    expect((await exchange.fetchBidsAsks(['BTC/USDT']))['BTC/USDT']?.bid).toBeGreaterThan(0);
    expect((await exchange.fetchLastPrices(['BTC/USDT']))['BTC/USDT']?.price).toBeGreaterThan(0);
  });

  test('trades at the market, by quantity and by cost, and sees it in balance, orders and trades', async () => {
    const before = await exchange.fetchBalance();
    const bought = await exchange.createOrder('BTC/USDT', 'market', 'buy', 0.01);
    expect(bought).toMatchObject({ status: 'closed', filled: 0.01, side: 'buy' });
    const spent = await exchange.createMarketBuyOrderWithCost('BTC/USDT', 100);
    expect(spent.cost).toBeLessThanOrEqual(100);
    expect(spent.cost).toBeGreaterThan(98);
    const after = await exchange.fetchBalance();
    expect(after.BTC!.total!).toBeGreaterThan(before.BTC!.total!);
    const trades = await exchange.fetchMyTrades('BTC/USDT');
    expect(trades.map((trade) => trade.order)).toContain(bought.id);
    expect((await exchange.fetchOrderTrades(bought.id!, 'BTC/USDT'))[0]?.fee?.cost).toBeGreaterThan(0);
    expect((await exchange.fetchTradingFee('BTC/USDT')).taker).toBe(0.001);
  });

  test('places, finds, edits and cancels resting orders', async () => {
    const last = (await exchange.fetchTicker('BTC/USDT')).last!;
    const price = Math.round(last * 0.9);
    const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, price);
    expect(order).toMatchObject({ status: 'open', price, amount: 0.01 });
    expect(await exchange.fetchOrder(order.id!, 'BTC/USDT')).toMatchObject({ id: order.id, status: 'open' });
    expect((await exchange.fetchOpenOrders('BTC/USDT')).map((one) => one.id)).toEqual([order.id]);
    const edited = await exchange.editOrder(order.id!, 'BTC/USDT', 'limit', 'buy', 0.01, price - 100);
    expect(edited.id).not.toBe(order.id);
    expect(await exchange.cancelOrder(edited.id!, 'BTC/USDT')).toMatchObject({ status: 'canceled' });
    await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, price);
    await exchange.createOrder('BTC/USDT', 'limit', 'sell', 0.01, Math.round(last * 1.2), { postOnly: true });
    expect(await exchange.cancelAllOrders('BTC/USDT')).toHaveLength(2);
    const stop = await exchange.createOrder('BTC/USDT', 'limit', 'sell', 0.01, price, { stopLossPrice: price + 50 });
    expect(stop.stopPrice).toBe(price + 50);
    const trailing = await exchange.createOrder('BTC/USDT', 'STOP_LOSS_LIMIT', 'sell', 0.01, price, { trailingDelta: 200 });
    expect((await exchange.fetchOpenOrders('BTC/USDT')).map((one) => one.id)).toEqual([stop.id, trailing.id]);
    await exchange.cancelAllOrders('BTC/USDT');
    expect((await exchange.fetchOrders('BTC/USDT')).length).toBeGreaterThan(5);
    expect(await exchange.fetchOpenOrders()).toEqual([]);
  });

  test('calls refusals by its own names', async () => {
    await expect(exchange.createOrder('BTC/USDT', 'limit', 'buy', 100, 50_000)).rejects.toBeInstanceOf(ccxt.InsufficientFunds);
    await expect(exchange.cancelOrder('987654321', 'BTC/USDT')).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    await expect(exchange.fetchOrder('987654321', 'BTC/USDT')).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    await expect(exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.00001, 50_000)).rejects.toThrow('NOTIONAL');
    const stranger = await connect(stage.simulator.origin, stage.simulator.wsOrigin, {
      apiKey: 'x'.repeat(64),
      apiSecret: 'y'.repeat(64),
    });
    await expect(stranger.fetchBalance()).rejects.toBeInstanceOf(ccxt.AuthenticationError);
    await stranger.close();
  });

  test('places an order list through its implicit methods', async () => {
    const last = (await exchange.fetchTicker('BTC/USDT')).last!;
    const calls = exchange as unknown as Record<string, (fields: object) => Promise<Record<string, unknown>>>;
    const list = await calls.privatePostOrderListOco!({
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: '0.01',
      aboveType: 'LIMIT_MAKER',
      abovePrice: (last * 1.1).toFixed(2),
      belowType: 'STOP_LOSS_LIMIT',
      belowStopPrice: (last * 0.9).toFixed(2),
      belowPrice: (last * 0.89).toFixed(2),
      belowTimeInForce: 'GTC',
    });
    expect(list).toMatchObject({ contingencyType: 'OCO', listOrderStatus: 'EXECUTING' });
    expect(await exchange.fetchOpenOrders('BTC/USDT')).toHaveLength(2);
    expect(await calls.privateDeleteOrderList!({ symbol: 'BTCUSDT', orderListId: String(list.orderListId) })).toMatchObject({
      listOrderStatus: 'ALL_DONE',
    });
  });

  test('watches markets', async () => {
    const seen = Promise.all([
      exchange.watchTicker('BTC/USDT'),
      exchange.watchTickers(['ETH/USDT', 'BTC/USDT']),
      exchange.watchOHLCV('BTC/USDT', '1m'),
      exchange.watchTrades('BTC/USDT'),
      exchange.watchOrderBook('BTC/USDT'),
      exchange.watchBidsAsks(['BTC/USDT']),
    ]);
    const [ticker, tickers, candles, trades, book, best] = await stage.moveUntil(seen);
    expect(ticker.last).toBeGreaterThan(0);
    expect(Object.keys(tickers).length).toBeGreaterThan(0);
    expect(candles[0]).toHaveLength(6);
    expect(trades[0]?.price).toBeGreaterThan(0);
    expect(book.bids[0]![0]!).toBeLessThan(book.asks[0]![0]!);
    expect(best['BTC/USDT']?.bid).toBeGreaterThan(0);
  });

  test('watches its own orders, trades and balance', async () => {
    const orders = exchange.watchOrders('BTC/USDT');
    const trades = exchange.watchMyTrades('BTC/USDT');
    const balance = exchange.watchBalance();
    await stage.userSubscribed();
    const order = await exchange.createOrder('BTC/USDT', 'market', 'buy', 0.01);
    expect((await orders)[0]).toMatchObject({ id: order.id, symbol: 'BTC/USDT' });
    expect((await trades)[0]).toMatchObject({ order: order.id });
    expect((await balance).BTC?.total).toBeGreaterThan(0);
  });

  test('orders over the WebSocket API', async () => {
    const last = (await exchange.fetchTicker('BTC/USDT')).last!;
    const order = await exchange.createOrderWs('BTC/USDT', 'limit', 'buy', 0.01, Math.round(last * 0.8));
    expect(order.status).toBe('open');
    expect((await exchange.fetchOrderWs(order.id!, 'BTC/USDT')).id).toBe(order.id);
    expect((await exchange.fetchOpenOrdersWs('BTC/USDT')).map((one) => one.id)).toEqual([order.id]);
    expect((await exchange.cancelOrderWs(order.id!, 'BTC/USDT')).status).toBe('canceled');
    // ccxt 4.5.84 does not parse the answer to account.status: it is found in `info` as the exchange sent it.
    expect((await exchange.fetchBalanceWs()).info).toMatchObject({ accountType: 'SPOT', canTrade: true });
    expect((await exchange.fetchTradesWs('BTC/USDT', undefined, 5)).length).toBe(5);
    expect((await exchange.fetchOHLCVWs('BTC/USDT', '1m', undefined, 5)).length).toBe(5);
    expect((await exchange.fetchMyTradesWs('BTC/USDT')).length).toBeGreaterThan(0);
  });
});
