import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { botConfig, positionSettings } from '../../../testing/auto-trade-fixtures.ts';
import { runs } from '../../../testing/tiers.ts';
import { grammarViolation } from '../../../testing/trace-grammar.ts';
import { add, compare, decimal, multiply, subtract, sum, toText } from '../../money/decimal.ts';
import { afterMove, afterTransfer, emptySums, walletBalances } from '../../wallets/wallet-book.ts';
import type { Trace } from '../trace.ts';
import type { PositionState } from './auto-trade-position-machine.ts';
import { advancePosition } from './auto-trade-position-machine.ts';
import { positionIdFor } from './position-ids.ts';
import { newPosition, type PositionContext, type PositionEvent } from './position-state.ts';

// An exchange that may do anything it is allowed to, to a position that may be told anything at any time.

const levels = [
  { gainPct: '2', sellPct: '50' },
  { gainPct: '4', sellPct: '50' },
];
const positionId = positionIdFor('bot', 1, 'BTCUSDT', 1);
const config = (order: 'Limit' | 'Market', onTimeout: 'cancel' | 'reprice' | 'market') =>
  botConfig({
    takeProfit: { levels },
    entry: { ...botConfig().entry, order: { type: order, onTimeout, maxReprices: 2 } },
    exit: { order: { type: order, onTimeout } },
  });

type Order = PositionContext['order'] & object;
/** What may happen next; quantities of fills are shares of what is left. */
type Happening =
  | { kind: 'fill'; share: number; price: number; feeAsset: 'BTC' | 'USDT' | 'BNB' | 'none' }
  | { kind: 'again' }
  | { kind: 'end'; status: 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED'; code: string | null; price: number }
  | { kind: 'tell'; event: 'timedOut' | 'lost' | 'withdrawn' | 'detached' | 'resumed' | 'accepted'; price: number }
  | { kind: 'decide'; what: 'stop' | 'manual' | 'takeProfit' | 'arm' | 'raise' | 'expire'; price: number };

const price = fc.integer({ min: 9000, max: 12_000 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      share: fc.constantFrom(1, 0.5, 0.3, 0.001),
      price,
      feeAsset: fc.constantFrom('BTC' as const, 'USDT' as const, 'BNB' as const, 'none' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'again' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      status: fc.constantFrom('FILLED' as const, 'CANCELED' as const, 'EXPIRED' as const, 'REJECTED' as const),
      code: fc.constantFrom('-2010', '-1013', 'ABSENT', 'HALTED', 'FROZEN', 'LATE'),
      price,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      event: fc.constantFrom(
        'timedOut' as const,
        'lost' as const,
        'withdrawn' as const,
        'detached' as const,
        'resumed' as const,
        'accepted' as const,
      ),
      price,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      what: fc.constantFrom('stop' as const, 'manual' as const, 'takeProfit' as const, 'arm' as const, 'raise' as const, 'expire' as const),
      price,
    }),
  },
);

function run(start: PositionContext, happenings: readonly Happening[]) {
  let state = 'watching' as PositionState;
  let context = start;
  let sums = afterTransfer(emptySums, '10000');
  let at = 1000;
  let trades = 0;
  const fills: PositionEvent[] = [];
  const traces: Omit<Trace, 'seq'>[] = [];
  const placed: Order[] = [];
  const moment = (ticks: number) => ({
    at,
    price: toText({ units: BigInt(ticks), scale: 2 }),
    bid: toText({ units: BigInt(ticks - 1), scale: 2 }),
    ask: toText({ units: BigInt(ticks + 1), scale: 2 }),
  });
  const send = (event: PositionEvent) => {
    const before = context.order;
    const next = advancePosition(state, context, event);
    if (!next || next.context === context) return;
    for (const effect of next.context.effects) {
      if (effect.kind === 'wallet') sums = afterMove(sums, effect.entry);
      if (effect.kind === 'trace') traces.push(effect.trace);
      if (effect.kind === 'place') {
        // One order at a time, each under an id of its own.
        expect(before === null || event.type === 'order.ended').toBe(true);
        expect(placed.map((order) => order.clientOrderId)).not.toContain(effect.order.clientOrderId);
        placed.push(effect.order);
        if (effect.order.side === 'Sell') expect(compare(decimal(effect.order.quantity), decimal(context.quantity))).toBeLessThanOrEqual(0);
      }
    }
    ({ state, context } = next);
    expect(walletBalances(sums)).toBe(true);
    expect(compare(decimal(sums.reserved), decimal('0'))).toBeGreaterThanOrEqual(0);
    // Dust that is left behind leaves the budget too.
    if (state !== 'detached') expect(sums.invested).toBe(state === 'closed' ? '0' : context.cost);
    // Money is set aside only while an entry may still need it.
    if (state !== 'entryPending' && state !== 'needsAttention') expect(sums.reserved).toBe('0');
  };
  send({
    type: 'entry.decided',
    ...moment(10_000),
    order: {
      type: start.settings.config.entry.order.type,
      quantity: '2',
      price: start.settings.config.entry.order.type === 'Limit' ? '100' : null,
    },
    reserve: '200.4',
    entryReserve: '200.4',
    quote: '200',
    ladder: [],
    reason: 'Drop',
    slot: 1,
    slots: 3,
    observed: {},
  });
  for (const each of happenings) {
    at += 1000;
    const { order } = context;
    if (each.kind === 'fill' && order) {
      const left = subtract(decimal(order.quantity), decimal(order.executed));
      const units = (left.units * BigInt(Math.round(each.share * 1000))) / 1000n;
      if (units <= 0n) continue;
      const quantity = { units, scale: left.scale };
      const at100 = decimal(order.price ?? toText({ units: BigInt(each.price), scale: 2 }));
      const quote = multiply(quantity, at100);
      const inBase = each.feeAsset === 'BTC' && order.side === 'Buy';
      const fee = inBase
        ? multiply(quantity, decimal('0.001'))
        : each.feeAsset === 'none'
          ? decimal('0')
          : multiply(quote, decimal('0.001'));
      const fill: PositionEvent = {
        type: 'order.filled',
        clientOrderId: order.clientOrderId,
        orderId: '7',
        tradeId: String(++trades),
        price: toText(at100),
        quantity: toText(quantity),
        quoteQuantity: toText(quote),
        fee: toText(fee),
        feeAsset: inBase ? 'BTC' : each.feeAsset === 'BNB' ? 'BNB' : 'USDT',
        feeInQuote: inBase ? null : toText(fee),
        bid: '99.99',
        ask: '100.01',
        at,
      };
      send(fill);
      fills.push(fill);
    } else if (each.kind === 'again') {
      // The same executions by the other way, which tells all of them from the first one on.
      const before = context;
      for (const known of fills) send(known);
      expect(context.quantity).toBe(before.quantity);
      expect(context.cost).toBe(before.cost);
    } else if (each.kind === 'end' && order) {
      const whole = compare(decimal(order.executed), decimal(order.quantity)) === 0;
      if (whole !== (each.status === 'FILLED') || (each.status === 'REJECTED' && order.executed !== '0')) continue;
      send({
        type: 'order.ended',
        clientOrderId: order.clientOrderId,
        status: each.status,
        code: each.status === 'REJECTED' ? each.code : null,
        ...moment(each.price),
      });
    } else if (each.kind === 'tell') {
      const now = moment(each.price);
      if (each.event === 'timedOut') send({ type: 'order.timedOut', ...now });
      if (each.event === 'withdrawn') send({ type: 'entry.withdrawn', at });
      if (each.event === 'detached') send({ type: 'position.detached', at });
      if (each.event === 'resumed') send({ type: 'position.resumed', ...now });
      if (each.event === 'lost' && order) send({ type: 'order.lost', clientOrderId: order.clientOrderId, code: 'AMBIGUOUS' });
      if (each.event === 'accepted' && order) send({ type: 'order.accepted', clientOrderId: order.clientOrderId, orderId: '7' });
    } else if (each.kind === 'decide') {
      const now = moment(each.price);
      if (each.what === 'stop') send({ type: 'exit.decided', reason: 'StopLoss', ...now });
      if (each.what === 'manual') send({ type: 'exit.decided', reason: 'Manual', ...now });
      if (each.what === 'takeProfit') send({ type: 'takeProfit.decided', ...now });
      if (each.what === 'arm') send({ type: 'line.armed', ...now });
      if (each.what === 'raise') send({ type: 'line.raised', ...now });
      if (each.what === 'expire') send({ type: 'line.expired', reason: 'Timeout', ...now });
    }
  }
  return { state, context, sums, traces, placed };
}

const starts = (['Limit', 'Market'] as const).flatMap((order) =>
  (['cancel', 'reprice', 'market'] as const).map(
    (onTimeout) => [`${order}, ${onTimeout}`, newPosition(positionSettings(config(order, onTimeout)), 1, positionId)] as const,
  ),
);

test.each(starts)('whatever happens, the wallet adds up and what was set aside comes back: %s', (_, start) => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const { state, context, sums, traces } = run(start, happenings);
      expect(
        grammarViolation(state === 'detached' ? traces.filter(({ kind }) => kind !== 'Exit') : (traces as Trace[]), state === 'closed'),
      ).toBeUndefined();
      if (state === 'closed' || state === 'detached') expect(sums.reserved).toBe('0');
      const realised = sum(traces.filter(({ kind }) => kind === 'Sell').map(({ after }) => decimal(String(after.realised))));
      expect(toText(realised)).toBe(context.realised);
      expect(sums.realised).toBe(context.realised);
      const net = traces.reduce((held, { kind, after }) => {
        if (kind !== 'Buy' && kind !== 'Sell') return held;
        const quantity = decimal(String(after.quantity));
        return kind === 'Buy'
          ? add(held, after.feeAsset === 'BTC' ? subtract(quantity, decimal(String(after.fee))) : quantity)
          : subtract(held, quantity);
      }, decimal('0'));
      expect(toText(net)).toBe(context.quantity);
    }),
    { numRuns: runs(1500) },
  );
});

describe('single stories', () => {
  const [, limit] = starts.find(([name]) => name === 'Limit, cancel')!;
  const fill = (share = 1): Happening => ({ kind: 'fill', share, price: 10_000, feeAsset: 'none' });
  const end = (status: 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED', code: string | null = null): Happening => ({
    kind: 'end',
    status,
    code,
    price: 10_000,
  });
  const decide = (what: 'stop' | 'manual' | 'takeProfit'): Happening => ({ kind: 'decide', what, price: 10_400 });
  const tell = (event: 'resumed' | 'timedOut' | 'detached' | 'lost'): Happening => ({ kind: 'tell', event, price: 10_000 });
  const bought = [fill(), end('FILLED')];

  test('an order by hand that waits for a slice is placed when the slice is gone', () => {
    const { state, context } = run(limit, [...bought, decide('takeProfit'), decide('manual'), end('CANCELED')]);
    expect([state, context.order?.purpose, context.order?.quantity]).toEqual(['exitPending', 'exit', '2']);
  });

  test('after a refused stop was looked at, a slice is a slice again', () => {
    const { state, context } = run(limit, [
      ...bought,
      decide('stop'),
      end('REJECTED', '-2010'),
      end('REJECTED', '-2010'),
      tell('resumed'),
      decide('takeProfit'),
      fill(),
      end('FILLED'),
    ]);
    expect([state, context.quantity, context.exitReason]).toEqual(['open', '1', null]);
  });

  test('an exit that never arrived is sent again whole, however often', () => {
    const { state, context } = run(limit, [
      ...bought,
      decide('stop'),
      end('REJECTED', 'ABSENT'),
      end('REJECTED', 'ABSENT'),
      end('REJECTED', 'ABSENT'),
    ]);
    expect([state, context.order?.quantity, context.rejections]).toEqual(['exitPending', '2', 0]);
  });

  test.each(['HALTED', 'LATE'])('an exit that was held back or came too late is decided anew, not refused: %s', (code) => {
    const { state, context } = run(limit, [...bought, decide('stop'), end('REJECTED', code)]);
    expect([state, context.order, context.exitReason, context.attention]).toEqual(['open', null, null, null]);
  });

  test('a position that a fall made unsellable is not closed: it is still there', () => {
    const fallen = (status: 'REJECTED'): Happening => ({ kind: 'end', status, code: '-1013', price: 200 });
    const stop: Happening = { kind: 'decide', what: 'stop', price: 200 };
    const { state, context, sums } = run(limit, [...bought, stop, fallen('REJECTED'), fallen('REJECTED')]);
    expect([state, context.attention, context.quantity, sums.invested]).toEqual(['needsAttention', '-1013', '2', '200']);
    const resumed = run(limit, [...bought, stop, fallen('REJECTED'), fallen('REJECTED'), { kind: 'tell', event: 'resumed', price: 200 }]);
    expect([resumed.state, resumed.context.quantity]).toEqual(['open', '2']);
  });

  test('what could not be told apart can be let go, and its reservation comes back', () => {
    const { state, sums } = run(limit, [tell('lost'), tell('detached')]);
    expect([state, sums.free, sums.reserved]).toEqual(['detached', '10000', '0']);
  });

  test('an entry is not repeated for more than was set aside for it', () => {
    const start = newPosition(positionSettings(config('Limit', 'reprice')), 1, positionId);
    const { context } = run(start, [tell('timedOut'), { kind: 'end', status: 'CANCELED', code: null, price: 12_000 }]);
    const { order } = context;
    expect(order?.price).toBe('120.01');
    const worst = multiply(multiply(decimal(order!.quantity), decimal(order!.price!)), decimal('1.001'));
    expect(compare(worst, decimal(context.reserved))).toBeLessThanOrEqual(0);
  });
});
