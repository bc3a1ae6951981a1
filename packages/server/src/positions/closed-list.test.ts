import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import type { ClosedOrder } from '@pilotfish/core/positions/positions-contract';
import { expect, test } from 'vitest';
import { filterClosed, sortClosed } from './closed-list.ts';
import type { Valued } from './position-view.ts';

const closed = (id: string, realised: string | null, more: { currency?: string; returnPct?: string; at?: number } = {}): Valued =>
  ({
    of: {
      id,
      position: {
        symbol: `${id.toUpperCase()}USDT`,
        quoteAsset: more.currency ?? 'USDT',
        closedAt: more.at ?? 1,
        realised: decimal(realised ?? '3'),
        reasons: new Set(realised === null ? ['OVERSOLD'] : []),
      },
    },
    figures: { returnPct: more.returnPct === undefined ? null : (decimal(more.returnPct) as Decimal | null) },
  }) as never;
const ids = (positions: readonly Valued[]) => positions.map(({ of }) => of.id).join('');
const isBroken = ({ of }: Valued) => of.position.reasons.size > 0;
const ALL = [closed('a', '-1'), closed('b', '1'), closed('c', '0.5'), closed('d', '1.01'), closed('e', null)];

test('results within the bounds are hidden, the bounds too; an unknown one never is', () => {
  const shown = (min?: string, max?: string) => ids(filterClosed(ALL, { min, max }, isBroken));
  expect(shown('-1', '1')).toBe('de');
  expect(shown('-1')).toBe('e');
  expect(shown(undefined, '0.5')).toBe('bde');
  expect(shown()).toBe('abcde');
});

test('one that is broken by its balance, a gap or its owner is unknown too: never hidden, and last in order', () => {
  const broken = ({ of }: Valued) => of.id === 'b' || isBroken({ of } as Valued);
  expect(ids(filterClosed(ALL, { min: '-1', max: '1' }, broken))).toBe('bde');
  expect(ids(sortClosed(ALL, 'realised-desc', broken))).toBe('dcabe');
  const rows = [closed('a', '1', { returnPct: '5' }), closed('b', '1', { returnPct: '9' })];
  expect(ids(sortClosed(rows, 'returnPct-desc', broken))).toBe('ab');
});

test('of one currency, and only the broken ones', () => {
  const mixed = [...ALL, closed('f', '1', { currency: 'BTC' })];
  expect(ids(filterClosed(mixed, { currency: 'BTC' }, () => false))).toBe('f');
  expect(ids(filterClosed(mixed, { onlyBroken: true }, ({ of }) => of.position.reasons.size > 0))).toBe('e');
});

test.each<[ClosedOrder, string]>([
  ['realised-desc', 'dbcae'],
  ['realised-asc', 'acbde'],
  ['symbol-asc', 'abcde'],
  ['symbol-desc', 'edcba'],
  ['closedAt-desc', 'abcde'],
])('%s; what is unknown comes last either way', (order, expected) => {
  for (const given of [ALL, [...ALL].reverse()]) expect(ids(sortClosed(given, order, isBroken))).toBe(expected);
});

test('by return, equal ones by their close', () => {
  const rows = [closed('a', '1', { at: 1, returnPct: '5' }), closed('b', '1', { at: 2, returnPct: '5' }), closed('c', '1', { at: 3 })];
  expect(ids(sortClosed(rows, 'returnPct-desc', isBroken))).toBe('bac');
  expect(ids(sortClosed(rows, 'returnPct-asc', isBroken))).toBe('bac');
});
