/** @module-tag smoke */
import { Spot, SpotRestAPI, SpotWebsocketAPI, SpotWebsocketStreams } from '@binance/spot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Guard, guardLoopback } from './loopback-guard.ts';
import { openMarket, type Stage } from './stage.ts';

/** The exchange's own connector. A lost connection ends the process unless somebody listens to `error`. */
function connect(origin: string, wsOrigin: string, keys: { apiKey: string; apiSecret: string }) {
  const credentials = keys.apiSecret.includes('PRIVATE KEY')
    ? { apiKey: keys.apiKey, privateKey: keys.apiSecret }
    : { apiKey: keys.apiKey, apiSecret: keys.apiSecret };
  return new Spot({
    configurationRestAPI: { ...credentials, basePath: origin, timeout: 60_000 },
    configurationWebsocketAPI: { ...credentials, wsURL: `${wsOrigin}/ws-api/v3` },
    configurationWebsocketStreams: { wsURL: wsOrigin, reconnectDelay: 50 },
  });
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

const symbol = 'BTCUSDT';
const { OrderListOcoSideEnum, NewOrderSideEnum } = SpotRestAPI;

describe.each(['hmac', 'ed25519'] as const)('@binance/spot with an %s key', (keyType) => {
  let spot: ReturnType<typeof connect>;
  let last: number;
  beforeAll(async () => {
    spot = connect(stage.simulator.origin, stage.simulator.wsOrigin, await stage.account(keyType));
    last = Number((await (await spot.restAPI.avgPrice({ symbol })).data()).price);
  });

  test('reads the market', async () => {
    const rest = spot.restAPI;
    expect((await (await rest.exchangeInfo({ symbol })).data()).symbols).toHaveLength(1);
    expect((await (await rest.time()).data()).serverTime).toBeGreaterThan(0);
    await (await rest.ping()).data();
    expect(await (await rest.klines({ symbol, interval: SpotRestAPI.KlinesIntervalEnum.INTERVAL_1m, limit: 5 })).data()).toHaveLength(5);
    expect((await (await rest.depth({ symbol, limit: 5 })).data()).bids).toHaveLength(5);
    expect(await (await rest.getTrades({ symbol, limit: 5 })).data()).toHaveLength(5);
    expect(await (await rest.aggTrades({ symbol, limit: 5 })).data()).toHaveLength(5);
    expect(await (await rest.ticker24hr({ symbol })).data()).toMatchObject({ symbol });
    expect(await (await rest.tickerPrice({ symbol })).data()).toMatchObject({ symbol });
    expect(await (await rest.tickerBookTicker({ symbol })).data()).toMatchObject({ symbol });
  });

  test('trades over REST', async () => {
    const rest = spot.restAPI;
    const base = { symbol, side: NewOrderSideEnum.BUY } as const;
    const price = Number((last * 0.9).toFixed(2));
    const limit = {
      ...base,
      type: SpotRestAPI.NewOrderTypeEnum.LIMIT,
      timeInForce: SpotRestAPI.NewOrderTimeInForceEnum.GTC,
      quantity: 0.01,
      price,
    } as const;
    const account = await (await rest.getAccount({ omitZeroBalances: true })).data();
    expect(account).toMatchObject({ accountType: 'SPOT' });
    const market = { ...base, type: SpotRestAPI.NewOrderTypeEnum.MARKET } as const;
    expect(await (await rest.newOrder({ ...market, quantity: 0.01 })).data()).toMatchObject({ status: 'FILLED' });
    expect(await (await rest.newOrder({ ...market, quoteOrderQty: 100 })).data()).toMatchObject({ status: 'FILLED' });
    await rest.orderTest(limit as never);
    const { orderId } = await (await rest.newOrder(limit)).data();
    expect(await (await rest.getOrder({ symbol, orderId: orderId! })).data()).toMatchObject({ status: 'NEW' });
    expect(await (await rest.getOpenOrders({ symbol })).data()).toHaveLength(1);
    const amended = await (await rest.orderAmendKeepPriority({ symbol, orderId: orderId!, newQty: 0.009 })).data();
    expect(amended.amendedOrder).toMatchObject({ qty: '0.00900000' });
    expect(await (await rest.orderAmendments({ symbol, orderId: orderId! })).data()).toMatchObject([
      { origQty: '0.01000000', newQty: '0.00900000' },
    ]);
    const replaced = await (
      await rest.orderCancelReplace({
        ...limit,
        cancelReplaceMode: SpotRestAPI.OrderCancelReplaceCancelReplaceModeEnum.STOP_ON_FAILURE,
        cancelOrderId: orderId!,
      } as never)
    ).data();
    expect(replaced).toMatchObject({ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' });
    const open = await (await rest.getOpenOrders({ symbol })).data();
    expect(await (await rest.deleteOrder({ symbol, orderId: open[0]!.orderId! })).data()).toMatchObject({ status: 'CANCELED' });
    await rest.newOrder(limit);
    expect(await (await rest.deleteOpenOrders({ symbol })).data()).toHaveLength(1);
    expect((await (await rest.allOrders({ symbol })).data()).length).toBeGreaterThan(3);
    expect((await (await rest.myTrades({ symbol })).data()).length).toBeGreaterThan(1);
    expect(await (await rest.accountCommission({ symbol })).data()).toMatchObject({ symbol });
    expect((await (await rest.myFilters({ symbol })).data()).symbolFilters?.length).toBeGreaterThan(5);
    expect((await (await rest.rateLimitOrder()).data()).length).toBe(2);
    await expect(rest.deleteOrder({ symbol, orderId: 987_654 })).rejects.toMatchObject({ code: -2011 });
  });

  test('places order lists', async () => {
    const rest = spot.restAPI;
    const oco = await (
      await rest.orderListOco({
        symbol,
        side: OrderListOcoSideEnum.SELL,
        quantity: 0.01,
        aboveType: SpotRestAPI.OrderListOcoAboveTypeEnum.LIMIT_MAKER,
        abovePrice: Number((last * 1.1).toFixed(2)),
        belowType: SpotRestAPI.OrderListOcoBelowTypeEnum.STOP_LOSS,
        belowStopPrice: Number((last * 0.9).toFixed(2)),
      })
    ).data();
    expect(oco).toMatchObject({ contingencyType: 'OCO', listStatusType: 'EXEC_STARTED' });
    expect(await (await rest.getOrderList({ orderListId: oco.orderListId! })).data()).toMatchObject({ listOrderStatus: 'EXECUTING' });
    expect(await (await rest.openOrderList()).data()).toHaveLength(1);
    expect(await (await rest.deleteOrderList({ symbol, orderListId: oco.orderListId! })).data()).toMatchObject({
      listOrderStatus: 'ALL_DONE',
    });
    expect(await (await rest.allOrderList()).data()).toHaveLength(1);
  });

  test('orders over the WebSocket API and hears of it', async () => {
    const api = await spot.websocketAPI.connect();
    api.on('error', () => undefined);
    if (keyType === 'ed25519') await api.sessionLogon();
    const { response, stream } = keyType === 'ed25519' ? await api.userDataStreamSubscribe() : await api.userDataStreamSubscribeSignature();
    expect(response.data).toMatchObject({ subscriptionId: 0 });
    const report = new Promise<unknown>((resolve) => {
      stream.on('message', (event) => {
        if ((event as { e?: string }).e === 'executionReport') resolve(event);
      });
    });
    const placed = await api.orderPlace({
      symbol,
      side: SpotWebsocketAPI.OrderPlaceSideEnum.BUY,
      type: SpotWebsocketAPI.OrderPlaceTypeEnum.LIMIT,
      timeInForce: SpotWebsocketAPI.OrderPlaceTimeInForceEnum.GTC,
      quantity: 0.01,
      price: Number((last * 0.9).toFixed(2)),
    });
    expect(placed.data).toMatchObject({ status: 'NEW' });
    expect(await report).toMatchObject({ x: 'NEW', i: placed.data.orderId });
    const { orderId } = placed.data;
    expect((await api.orderStatus({ symbol, orderId: orderId! })).data).toMatchObject({ status: 'NEW' });
    expect((await api.openOrdersStatus({ symbol })).data).toHaveLength(1);
    expect((await api.orderAmendKeepPriority({ symbol, orderId: orderId!, newQty: 0.005 })).data.amendedOrder).toMatchObject({
      qty: '0.00500000',
    });
    expect((await api.orderCancel({ symbol, orderId: orderId! })).data).toMatchObject({ status: 'CANCELED' });
    expect((await api.accountStatus()).data).toMatchObject({ accountType: 'SPOT' });
    expect((await api.accountCommission({ symbol })).data).toMatchObject({ symbol });
    expect((await api.myTrades({ symbol })).data?.length).toBeGreaterThan(0);
    expect((await api.exchangeInfo({ symbol })).data).toMatchObject({ symbols: [{ symbol }] });
    expect((await api.depth({ symbol, limit: 5 })).data.bids).toHaveLength(5);
    expect((await api.sessionStatus()).data).toHaveProperty('serverTime');
    await api.disconnect();
  });

  test('follows the market', async () => {
    const streams = await spot.websocketStreams.connect();
    streams.on('error', () => undefined);
    const first = <T>(stream: { on(event: 'message', listener: (data: T) => void): void }): Promise<T> =>
      new Promise((resolve) => {
        stream.on('message', resolve);
      });
    const lower = 'btcusdt';
    const all = Promise.all([
      first(streams.aggTrade({ symbol: lower })),
      first(streams.trade({ symbol: lower })),
      first(streams.kline({ symbol: lower, interval: SpotWebsocketStreams.KlineIntervalEnum.INTERVAL_1m })),
      first(streams.miniTicker({ symbol: lower })),
      first(streams.ticker({ symbol: lower })),
      first(streams.bookTicker({ symbol: lower })),
      first(streams.diffBookDepth({ symbol: lower })),
      first(streams.partialBookDepth({ symbol: lower, levels: SpotWebsocketStreams.PartialBookDepthLevelsEnum.LEVELS_5 })),
      first(streams.allMiniTicker()),
    ]);
    const [aggTrade, trade, kline, , , book, , partial, mini] = await stage.moveUntil(all);
    expect([aggTrade, trade, kline].map((event) => (event as { s?: string }).s)).toEqual(['BTCUSDT', 'BTCUSDT', 'BTCUSDT']);
    expect(book).toHaveProperty('u');
    expect(partial).toHaveProperty('lastUpdateId');
    expect(Array.isArray(mini)).toBe(true);
    // Announced by serverShutdown, it connects anew and listens to the same streams.
    const next = first(streams.trade({ symbol: lower }));
    stage.simulator.faults.dropSockets(true);
    expect(await stage.moveUntil(next)).toMatchObject({ e: 'trade' });
    await streams.disconnect();
  });
});
