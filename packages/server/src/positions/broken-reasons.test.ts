import { decimal } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import type { Difference } from './balance-check.ts';
import { type BrokenFacts, isBroken, isRealisedKnown } from './broken-reasons.ts';
import type { BookPosition } from './position-book.ts';

const position = (reasons: string[] = [], brokenText?: string): BookPosition =>
  ({
    position: {
      symbol: 'ETHUSDT',
      baseAsset: 'ETH',
      openedAt: 0,
      closedAt: null,
      reasons: new Set(reasons),
      unmatched: { quantity: decimal('1') },
      unknownCost: decimal('1'),
    },
    override: brokenText === undefined ? null : { brokenText },
  }) as never;
const left: Difference = { asset: 'ETH', balance: decimal('0'), known: decimal('1'), difference: decimal('-1') };
const facts = (more: { differs?: boolean; readAt?: number | null; listed?: boolean } = {}): BrokenFacts => ({
  compared: {
    at: 0,
    balances: new Map(),
    unread: [],
    differences: new Map(more.differs === false ? [] : [['ETH', left]]),
    drifts: new Map(),
    updatedAt: undefined,
    taker: undefined,
  },
  cursors: new Map([['ETHUSDT', { readAt: more.readAt === undefined ? 1 : more.readAt } as never]]),
  hasPrice: () => more.listed !== false,
});

test('coins that left without a trace leave what was sold before certain', () => {
  expect([isBroken(position(), facts()), isRealisedKnown(position(), facts())]).toEqual([true, true]);
  expect(isRealisedKnown(position(), facts({ listed: false }))).toBe(true);
  expect([isBroken(position(), facts({ differs: false })), isRealisedKnown(position(), facts({ differs: false }))]).toEqual([false, true]);
});

test.each([
  ['a sale of more than was known', position(['OVERSOLD']), facts()],
  ['a cost nobody told', position(['MISSING_COST']), facts()],
  ['a fee without a value', position(['FEE_UNVALUED']), facts()],
  ['a price nobody told', position(['DELISTED_PRICE']), facts()],
  ['a history not read to its end', position(), facts({ readAt: null })],
  ['a word of its owner', position([], 'wrong'), facts()],
])('%s makes the result of sales unknown too', (_, broken, known) => {
  expect(isRealisedKnown(broken, known)).toBe(false);
});
