import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../testing/tiers.ts';
import { add, decimal, equals, multiply, subtract, toText } from '../../money/decimal.ts';
import { afterBuy, afterSell } from './position-accounting.ts';
import type { FillFacts } from './position-state.ts';

const base = { baseAsset: 'BTC' };
const fill = (
  price: string,
  quantity: string,
  fee = '0',
  feeAsset = 'USDT',
  feeInQuote: string | null = feeAsset === 'BTC' ? null : fee,
): FillFacts => ({
  tradeId: '1',
  price,
  quantity,
  quoteQuantity: toText(multiply(decimal(price), decimal(quantity))),
  fee,
  feeAsset,
  feeInQuote,
  at: 0,
});
const nothing = { quantity: '0', cost: '0' };

describe('golden vectors', () => {
  test('A: the buy fee is taken in the base asset, the sell fee in the quote asset', () => {
    const bought = afterBuy(nothing, fill('100', '2', '0.002', 'BTC'), base);
    expect(bought).toMatchObject({ quantity: '1.998', cost: '200' });
    const sold = afterSell(bought, fill('110', '1', '0.11'), base);
    expect(sold.quantity).toBe('0.998');
    expect(sold.realised).toMatch(/^9\.78989989/);
    expect(sold.cost).toMatch(/^99\.89989989/);
    // R + U at 110, gross: 19.67 exactly.
    const total = add(decimal(sold.realised), subtract(multiply(decimal(sold.quantity), decimal('110')), decimal(sold.cost)));
    expect(toText(total)).toBe('19.67');
  });
  test('B: fees in a third asset at their value in quote', () => {
    const first = afterBuy(nothing, fill('100', '1', '0.0002', 'BNB', '0.075'), base);
    const second = afterBuy(first, fill('80', '1', '0.00016', 'BNB', '0.06'), base);
    expect(second).toMatchObject({ quantity: '2', cost: '180.135' });
    const sold = afterSell(second, fill('95', '1', '0.0002', 'BNB', '0.07125'), base);
    expect(sold).toMatchObject({ realised: '4.86125', cost: '90.0675' });
  });
  test('C: what is sold beyond the holding is not in the result', () => {
    const sold = afterSell(afterBuy(nothing, fill('100', '1'), base), fill('120', '1.5'), base);
    expect(sold).toMatchObject({ realised: '20', excess: '0.5', quantity: '0', cost: '0' });
  });
});

test('R + cost left = sold − bought, whatever the order of fills', () => {
  const units = (most: number) => fc.integer({ min: 1, max: most }).map((value) => toText({ units: BigInt(value), scale: 5 }));
  const price = fc.integer({ min: 1, max: 100_000_00 }).map((value) => toText({ units: BigInt(value), scale: 2 }));
  const story = fc.array(
    fc.record({ side: fc.constantFrom('buy', 'sell'), price, quantity: units(100_000), feeIn: fc.constantFrom('BTC', 'USDT', 'BNB') }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(story, (fills) => {
      let held = nothing;
      let realised = decimal('0');
      let flow = decimal('0');
      for (const each of fills) {
        const fee =
          each.feeIn === 'BTC'
            ? toText(multiply(decimal(each.quantity), decimal('0.001')))
            : toText(multiply(decimal(each.price), multiply(decimal(each.quantity), decimal('0.001'))));
        const facts = fill(each.price, each.quantity, fee, each.feeIn, each.feeIn === 'BTC' ? null : fee);
        if (each.side === 'buy') {
          const after = afterBuy(held, facts, base);
          flow = subtract(flow, decimal(after.costAdded));
          held = after;
        } else {
          const after = afterSell(held, facts, base);
          flow = add(flow, decimal(after.proceeds));
          realised = add(realised, decimal(after.realised));
          held = after;
        }
        expect(decimal(held.quantity).units >= 0n).toBe(true);
      }
      // Nothing is made or lost by the arithmetic itself: R = sales − purchases + cost of what is left.
      expect(equals(realised, add(flow, decimal(held.cost)))).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});
