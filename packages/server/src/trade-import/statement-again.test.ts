import { decimal, divide, toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { entriesOf } from '@pilotfish/core/trade-import/draft-entries';
import { rowNamer } from '@pilotfish/core/trade-import/import-identity';
import { describe, expect, test } from 'vitest';
import { NOW, OWNER } from '../positions/ledger-fixture.ts';
import { STATEMENT_HEADER, stage, statement } from './brought-fixture.ts';

describe('a statement that an earlier version read otherwise', () => {
  const rows = [
    '2021-03-01 10:00:00,Spot,Buy,ETH,1',
    '2021-03-01 10:00:00,Spot,Transaction Related,USDT,-1500',
    '2021-03-01 10:00:01,Spot,Sell,ETH,-0.4',
    '2021-03-01 10:00:01,Spot,Transaction Related,USDT,640',
  ];
  const [buy, sell] = ['2021-03-01T10:00 Buy 1 ETH for 1500 USDT', '2021-03-01T10:00 Sell 0.4 ETH for 640 USDT'];
  /** The name and the form it had: all legs of a chain of seconds as one, at the last of them. */
  const netted = (at: number, quantity: string, quoteQuantity: string, fee = '0') => {
    const pair = { symbol: 'ETHUSDT', baseAsset: 'ETH', quoteAsset: 'USDT', tradeId: null, orderId: null };
    const price = toText(divide(decimal(quoteQuantity), decimal(quantity), 12));
    const draft = { kind: 'trade', row: 2, at, side: 'Buy', price, quantity, quoteQuantity, fee, feeAsset: 'USDT', ...pair } as const;
    const [entry] = entriesOf(draft, rowNamer('transaction-records')(draft), {
      source: 'transaction-records',
      primary: 'USDT',
      pairs: new Map(),
      rateAt: () => undefined,
    });
    return entry as LedgerEntry;
  };
  const SECOND = Date.UTC(2021, 2, 1, 10, 0, 1);

  test('gives way to what is read now: nothing is doubled, nothing lost', async (context) => {
    const { give, ledger, store, undo } = await stage(context);
    const old = netted(SECOND, '0.6', '860');
    const other = netted(SECOND + 60_000, '0.6', '860');
    await store.append(OWNER, [old, other]);
    expect(await give('statement.csv', statement(...rows))).toMatchObject({ imported: 2, error: 0 });
    expect(await ledger()).toEqual([buy, sell, '2021-03-01T10:01 Buy 0.6 ETH for 860 USDT']);
    expect(await give('statement.csv', statement(...rows))).toMatchObject({ imported: 0, duplicate: 2 });
    expect(await ledger()).toHaveLength(3);
    await undo();
    expect(await ledger()).toHaveLength(3);
  });
  test('taken back, it is as before', async (context) => {
    const { give, ledger, store, undo } = await stage(context);
    await store.append(OWNER, [netted(SECOND, '0.6', '860')]);
    await give('statement.csv', statement(...rows));
    await undo();
    expect(await ledger()).toEqual(['2021-03-01T10:00 Buy 0.6 ETH for 860 USDT']);
  });
  test('in one trade where several were stored, likewise', async (context) => {
    const { give, ledger, store } = await stage(context);
    await store.append(OWNER, [netted(SECOND - 1000, '1', '1500'), netted(SECOND, '2', '3000')]);
    const joined = [
      '2021-03-01 10:00:00,Spot,Buy,ETH,1',
      '2021-03-01 10:00:00,Spot,Buy,ETH,2',
      '2021-03-01 10:00:00,Spot,Transaction Related,USDT,-1500',
      '2021-03-01 10:00:01,Spot,Transaction Related,USDT,-3000',
    ];
    expect(await give('statement.csv', statement(...joined))).toMatchObject({ imported: 1 });
    expect(await ledger()).toEqual(['2021-03-01T10:00 Buy 3 ETH for 4500 USDT']);
  });
  test('trades of as many coins a second before are others, where one file ends between the two', async (context) => {
    const { give, ledger } = await stage(context);
    const trade = (time: string, coins: number) => [
      `${time},Spot,Buy,ETH,${coins}`,
      `${time},Spot,Transaction Related,USDT,${-1500 * coins}`,
    ];
    await give('february.csv', statement(...trade('2021-02-28 23:59:58', 1), ...trade('2021-02-28 23:59:59', 1)));
    await give('march.csv', statement(...trade('2021-03-01 00:00:00', 2)));
    expect(await ledger()).toHaveLength(3);
  });
  test('stays where what is read now does not add up to it', async (context) => {
    const { give, ledger, store } = await stage(context);
    await store.append(OWNER, [netted(SECOND, '0.6', '860', '1'), netted(SECOND, '0.6', '861')]);
    await give('statement.csv', statement(...rows));
    expect(await ledger()).toHaveLength(4);
  });
});
describe('dust that an earlier version paired by the order of its rows, against their remarks', () => {
  const dust = (second: number, rest: string) => `1,2023-09-20 18:46:0${second},Spot,Small Assets Exchange BNB,${rest}`;
  const file = (...rows: string[]) => [STATEMENT_HEADER, ...rows].join('\n');
  const rows = [dust(1, 'ETH,-0.1,ETH to BNB'), dust(1, 'BNB,1,SOL to BNB'), dust(1, 'SOL,-5,SOL to BNB'), dust(1, 'BNB,0.4,ETH to BNB')];
  const right = ['conversion -0.1 ETH', 'conversion 0.4 BNB', 'conversion -5 SOL', 'conversion 1 BNB'];
  const words = (ledger: readonly string[]) => ledger.map((row) => row.slice('2023-09-20T18:46 '.length)).toSorted();
  /** The names and forms it had, the coins valued at what they were worth where `worth` says so. */
  const paired = (from: [string, string], to: [string, string], worth?: string): LedgerEntry[] => {
    const [given, got] = [from, to].map(([asset, quantity]) => ({ asset, quantity })) as [{ asset: string; quantity: string }, never];
    const draft = { kind: 'conversion', row: 2, at: Date.UTC(2023, 8, 20, 18, 46, 1), from: given, to: got } as const;
    return entriesOf(draft, rowNamer('transaction-records')(draft), {
      source: 'transaction-records',
      primary: 'USDT',
      pairs: new Map(),
      rateAt: () => (worth === undefined ? undefined : toText(divide(decimal(worth), decimal(to[1]), 12))),
    });
  };

  test.for([undefined, '200'])(
    'gives way to the right pairs, valued at %s, and returns when they are taken back',
    async (worth, context) => {
      const { give, ledger, store, undo } = await stage(context);
      const old = [...paired(['ETH', '0.1'], ['BNB', '1'], worth), ...paired(['SOL', '5'], ['BNB', '0.4'], worth)];
      await store.append(OWNER, old);
      const before = await ledger();
      expect(await give('statement.csv', file(...rows))).toMatchObject({ imported: 2, error: 0 });
      expect(words(await ledger())).toEqual(right.toSorted());
      await undo();
      expect(await ledger()).toEqual(before);
    },
  );
  test('one of as many coins in the same second that is another stays', async (context) => {
    const { give, ledger, store } = await stage(context);
    await store.append(OWNER, [...paired(['ETH', '0.1'], ['BNB', '3']), ...paired(['SOL', '5'], ['BNB', '1'])]);
    await give('statement.csv', file(...rows));
    expect(words(await ledger())).toEqual([...right, 'conversion -0.1 ETH', 'conversion 3 BNB'].toSorted());
  });
  test('a trade of as many coins for as much a second later is another, where one file ends between the two', async (context) => {
    const { give, ledger } = await stage(context);
    const trade = (time: string) => statement(`${time},Spot,Buy,ETH,1`, `${time},Spot,Transaction Related,USDT,-1500`);
    await give('february.csv', trade('2021-02-28 23:59:59'));
    await give('march.csv', trade('2021-03-01 00:00:00'));
    expect(await ledger()).toEqual(['2021-02-28T23:59 Buy 1 ETH for 1500 USDT', '2021-03-01T00:00 Buy 1 ETH for 1500 USDT']);
  });
});
test('a coin that a swap took away for nothing in the file is told of by name, until a file has both', async (context) => {
  const { give, ledger, warnings } = await stage(context);
  const rows = ['2024-09-01 10:00:00,Spot,Buy,MATIC,100', '2024-09-01 10:00:00,Spot,Transaction Related,USDT,-50'];
  const swap = '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding';
  await give('half.csv', statement(...rows, `${swap},MATIC,-100`));
  expect(warnings()).toEqual(['HALF_SWAP 100 MATIC 2024-09-13T08:00']);
  await give('whole.csv', statement(...rows, `${swap},MATIC,-100`, `${swap},POL,100`));
  expect(warnings()).toEqual([]);
  expect((await ledger()).at(-1)).toBe('2024-09-13T08:00 100 MATIC → 100 POL');
  expect(await ledger()).toHaveLength(2);
});
test('coins the exchange lists as a gift, known by the swap of a statement, count again once the statement is taken back', async (context) => {
  const { give, ledger, readWallet, undo } = await stage(context);
  const at = NOW - 40 * 86_400_000;
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const swap = 'Token Swap - Redenomination/Rebranding';
  await give('statement.csv', statement(`${time},Spot,${swap},MATIC,-100`, `${time},Spot,${swap},POL,100`));
  const day = new Date(at).toISOString().slice(0, 16);
  await readWallet([{ id: 7, divTime: at + 60_000, asset: 'POL', amount: '100' }]);
  expect(await ledger()).toEqual([`${day} 100 MATIC → 100 POL`]);
  await undo();
  expect(await ledger()).toEqual([`${new Date(at + 60_000).toISOString().slice(0, 16)} reward 100 POL`]);
  // Given again, it is known by the swap again.
  await give('statement.csv', statement(`${time},Spot,${swap},MATIC,-100`, `${time},Spot,${swap},POL,100`));
  expect(await ledger()).toEqual([`${day} 100 MATIC → 100 POL`]);
});
