import { decimal, divide, toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { entriesOf } from '@pilotfish/core/trade-import/draft-entries';
import { rowNamer } from '@pilotfish/core/trade-import/import-identity';
import { describe, expect, test } from 'vitest';
import { NOW, OWNER } from '../positions/ledger-fixture.ts';
import { stage, statement } from './brought-fixture.ts';

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
  test('stays where what is read now does not add up to it', async (context) => {
    const { give, ledger, store } = await stage(context);
    await store.append(OWNER, [netted(SECOND, '0.6', '860', '1'), netted(SECOND, '0.6', '861')]);
    await give('statement.csv', statement(...rows));
    expect(await ledger()).toHaveLength(4);
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
