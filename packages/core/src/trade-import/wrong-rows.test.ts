import { describe, expect, test } from 'vitest';
import { read } from '../../testing/import-file.ts';
import { detectFormat, mappedHeader } from './import-formats.ts';
import { readHeader } from './import-header.ts';

describe('dust of several coins exchanged in one second', () => {
  const dust = (...rows: string[]) =>
    read(
      [
        'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
        ...rows.map((row) => `1,2023-09-20 18:46:4${row.replace(',', ',Spot,Small Assets Exchange BNB,')}`),
      ].join('\n'),
    );
  const words = ({ drafts }: ReturnType<typeof read>) =>
    drafts.map((draft) => draft.kind === 'conversion' && `${draft.from.quantity} ${draft.from.asset} → ${draft.to.quantity}`);
  const [eth, sol] = ['0.1 ETH → 0.4', '5 SOL → 1'];

  test.each<[string, string[]]>([
    ['each after the other', ['6,ETH,-0.1,', '6,BNB,0.4,', '6,SOL,-5,', '6,BNB,1,']],
    ['named by their remarks', ['6,ETH,-0.1,ETH to BNB', '6,SOL,-5,SOL to BNB', '6,BNB,1,SOL to BNB', '6,BNB,0.4,ETH to BNB']],
    [
      'named by their remarks over two seconds',
      ['6,ETH,-0.1,ETH to BNB', '6,BNB,1,SOL to BNB', '7,BNB,0.4,ETH to BNB', '7,SOL,-5,SOL to BNB'],
    ],
  ])('%s', (_, rows) => {
    const result = dust(...rows);
    expect(result.problems).toEqual([]);
    expect(words(result).toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([eth, sol]);
  });
  test.each<[string, string[]]>([
    ['sorted by coin', ['6,ETH,-0.1,', '6,SOL,-5,', '6,BNB,0.4,', '6,BNB,1,']],
    ['the first the other way round', ['6,BNB,0.4,', '6,ETH,-0.1,', '6,SOL,-5,', '6,BNB,1,']],
    ['one sum for all', ['6,ETH,-0.1,', '6,SOL,-5,', '6,BNB,1.4,']],
    ['a remark is missing', ['6,ETH,-0.1,ETH to BNB', '6,SOL,-5,', '6,BNB,1,SOL to BNB', '6,BNB,0.4,ETH to BNB']],
  ])('%s: which belong together is not guessed', (_, rows) => {
    const { drafts, problems } = dust(...rows);
    expect(drafts).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual(rows.map(() => 'MIXED_LEGS'));
  });
});

describe('rows that cannot be read say why', () => {
  const header = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
  test.each([
    ['03/04/2024,BTCUSDT,BUY,1,100BTC,100USDT,0USDT', 'AMBIGUOUS_DATE', 'Date(UTC)'],
    ['x,BTCUSDT,BUY,1,100BTC,100USDT,0USDT', 'BAD_DATE', 'Date(UTC)'],
    ['2024-01-01,???,BUY,1,100BTC,100USDT,0USDT', 'BAD_PAIR', 'Pair'],
    ['2024-01-01,BTCUSDT,HOLD,1,100BTC,100USDT,0USDT', 'BAD_SIDE', 'Side'],
    ['2024-01-01,BTCUSDT,BUY,=cmd(),100BTC,100USDT,0USDT', 'BAD_NUMBER', 'Price'],
    ['2024-01-01,BTCUSDT,BUY,1,-100BTC,100USDT,0USDT', 'BAD_NUMBER', 'Executed'],
    ['2024-01-01,BTCUSDT,BUY,1,100BTC,900USDT,0USDT', 'BAD_NUMBER', 'Amount'],
    ['2024-01-01,BTCUSDT,BUY,1,100BTC,100USDT,-1USDT', 'BAD_NUMBER', 'Fee'],
    ['2024-01-01,BTCUSDT,BUY,1,N/A,100USDT,0USDT', 'BAD_NUMBER', 'Executed'],
    ['2024-01-01,BTCUSDT,BUY,100BTC,1,100USDT,0USDT', 'BAD_NUMBER', 'Price'],
    ['2024-01-01,DOGEEUR,BUY,0.0001,5DOGE,900EUR,0EUR', 'BAD_NUMBER', 'Amount'],
    ['2024-01-01,BTCUSDT,BUY,1,100BTC,100USDT,500BTC', 'BAD_NUMBER', 'Fee'],
    ['2024-01-01,BTCUSDT,SELL,1,100BTC,100USDT,100USDT', 'BAD_NUMBER', 'Fee'],
    ['2024-01-01,BTCUSDT,BUY,1,100BTC,--,0USDT', 'BAD_NUMBER', 'Amount'],
    ['2024-01-01,BTCUSDT,BUY,1,100ETH,100USDT,0USDT', 'BAD_PAIR', 'Pair'],
  ])('%s: %s', (row, code, column) =>
    expect(read(`${header}\n${row}`, { zone: 0 }).problems).toMatchObject([{ row: 2, result: 'error', code, column }]),
  );
  test.each([
    ['-', { fee: '0', feeAsset: 'USDT' }],
    ['--', { fee: '0', feeAsset: 'USDT' }],
    ['—', { fee: '0', feeAsset: 'USDT' }],
    ['', { fee: '0', feeUnknown: true }],
    ['N/A', { fee: '0', feeUnknown: true }],
  ])('a fee of "%s": a dash says there was none, nothing leaves it unknown', (fee, expected) => {
    const { drafts, problems } = read(`${header}\n2024-01-01,BTCUSDT,BUY,1,100BTC,100USDT,${fee}`, { zone: 0 });
    expect(problems).toEqual([]);
    expect(drafts).toMatchObject([expected]);
    expect('feeUnknown' in drafts[0]!).toBe('feeUnknown' in expected);
  });
  test.each([
    ['-,-', { fee: '0' }],
    ['0,-', { fee: '0' }],
    ['-,BNB', { fee: '0' }],
    ['0.5,-', { fee: '0', feeUnknown: true }],
  ])('a fee and its coin of "%s"', (fee, expected) => {
    const old = 'Date(UTC),Market,Type,Price,Amount,Total,Fee,Fee Coin';
    const { drafts, problems } = read(`${old}\n2024-01-01,BTCUSDT,BUY,1,100,100,${fee}`, { zone: 0 });
    expect(problems).toEqual([]);
    expect(drafts).toMatchObject([expected]);
    expect('feeUnknown' in drafts[0]!).toBe('feeUnknown' in expected);
  });
  test.each([
    ['the average of a coin of few satoshis is rounded to one', 'HOTBTC,BUY,0.00000001,6300000HOT,0.09BTC,6300HOT'],
    ['a fee cannot be less than the last digit', 'HOTBTC,SELL,0.00000001,1HOT,0.00000001BTC,0.00000001BTC'],
    ['a tiny price', 'PEPEUSDT,SELL,0.00000093,1PEPE,0.00000093USDT,0USDT'],
  ])('%s: it is read', (_, row) => {
    const { drafts, problems } = read(`${header}\n2024-01-01,${row}`, { zone: 0 });
    expect(problems).toEqual([]);
    expect(drafts).toHaveLength(1);
  });
  test('a fee that can be two numbers says so, though its coin has a column of its own', () => {
    const old = 'Date(UTC),Market,Type,Price,Amount,Total,Fee,Fee Coin';
    expect(read(`${old}\n2024-01-01,BTCUSDT,BUY,1,100,100,2.125?,USDT`, { zone: 0 }).problems).toMatchObject([
      { code: 'AMBIGUOUS_NUMBER', column: 'Fee', value: '2.125' },
    ]);
  });
  test('a row of a statement that names another coin beside its amount is refused', () => {
    const { drafts, problems } = read(
      'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark\n1,2025-01-04 11:08:17,Spot,Deposit,BTC,500 USDT,\n1,2025-01-04 11:08:17,Spot,Deposit,BTC,5 BTC,',
    );
    expect(drafts).toMatchObject([{ asset: 'BTC', change: '5' }]);
    expect(problems).toMatchObject([{ row: 2, code: 'BAD_NUMBER', column: 'Change' }]);
  });
  test('a withdrawal with a dash for its fee had none; one whose fee would come back is refused', () => {
    const rows = ['-', '-0.1'].map((fee) => `2024-01-01,BTC,BTC,1.5,${fee},addr,tx,Completed`);
    const { drafts, problems } = read(['Time,Coin,Network,Amount,Fee,Address,TXID,Status', ...rows].join('\n'), { zone: 0 });
    expect(drafts).toMatchObject([{ change: '-1.5' }]);
    expect(problems).toMatchObject([{ row: 3, code: 'BAD_NUMBER', column: 'Fee', value: '-0.1' }]);
  });
  test('orders nobody filled are left out', () => {
    const text =
      'Time,OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n2026-01-17 09:00:00,1003,ETHUSDT,Limit,BUY,2000,1ETH,2026-01-17 12:00:00,0ETH,0,0USDT,CANCELED';
    expect(read(text, { zone: 0 }).problems).toEqual([
      { row: 2, result: 'skipped', code: 'UNFILLED', column: 'Status', value: 'CANCELED' },
    ]);
  });
  test('a pair that is not listed any more is read and marked', () =>
    expect(
      read(`${header}\n2022-03-28 13:01:36,SOLBUSD,SELL,110.03,0.1800000000SOL,19.8054BUSD,0.0198054BUSD`, { zone: 0 }).drafts,
    ).toMatchObject([{ notice: 'DELISTED_PAIR', quoteAsset: 'BUSD' }]));
  test('no zone, no guess', () =>
    expect(read('Time,Pair,Side,Price,Executed,Amount,Fee\n2024-01-01,BTCUSDT,BUY,1,1BTC,1USDT,0USDT').zone).toBeUndefined());
  test('a header nobody knows can be mapped by hand', () => {
    const header = mappedHeader(readHeader(['When', 'What', 'Way', 'Rate', 'Units', 'Sum']), {
      When: 'time',
      What: 'pair',
      Way: 'side',
      Rate: 'price',
      Units: 'quantity',
      Sum: 'total',
    });
    expect([...header.columns]).toEqual([
      ['time', [0]],
      ['pair', [1]],
      ['side', [2]],
      ['price', [3]],
      ['executed', [4]],
      ['amount', [5]],
    ]);
    expect(detectFormat(readHeader(['When', 'What']))).toBeUndefined();
  });
});
