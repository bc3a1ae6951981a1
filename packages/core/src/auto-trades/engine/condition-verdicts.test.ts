import { expect, test } from 'vitest';
import type { FilterGroup } from '../../prices/screener-contract.ts';
import { verdictsOf } from '../../prices/screener-engine.ts';
import type { ScreenerTable } from '../../prices/screener-table.ts';
import { candleTimeframesOf, observedOf, timeframeMs, verdictValidUntil } from './condition-verdicts.ts';

const table: ScreenerTable = {
  symbols: ['AUSDT', 'BUSDT', 'CUSDT'],
  numbers: new Map([
    ['rsi.1h', Float64Array.of(25, 60, Number.NaN)],
    ['change.1h', Float64Array.of(-3.123456789, 1e-9, 0)],
  ]),
  before: new Map(),
  words: new Map([['quote', ['USDT', 'USDT', null]]]),
  tags: [['major'], [], []],
};
const filter: FilterGroup = {
  match: 'any',
  rules: [
    { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 },
    {
      match: 'all',
      rules: [
        { key: 'change', timeframe: '1h', operation: 'gt', value: 5 },
        { key: 'quote', operation: 'in', value: ['USDT'] },
      ],
    },
  ],
};

test('what is not known decides nothing, and does not count as false', () => {
  expect(verdictsOf(table, filter)).toEqual([true, false, null]);
  expect(verdictsOf(table, { ...filter, negate: true })).toEqual([false, true, null]);
});

test('every value that was looked at is told, as people write numbers', () => {
  expect(observedOf(table, 0, filter)).toEqual({ 'rsi.1h': '25', 'change.1h': '-3.1234568', quote: 'USDT' });
  expect(observedOf(table, 1, filter)['change.1h']).toBe('0.000000001');
  expect(observedOf(table, 2, filter)).toMatchObject({ 'rsi.1h': '', quote: '' });
});

test('only figures made of candles wait for their close', () => {
  expect(candleTimeframesOf(filter)).toEqual(['1h']);
  expect(candleTimeframesOf({ match: 'all', rules: [{ key: 'change', timeframe: '1h', operation: 'gt', value: 5 }] })).toEqual([]);
});

test.each([
  [{ key: 'change', timeframe: '7d' }, ['1h']],
  [{ key: 'volumeChange' }, ['1h']],
  [{ key: 'btcCorrelation', timeframe: '30d' }, ['1h']],
  [{ key: 'range', timeframe: '52w' }, ['1d']],
  [{ key: 'volumeVs20dAvg' }, ['1d']],
  [{ key: 'rsi', timeframe: '4h' }, ['4h']],
  [{ key: 'highDistance', timeframe: '24h' }, []],
  [{ key: 'price' }, []],
] as const)('%j waits for what it is made of', (ref, timeframes) => {
  expect(candleTimeframesOf({ match: 'all', rules: [{ ...ref, operation: 'gt', value: 5 }] })).toEqual(timeframes);
});

test('nor does a figure beside it make a change over an hour wait', () => {
  const rules = [
    { key: 'change', timeframe: '1h', operation: 'gt', value: 5 },
    { key: 'rsi', timeframe: '15m', operation: 'lt', value: 30 },
  ] as const;
  expect(candleTimeframesOf({ match: 'all', rules: [...rules] })).toEqual(['15m']);
});

test('a judgement is good until the next may be late', () => {
  expect(timeframeMs('1m')).toBe(60_000);
  expect(timeframeMs('12h')).toBe(43_200_000);
  expect(timeframeMs('1d')).toBe(86_400_000);
  expect(verdictValidUntil(1_000_000, '1m')).toBe(1_180_000);
});
