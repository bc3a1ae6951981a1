import { decimal, isPositive, subtract, toText } from '@pilotfish/core/money/decimal';
import { runs, TIER } from '@pilotfish/core/testing/tiers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candle, expectExact, expectLists, openStory } from '../../testing/engine-story.ts';
import { ApiError } from '../rest/api-error.ts';
import { RequestParameters } from '../rest/request-parameters.ts';
import { amendOrder } from './order-amendment.ts';
import { type ListKind, readOrderList } from './order-list-request.ts';
import { readOrder } from './order-request.ts';

const MINUTE = 60_000;

type Shape = {
  side: 'BUY' | 'SELL';
  quantity: number;
  /** Distances from the last price in hundredths: of the working order, of the leg above and of the one below. */
  working: number;
  above: number;
  below: number;
  profit: 'LIMIT_MAKER' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT';
  stop: 'STOP_LOSS' | 'STOP_LOSS_LIMIT';
  tif: 'GTC' | 'IOC' | 'FOK';
  iceberg: boolean;
  trailing: number;
};
type Step =
  | { kind: ListKind; shape: Shape }
  | { kind: 'iceberg' | 'trailing' | 'limit' | 'replace'; shape: Shape; which: number }
  | { kind: 'amend'; which: number; part: number }
  | { kind: 'cancel'; which: number }
  | { kind: 'delist' }
  | { kind: 'share'; share: number | undefined }
  | { kind: 'advance'; ms: number };

const shape: fc.Arbitrary<Shape> = fc.record({
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  quantity: fc.integer({ min: 10, max: 90_000 }),
  working: fc.integer({ min: -500, max: 500 }),
  above: fc.integer({ min: 1, max: 900 }),
  below: fc.integer({ min: 1, max: 900 }),
  profit: fc.constantFrom('LIMIT_MAKER' as const, 'LIMIT_MAKER' as const, 'TAKE_PROFIT' as const, 'TAKE_PROFIT_LIMIT' as const),
  stop: fc.constantFrom('STOP_LOSS' as const, 'STOP_LOSS_LIMIT' as const),
  tif: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
  iceberg: fc.boolean(),
  trailing: fc.constantFrom(0, 0, 10, 50, 200),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('oco' as const, 'oto' as const, 'otoco' as const, 'opo' as const, 'opoco' as const),
      shape,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('iceberg' as const, 'trailing' as const, 'limit' as const, 'replace' as const),
      shape,
      which: fc.nat(20),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('amend' as const), which: fc.nat(20), part: fc.integer({ min: 1, max: 99 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delist' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('share' as const), share: fc.constantFrom(undefined, undefined, 0.001, 0.5) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 2 * MINUTE }) }) },
);

const text = (hundredths: number): string => (hundredths / 100).toFixed(2);

function legFields(
  prefix: string,
  type: string,
  last: number,
  distance: number,
  { tif, trailing, iceberg, quantity }: Shape,
): Record<string, string> {
  const field = (name: string): string => (prefix === '' ? name : `${prefix}${name[0]!.toUpperCase()}${name.slice(1)}`);
  const limits = type.includes('LIMIT');
  return {
    [field('type')]: type,
    ...(limits ? { [field('price')]: text(last + distance) } : {}),
    ...(limits && type !== 'LIMIT_MAKER' ? { [field('timeInForce')]: tif } : {}),
    ...(type === 'LIMIT_MAKER' || type === 'LIMIT' ? {} : { [field('stopPrice')]: text(last + distance) }),
    ...(trailing > 0 && type.includes('_') && type !== 'LIMIT_MAKER' ? { [field('trailingDelta')]: String(trailing) } : {}),
    ...(iceberg && limits && (tif === 'GTC' || type === 'LIMIT_MAKER')
      ? { [field('icebergQty')]: (Math.ceil(quantity / 3) / 100_000).toFixed(5) }
      : {}),
  };
}

function listFields(kind: ListKind, last: number, one: Shape): Record<string, string> {
  const quantity = (one.quantity / 100_000).toFixed(5);
  const side = kind === 'opo' || kind === 'opoco' ? 'SELL' : one.side;
  const buys = side === 'BUY';
  const above = (prefix: string): Record<string, string> => legFields(prefix, buys ? one.stop : one.profit, last, one.above, one);
  const below = (prefix: string): Record<string, string> => legFields(prefix, buys ? one.profit : one.stop, last, -one.below, one);
  if (kind === 'oco') return { symbol: 'BTCUSDT', side, quantity, ...above('above'), ...below('below') };
  const working = {
    symbol: 'BTCUSDT',
    workingSide: buys ? 'SELL' : 'BUY',
    workingQuantity: quantity,
    ...legFields('working', 'LIMIT', last, one.working, one),
    pendingSide: side,
    ...(kind === 'oto' || kind === 'otoco' ? { pendingQuantity: quantity } : {}),
  };
  if (kind === 'otoco' || kind === 'opoco') return { ...working, ...above('pendingAbove'), ...below('pendingBelow') };
  const pending = one.trailing === 10 ? { pendingType: 'MARKET' } : one.above % 2 === 0 ? above('pending') : below('pending');
  return { ...working, ...pending };
}

test('lists, icebergs, trailing stops, amendments and partial fills lock and move exactly what they must', async () => {
  const seen = { fills: 0, lists: 0, triggered: 0, activated: 0, amended: 0, icebergs: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(candle, { minLength: 6, maxLength: 30 }),
      fc.array(step, { minLength: 8, maxLength: 40 }),
      fc.boolean(),
      async (candles, steps, burnBnb) => {
        const { exchange, time, account } = openStory(candles, burnBnb);
        const { engine } = exchange;
        const open = (which: number) => [...account.openOrders.values()][which % Math.max(1, account.openOrders.size)];
        const read = (fields: Record<string, string>) => new RequestParameters(new Map(Object.entries(fields)));
        for (const one of steps) {
          try {
            const last = exchange.view.last(exchange.market.find('BTCUSDT')!).price;
            switch (one.kind) {
              case 'advance':
                await time.advance(one.ms);
                break;
              case 'cancel':
                engine.cancel(account, open(one.which), 'cancel');
                break;
              case 'share':
                engine.takerShare = () => one.share;
                break;
              case 'delist':
                engine.expireAll(exchange.market.find('BTCUSDT')!);
                break;
              case 'amend': {
                const order = open(one.which);
                if (!order) break;
                const left = subtract(order.quantity, order.executed);
                const quantity = ((Number(toText(order.executed)) + (Number(toText(left)) * one.part) / 100) * 1).toFixed(5);
                if (isPositive(decimal(quantity))) amendOrder(engine, account, order, decimal(quantity), `amended-${one.part}`);
                seen.amended += 1;
                break;
              }
              case 'iceberg':
              case 'limit':
              case 'trailing':
              case 'replace': {
                const { side, quantity, working, trailing, stop, tif } = one.shape;
                if (one.kind === 'replace') engine.cancel(account, open(one.which), 'cancel');
                const type = one.kind === 'trailing' ? stop : 'LIMIT';
                const fields = {
                  ...legFields('', type, last, working, {
                    ...one.shape,
                    iceberg: one.kind === 'iceberg',
                    trailing: one.kind === 'trailing' ? trailing + 10 : 0,
                  }),
                  ...(one.kind === 'iceberg'
                    ? { timeInForce: 'GTC', icebergQty: (Math.ceil(quantity / 4) / 100_000).toFixed(5) }
                    : type === 'LIMIT'
                      ? { timeInForce: tif }
                      : {}),
                };
                if (one.kind === 'trailing' && one.shape.above % 2 === 0) delete (fields as Record<string, string>).stopPrice;
                engine.place(
                  account,
                  readOrder(read({ symbol: 'BTCUSDT', side, quantity: (quantity / 100_000).toFixed(5), ...fields }), exchange.view),
                );
                if (one.kind === 'iceberg') seen.icebergs += 1;
                break;
              }
              default:
                engine.lists.place(account, readOrderList(one.kind, read(listFields(one.kind, last, one.shape)), exchange.view));
            }
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
          }
          expectExact(account);
          expectLists(account);
        }
        seen.fills += account.fills.length;
        seen.lists += account.lists.size;
        for (const order of account.orders.values()) {
          if (order.expiryReason === 'OCO_TRIGGER') seen.triggered += 1;
          if (order.orderListId >= 0 && order.status === 'FILLED') seen.activated += 1;
        }
      },
    ),
    { numRuns: runs(150) },
  );
  // The property would be empty if nothing of all that ever happened; an eighth of the cases sees a tenth of it at least.
  const part = TIER === 'deep' ? 1 : 10;
  expect(seen.fills).toBeGreaterThan(300 / part);
  expect(seen.lists).toBeGreaterThan(200 / part);
  expect(seen.triggered).toBeGreaterThan(20 / part);
  expect(seen.activated).toBeGreaterThan(50 / part);
  expect(seen.amended).toBeGreaterThan(50 / part);
  expect(seen.icebergs).toBeGreaterThan(50 / part);
});
