import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import type { OwnFill } from '@pilotfish/core/positions/position-origin';
import type { ClosedOrder } from '@pilotfish/core/positions/positions-contract';
import { expect, test } from 'vitest';
import { type ClosedFilter, closedOrigins, filterClosed, sortClosed } from './closed-list.ts';
import type { Valued } from './position-view.ts';

const closed = (
  id: string,
  realised: string | null,
  more: { currency?: string; returnPct?: string; at?: number; cost?: string } = {},
): Valued =>
  ({
    of: {
      id,
      position: {
        symbol: `${id.toUpperCase()}USDT`,
        baseAsset: id.toUpperCase(),
        openedAt: (more.at ?? 1) - 1,
        trades: 2,
        matchedCost: decimal(more.cost ?? '100'),
        quoteAsset: more.currency ?? 'USDT',
        closedAt: more.at ?? 1,
        realised: decimal(realised ?? '3'),
        reasons: new Set(realised === null ? ['OVERSOLD'] : []),
      },
    },
    figures: { returnPct: more.returnPct === undefined ? null : (decimal(more.returnPct) as Decimal | null) },
  }) as never;
const filtered = (rows: readonly Valued[], filter: ClosedFilter, broken: (valued: Valued) => boolean, fills: readonly OwnFill[] = []) => {
  const { originOf } = closedOrigins({ fills: new Map(fills.map((fill, index) => [String(index), fill])), bots: new Map() }, rows);
  return filterClosed(rows, filter, { isBroken: broken, originOf, dayOf: (at) => new Date(at).toISOString().slice(0, 10) });
};
const ids = (positions: readonly Valued[]) => positions.map(({ of }) => of.id).join('');
const isBroken = ({ of }: Valued) => of.position.reasons.size > 0;
const ALL = [closed('a', '-1'), closed('b', '1'), closed('c', '0.5'), closed('d', '1.01'), closed('e', null)];

test('results within the bounds are hidden, the bounds too; an unknown one never is', () => {
  const shown = (min?: string, max?: string) => ids(filtered(ALL, { min, max }, isBroken));
  expect(shown('-1', '1')).toBe('de');
  expect(shown('-1')).toBe('e');
  expect(shown(undefined, '0.5')).toBe('bde');
  expect(shown()).toBe('abcde');
});

test('one that is broken by its balance, a gap or its owner is unknown too: never hidden, and last in order', () => {
  const broken = ({ of }: Valued) => of.id === 'b' || isBroken({ of } as Valued);
  expect(ids(filtered(ALL, { min: '-1', max: '1' }, broken))).toBe('bde');
  expect(ids(sortClosed(ALL, 'realised-desc', broken))).toBe('dcabe');
  const rows = [closed('a', '1', { returnPct: '5' }), closed('b', '1', { returnPct: '9' })];
  expect(ids(sortClosed(rows, 'returnPct-desc', broken))).toBe('ab');
});

test('of one currency, and only the broken ones', () => {
  const mixed = [...ALL, closed('f', '1', { currency: 'BTC' })];
  expect(ids(filtered(mixed, { currency: 'BTC' }, () => false))).toBe('f');
  expect(ids(filtered(mixed, { onlyBroken: true }, ({ of }) => of.position.reasons.size > 0))).toBe('e');
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

test('by coins, result and the days on which they closed', () => {
  const day = (number: number) => Date.UTC(2026, 0, number, 12);
  const rows = [
    closed('a', '-1', { at: day(1) }),
    closed('b', '2', { at: day(2) }),
    closed('c', '0', { at: day(3) }),
    closed('d', null, { at: day(4) }),
  ];
  const shown = (filter: ClosedFilter) => ids(filtered(rows, filter, isBroken));
  expect(shown({ coins: ['A', 'C'] })).toBe('ac');
  expect([shown({ result: 'win' }), shown({ result: 'loss' })]).toEqual(['b', 'a']);
  expect([shown({ from: '2026-01-02' }), shown({ to: '2026-01-02' }), shown({ from: '2026-01-02', to: '2026-01-03' })]).toEqual([
    'bcd',
    'ab',
    'bc',
  ]);
});

test('by bot, by hand and by what ended them, with what can be chosen', () => {
  const rows = [closed('a', '1', { at: 5001 }), closed('b', '1', { at: 6001 }), closed('c', '1', { at: 7001 })];
  const fills = (symbol: string, autoTradeId: string, at: number, reason: 'StopLoss' | 'TakeProfit'): OwnFill[] => [
    { autoTradeId, symbol, side: 'Buy', at: at - 1, reason: null },
    { autoTradeId, symbol, side: 'Sell', at, reason },
  ];
  const all = [...fills('AUSDT', 'one', 5001, 'StopLoss'), ...fills('BUSDT', 'two', 6001, 'TakeProfit')];
  const shown = (filter: ClosedFilter) => ids(filtered(rows, filter, isBroken, all));
  expect([shown({ bots: ['one'] }), shown({ bots: ['two', 'hand'] }), shown({ bots: ['hand'] }), shown({ bots: [] })]).toEqual([
    'a',
    'bc',
    'c',
    '',
  ]);
  expect([shown({ exits: ['StopLoss'] }), shown({ exits: ['hand', 'TakeProfit'] })]).toEqual(['a', 'bc']);
  expect(shown({ bots: ['one'], exits: ['TakeProfit'] })).toBe('');
  const { choices } = closedOrigins(
    {
      fills: new Map(all.map((fill, index) => [String(index), fill])),
      bots: new Map([
        ['two', { name: 'Dip' }],
        ['one', { name: 'Trend' }],
      ]),
    },
    rows,
  );
  expect(choices).toEqual({
    bots: [
      { id: 'two', name: 'Dip' },
      { id: 'one', name: 'Trend' },
    ],
    coins: ['A', 'B', 'C'],
    exits: ['TakeProfit', 'StopLoss', 'hand'],
  });
});

test('by what was matched and by how long they were held', () => {
  const rows = [closed('a', '1', { cost: '5' }), closed('b', '1', { cost: '50' })];
  expect([ids(sortClosed(rows, 'matchedCost-desc', isBroken)), ids(sortClosed(rows, 'matchedCost-asc', isBroken))]).toEqual(['ba', 'ab']);
});
