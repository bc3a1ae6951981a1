import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { call, type Keys, Listener, row, rows, signed } from '../../testing/exchange-client.ts';
import { BEGIN, flat, MINUTE, type Row, tapeFolder } from '../../testing/small-market.ts';
import { type Simulator, startSimulator } from './simulator.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function exchange(candles: readonly Row[], options: { storageFolder?: string; keys?: Keys } = {}) {
  const folder = await tapeFolder({ BTCUSDT: candles });
  const simulator = await startSimulator({
    market: { kind: 'replay', folder, start: BEGIN + MINUTE - 1 },
    paused: true,
    ...(options.storageFolder === undefined ? {} : { storageFolder: options.storageFolder }),
  });
  open.push(async () => {
    await simulator.close();
    await rm(folder, { recursive: true });
  });
  const keys = options.keys ?? (await simulator.createAccount({ balances: { USDT: '10000', BTC: '1' } }));
  const send = (method: string, path: string, parameters: Record<string, string | number> = {}) =>
    signed(simulator.origin, keys, method, `/api/v3/${path}`, parameters);
  const list = (kind: string, parameters: Record<string, string | number>) =>
    send('POST', `orderList/${kind}`, { symbol: 'BTCUSDT', newOrderRespType: 'RESULT', ...parameters });
  const statuses = async () =>
    rows(await send('GET', 'allOrders', { symbol: 'BTCUSDT' })).map((one) => [one.type, one.status, one.expiryReason]);
  return { simulator, keys, send, list, statuses };
}

async function balances(simulator: Simulator, keys: Keys): Promise<Record<string, [string, string]>> {
  const account = row(await signed(simulator.origin, keys, 'GET', '/api/v3/account'));
  return Object.fromEntries(
    (account.balances as { asset: string; free: string; locked: string }[]).map(({ asset, free, locked }) => [asset, [free, locked]]),
  );
}

const still = flat(50_000, 3);
const sellPair = {
  side: 'SELL',
  quantity: '0.4',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '52000',
  belowType: 'STOP_LOSS_LIMIT',
  belowStopPrice: '48000',
  belowPrice: '47000',
  belowTimeInForce: 'GTC',
};
const entry = {
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '49000',
  workingQuantity: '0.01',
  workingTimeInForce: 'GTC',
  pendingSide: 'SELL',
};
const exits = {
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '52000',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '48000',
};
/** One trade far below 49,000 with much volume, back where it was afterwards. */
const dip: Row = [50_000, 50_000, 48_900, 50_000, 400];

describe('OCO', () => {
  test('locks once, and a rising price fills one leg and ends the other, told in order', async () => {
    const { simulator, keys, list, statuses } = await exchange([...still, [50_000, 53_000, 50_000, 53_000, 400], ...flat(53_000, 3)]);
    const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
    await api.signedRequest('user', 'userDataStream.subscribe.signature', keys);
    const placed = row(await list('oco', { ...sellPair, listClientOrderId: 'mine' }));
    expect(placed).toMatchObject({
      orderListId: 0,
      contingencyType: 'OCO',
      listStatusType: 'EXEC_STARTED',
      listOrderStatus: 'EXECUTING',
      listClientOrderId: 'mine',
      orderReports: [
        { orderListId: 0, type: 'STOP_LOSS_LIMIT', stopPrice: '48000.00000000', workingTime: -1 },
        { orderListId: 0, type: 'LIMIT_MAKER', status: 'NEW' },
      ],
    });
    expect((await balances(simulator, keys)).BTC).toEqual(['0.60000000', '0.40000000']);
    await simulator.clock.advance(5 * MINUTE);
    expect(await statuses()).toEqual([
      ['STOP_LOSS_LIMIT', 'EXPIRED', 'OCO_TRIGGER'],
      ['LIMIT_MAKER', 'FILLED', undefined],
    ]);
    expect((await balances(simulator, keys)).BTC).toEqual(['0.60000000', '0.00000000']);
    await api.request('done', 'ping');
    const events = api.seen.flatMap((message) => ('event' in message ? [message.event as Record<string, unknown>] : []));
    const told = events
      .filter(({ e }) => e !== 'outboundAccountPosition')
      .map((event) => (event.e === 'listStatus' ? `list ${String(event.l)} ${String(event.L)}` : `${String(event.x)} ${String(event.o)}`));
    expect(told.slice(0, 4)).toEqual(['NEW STOP_LOSS_LIMIT', 'NEW LIMIT_MAKER', 'list EXEC_STARTED EXECUTING', 'EXPIRED STOP_LOSS_LIMIT']);
    expect(told.at(-2)).toBe('TRADE LIMIT_MAKER');
    expect(told.at(-1)).toBe('list ALL_DONE ALL_DONE');
    expect(events.find(({ e }) => e === 'listStatus')).toMatchObject({
      s: 'BTCUSDT',
      g: 0,
      c: 'OCO',
      r: 'NONE',
      C: 'mine',
      O: [{ i: 1 }, { i: 2 }],
    });
    expect(events.find(({ x }) => x === 'EXPIRED')).toMatchObject({ g: 0, eR: 'OCO_TRIGGER' });
  });

  test('a falling price triggers the stop leg; cancelling one leg cancels both', async () => {
    const { simulator, keys, list, statuses, send } = await exchange([...still, [50_000, 50_000, 47_500, 47_500, 400], ...flat(47_500, 3)]);
    await list('oco', sellPair);
    const second = row(await list('oco', { ...sellPair, quantity: '0.1' })) as { orders: { orderId: number }[] };
    expect((await send('DELETE', 'order', { symbol: 'BTCUSDT', orderId: second.orders[1]!.orderId })).status).toBe(200);
    expect((await balances(simulator, keys)).BTC).toEqual(['0.60000000', '0.40000000']);
    await simulator.clock.advance(4 * MINUTE);
    expect((await statuses()).slice(0, 2)).toEqual([
      ['STOP_LOSS_LIMIT', 'FILLED', undefined],
      ['LIMIT_MAKER', 'EXPIRED', 'OCO_TRIGGER'],
    ]);
    expect((await statuses()).slice(2).map(([, status]) => status)).toEqual(['CANCELED', 'CANCELED']);
    expect(rows(await send('GET', 'openOrderList'))).toEqual([]);
  });

  test('both legs count where a rule counts', async () => {
    const { simulator, list, send } = await exchange(still);
    const rule = (filter: object) => simulator.faults.apply({ kind: 'filters', symbol: 'BTCUSDT', filters: [filter as never] });
    const profits = { ...sellPair, aboveType: 'TAKE_PROFIT', aboveStopPrice: '52000' };
    const { abovePrice: _, ...twoStops } = profits;
    rule({ filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 1 });
    expect((await list('oco', twoStops)).body).toEqual({ code: -1013, msg: 'Filter failure: MAX_NUM_ALGO_ORDERS' });
    rule({ filterType: 'MAX_NUM_ORDERS', maxNumOrders: 1 });
    expect((await list('oco', sellPair)).body).toEqual({ code: -1013, msg: 'Filter failure: MAX_NUM_ORDERS' });
    simulator.faults.clear();
    rule({ filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 1 });
    expect((await list('oco', { ...sellPair, quantity: '0.1' })).status).toBe(200);
    expect((await list('oco', { ...sellPair, quantity: '0.1' })).body).toEqual({ code: -1013, msg: 'Filter failure: MAX_NUM_ORDER_LISTS' });
    simulator.faults.clear();
    rule({ filterType: 'EXCHANGE_MAX_NUM_ORDER_LISTS', maxNumOrderLists: 1 });
    expect((await list('oco', { ...sellPair, quantity: '0.1' })).body).toEqual({
      code: -1013,
      msg: 'Filter failure: EXCHANGE_MAX_NUM_ORDER_LISTS',
    });
    expect(rows(await send('GET', 'openOrders'))).toHaveLength(2);
  });

  test('a buyer locks what the dearer leg needs', async () => {
    const { simulator, keys, list } = await exchange(still);
    const pair = {
      side: 'BUY',
      quantity: '0.1',
      aboveType: 'STOP_LOSS_LIMIT',
      aboveStopPrice: '51000',
      abovePrice: '51100',
      aboveTimeInForce: 'GTC',
      belowType: 'LIMIT_MAKER',
      belowPrice: '49000',
    };
    expect((await list('oco', pair)).status).toBe(200);
    expect((await balances(simulator, keys)).USDT).toEqual(['4890.00000000', '5110.00000000']);
  });

  test.each([
    [{ ...sellPair, abovePrice: '49000' }, -2010, 'The relationship of the prices for the orders is not correct.'],
    [{ ...sellPair, belowStopPrice: '51000' }, -2010, 'The relationship of the prices for the orders is not correct.'],
    [{ ...sellPair, aboveType: 'LIMIT' }, -1158, 'Order type not supported in OCO.'],
    [
      { ...sellPair, aboveType: 'STOP_LOSS', aboveStopPrice: '52000', abovePrice: '' },
      -1106,
      "Parameter 'abovePrice' sent when not required.",
    ],
    [{ ...sellPair, belowType: 'LIMIT_MAKER', belowPrice: '49000' }, -1106, "Parameter 'belowTimeInForce' sent when not required."],
    [{ ...sellPair, quantity: '5' }, -2010, 'Account has insufficient balance for requested action.'],
    [{ ...sellPair, aboveClientOrderId: 'same', belowClientOrderId: 'same' }, -2010, 'Duplicate order sent.'],
    [{ ...sellPair, colour: 'red' }, -1104, "Not all sent parameters were read; read '12' parameter(s) but was sent '13'."],
  ])('%j is refused with %i', async (parameters, code, msg) => {
    const { list, send } = await exchange(still);
    const answer = await list('oco', parameters as Record<string, string>);
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(row(answer).msg).toBe(msg);
    expect(rows(await send('GET', 'openOrders'))).toEqual([]);
  });
});

describe('OTO, OTOCO and those that pay for themselves', () => {
  test('pending orders lock nothing, and go to work when the working order is filled', async () => {
    const { simulator, keys, list, statuses, send } = await exchange([...still, dip, ...flat(50_000, 3)]);
    const placed = row(await list('otoco', { ...entry, ...exits, pendingQuantity: '0.009' }));
    expect(placed).toMatchObject({
      contingencyType: 'OTO',
      orderReports: [{ status: 'NEW' }, { status: 'PENDING_NEW', workingTime: -1 }, { status: 'PENDING_NEW' }],
    });
    expect(await balances(simulator, keys)).toMatchObject({ BTC: ['1.00000000', '0.00000000'], USDT: ['9510.00000000', '490.00000000'] });
    await simulator.clock.advance(4 * MINUTE);
    expect(await statuses()).toEqual([
      ['LIMIT', 'FILLED', undefined],
      ['STOP_LOSS', 'NEW', undefined],
      ['LIMIT_MAKER', 'NEW', undefined],
    ]);
    expect((await balances(simulator, keys)).BTC).toEqual(['1.00099000', '0.00900000']);
    expect(rows(await send('DELETE', 'openOrders', { symbol: 'BTCUSDT' }))).toMatchObject([
      { contingencyType: 'OTO', listOrderStatus: 'ALL_DONE', orderReports: [{ status: 'CANCELED' }, { status: 'CANCELED' }] },
    ]);
  });

  test('OPO sells what was bought, less the fee where nothing else pays it', async () => {
    const { simulator, keys, list, send } = await exchange([...still, dip, ...flat(50_000, 3)]);
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '1000' } });
    const poor = (parameters: Record<string, string>) =>
      signed(simulator.origin, { apiKey, apiSecret }, 'POST', '/api/v3/orderList/opoco', { symbol: 'BTCUSDT', ...parameters });
    expect((await poor({ ...entry, ...exits })).status).toBe(200);
    await list('opo', { ...entry, pendingType: 'LIMIT', pendingPrice: '52000', pendingTimeInForce: 'GTC' });
    await simulator.clock.advance(4 * MINUTE);
    const mine = rows(await send('GET', 'openOrders'));
    // 0.01 was bought; the fee of 0.00001 came from the other coins of the account that has some.
    expect(mine).toMatchObject([{ type: 'LIMIT', side: 'SELL', origQty: '0.01000000' }]);
    expect((await balances(simulator, keys)).BTC).toEqual(['0.99999000', '0.01000000']);
    const theirs = rows(await signed(simulator.origin, { apiKey, apiSecret }, 'GET', '/api/v3/openOrders'));
    expect(theirs).toMatchObject([{ origQty: '0.00999000' }, { origQty: '0.00999000' }]);
    expect((await balances(simulator, { apiKey, apiSecret })).BTC).toEqual(['0.00000000', '0.00999000']);
  });

  test('a working order that expires ends the pending ones; one filled at once answers them as pending', async () => {
    const { list, statuses } = await exchange(still);
    const expired = row(await list('oto', { ...entry, workingTimeInForce: 'FOK', pendingType: 'MARKET', pendingQuantity: '0.01' }));
    expect(expired).toMatchObject({
      listOrderStatus: 'ALL_DONE',
      orderReports: [{ expiryReason: 'UNFILLED_FOK_ORDER_EXPIRED' }, { expiryReason: 'OTO_PHASE_ONE_EXPIRED' }],
    });
    const filled = row(await list('oto', { ...entry, workingPrice: '50100', pendingType: 'MARKET', pendingQuantity: '0.01' }));
    expect(filled).toMatchObject({ orderReports: [{ status: 'FILLED' }, { status: 'PENDING_NEW', executedQty: '0.00000000' }] });
    expect((await statuses()).slice(2)).toEqual([
      ['LIMIT', 'FILLED', undefined],
      ['MARKET', 'FILLED', undefined],
    ]);
  });

  test('a pending order that cannot work expires as rejected', async () => {
    const { list, statuses } = await exchange(still);
    await list('oto', { ...entry, workingPrice: '50100', pendingType: 'STOP_LOSS', pendingStopPrice: '51000', pendingQuantity: '0.01' });
    await list('oto', {
      ...entry,
      workingPrice: '50100',
      pendingType: 'LIMIT',
      pendingPrice: '52000',
      pendingTimeInForce: 'GTC',
      pendingQuantity: '50',
    });
    expect(await statuses()).toEqual([
      ['LIMIT', 'FILLED', undefined],
      ['STOP_LOSS', 'EXPIRED', 'REJECTED'],
      ['LIMIT', 'FILLED', undefined],
      ['LIMIT', 'EXPIRED', 'REJECTED'],
    ]);
  });

  test('lists are found by id, client id, time and page, and survive a restart', async () => {
    const storageFolder = join(tmpdir(), `pilotfish-lists-${process.pid}-${Math.round(performance.now())}`);
    const candles = [...still, dip, ...flat(50_000, 3)];
    const first = await exchange(candles, { storageFolder });
    for (let index = 0; index < 3; index += 1)
      await first.list('otoco', { ...entry, ...exits, pendingQuantity: '0.009', listClientOrderId: `list-${index}` });
    expect((await first.list('otoco', { ...entry, ...exits, pendingQuantity: '0.009', listClientOrderId: 'list-1' })).body).toEqual({
      code: -2010,
      msg: 'Duplicate order sent.',
    });
    await first.send('DELETE', 'orderList', { symbol: 'BTCUSDT', listClientOrderId: 'list-0' });
    await open.pop()!();
    const again = await exchange(candles, { storageFolder, keys: first.keys });
    expect(rows(await again.send('GET', 'allOrderList')).map((one) => [one.orderListId, one.listOrderStatus])).toEqual([
      [0, 'ALL_DONE'],
      [1, 'EXECUTING'],
      [2, 'EXECUTING'],
    ]);
    expect(rows(await again.send('GET', 'allOrderList', { fromId: 1, limit: 1 })).map((one) => one.orderListId)).toEqual([1]);
    expect(rows(await again.send('GET', 'allOrderList', { endTime: BEGIN }))).toEqual([]);
    expect((await again.send('GET', 'allOrderList', { fromId: 1, startTime: BEGIN })).body).toMatchObject({ code: -1128 });
    expect(row(await again.send('GET', 'orderList', { origClientOrderId: 'list-2' }))).toMatchObject({ orderListId: 2 });
    expect((await again.send('GET', 'orderList', { orderListId: 9 })).body).toEqual({ code: -2018, msg: 'Order list does not exist.' });
    await again.simulator.clock.advance(4 * MINUTE);
    expect((await again.statuses()).filter(([, status]) => status === 'NEW')).toHaveLength(4);
    const next = row(await again.list('oco', { ...sellPair, quantity: '0.01' }));
    expect(next.orderListId).toBe(3);
    await open.pop()!();
    await rm(storageFolder, { recursive: true });
  });
});

describe('icebergs, trailing stops and amendments', () => {
  test('an iceberg meets one trade with no more than it shows', async () => {
    const { simulator, send } = await exchange([...still, dip, ...flat(50_000, 3)]);
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.1', price: '49000' };
    expect((await send('POST', 'order', { ...order, icebergQty: '0.2' })).body).toEqual({ code: -2010, msg: 'IcebergQty exceeds QTY.' });
    expect((await send('POST', 'order', { ...order, timeInForce: 'IOC', icebergQty: '0.04' })).body).toEqual({
      code: -2010,
      msg: 'Unsupported order combination',
    });
    expect(row(await send('POST', 'order', { ...order, icebergQty: '0.04' }))).toMatchObject({ icebergQty: '0.04000000' });
    await simulator.clock.advance(4 * MINUTE);
    // The one trade below its price could have met five bitcoin.
    expect(rows(await send('GET', 'allOrders', { symbol: 'BTCUSDT' }))).toMatchObject([
      { executedQty: '0.04000000', icebergQty: '0.04000000' },
    ]);
  });

  test('a trailing stop follows the highest price and sells two percent below it', async () => {
    const rise: Row = [50_000, 55_000, 50_000, 55_000, 400];
    const fall: Row = [55_000, 55_000, 53_000, 53_000, 400];
    const { simulator, send } = await exchange([...still, rise, ...flat(55_000, 1), fall, ...flat(53_000, 3)]);
    const stop = { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_LOSS', quantity: '0.1', trailingDelta: '200' };
    expect((await send('POST', 'order', { ...stop, trailingDelta: '5' })).body).toEqual({
      code: -1013,
      msg: 'Filter failure: TRAILING_DELTA',
    });
    const { orderId } = row(await send('POST', 'order', stop)) as { orderId: number };
    const waiting = row(await send('POST', 'order', { ...stop, type: 'TAKE_PROFIT', stopPrice: '54000' })) as { orderId: number };
    const state = async (id: number) => row(await send('GET', 'order', { symbol: 'BTCUSDT', orderId: id }));
    expect(await state(waiting.orderId)).toMatchObject({ trailingTime: -1, trailingDelta: 200 });
    await simulator.clock.advance(4 * MINUTE);
    expect(await state(orderId)).toMatchObject({ status: 'NEW', isWorking: false, trailingTime: BEGIN + MINUTE - 1 });
    expect((await state(waiting.orderId)).trailingTime).toBeGreaterThan(BEGIN + 3 * MINUTE);
    await simulator.clock.advance(3 * MINUTE);
    // 55,000 less two percent is 53,900: the first trade below that was 53,000.
    for (const id of [orderId, waiting.orderId]) expect(await state(id)).toMatchObject({ status: 'FILLED', isWorking: true });
  });

  test('an amendment frees the difference, keeps the order and can be read', async () => {
    const { simulator, keys, send, list } = await exchange(still);
    const { orderId } = row(
      await send('POST', 'order', {
        symbol: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: '0.1',
        price: '49000',
        newClientOrderId: 'old',
      }),
    ) as { orderId: number };
    const amend = (parameters: Record<string, string | number>) =>
      send('PUT', 'order/amend/keepPriority', { symbol: 'BTCUSDT', orderId, ...parameters });
    const api = await Listener.open(`${simulator.wsOrigin}/ws-api/v3`);
    await api.signedRequest('user', 'userDataStream.subscribe.signature', keys);
    const amended = row(await amend({ newQty: '0.06', newClientOrderId: 'new' }));
    expect(amended).toMatchObject({
      amendedOrder: {
        orderId,
        origClientOrderId: 'old',
        clientOrderId: 'new',
        qty: '0.06000000',
        executedQty: '0.00000000',
        status: 'NEW',
      },
    });
    expect((await balances(simulator, keys)).USDT).toEqual(['7060.00000000', '2940.00000000']);
    expect(await api.find((message) => 'event' in message)).toMatchObject({
      event: { x: 'REPLACED', X: 'NEW', c: 'new', C: 'old', q: '0.06000000' },
    });
    expect((await amend({ newQty: '0.07' })).body).toMatchObject({ code: -2038 });
    expect((await amend({ newQty: '0.00001' })).body).toEqual({ code: -1013, msg: 'Filter failure: NOTIONAL' });
    expect((await amend({ newQty: '0.01', orderId: 77 })).body).toMatchObject({ code: -2013 });
    for (let index = 1; index < 10; index += 1) expect((await amend({ newQty: (0.06 - index / 1000).toFixed(3) })).status).toBe(200);
    expect((await amend({ newQty: '0.02' })).body).toMatchObject({ code: -2038 });
    const history = rows(await send('GET', 'order/amendments', { symbol: 'BTCUSDT', orderId }));
    expect(history).toHaveLength(10);
    expect(history[0]).toMatchObject({
      symbol: 'BTCUSDT',
      orderId,
      origQty: '0.10000000',
      newQty: '0.06000000',
      origClientOrderId: 'old',
      newClientOrderId: 'new',
    });
    const pair = row(await list('oco', sellPair)) as { orders: { orderId: number }[] };
    const both = row(
      await send('PUT', 'order/amend/keepPriority', {
        symbol: 'BTCUSDT',
        orderId: pair.orders[1]!.orderId,
        newQty: '0.3',
        newClientOrderId: 'leg',
      }),
    );
    expect(both).toMatchObject({ listStatus: { contingencyType: 'OCO', listStatusType: 'UPDATED' } });
    expect((await balances(simulator, keys)).BTC).toEqual(['0.70000000', '0.30000000']);
    expect(rows(await send('GET', 'openOrders')).slice(1)).toMatchObject([
      { origQty: '0.30000000' },
      { origQty: '0.30000000', clientOrderId: 'leg' },
    ]);
  });

  test('a symbol without order lists takes none, in the words of the exchange', async () => {
    const { simulator, list } = await exchange(still);
    simulator.faults.apply({ kind: 'row', symbol: 'BTCUSDT', fields: { ocoAllowed: false, otoAllowed: false } });
    const refused = async (kind: string, parameters: Record<string, string | number>) => (await list(kind, parameters)).body;
    const says = (kind: string) => ({ code: -2010, msg: `${kind} orders are not supported for this symbol` });
    expect(await refused('oco', sellPair)).toEqual(says('OCO'));
    expect(await refused('otoco', { ...entry, ...exits, pendingQuantity: '0.01' })).toEqual(says('OTO'));
    simulator.faults.clear();
    expect((await list('oco', sellPair)).status).toBe(200);
  });

  test('the exchange says what it can do', async () => {
    const { simulator } = await exchange(still);
    const info = row(await call(`${simulator.origin}/api/v3/exchangeInfo?symbol=BTCUSDT`));
    expect(info.symbols).toMatchObject([
      {
        icebergAllowed: true,
        ocoAllowed: true,
        otoAllowed: true,
        opoAllowed: true,
        allowTrailingStop: true,
        amendAllowed: true,
        pegInstructionsAllowed: false,
      },
    ]);
  });
});
