import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntrySource, LedgerEntry, TradeEntry, TransferEntry } from '../positions/ledger-entry.ts';
import { crossDuplicates } from './cross-duplicates.ts';

const T = Date.UTC(2026, 0, 1);
const fill = (id: string, source: EntrySource, quantity: string, more: Partial<TradeEntry> = {}): TradeEntry => ({
  kind: 'trade',
  id,
  at: T,
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  side: 'Buy',
  price: '100',
  quantity,
  quoteQuantity: '100',
  fee: '0',
  feeAsset: 'USDT',
  tradeId: null,
  orderId: null,
  source,
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: '1',
  ...more,
});
const moved = (id: string, source: EntrySource, change: string, at = T): TransferEntry => ({
  kind: 'transfer',
  id,
  at,
  asset: 'SOL',
  change,
  transfer: 'deposit',
  cost: null,
  source,
});
const compare = (incoming: LedgerEntry[], stored: LedgerEntry[]) => {
  const { known, replaced } = crossDuplicates(incoming, stored);
  return { known: [...known], replaced: [...replaced] };
};

describe('two sources tell of the same', () => {
  test('what the exchange told stays, the file row is known', () =>
    expect(compare([fill('csv', 'trade-history', '1', { at: T + 400 })], [fill('api', 'api', '1')])).toEqual({
      known: ['csv'],
      replaced: [],
    }));
  test('what the exchange tells later takes the place of the file row', () =>
    expect(compare([fill('api', 'api', '1')], [fill('csv', 'trade-history', '1')])).toEqual({ known: [], replaced: ['csv'] }));
  test('two honest rows that are alike need two partners', () => {
    const rows = [fill('a', 'trade-history', '1'), fill('b', 'trade-history', '1')];
    expect(compare(rows, [fill('x', 'api', '1')])).toEqual({ known: ['a'], replaced: [] });
    expect(compare(rows, [fill('x', 'api', '1'), fill('y', 'api', '1')])).toEqual({ known: ['a', 'b'], replaced: [] });
  });
  test('another price, quantity, side or second is another fill', () => {
    for (const other of [{ price: '101' }, { quantity: '2' }, { side: 'Sell' as const }, { at: T + 1000 }])
      expect(compare([fill('csv', 'trade-history', '1', other)], [fill('api', 'api', '1')])).toEqual({ known: [], replaced: [] });
  });
  test('an order in one row is its fills, by its number or by its second', () => {
    const order = fill('order', 'order-history', '3', { aggregate: true, price: '99', orderId: '7' });
    const fills = [fill('f1', 'trade-history', '1'), fill('f2', 'trade-history', '2', { price: '98' })];
    expect(compare([order], fills)).toEqual({ known: ['order'], replaced: [] });
    expect(compare(fills, [order])).toEqual({ known: [], replaced: ['order'] });
    expect(compare([fill('f', 'api', '1', { orderId: '7', at: T - 86_400_000 })], [order])).toEqual({ known: [], replaced: ['order'] });
    expect(compare([fill('f', 'trade-history', '1')], [order])).toEqual({ known: [], replaced: [] });
  });
  test('an order that rested and filled bit by bit is its fills, though only its placing is dated', () => {
    const order = fill('order', 'order-history', '3', { aggregate: true, orderId: '7', quoteQuantity: '200' });
    const fills = [
      fill('other', 'trade-history', '5', { at: T + 1_800_000 }),
      fill('f1', 'trade-history', '1', { at: T + 3_600_000 }),
      fill('f2', 'trade-history', '2', { at: T + 3_605_000 }),
    ];
    expect(compare([order], fills)).toEqual({ known: ['order'], replaced: [] });
    expect(compare(fills, [order])).toEqual({ known: [], replaced: ['order'] });
    expect(compare([{ ...order, quoteQuantity: '201' }], fills)).toEqual({ known: [], replaced: [] });
    expect(compare([{ ...order, at: T + 3_700_000 }], fills)).toEqual({ known: [], replaced: [] });
    const named = fills.map((each) => ({ ...each, orderId: '8' }));
    expect(compare([order], named)).toEqual({ known: [], replaced: [] });
  });
  test('two orders of one second share their fills out: none is lost, none counted twice', () => {
    const order = (id: string, quantity: string) => fill(id, 'order-history', quantity, { aggregate: true, orderId: id });
    const fills = [fill('f1', 'trade-history', '1'), fill('f2', 'trade-history', '2')];
    expect(compare([order('1', '1'), order('2', '2')], fills)).toEqual({ known: ['1', '2'], replaced: [] });
    expect(compare([order('1', '3'), order('2', '3')], [fill('f', 'trade-history', '3')])).toEqual({ known: ['1'], replaced: [] });
  });
  test('a statement that joined fills of several seconds is those fills', () => {
    const statement = fill('s', 'transaction-records', '3', { at: T + 2000, quoteQuantity: '300' });
    const fills = [0, 1000, 2000].map((later) => fill(`f${later}`, 'trade-history', '1', { at: T + later }));
    expect(compare([statement], fills)).toEqual({ known: ['s'], replaced: [] });
  });
  test('two orders of one size in one second are two orders', () => {
    const order = (id: string) => fill(id, 'order-history', '3', { aggregate: true, orderId: id });
    expect(compare([order('1'), order('2')], [])).toEqual({ known: [], replaced: [] });
  });
  test('a second of a statement is the fills of that second', () => {
    const statement = fill('s', 'transaction-records', '3', { price: '98.666666666667' });
    expect(compare([statement], [fill('f1', 'api', '1', { at: T + 900 }), fill('f2', 'api', '2')])).toEqual({ known: ['s'], replaced: [] });
    expect(compare([statement], [fill('o', 'order-history', '3', { aggregate: true })])).toEqual({ known: ['s'], replaced: [] });
  });
  test('transfers: the same amount of the same asset about the same hour, the better source stays', () => {
    const file = moved('file', 'deposit-history', '5', T + 60_000);
    expect(compare([file], [moved('api', 'api', '5')])).toEqual({ known: ['file'], replaced: [] });
    expect(compare([moved('api', 'api', '5')], [file])).toEqual({ known: [], replaced: ['file'] });
    expect(compare([moved('api', 'api', '5', T + 4 * 3_600_000)], [file])).toEqual({ known: [], replaced: [] });
    expect(compare([moved('a', 'deposit-history', '5')], [moved('b', 'deposit-history', '5')])).toEqual({ known: [], replaced: [] });
  });
  test('sources of one upload are compared with each other, the better one stays', () => {
    const upload = [fill('nested', 'order-history', '1'), fill('row', 'trade-history', '1')];
    expect(compare(upload, [])).toEqual({ known: ['nested'], replaced: [] });
    expect(compare(upload, [fill('api', 'api', '1')])).toEqual({ known: ['row', 'nested'], replaced: [] });
    expect(compare(upload, [fill('typed', 'user', '1')])).toEqual({ known: ['nested'], replaced: ['typed'] });
    const lists = [moved('deposit', 'deposit-history', '5'), moved('line', 'transaction-records', '5')];
    expect(compare(lists, [])).toEqual({ known: ['deposit'], replaced: [] });
  });
  test('a conversion is the same whether its coins have a worth or just move', () => {
    const leg = (id: string, source: EntrySource, side: 'Buy' | 'Sell', baseAsset: string, at: number) =>
      fill(id, source, '2', { side, baseAsset, symbol: `${baseAsset}USDT`, price: String(at % 7), at });
    const valued = (source: EntrySource, at: number) => [
      leg(`convert:${source}`, source, 'Sell', 'ETH', at),
      leg(`convert:${source}:2`, source, 'Buy', 'BNB', at),
    ];
    const moving = (source: EntrySource, at: number): TransferEntry[] =>
      ['-2', '2'].map((change, index) => ({
        ...moved(index === 0 ? `convert:${source}` : `convert:${source}:2`, source, change, at),
        transfer: 'conversion',
        asset: index === 0 ? 'ETH' : 'BNB',
      }));
    for (const shape of [valued, moving])
      for (const other of [valued, moving]) {
        expect(compare(shape('convert', T + 3000), other('api', T))).toEqual({
          known: ['convert:convert', 'convert:convert:2'],
          replaced: [],
        });
        expect(compare(shape('api', T), other('transaction-records', T + 3000))).toEqual({
          known: [],
          replaced: ['convert:transaction-records', 'convert:transaction-records:2'],
        });
        expect(compare(shape('convert', T + 120_000), other('api', T))).toEqual({ known: [], replaced: [] });
      }
  });
  describe('two purchases by card of as many coins within a minute', () => {
    const paid = (id: string, source: EntrySource, second: number, euros: string) =>
      fill(id, source, '2', { symbol: 'BTCEUR', baseAsset: 'BTC', quoteAsset: 'EUR', quoteQuantity: euros, at: T + second * 1000 });
    const alone = (id: string, second: number): TransferEntry => ({
      ...moved(id, 'transaction-records', '2', T + second * 1000),
      asset: 'BTC',
      transfer: 'fiat',
    });
    const file = [paid('first', 'convert', 0, '60'), paid('second', 'convert', 40, '61')];

    test('stay two where each of two sources tells of one of them', () => {
      expect(compare([paid('b', 'transaction-records', 41, '61')], [paid('first', 'convert', 0, '60')])).toEqual({
        known: [],
        replaced: [],
      });
      expect(compare([paid('first', 'convert', 0, '60')], [paid('b', 'transaction-records', 41, '61')])).toEqual({
        known: [],
        replaced: [],
      });
    });
    test('are each known by itself, whichever the better source has', () => {
      const statement = [paid('a', 'transaction-records', 15, '60'), paid('b', 'transaction-records', 55, '61')];
      expect(compare(statement, file)).toEqual({ known: ['a', 'b'], replaced: [] });
      // The first has no partner: it does not take that of the second.
      expect(compare(statement, file.slice(1))).toEqual({ known: ['b'], replaced: [] });
      expect(compare(file.slice(1), statement)).toEqual({ known: [], replaced: ['b'] });
    });
    test('are told apart by their time where a statement has the coins alone', () => {
      const { tellers } = crossDuplicates([alone('b', 42), alone('a', 1)], file);
      expect([tellers.get('a'), tellers.get('b')]).toEqual(['first', 'second']);
    });
    test('one whose fee a statement has not in what was paid is one, also some seconds later', () => {
      const [whole, rest] = [paid('whole', 'convert', 0, '100'), paid('rest', 'transaction-records', 25, '98.5')];
      expect(compare([rest], [whole])).toEqual({ known: ['rest'], replaced: [] });
      expect(compare([whole], [rest])).toEqual({ known: [], replaced: ['rest'] });
      expect(compare([paid('less', 'transaction-records', 25, '94')], [whole])).toEqual({ known: [], replaced: [] });
      expect(compare([rest], [{ ...whole, id: 'convert:1', source: 'api' }])).toEqual({ known: [], replaced: [] });
      const [sold, got] = [paid('sold', 'transaction-records', 25, '100'), paid('got', 'convert', 0, '98.5')].map((each) => ({
        ...each,
        side: 'Sell' as const,
      })) as [LedgerEntry, LedgerEntry];
      expect(compare([sold], [got])).toEqual({ known: ['sold'], replaced: [] });
    });
    test('one is one where a fee stands beside what was paid in one source, and in it in the other', () => {
      const plan = { ...paid('plan', 'convert', 0, '10'), fee: '0.02', feeAsset: 'EUR' };
      expect(compare([paid('all', 'transaction-records', 7, '10.02')], [plan])).toEqual({ known: ['all'], replaced: [] });
      expect(compare([paid('all', 'transaction-records', 7, '10.5')], [plan])).toEqual({ known: [], replaced: [] });
    });
    test('one whose second and coins agree is one, though its fee is told otherwise', () =>
      expect(compare([paid('a', 'transaction-records', 1, '58.5')], file)).toEqual({ known: ['a'], replaced: [] }));
  });
  test('what a person said it had cost goes over to the deposit the exchange tells of later', () => {
    const said: TransferEntry = { ...moved('said', 'user', '5', T - 30 * 86_400_000), cost: '400' };
    const { replaced, costs } = crossDuplicates([moved('api', 'api', '5')], [said]);
    expect([replaced, [...costs]]).toEqual([['said'], [['api', { cost: '400' }]]]);
  });
});

test('whatever comes first, the same quantity stays: files and the exchange in any order', () => {
  const some = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 3 }), second: fc.integer({ min: 0, max: 30 }) }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(some, fc.shuffledSubarray(['api', 'trade-history'] as EntrySource[], { minLength: 2 }), (trades, order) => {
      const told = (source: EntrySource): LedgerEntry[] =>
        trades.map(({ quantity, second }, index) => fill(`${source}${index}`, source, String(quantity), { at: T + second * 1000 }));
      let stored: LedgerEntry[] = [];
      for (const source of [...order, ...order]) {
        const incoming = told(source).filter(({ id }) => !stored.some((entry) => entry.id === id));
        const { known, replaced } = crossDuplicates(incoming, stored);
        stored = [...stored.filter(({ id }) => !replaced.includes(id)), ...incoming.filter(({ id }) => !known.has(id))];
      }
      expect(stored.map(({ source }) => source)).toEqual(trades.map(() => 'api'));
    }),
  );
});
