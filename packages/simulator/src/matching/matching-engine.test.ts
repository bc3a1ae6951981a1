import { isPositive } from '@pilotfish/core/money/decimal';
import { runs, TIER } from '@pilotfish/core/testing/tiers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candle, expectExact, openStory } from '../../testing/engine-story.ts';
import { ApiError } from '../rest/api-error.ts';
import { RequestParameters } from '../rest/request-parameters.ts';
import { PREVENTION_MODES } from './order.ts';
import { readOrder } from './order-request.ts';

const MINUTE = 60_000;

type Step =
  | {
      kind: 'order';
      side: 'BUY' | 'SELL';
      type: string;
      tif: string;
      quantity: number;
      offset: number;
      stopOffset: number;
      byQuote: boolean;
      prevention: string;
    }
  | { kind: 'cancel'; which: number }
  | { kind: 'advance'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      type: fc.constantFrom('LIMIT', 'LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'),
      tif: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK'),
      quantity: fc.integer({ min: 1, max: 300_000 }),
      // Some rest at the top of the book, in the way of what the account sends next.
      offset: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -800, max: 800 })),
      stopOffset: fc.integer({ min: -800, max: 800 }),
      byQuote: fc.boolean(),
      prevention: fc.constantFrom(...PREVENTION_MODES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 3 * MINUTE }) }) },
);

test('whatever is ordered, only fills and fees change what an account owns, to the last digit', async () => {
  let fills = 0;
  let prevented = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(candle, { minLength: 4, maxLength: 30 }),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (candles, steps, burnBnb) => {
        const { exchange, time, account } = openStory(candles, burnBnb);
        const pair = exchange.market.find('BTCUSDT')!;
        for (const one of steps) {
          if (one.kind === 'advance') await time.advance(one.ms);
          else if (one.kind === 'cancel') {
            const open = [...account.openOrders.values()];
            if (open.length > 0) exchange.engine.cancel(account, open[one.which % open.length], 'cancel');
          } else {
            const last = exchange.view.last(pair).price;
            const price = ((last + one.offset) / 100).toFixed(2);
            const stopPrice = ((last + one.stopOffset) / 100).toFixed(2);
            const quantity = (one.quantity / 100_000).toFixed(5);
            const limitLike = one.type.includes('LIMIT');
            const parameters: Record<string, string> = {
              symbol: 'BTCUSDT',
              side: one.side,
              type: one.type,
              selfTradePreventionMode: one.prevention,
            };
            if (one.type === 'MARKET' && one.byQuote)
              parameters.quoteOrderQty = quantity === '0.00000' ? '1' : (one.quantity / 7).toFixed(8);
            else parameters.quantity = quantity;
            if (limitLike) parameters.price = price;
            if (limitLike && one.type !== 'LIMIT_MAKER') parameters.timeInForce = one.tif;
            if (one.type.startsWith('STOP') || one.type.startsWith('TAKE')) parameters.stopPrice = stopPrice;
            try {
              const request = readOrder(new RequestParameters(new Map(Object.entries(parameters))), exchange.view);
              exchange.engine.place(account, request);
            } catch (error) {
              if (!(error instanceof ApiError)) throw error;
            }
          }
          expectExact(account);
        }
        fills += account.fills.length;
        prevented += [...account.orders.values()].filter((order) => isPositive(order.prevented)).length;
      },
    ),
    { numRuns: runs(240) },
  );
  // The property would be empty if nothing ever traded, or was prevented from it.
  expect(fills).toBeGreaterThan(TIER === 'deep' ? 200 : 20);
  expect(prevented).toBeGreaterThan(TIER === 'deep' ? 20 : 2);
});
