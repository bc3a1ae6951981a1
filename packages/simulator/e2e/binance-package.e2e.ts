import { DefaultLogger, MainClient, WebsocketAPIClient, WebsocketClient } from 'binance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Guard, guardLoopback } from './loopback-guard.ts';
import { openMarket, type Stage } from './stage.ts';

const silence = (): void => undefined;
const logger = { ...DefaultLogger, trace: silence, info: silence, error: silence };

/** The `binance` package: REST, WebSocket API and streams take one origin each. */
function connect(origin: string, wsOrigin: string, keys: { apiKey: string; apiSecret: string }) {
  const credentials = { api_key: keys.apiKey, api_secret: keys.apiSecret };
  const sockets = { ...credentials, wsUrl: wsOrigin, restOptions: { baseUrl: origin }, reconnectTimeout: 50 };
  return {
    rest: new MainClient({ ...credentials, baseUrl: origin, disableTimeSync: true }),
    api: new WebsocketAPIClient(
      { ...sockets, attachEventListeners: false, muteLatencyWarning: true, resubscribeUserDataStreamDelaySeconds: 0.1 },
      logger,
    ),
    streams: new WebsocketClient(sockets, logger),
  };
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

describe.each(['hmac', 'ed25519'] as const)('binance with an %s key', (keyType) => {
  let clients: ReturnType<typeof connect>;
  let last: number;
  beforeAll(async () => {
    clients = connect(stage.simulator.origin, stage.simulator.wsOrigin, await stage.account(keyType));
    last = Number((await clients.rest.getAvgPrice({ symbol: 'BTCUSDT' })).price);
  });
  afterAll(() => {
    clients.streams.closeAll(true);
    return clients.api.disconnectAll();
  });

  test('reads the market', async () => {
    const { rest } = clients;
    expect((await rest.getExchangeInfo({ symbol: 'BTCUSDT' })).symbols[0]).toMatchObject({ symbol: 'BTCUSDT', status: 'TRADING' });
    expect(await rest.getKlines({ symbol: 'BTCUSDT', interval: '1m', limit: 5 })).toHaveLength(5);
    expect(await rest.getUIKlines({ symbol: 'BTCUSDT', interval: '1h', limit: 5 })).toHaveLength(5);
    expect((await rest.getOrderBook({ symbol: 'BTCUSDT', limit: 5 })).bids).toHaveLength(5);
    expect(await rest.getRecentTrades({ symbol: 'BTCUSDT', limit: 5 })).toHaveLength(5);
    expect(await rest.getAggregateTrades({ symbol: 'BTCUSDT', limit: 5 })).toHaveLength(5);
    expect(await rest.get24hrChangeStatistics({ symbol: 'BTCUSDT' })).toMatchObject({ symbol: 'BTCUSDT' });
    expect(await rest.getSymbolPriceTicker({ symbol: 'BTCUSDT' })).toMatchObject({ symbol: 'BTCUSDT' });
    expect(await rest.getSymbolOrderBookTicker({ symbol: 'BTCUSDT' })).toMatchObject({ symbol: 'BTCUSDT' });
  });

  test('reads the account, its key and its fees', async () => {
    const { rest } = clients;
    const account = await rest.getAccountInformation({ omitZeroBalances: true });
    expect(account.balances.map(({ asset }) => asset)).toContain('USDT');
    expect((await rest.getBalances()).find(({ coin }) => coin === 'BNB')).toMatchObject({ free: '10.00000000' });
    expect(await rest.getApiKeyPermissions()).toMatchObject({ enableReading: true, enableWithdrawals: false });
    expect(await rest.getCommissionRates({ symbol: 'BTCUSDT' })).toMatchObject({ standardCommission: { taker: '0.00100000' } });
    expect((await rest.getOrderRateLimit()).length).toBe(2);
  });

  test('places, queries, replaces, amends and cancels orders', async () => {
    const { rest } = clients;
    const price = (last * 0.9).toFixed(2);
    const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price: Number(price) } as const;
    await rest.testNewOrder({ ...limit });
    const market = await rest.submitNewOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01, newOrderRespType: 'FULL' });
    expect(market).toMatchObject({ status: 'FILLED', executedQty: '0.01000000' });
    const quote = await rest.submitNewOrder({
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quoteOrderQty: 100,
      newOrderRespType: 'FULL',
    });
    expect(quote).toMatchObject({ status: 'FILLED', origQuoteOrderQty: '100.00000000' });
    const placed = await rest.submitNewOrder({ ...limit, newOrderRespType: 'RESULT' });
    expect(placed).toMatchObject({ status: 'NEW' });
    expect(await rest.getOrder({ symbol: 'BTCUSDT', orderId: placed.orderId })).toMatchObject({ status: 'NEW', price: `${price}000000` });
    expect(await rest.getOpenOrders({ symbol: 'BTCUSDT' })).toHaveLength(1);
    const replaced = await rest.replaceOrder({
      ...limit,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: placed.orderId,
      newOrderRespType: 'RESULT',
    } as Parameters<typeof rest.replaceOrder>[0]);
    expect(replaced).toMatchObject({ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' });
    const { orderId } = (await rest.getOpenOrders({ symbol: 'BTCUSDT' }))[0]!;
    // The client writes its own order id into the object it is given, so each call gets a fresh one.
    // 3.6.5 sends its REST amendOrderKeepPriority to the futures path; over the WebSocket API it works (below).
    expect(await rest.cancelOrder({ symbol: 'BTCUSDT', orderId: Number(orderId) })).toMatchObject({ status: 'CANCELED' });
    await rest.submitNewOrder({ ...limit });
    await rest.submitNewOrder({ ...limit });
    expect(await rest.cancelAllSymbolOrders({ symbol: 'BTCUSDT' })).toHaveLength(2);
    expect((await rest.getAllOrders({ symbol: 'BTCUSDT' })).length).toBeGreaterThan(4);
    expect((await rest.getAccountTradeList({ symbol: 'BTCUSDT' })).length).toBeGreaterThan(1);
    await expect(rest.cancelOrder({ symbol: 'BTCUSDT', orderId: 987_654 })).rejects.toMatchObject({ code: -2011 });
    await expect(rest.getOrder({ symbol: 'BTCUSDT', orderId: 987_654 })).rejects.toMatchObject({ code: -2013 });
  });

  test('places order lists of every kind', async () => {
    const { rest } = clients;
    const above = { aboveType: 'LIMIT_MAKER', abovePrice: (last * 1.1).toFixed(2) } as const;
    const below = { belowType: 'STOP_LOSS', belowStopPrice: (last * 0.9).toFixed(2) } as const;
    const oco = await rest.submitNewOrderList({ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01', ...above, ...below } as never);
    expect(oco).toMatchObject({ contingencyType: 'OCO', listOrderStatus: 'EXECUTING' });
    expect(oco.orderReports).toHaveLength(2);
    expect(await rest.getOCO({ orderListId: oco.orderListId })).toMatchObject({ listOrderStatus: 'EXECUTING' });
    expect(await rest.getAllOpenOCO()).toHaveLength(1);
    expect(await rest.cancelOCO({ symbol: 'BTCUSDT', orderListId: oco.orderListId })).toMatchObject({ listOrderStatus: 'ALL_DONE' });
    const older = await rest.submitNewOCO({
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: 0.01,
      price: Number((last * 1.1).toFixed(2)),
      stopPrice: Number((last * 0.9).toFixed(2)),
    });
    expect(older).toMatchObject({ contingencyType: 'OCO' });
    const working = {
      symbol: 'BTCUSDT',
      workingType: 'LIMIT',
      workingSide: 'BUY',
      workingPrice: (last * 0.8).toFixed(2),
      workingQuantity: '0.01',
      workingTimeInForce: 'GTC',
      pendingSide: 'SELL',
    } as const;
    const pending = { pendingType: 'LIMIT', pendingPrice: (last * 1.2).toFixed(2), pendingTimeInForce: 'GTC' } as const;
    const pair = {
      pendingAboveType: 'LIMIT_MAKER',
      pendingAbovePrice: (last * 1.2).toFixed(2),
      pendingBelowType: 'STOP_LOSS',
      pendingBelowStopPrice: (last * 0.7).toFixed(2),
    } as const;
    const quantity = { pendingQuantity: '0.005' } as const;
    const lists = [
      await rest.submitNewOrderListOTO({ ...working, ...pending, ...quantity } as never),
      await rest.submitNewOrderListOTOCO({ ...working, ...pair, ...quantity } as never),
      await rest.submitNewOrderListOPO({ ...working, ...pending } as never),
      await rest.submitNewOrderListOPOCO({ ...working, ...pair } as never),
    ];
    expect(lists.map((list) => (list as { orderReports: unknown[] }).orderReports.length)).toEqual([2, 3, 2, 3]);
    await rest.cancelAllSymbolOrders({ symbol: 'BTCUSDT' });
    expect(await rest.getAllOpenOCO()).toEqual([]);
    expect((await rest.getAllOCO()).length).toBe(6);
  });

  test('follows the market', async () => {
    const { streams } = clients;
    const wanted = new Set([
      'btcusdt@aggTrade',
      'btcusdt@trade',
      'btcusdt@kline_1m',
      'btcusdt@miniTicker',
      'btcusdt@ticker',
      'btcusdt@depth@100ms',
      'btcusdt@depth5@100ms',
      'btcusdt@bookTicker',
      '!miniTicker@arr',
    ]);
    const subscriptions = [...wanted];
    const all = new Promise<void>((resolve) => {
      streams.on('message', (message) => {
        wanted.delete(Array.isArray(message) ? '!miniTicker@arr' : String((message as { streamName?: string }).streamName));
        if (wanted.size === 0) resolve();
      });
    });
    await streams.subscribe(subscriptions, 'main');
    await stage.moveUntil(all);
    expect([...wanted]).toEqual([]);
  });

  test('orders over the WebSocket API', async () => {
    const { api } = clients;
    const limit = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.01',
      price: (last * 0.9).toFixed(2),
    } as const;
    const now = (): { timestamp: number } => ({ timestamp: Date.now() });
    await api.testSpotConnectivity();
    expect((await api.getSpotServerTime()).result.serverTime).toBeGreaterThan(0);
    expect((await api.getSpotExchangeInfo({ symbol: 'BTCUSDT' })).result.symbols).toHaveLength(1);
    expect((await api.getSpotOrderBook({ symbol: 'BTCUSDT', limit: 5 })).result.asks).toHaveLength(5);
    expect((await api.getSpotKlines({ symbol: 'BTCUSDT', interval: '1m', limit: 3 })).result).toHaveLength(3);
    expect((await api.getSpot24hrTicker({ symbol: 'BTCUSDT' })).result).toMatchObject({ symbol: 'BTCUSDT' });
    const placed = await api.submitNewSpotOrder({ ...limit, ...now() } as never);
    expect(placed.result).toMatchObject({ status: 'NEW' });
    const { orderId } = placed.result;
    expect((await api.getSpotOrderStatus({ symbol: 'BTCUSDT', orderId, ...now() } as never)).result).toMatchObject({ orderId });
    expect((await api.getSpotOpenOrders({ symbol: 'BTCUSDT', ...now() })).result).toHaveLength(1);
    const amended = await api.amendSpotOrderKeepPriority({ symbol: 'BTCUSDT', orderId, newQty: '0.005', ...now() } as never);
    expect(amended.result).toMatchObject({ amendedOrder: { qty: '0.00500000' } });
    expect((await api.cancelSpotOrder({ symbol: 'BTCUSDT', orderId, ...now() } as never)).result).toMatchObject({ status: 'CANCELED' });
    await api.submitNewSpotOrder({ ...limit, ...now() } as never);
    expect((await api.cancelAllSpotOpenOrders({ symbol: 'BTCUSDT', ...now() })).result).toHaveLength(1);
    expect((await api.getSpotAccountInformation(now())).result).toMatchObject({ accountType: 'SPOT' });
    expect((await api.getSpotAccountCommission({ symbol: 'BTCUSDT', ...now() })).result).toMatchObject({ symbol: 'BTCUSDT' });
    expect((await api.getSpotMyTrades({ symbol: 'BTCUSDT', ...now() })).result.length).toBeGreaterThan(0);
    expect((await api.getSpotAllOrders({ symbol: 'BTCUSDT', ...now() })).result.length).toBeGreaterThan(0);
    await expect(api.submitNewSpotOrder({ ...limit, quantity: '10', ...now() } as never)).rejects.toMatchObject({
      error: { code: -2010 },
    });
  });

  test('hears of its own orders, lists and balance', async () => {
    const { api, rest } = clients;
    const wanted = ['executionReport', 'outboundAccountPosition', 'listStatus'];
    const seen = new Set<string>();
    const all = new Promise<void>((resolve) => {
      api.getWSClient().on('message', (message) => {
        const { e } = message as { e?: string };
        if (e) seen.add(e);
        if (wanted.every((name) => seen.has(name))) resolve();
      });
    });
    await api.subscribeUserDataStream('mainWSAPI');
    await rest.submitNewOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01 });
    await rest.submitNewOCO({
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: 0.01,
      price: Number((last * 1.1).toFixed(2)),
      stopPrice: Number((last * 0.9).toFixed(2)),
    });
    await all;
  });

  test('connects and subscribes again after it was cut off, to the market and to its account', async () => {
    const { streams, api, rest } = clients;
    stage.simulator.faults.dropSockets();
    const trade = new Promise<unknown>((resolve) => {
      streams.on('message', (message) => {
        if ((message as { e?: string }).e === 'trade') resolve(message);
      });
    });
    const report = new Promise<unknown>((resolve) => {
      api.getWSClient().on('message', (message) => {
        if ((message as { e?: string }).e === 'executionReport') resolve(message);
      });
    });
    await stage.moveUntil(trade);
    await stage.userSubscribed();
    await rest.submitNewOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.001 });
    expect(await report).toMatchObject({ s: 'BTCUSDT', o: 'MARKET' });
  });
});
