import type { OrderInput } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { clientOrderIdFor, positionIdFor, positionIdOfOldOrder } from '@pilotfish/core/auto-trades/position/position-ids';
import type { OrderInFlight } from '@pilotfish/core/auto-trades/position/position-state';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { ExchangeError } from '../exchange/exchange-error.ts';
import type { OrderPayload } from '../exchange/payloads.ts';
import { orderExecutor } from './order-executor.ts';
import type { IntentRow } from './order-intents-store.ts';

// A scripted exchange; the clock moves only when the executor waits, or when a request takes its time.
const BOT = 'bot';
const START = 1_800_000_000_000;
const unknown = () => new ExchangeError('unknown', 'no answer');
const refused = (code: number, message = 'refused') => new ExchangeError('refused', message, { code, status: 400 });
const limited = () => new ExchangeError('limited', 'slow down', { status: 429, retryAfterMs: 1000 });

type Call = { what: 'place' | 'cancel' | 'order' | 'sync'; id?: string; at: number };
type Script = {
  place?: (id: string, time: number) => unknown;
  cancel?: (id: string, time: number) => unknown;
  order?: (id: string, time: number) => unknown;
  trades?: (orderId: number, time: number) => unknown;
  depth?: (time: number) => unknown;
};

let now: number;
let calls: Call[];
let delivered: OrderInput[];
let signed: string[];
let awaited: string[];
let noted: string[];
let script: Script;
let refusal: (order: OrderInFlight) => string | undefined;
let accountsFail: number;
let storeFails: boolean;
let onRuleRefused: (autoTradeId: string) => Promise<void>;
let lacking: () => { free: string; locked: string } | 'enough' | 'unknown';
let hasLeft: (symbol: string) => Promise<boolean>;
let onSync: () => void;
let beforeSend: ((id: string) => Promise<void>) | undefined;
/** By how much the time that orders carry is ahead of the exchange's clock, and what that clock says. */
let ahead: number;
let exchangeTime: () => number;
/** How far the wall clock was set forward since the start, ms: the monotonic one does not hear of it. */
let wallAhead: number;

beforeEach(() => {
  now = START;
  calls = [];
  delivered = [];
  signed = [];
  awaited = [];
  noted = [];
  script = {};
  refusal = () => undefined;
  accountsFail = 0;
  storeFails = false;
  onRuleRefused = async () => undefined;
  lacking = () => 'unknown';
  hasLeft = async () => false;
  beforeSend = undefined;
  onSync = () => undefined;
  ahead = 0;
  exchangeTime = () => now;
  wallAhead = 0;
});

const count = (what: Call['what']) => calls.filter((call) => call.what === what).length;

function stage() {
  const exchange = {
    rest: {
      syncClock: async () => {
        calls.push({ what: 'sync', at: now });
        onSync();
      },
      serverTime: async () => exchangeTime(),
    },
    placeOrder: async (
      _signer: unknown,
      parameters: { newClientOrderId: string },
      more: { beforeSigning: (timestamp: number) => void },
    ) => {
      const id = parameters.newClientOrderId;
      calls.push({ what: 'place', id, at: now });
      await beforeSend?.(id);
      more.beforeSigning(now + ahead);
      signed.push(id);
      return script.place?.(id, now);
    },
    cancelOrder: async (_signer: unknown, parameters: { origClientOrderId: string }) => {
      calls.push({ what: 'cancel', id: parameters.origClientOrderId, at: now });
      return script.cancel?.(parameters.origClientOrderId, now);
    },
    order: async (_signer: unknown, parameters: { origClientOrderId: string }) => {
      calls.push({ what: 'order', id: parameters.origClientOrderId, at: now });
      return script.order?.(parameters.origClientOrderId, now);
    },
    tradesOfOrder: async (_signer: unknown, { orderId }: { orderId: number }) => {
      return script.trades?.(orderId, now) ?? [];
    },
    depth: async () => {
      return script.depth?.(now) ?? { bids: [], asks: [['100', '1000']] };
    },
  };
  return orderExecutor({
    exchange: exchange as never,
    accounts: {
      get: async () => {
        if (accountsFail > 0) {
          accountsFail -= 1;
          throw new Error('no keys just now');
        }
        return { signer: {}, key: 'live:a', expect: (id: string) => void awaited.push(id) };
      },
    } as never,
    store: {
      setIntent: async (_id: string, status: string) => {
        if (storeFails) throw new Error('disk full');
        noted.push(status);
      },
    } as never,
    checked: async () => undefined,
    refusal: (_id, order) => refusal(order),
    deliver: (_bot, input) => void delivered.push(input),
    onKeyRefused: () => undefined,
    onUnderfunded: () => undefined,
    lacking: async () => lacking(),
    onRuleRefused: (id) => onRuleRefused(id),
    hasLeft: (symbol) => hasLeft(symbol),
    now: () => now,
    log: pino({ level: 'silent' }),
    timers: {
      running: () => now - wallAhead,
      wait: async (ms) => {
        now += ms;
        await new Promise((done) => setImmediate(done));
      },
    },
  });
}

const positionOf = (position: number) => positionIdFor(BOT, 1, 'BTCUSDT', position);
const idOf = (position: number, step = 1) => clientOrderIdFor(positionOf(position), step, 0);
const intent = (over: Partial<OrderInFlight> = {}, more: Partial<IntentRow> = {}): IntentRow => {
  const clientOrderId = over.clientOrderId ?? idOf(1);
  return {
    id: `intent-${clientOrderId}`,
    autoTradeId: BOT,
    positionId: positionIdOfOldOrder(clientOrderId) ?? '',
    accountKey: 'live:a',
    clientOrderId,
    kind: 'place',
    symbol: 'BTCUSDT',
    order: {
      clientOrderId,
      purpose: 'exit',
      side: 'Sell',
      type: 'Market',
      quantity: '1',
      price: null,
      placedAt: START,
      deadline: START + 60_000,
      attempt: 0,
      reprices: 0,
      orderId: null,
      executed: '0',
      tradeIds: [],
      cancelRequested: false,
      level: null,
      ...over,
    },
    maxSlippagePct: '0.5',
    ...more,
  };
};
const entry = (position = 1, over: Partial<OrderInFlight> = {}) =>
  intent({ clientOrderId: idOf(position), purpose: 'entry', side: 'Buy', type: 'Limit', price: '100', ...over });

const known = (id: string, status: string, executedQty = '0'): OrderPayload => ({
  symbol: 'BTCUSDT',
  orderId: '7',
  clientOrderId: id,
  price: '0',
  origQty: '1',
  executedQty,
  cummulativeQuoteQty: '0',
  status,
  type: 'MARKET',
  side: 'SELL',
  time: START + 10,
  updateTime: START + 10,
});
const trade = (id: number, qty: string) => ({
  symbol: 'BTCUSDT',
  id: String(id),
  orderId: '7',
  price: '100',
  qty,
  quoteQty: String(Number(qty) * 100),
  commission: '0',
  commissionAsset: 'USDT',
  time: START + 10,
  isBuyer: false,
});
const placed = (id: string, status: string, executedQty = '0') => ({
  ...known(id, status, executedQty),
  transactTime: START + 10,
  fills: [],
});
const kinds = () =>
  delivered.map((input) =>
    input.type === 'ended'
      ? `ended ${input.status}${input.code ? ` ${input.code}` : ''}`
      : input.type === 'filled'
        ? `filled ${input.quantity}`
        : input.type,
  );
const fail = (error: Error) => {
  throw error;
};

describe('what became of an order', () => {
  test('an order that could still arrive when it was asked for is not absent', async () => {
    const executor = stage();
    script.place = () => fail(unknown());
    let arrives = Number.POSITIVE_INFINITY;
    script.order = (id, time) => {
      if (time < arrives) {
        // It is at the exchange a moment after the question was answered, and the answer itself is slow.
        arrives = time + 1;
        now += 6000;
        fail(refused(-2013));
      }
      return known(id, 'FILLED', '1');
    };
    script.trades = () => [trade(1, '1')];
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['accepted', 'filled 1', 'ended FILLED']);
  });

  test('the event of an order that was taken is waited for, and of no other', async () => {
    const executor = stage();
    script.place = (id) => (id === idOf(1) ? placed(id, 'FILLED', '0') : fail(refused(-2010, 'no')));
    executor.submit(intent());
    executor.submit(intent({ clientOrderId: idOf(2) }));
    await executor.idle();
    expect(awaited).toEqual([idOf(1)]);
  });

  test('an order that is known to stand is never taken for absent', async () => {
    const executor = stage();
    script.place = (id) => placed(id, 'FILLED', '1');
    let trades = 0;
    script.trades = () => (trades++ === 0 ? fail(new ExchangeError('unreachable', '503')) : [trade(1, '1')]);
    let asked = 0;
    script.order = (id) => (asked++ < 3 ? fail(refused(-2013)) : known(id, 'FILLED', '1'));
    executor.submit(intent());
    await executor.idle();
    expect(kinds().filter((kind) => kind.startsWith('ended'))).toEqual(['ended FILLED']);
    expect(kinds()).toContain('filled 1');
    expect(signed).toHaveLength(1);
  });

  test('an order does not end before all of its executions are read', async () => {
    const executor = stage();
    script.place = (id) => placed(id, 'FILLED', '1');
    script.order = (id) => known(id, 'FILLED', '1');
    let trades = 0;
    script.trades = () => [[], [trade(1, '0.4')], [trade(1, '0.4'), trade(2, '0.6')]][Math.min(trades++, 2)];
    executor.submit(intent());
    await executor.idle();
    const ended = kinds().findIndex((kind) => kind.startsWith('ended'));
    expect(kinds().slice(0, ended)).toEqual(expect.arrayContaining(['filled 0.4', 'filled 0.6']));
    expect(kinds().filter((kind) => kind.startsWith('ended'))).toHaveLength(1);
  });

  test('after a restart a request of the last process may still arrive, however old its intent is', async () => {
    const old = intent({ placedAt: START - 60_000 });
    const executor = stage();
    // Signed by the last process in its last moment: at the exchange two seconds after we are up.
    script.order = (id, time) => (time < START + 2000 ? fail(refused(-2013)) : known(id, 'FILLED', '1'));
    script.trades = () => [trade(1, '1')];
    await executor.reconcile(old);
    expect(kinds()).toEqual(['accepted', 'filled 1', 'ended FILLED']);
  });

  test('an order that the exchange archived ended long ago with nothing executed; a younger one of its id is not ours', async () => {
    const executor = stage();
    script.order = () => fail(refused(-2026, 'Order was archived.'));
    await executor.reconcile(intent({ placedAt: START - 91 * 86_400_000 }));
    expect(kinds()).toEqual(['ended EXPIRED']);
    delivered.length = 0;
    await executor.reconcile(intent({ placedAt: START - 89 * 86_400_000 }));
    expect(delivered).toMatchObject([{ type: 'lost', code: 'AMBIGUOUS' }]);
  });

  test.each([
    ['our clock was ahead when it was signed', 4000, () => now, 8800],
    ['the exchange set its clock back', 0, () => now - (now > START ? 10_000 : 0), 14_500],
  ])('an order is taken for as long as the exchange says, not as long as we do: %s', async (_what, itsLead, clock, arrivesAfter) => {
    const executor = stage();
    ahead = itsLead;
    exchangeTime = clock;
    script.place = () => fail(unknown());
    script.order = (id, time) => (time < START + arrivesAfter ? fail(refused(-2013)) : known(id, 'FILLED', '1'));
    script.trades = () => [trade(1, '1')];
    executor.submit(entry());
    await executor.idle();
    expect(kinds()).toEqual(['accepted', 'filled 1', 'ended FILLED']);
  });

  test('while the exchange does not tell its time, nothing counts as absent', async () => {
    const executor = stage();
    exchangeTime = () => (now < START + 60_000 ? fail(new ExchangeError('unreachable', '503')) : now);
    script.place = () => fail(unknown());
    script.order = () => fail(refused(-2013));
    executor.submit(entry());
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED ABSENT']);
    expect(now).toBeGreaterThanOrEqual(START + 60_000);
  });

  test('an order that never arrived is absent, and only then', async () => {
    const executor = stage();
    script.place = () => fail(unknown());
    script.order = () => fail(refused(-2013));
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED ABSENT']);
    expect(calls.at(-1)!.at).toBeGreaterThanOrEqual(START + 6000);
    expect(signed).toHaveLength(1);
  });

  test('what waits for an absent order waits no longer than it has to', async () => {
    const executor = stage();
    script.place = () => fail(unknown());
    script.order = () => fail(refused(-2013));
    executor.submit(intent());
    await executor.idle();
    expect(now - START).toBe(8000);
  });

  test('after a restart neither, even where the first questions fail', async () => {
    const executor = stage();
    script.order = (_id, time) => fail(time < START + 5000 ? new ExchangeError('unreachable', '503') : refused(-2013));
    await executor.reconcile(intent());
    expect(kinds()).toEqual(['ended REJECTED ABSENT']);
    expect(now - START).toBe(13_000);
  });

  test('an order that the exchange once took and then forgot is left to a person', async () => {
    const executor = stage();
    script.order = () => fail(refused(-2013));
    await executor.reconcile({ ...intent(), status: 'sent' } as IntentRow);
    expect(kinds()).toEqual(['lost']);
  });

  test('an error of our own while sending counts as "may have left"', async () => {
    const executor = stage();
    script.place = () => fail(new TypeError('a bug'));
    script.order = () => fail(refused(-2013));
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED ABSENT']);
  });

  test('a database that cannot take the status keeps nobody from hearing what happened', async () => {
    const executor = stage();
    storeFails = true;
    script.place = (id) => placed(id, 'FILLED', '1');
    script.trades = () => [trade(1, '1')];
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['accepted', 'filled 1', 'ended FILLED']);
  });
});

describe('a pair that has left the exchange', () => {
  const gone = () => fail(refused(-1121, 'Invalid symbol.'));
  const codes = () => delivered.map((input) => ('code' in input ? `${input.type} ${input.code}` : input.type));
  test('its order is asked for until the list says so, too, and then no more', async () => {
    const executor = stage();
    script.order = gone;
    const lists = [false, false, true];
    hasLeft = async () => lists.shift() ?? true;
    await executor.reconcile({ ...intent(), status: 'sent' } as IntentRow);
    expect([codes(), count('order')]).toEqual([['lost UNLISTED'], 3]);
  });
  test('a list that cannot be read says nothing: the order is settled when the pair is back', async () => {
    const executor = stage();
    script.order = (id, time) => (time < START + 300_000 ? gone() : known(id, 'FILLED', '1'));
    script.trades = () => [trade(1, '1')];
    await executor.reconcile({ ...intent(), status: 'sent' } as IntentRow);
    expect(kinds()).toEqual(['accepted', 'filled 1', 'ended FILLED']);
  });
  test('a cancel ends with it, and lets what waits behind it go on', async () => {
    const executor = stage();
    script.cancel = gone;
    script.order = gone;
    hasLeft = async () => true;
    executor.submit(intent({}, { kind: 'cancel' }));
    await executor.idle();
    expect([codes(), count('cancel')]).toEqual([['lost UNLISTED'], 1]);
  });
  test('an order that is refused for it says why', async () => {
    const executor = stage();
    script.place = gone;
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED UNLISTED']);
  });
});

describe('cancelling', () => {
  const cancel = (over: Partial<OrderInFlight> = {}) => intent({ type: 'Limit', price: '100', ...over }, { kind: 'cancel' });

  test('a cancel whose answer was lost and that did nothing is sent again', async () => {
    const executor = stage();
    let cancels = 0;
    script.cancel = (id) => (cancels++ === 0 ? fail(unknown()) : known(id, 'CANCELED'));
    script.order = (id) => known(id, cancels > 1 ? 'CANCELED' : 'NEW');
    executor.submit(cancel());
    await executor.idle();
    expect(count('cancel')).toBe(2);
    expect(kinds().at(-1)).toBe('ended CANCELED');
  });

  test('a cancel whose order still stands is left for the next process, too', async () => {
    const executor = stage();
    let before: string[] = [];
    script.cancel = (id) => {
      before = [...noted];
      return count('cancel') === 1 ? fail(unknown()) : known(id, 'CANCELED');
    };
    script.order = (id) => known(id, count('cancel') > 1 ? 'CANCELED' : 'NEW');
    executor.submit(cancel());
    await executor.idle();
    expect([before.includes('done'), noted.at(-1)]).toEqual([false, 'done']);
  });

  test('without keys nothing is said to have ended: the order still stands', async () => {
    const executor = stage();
    accountsFail = 3;
    script.cancel = (id) => known(id, 'CANCELED');
    script.order = (id) => known(id, 'CANCELED');
    executor.submit(cancel());
    await executor.idle();
    expect(kinds()).toEqual(['accepted', 'ended CANCELED']);
  });

  test('a fill that won the race is counted', async () => {
    const executor = stage();
    script.cancel = () => fail(refused(-2011, 'Unknown order sent.'));
    script.order = (id) => known(id, 'FILLED', '1');
    script.trades = () => [trade(1, '1')];
    executor.submit(cancel());
    await executor.idle();
    expect(kinds()).toEqual(['accepted', 'filled 1', 'ended FILLED']);
  });
});

describe('what is signed, and when', () => {
  test('an exit does not wait behind the entry of another position', async () => {
    const executor = stage();
    const order: string[] = [];
    let letGo: () => void = () => undefined;
    beforeSend = async (id) => {
      // The entry waits for weight; exits have some kept back for them.
      if (id === idOf(1)) await new Promise<void>((done) => (letGo = done));
      order.push(id);
    };
    script.place = (id) => placed(id, 'NEW');
    executor.submit(entry(1));
    executor.submit(intent({ clientOrderId: idOf(2) }));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
    expect(order).toEqual([idOf(2)]);
    letGo();
    await executor.idle();
    expect(order).toEqual([idOf(2), idOf(1)]);
  });

  test('nor behind an order whose outcome is not known', async () => {
    const executor = stage();
    script.place = (id) => (id === idOf(1) ? fail(unknown()) : placed(id, 'NEW'));
    script.order = () => fail(refused(-2013));
    executor.submit(entry(1));
    executor.submit(intent({ clientOrderId: idOf(2) }));
    await executor.idle();
    expect(calls.find((call) => call.what === 'place' && call.id === idOf(2))?.at).toBe(START);
  });

  test('orders of one position leave one after the other', async () => {
    const executor = stage();
    script.place = (id) => placed(id, 'NEW');
    script.cancel = (id) => known(id, 'CANCELED');
    script.order = (id) => known(id, 'CANCELED');
    executor.submit(entry(1));
    executor.submit({ ...entry(1), kind: 'cancel' });
    await executor.idle();
    expect(calls.map((call) => call.what)).toEqual(['place', 'cancel', 'order']);
  });

  test('a switch that falls at any wait of an entry keeps it from being signed', async () => {
    for (const moment of ['depth', 'weight'] as const) {
      delivered = [];
      let halted = false;
      const executor = stage();
      refusal = () => (halted ? 'HALTED' : undefined);
      script.depth = () => {
        if (moment === 'depth') halted = true;
        return { bids: [], asks: [['100', '1000']] };
      };
      beforeSend = async () => {
        await Promise.resolve();
        if (moment === 'weight') halted = true;
      };
      executor.submit(entry(1, { type: 'Market', price: null }));
      await executor.idle();
      expect(signed).toEqual([]);
      expect(kinds()).toEqual(['ended REJECTED HALTED']);
    }
  });

  test('an entry that waited too long is not sent any more; an exit is', async () => {
    const executor = stage();
    beforeSend = async () => {
      now += 30_000;
    };
    script.place = (id) => placed(id, 'NEW');
    executor.submit(entry(1));
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED RATE_LIMITED']);
    executor.submit(intent({ clientOrderId: idOf(2) }));
    await executor.idle();
    expect(signed).toEqual([idOf(2)]);
  });

  test('entries leave a part of the orders of ten seconds to exits', async () => {
    const executor = stage();
    const atOnce: string[] = [];
    script.place = (id, time) => {
      if (time === START) atOnce.push(id);
      return placed(id, 'NEW');
    };
    for (let position = 1; position <= 45; position += 1) executor.submit(entry(position));
    executor.submit(intent({ clientOrderId: idOf(100) }));
    await executor.idle();
    expect(atOnce).toHaveLength(41);
    expect(atOnce).toContain(idOf(100));
    expect(signed.length + kinds().filter((kind) => kind === 'ended REJECTED RATE_LIMITED').length).toBe(46);
  });

  test('after stop nothing is signed, and nothing is said to have happened', async () => {
    const executor = stage();
    beforeSend = async () => executor.stop();
    executor.submit(intent());
    await executor.idle();
    expect(signed).toEqual([]);
    expect(delivered).toEqual([]);
  });

  describe('an order that the exchange refuses for its time', () => {
    const tooOld = () => fail(refused(-1021, 'Timestamp for this request is outside of the recvWindow.'));

    test.each([
      ['buy', entry(1)],
      ['sale', intent()],
    ])('is not signed anew with the time of now: a %s is decided anew, once the time is known', async (_what, late) => {
      const executor = stage();
      let tries = 0;
      script.place = (id) => (tries++ === 0 ? tooOld() : placed(id, 'NEW'));
      executor.submit(late);
      await executor.idle();
      expect(signed).toHaveLength(1);
      expect(kinds()).toEqual(['ended REJECTED LATE']);
      expect(count('sync')).toBe(1);
    });

    test('is told of when the exchange tells its time again, not before', async () => {
      const executor = stage();
      let silent = 3;
      let tries = 0;
      onSync = () => {
        expect(delivered).toEqual([]);
        if (silent-- > 0) throw new ExchangeError('unreachable', 'The exchange did not tell its time.');
      };
      script.place = (id) => (tries++ === 0 ? tooOld() : placed(id, 'NEW'));
      executor.submit(intent());
      await executor.idle();
      expect(count('sync')).toBe(4);
      expect(kinds()).toEqual(['ended REJECTED LATE']);
    });
  });

  test.each([
    ['and every clock went on', 11_000, 11_000],
    ['asleep, which the wall clock only tells', 11_000, 0],
    ['while the wall clock was set back', 0, 11_000],
  ])('a buy that stood still between its decision and its signing is not sent: %s', async (_what, wallMs, runningMs) => {
    const executor = stage();
    const decided = { wall: now, running: now };
    now += wallMs;
    wallAhead = wallMs - runningMs;
    executor.submit(entry(1), decided);
    // An exit is still owed.
    executor.submit(intent({ clientOrderId: idOf(2) }), decided);
    script.place = (id) => placed(id, 'NEW');
    await executor.idle();
    expect(signed).toEqual([idOf(2)]);
  });

  test('429 is waited out by exits, and given up by entries', async () => {
    const executor = stage();
    let tries = 0;
    script.place = (id) => (tries++ < 12 ? fail(limited()) : placed(id, 'NEW'));
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['accepted']);
    tries = 0;
    delivered = [];
    executor.submit(entry(2));
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED RATE_LIMITED']);
  });

  test('what the exchange says of an order that it refuses is passed on, as far as it can be stored', async () => {
    const executor = stage();
    const sentence = 'This symbol is not permitted for this account.';
    for (const [index, message] of [sentence, `\u0000${'x'.repeat(5000)}`].entries()) {
      script.place = () => fail(refused(-2010, message));
      executor.submit(entry(index + 1));
      await executor.idle();
    }
    expect(delivered).toMatchObject([
      { type: 'ended', status: 'REJECTED', code: '-2010', detail: sentence },
      { type: 'ended', detail: ` ${'x'.repeat(199)}` },
    ]);
  });

  test('a sale that a gateway turns away is tried again for minutes, an entry is given up', async () => {
    const executor = stage();
    const gateway = () => fail(new ExchangeError('refused', 'a page', { status: 403 }));
    script.place = (id, time) => (time < START + 60_000 ? gateway() : placed(id, 'NEW'));
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['accepted']);
    script.place = gateway;
    delivered = [];
    executor.submit(entry(2));
    await executor.idle();
    expect([kinds(), count('sync')]).toEqual([['ended REJECTED 403'], 0]);
    const since = now;
    delivered = [];
    executor.submit(intent({ clientOrderId: idOf(3) }));
    await executor.idle();
    expect([kinds(), now - since >= 5 * 60_000]).toEqual([['ended REJECTED 403'], true]);
  });

  test('a sale that is refused for a rule of the pair is told of once the rules of now are read, or cannot be', async () => {
    const executor = stage();
    script.place = () => fail(refused(-1013));
    const asked: [string, number][] = [];
    onRuleRefused = async (id) => void asked.push([id, delivered.length]);
    executor.submit(intent());
    await executor.idle();
    expect([asked, kinds()]).toEqual([[[BOT, 0]], ['ended REJECTED -1013']]);
    executor.submit(entry(2));
    await executor.idle();
    expect(asked).toHaveLength(1);
    onRuleRefused = () => new Promise(() => undefined);
    const since = now;
    executor.submit(intent({ clientOrderId: idOf(3) }));
    await executor.idle();
    expect([kinds().at(-1), now - since]).toEqual(['ended REJECTED -1013', 3000]);
    onRuleRefused = async () => {
      throw new Error('its bot cannot take them');
    };
    executor.submit(intent({ clientOrderId: idOf(4) }));
    await executor.idle();
    expect(kinds()).toHaveLength(4);
  });

  test('a sale that the account has too little for is refused with what is there; an entry says nothing of it', async () => {
    const executor = stage();
    script.place = () => fail(refused(-2010, 'Account has insufficient balance for requested action.'));
    const balance = { free: '0.98', locked: '0.01' };
    lacking = () => balance;
    executor.submit(intent());
    await executor.idle();
    expect(delivered).toMatchObject([{ status: 'REJECTED', code: '-2010 INSUFFICIENT_BALANCE', balance }]);
    delivered = [];
    executor.submit(entry(2));
    lacking = () => 'unknown';
    executor.submit(intent({ clientOrderId: idOf(3) }));
    await executor.idle();
    expect([delivered.length, delivered.filter((input) => 'balance' in input)]).toEqual([2, []]);
  });

  test('a sale that there is enough of by now is sent again, a few times, before it counts as refused', async () => {
    const executor = stage();
    lacking = () => 'enough';
    let tries = 0;
    script.place = (id) =>
      ++tries < 3 ? fail(refused(-2010, 'Account has insufficient balance for requested action.')) : placed(id, 'NEW');
    executor.submit(intent());
    await executor.idle();
    expect([kinds(), tries]).toEqual([['accepted'], 3]);
    delivered = [];
    tries = -10;
    executor.submit(intent({ clientOrderId: idOf(2) }));
    await executor.idle();
    expect([kinds(), tries]).toEqual([['ended REJECTED -2010 INSUFFICIENT_BALANCE'], -6]);
  });

  test('a sale waits for keys that cannot be read just now, an entry does not', async () => {
    const executor = stage();
    script.place = (id) => placed(id, 'NEW');
    accountsFail = 3;
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual(['accepted']);
    accountsFail = 1;
    delivered = [];
    executor.submit(entry(2));
    await executor.idle();
    expect(kinds()).toEqual(['ended REJECTED NOT_CONNECTED']);
  });

  test.each([-2010, -1013, -1111])('a refusal with %i is told once, and not tried again', async (code) => {
    const executor = stage();
    script.place = () => fail(refused(code));
    executor.submit(intent());
    await executor.idle();
    expect(kinds()).toEqual([`ended REJECTED ${code}`]);
    expect(signed).toHaveLength(1);
  });
});
