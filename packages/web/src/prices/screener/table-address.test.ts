import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIRST_SORT, isBareTable, nextSort, printSort, readAddress, readSort, writeAddress } from './table-address.ts';

const read = (text: string) => readAddress(new URLSearchParams(text));
const rsi = { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 };

describe('the address', () => {
  test('says everything that is not as at first, and reads it back', () => {
    const changes = {
      search: 'btc',
      quote: 'all',
      tags: ['new', 'meme'],
      tab: 'favourites' as const,
      sort: [
        { key: 'rsi', timeframe: '1h', direction: 'desc' as const },
        { key: 'symbol', direction: 'asc' as const },
      ],
      columns: ['price', 'rsi.1h'],
      filter: { match: 'any' as const, rules: [rsi, { match: 'all' as const, negate: true, rules: [rsi] }] },
      pair: 'BTCUSDT',
      interval: '5m' as const,
      range: '1d' as const,
      view: 'table' as const,
      list: 'my:Layer 1',
      span: '7d' as const,
    };
    const written = writeAddress(new URLSearchParams(), changes);
    expect(readAddress(new URLSearchParams(written.toString()))).toEqual(changes);
  });
  test.each([
    ['', 'chart'],
    ['quote=BTC', 'chart'],
    ['pair=BTCUSDT', 'chart'],
    ['view=map&sort=symbol', 'map'],
    ['view=nonsense', 'chart'],
    // Links from before there were other views than the table.
    ['sort=symbol', 'table'],
    ['filter=%7B%7D', 'table'],
    ['sort=symbol&pair=BTCUSDT', 'chart'],
  ])('%s is looked at as %s', (text, view) => expect(read(text).view).toBe(view));
  test('a table that is asked for nothing is bare, whatever else the address says', () => {
    expect(isBareTable(read('view=table&pair=BTCUSDT&list=top&interval=5m'))).toBe(true);
    for (const text of ['search=a', 'tags=new', 'tab=favourites', 'sort=symbol', 'columns=price', 'quote=BTC'])
      expect(isBareTable(read(text)), text).toBe(false);
  });
  test('at first it is empty', () => {
    expect(
      writeAddress(new URLSearchParams(), { search: '', tab: 'all', sort: FIRST_SORT, filter: { match: 'all', rules: [] } }).toString(),
    ).toBe('');
  });
  test('leaves alone what is not its own', () => {
    expect(writeAddress(new URLSearchParams('utm=x&search=a'), { search: undefined }).toString()).toBe('utm=x');
  });
  test.each([
    'filter=%7Bbroken',
    'filter=%5B%5D',
    'filter=%7B%22match%22%3A%22some%22%2C%22rules%22%3A%5B%5D%7D',
    'sort=;drop',
    'columns=<script>',
    'tab=nowhere',
    'interval=7m',
    'range=9y',
  ])('nonsense (%s) is as nothing', (text) => {
    const { filter, sort, columns, tab, interval, range } = read(text);
    expect({ filter, sort, tab, interval, range }).toEqual({
      filter: undefined,
      sort: FIRST_SORT,
      tab: 'all',
      interval: '1h',
      range: undefined,
    });
    expect(columns ?? []).toEqual([]);
  });
  test('whatever stands in it, reading never throws', () => {
    fc.assert(fc.property(fc.webQueryParameters(), (text) => void read(text)));
  });
  test('sort texts are read as they are written', () => {
    expect(printSort(readSort('-rsi.1h,symbol'))).toBe('-rsi.1h,symbol');
  });
});

describe('clicking on a column', () => {
  const click = (start: string, column: string, add: boolean) => printSort(nextSort(readSort(start), column, 'desc', add));
  test('alone: sorts by it, then the other way round', () => {
    expect(click('-quoteVolume', 'price', false)).toBe('-price');
    expect(click('-price', 'price', false)).toBe('price');
  });
  test('with Shift: is added, turned, taken out', () => {
    expect(click('-quoteVolume', 'rsi.1h', true)).toBe('-quoteVolume,-rsi.1h');
    expect(click('-quoteVolume,-rsi.1h', 'rsi.1h', true)).toBe('-quoteVolume,rsi.1h');
    expect(click('-quoteVolume,rsi.1h', 'rsi.1h', true)).toBe('-quoteVolume');
  });
  test('one of several, without Shift, becomes the only one', () => {
    expect(click('-quoteVolume,rsi.1h', 'rsi.1h', false)).toBe('rsi.1h');
  });
  test('the last one can be turned, not taken out', () => {
    expect(click('price', 'price', true)).toBe('-price');
  });
  test('no more than five', () => {
    expect(click('a,b,c,d,e', 'f', true).split(',')).toHaveLength(5);
  });
});
