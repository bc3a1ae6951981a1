import { sum, toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { expect, type TestContext, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { type LedgerExit, ledgerExits } from './ledger-exits.ts';
import { account, MINUTE, NOW, OWNER, other, override, trade } from './ledger-fixture.ts';
import { ledgerStore } from './ledger-store.ts';
import { overridesStore } from './overrides-store.ts';
import { positionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';
import { resultsOverTime } from './results-over-time.ts';

const shown = ({ at, coin, kind, fills, net, fees, boughtAt, why }: LedgerExit) => [
  (at - NOW) / MINUTE,
  coin,
  kind,
  fills.join(),
  net && toText(net),
  toText(fees),
  boughtAt === null ? null : (boughtAt - NOW) / MINUTE,
  why,
];
const ETHBTC = { symbol: 'ETHBTC', quoteAsset: 'BTC', feeAsset: 'BTC' } as const;
const BTC = { symbol: 'BTCUSDT', baseAsset: 'BTC' } as const;

describeEachDialect('exits of the ledger', (open) => {
  async function stage(context: TestContext, entries: readonly LedgerEntry[]) {
    const database = await open(context);
    await account(database);
    const [ledger, overrides] = [ledgerStore(database), overridesStore(database)];
    await ledger.append(OWNER, entries);
    const books = positionBooks({ ledger, overrides, market: { pair: () => undefined, pairs: () => [] } });
    const [exits, months] = [ledgerExits(books), resultsOverTime(books)];
    const look = async (): Promise<Look> =>
      ({
        timeZone: 'UTC',
        dayOf: dayNames('UTC'),
        book: await books.of(OWNER),
        standing: ({ of }: { of: Look['book']['positions'][number] }) =>
          of.override?.excluded ? 'excluded' : of.position.reasons.size > 0 ? 'broken' : undefined,
      }) as unknown as Look;
    return {
      ledger,
      overrides,
      books,
      look,
      read: async (at?: Look) => (await exits.of(OWNER, at ?? (await look()))).results,
      months: async (at?: Look) => (await months.of(OWNER, at ?? (await look()))).results.months,
    };
  }

  test('fills of an order are one exit, with its share of the fees of its buys; a part of a position is one of its own', async (context) => {
    const { read, months } = await stage(context, [
      trade(1, 'Buy', '2', '100', { fee: '0.2' }),
      trade(2, 'Sell', '0.5', '130', { orderId: '7', fee: '0.05' }),
      trade(3, 'Sell', '0.5', '140', { orderId: '7', fee: '0.05' }),
      trade(4, 'Sell', '1', '90', { orderId: '8', fee: '0.1' }),
    ]);
    const found = await read();
    expect(found.map(shown)).toEqual([
      [3, 'ETH', 'sale', 'ETHUSDT 2,ETHUSDT 3', '34.8', '0.2', 1, undefined],
      [4, 'ETH', 'sale', 'ETHUSDT 4', '-10.2', '0.2', 1, undefined],
    ]);
    expect(toText(sum(found.map(({ net }) => net!)))).toBe(toText((await months())[0]!.realisedInPrimary!));
  });

  test('rows without a number of an order are one exit where they have one time', async (context) => {
    const file = { tradeId: null, source: 'trade-history' } as const;
    const { read } = await stage(context, [
      trade(1, 'Buy', '3', '100'),
      trade(2, 'Sell', '1', '110', { id: 'a', ...file }),
      trade(2, 'Sell', '1', '110', { id: 'b', ...file }),
      trade(3, 'Sell', '1', '110', { id: 'c', ...file }),
    ]);
    expect((await read()).map(shown)).toEqual([
      [2, 'ETH', 'sale', '', '20', '0', 1, undefined],
      [3, 'ETH', 'sale', '', '10', '0', 1, undefined],
    ]);
  });

  test('coins that pay a fee, are spent on another, or are converted', async (context) => {
    const bnb = { symbol: 'BNBUSDT', baseAsset: 'BNB' } as const;
    const inBnb = { fee: '0.01', feeAsset: 'BNB', feeInQuote: '6', feeInPrimary: '6' } as const;
    const { read, months } = await stage(context, [
      trade(0, 'Buy', '1', '500', { id: 'trade:BNBUSDT:0', ...bnb }),
      trade(1, 'Buy', '2', '100', { id: 'trade:BTCUSDT:1', ...BTC, ...inBnb }),
      // An order of two fills that pays with BTC, bought at 103.
      trade(2, 'Buy', '5', '0.1', { id: 'trade:ETHBTC:2', ...ETHBTC, orderId: '5', quoteRate: '120' }),
      trade(3, 'Buy', '5', '0.1', { id: 'trade:ETHBTC:3', ...ETHBTC, orderId: '5', quoteRate: '130' }),
      trade(4, 'Sell', '1', '150', { id: 'convert:4', ...BTC, tradeId: null, source: 'convert' }),
      trade(5, 'Sell', '10', '0.2', { id: 'trade:ETHBTC:5', ...ETHBTC, orderId: '6', quoteRate: null }),
    ]);
    const found = await read();
    expect(found.map(shown)).toEqual([
      // A hundredth of what cost 500.
      [1, 'BNB', 'fee', '', '1', '0', 0, undefined],
      [3, 'BTC', 'conversion', 'ETHBTC 2,ETHBTC 3', '22', '3', 1, undefined],
      [4, 'BTC', 'conversion', '', '47', '3', 1, undefined],
      // What it sold for in BTC is not worth anything that is known.
      [5, 'ETH', 'sale', 'ETHBTC 5', null, '0', 2, undefined],
    ]);
    const known = (await months()).filter(({ currency }) => currency === 'USDT');
    expect(toText(known[0]!.realisedInPrimary!)).toBe('70');
  });

  test('what is broken or left out says so, and what changes is gathered again', async (context) => {
    const [bought, sold] = [trade(1, 'Buy', '1', '100'), trade(2, 'Sell', '1', '130')];
    const { ledger, overrides, books, read } = await stage(context, [
      bought,
      sold,
      trade(3, 'Sell', '2', '10', { id: 'trade:SOLUSDT:3', symbol: 'SOLUSDT', baseAsset: 'SOL' }),
      other(4, 'ADA'),
    ]);
    const why = async () => (await read()).map(({ coin, why: of }) => [coin, of]);
    expect(await why()).toEqual([
      ['ETH', undefined],
      ['SOL', 'broken'],
    ]);
    await overrides.save(OWNER, override(bought, { excluded: true }), NOW);
    books.touch(OWNER, ['ETH']);
    expect(await why()).toEqual([
      ['ETH', 'excluded'],
      ['SOL', 'broken'],
    ]);
    await ledger.append(OWNER, [trade(5, 'Sell', '1', '20', { id: 'trade:ADAUSDT:5', symbol: 'ADAUSDT', baseAsset: 'ADA' })]);
    expect((await read()).map(shown).at(-1)).toEqual([5, 'ADA', 'sale', 'ADAUSDT 5', '10', '0', 4, undefined]);
  });

  test('a coin that comes into the ledger after the look is told of, too', async (context) => {
    const { ledger, look, read, months } = await stage(context, [trade(1, 'Buy', '1', '100'), trade(2, 'Sell', '1', '110')]);
    const before = await look();
    await ledger.append(OWNER, [trade(3, 'Buy', '1', '100', BTC), trade(4, 'Sell', '1', '130', BTC)]);
    expect((await read(before)).map(({ net }) => net && toText(net))).toEqual(['10', '30']);
    expect((await months(before)).map(({ realised }) => toText(realised))).toEqual(['40']);
  });
});
