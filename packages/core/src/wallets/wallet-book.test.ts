import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import type { WalletMove } from '../auto-trades/position/position-state.ts';
import { toText } from '../money/decimal.ts';
import { afterMove, afterTransfer, emptySums, spendable, walletBalances } from './wallet-book.ts';

const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((units) => toText({ units: BigInt(units), scale: 8 }));
const move: fc.Arbitrary<WalletMove> = fc.oneof(
  fc.record({ kind: fc.constantFrom('reserve' as const, 'release' as const), amount }),
  fc.record({ kind: fc.constant('buy' as const), amount, reserved: amount }),
  fc.record({ kind: fc.constant('sell' as const), cost: amount, proceeds: amount }),
  fc.record({ kind: fc.constant('detach' as const), amount }),
);

test('free + reserved + invested = deposits − withdrawals + realised after every move', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          move,
          fc.record({
            kind: fc.constant('transfer' as const),
            amount: fc.oneof(
              amount,
              amount.map((text) => `-${text}`),
            ),
          }),
        ),
        { maxLength: 50 },
      ),
      (moves) => {
        let sums = emptySums;
        for (const each of moves) {
          sums = each.kind === 'transfer' ? afterTransfer(sums, each.amount) : afterMove(sums, each);
          expect(walletBalances(sums)).toBe(true);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('the part kept back is a share of the whole budget, not of what is free', () => {
  const sums = afterMove(afterTransfer(emptySums, '1000'), { kind: 'buy', amount: '900', reserved: '0' });
  expect(spendable(sums, '1')).toBe('90');
  expect(spendable(sums, '50')).toBe('0');
});
