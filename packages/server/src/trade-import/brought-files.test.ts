import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { OLD_TRADES, STATEMENT_HEADER, stage, statement } from './brought-fixture.ts';
import { xlsxOf, zipOf } from './import-fixture.ts';

describe('statements', () => {
  test.for<[string, string[], string[]]>([
    [
      'a purchase and a sale a second apart stay two',
      [
        '2021-03-01 10:00:00,Spot,Buy,ETH,1',
        '2021-03-01 10:00:00,Spot,Transaction Related,USDT,-1500',
        '2021-03-01 10:00:01,Spot,Sell,ETH,-0.4',
        '2021-03-01 10:00:01,Spot,Transaction Related,USDT,640',
      ],
      ['2021-03-01T10:00 Buy 1 ETH for 1500 USDT', '2021-03-01T10:00 Sell 0.4 ETH for 640 USDT'],
    ],
    [
      'so do a purchase and a sale within one second, each with its fee',
      [
        '2021-03-01 10:00:00,Spot,Buy,ETH,1',
        '2021-03-01 10:00:00,Spot,Transaction Related,USDT,-1500',
        '2021-03-01 10:00:00,Spot,Fee,ETH,-0.001',
        '2021-03-01 10:00:00,Spot,Sell,ETH,-0.4',
        '2021-03-01 10:00:00,Spot,Transaction Related,USDT,640',
        '2021-03-01 10:00:00,Spot,Fee,USDT,-0.64',
      ],
      ['2021-03-01T10:00 Buy 1 ETH for 1500 USDT', '2021-03-01T10:00 Sell 0.4 ETH for 640 USDT'],
    ],
    [
      'two coins sold for one money in a second are two trades',
      [
        '2021-03-01 10:00:00,Spot,Transaction Sold,BTC,-1',
        '2021-03-01 10:00:00,Spot,Transaction Revenue,USDT,50000',
        '2021-03-01 10:00:00,Spot,Transaction Fee,USDT,-50',
        '2021-03-01 10:00:00,Spot,Transaction Sold,ETH,-2',
        '2021-03-01 10:00:00,Spot,Transaction Revenue,USDT,4000',
        '2021-03-01 10:00:00,Spot,Transaction Fee,USDT,-4',
      ],
      ['2021-03-01T10:00 Sell 1 BTC for 50000 USDT', '2021-03-01T10:00 Sell 2 ETH for 4000 USDT'],
    ],
    [
      'the fills of one order in a second are one, also where they run into the next',
      [
        '2021-03-01 10:00:00,Spot,Transaction Buy,ETH,1',
        '2021-03-01 10:00:00,Spot,Transaction Buy,ETH,2',
        '2021-03-01 10:00:00,Spot,Transaction Spend,USDT,-1500',
        '2021-03-01 10:00:01,Spot,Transaction Spend,USDT,-3000',
      ],
      ['2021-03-01T10:00 Buy 3 ETH for 4500 USDT'],
    ],
    [
      'what runs into the next second is joined with its neighbours: a purchase and a sale do not cancel',
      [
        '2021-03-01 10:00:00,Spot,Buy,ETH,1',
        '2021-03-01 10:00:00,Spot,Transaction Related,USDT,-1500',
        '2021-03-01 10:00:01,Spot,Fee,BNB,-0.01',
        '2021-03-01 10:00:02,Spot,Sell,ETH,-0.4',
        '2021-03-01 10:00:03,Spot,Transaction Related,USDT,640',
        '2021-03-01 10:00:04,Spot,Buy,ETH,2',
        '2021-03-01 10:00:04,Spot,Transaction Related,USDT,-3000',
      ],
      [
        '2021-03-01T10:00 Buy 1 ETH for 1500 USDT',
        '2021-03-01T10:00 Sell 0.4 ETH for 640 USDT',
        '2021-03-01T10:00 Buy 2 ETH for 3000 USDT',
      ],
    ],
    [
      'a leveraged token that ends is sold',
      [
        '2021-05-01 10:00:00,Spot,Deposit,USDT,100',
        '2021-05-02 10:00:00,Spot,Buy,BTCUP,1',
        '2021-05-02 10:00:00,Spot,Sell,USDT,-100',
        '2024-04-03 06:00:00,Spot,Leverage Token Redemption,BTCUP,-1',
        '2024-04-03 06:00:00,Spot,Leverage Token Redemption,USDT,130',
      ],
      ['2021-05-01T10:00 deposit 100 USDT', '2021-05-02T10:00 Buy 1 BTCUP for 100 USDT', '2024-04-03T06:00 Sell 1 BTCUP for 130 USDT'],
    ],
    [
      'coins bought from a person, for money that the statement does not have',
      [
        '2024-01-10 10:30:45,Funding,P2P Trading,USDT,250',
        '2024-01-10 11:30:00,Spot,Fiat OCBS - Add fiat and fees,EUR,-100',
        '2024-01-10 11:30:00,Spot,Fiat OCBS - Add fiat and fees,BTC,0.002',
      ],
      ['2024-01-10T10:30 fiat 250 USDT', '2024-01-10T11:30 Buy 0.002 BTC for 100 EUR'],
    ],
    [
      'what happened in another wallet is left out, whatever it is called',
      ['2024-01-10 10:30:45,USD-M Futures,Realized Profit and Loss,USDT,5'],
      [],
    ],
  ])('%s', async ([, rows, entries], context) => {
    const { give, ledger } = await stage(context);
    expect(await give('statement.csv', statement(...rows))).toMatchObject({ imported: entries.length, error: 0 });
    expect(await ledger()).toEqual(entries);
  });
});

test('rows of several coins that are mixed in a second are refused: one would be bought with the money of another', async (context) => {
  const { give } = await stage(context);
  const rows = [
    'Transaction Buy,BTC,1',
    'Transaction Spend,USDT,-50000',
    'Transaction Spend,USDT,-1500',
    'Transaction Buy,ETH,1',
    'Transaction Spend,USDT,-3000',
    'Transaction Buy,ETH,2',
  ].map((row) => `2021-03-01 10:00:00,Spot,${row}`);
  expect(await give('statement.csv', statement(...rows))).toMatchObject({ imported: 0, error: 6 });
});
test('fills and the row of a statement that tells of them a second earlier count once', async (context) => {
  const { give, ledger } = await stage(context);
  const fills = [1, 2, 3].map((each) => `2021-03-01 10:00:01,ETHUSDT,BUY,1500,${each}ETH,${1500 * each}USDT,0.001BNB`);
  await give('trades.csv', ['Date(UTC),Pair,Side,Price,Executed,Amount,Fee', ...fills].join('\n'));
  const rows = ['2021-03-01 10:00:00,Spot,Buy,ETH,6', '2021-03-01 10:00:00,Spot,Transaction Related,USDT,-9000'];
  expect(await give('statement.csv', statement(...rows))).toMatchObject({ imported: 0, error: 0 });
  expect((await ledger()).length).toBe(3);
});

describe('spreadsheets', () => {
  const rows = [
    ['2021-01-05 10:00:00', 'ETHUSDT', 'BUY', 1000.1, 0.58, 580.058, 0.00058, 'ETH'],
    ['2021-01-06 10:00:00', 'BNBUSDT', 'BUY', 40, 0.0796, 3.184, 0.0000796, 'BNB'],
  ];
  const csv = [OLD_TRADES, ...rows.map((row) => row.map((cell) => (cell === 0.0000796 ? '0.0000796' : cell)).join(','))].join('\n');
  const workbook = (sheet: string, workbook = '<workbook/>') =>
    zipOf([
      { name: '[Content_Types].xml', data: '<Types/>' },
      { name: 'xl/workbook.xml', data: workbook },
      { name: 'xl/worksheets/sheet1.xml', data: sheet },
    ]);
  const letters = 'ABCDEFGH';
  const sheetOf = (cells: readonly (readonly (string | number)[])[], prefix = '', more = '') => {
    const tag = (name: string, attributes: string, inner: string) => `<${prefix}${name}${attributes}>${inner}</${prefix}${name}>`;
    const cell = (value: string | number, row: number, column: number) => {
      const at = ` r="${letters[column]}${row + 1}"`;
      if (typeof value === 'number') return tag('c', at, tag('v', '', value.toPrecision(17)));
      return tag('c', `${at} t="inlineStr"`, tag('is', '', tag('t', '', value)));
    };
    const body = cells.map((row, index) =>
      tag('row', ` r="${index + 1}"`, row.map((value, column) => cell(value, index, column)).join('') + more),
    );
    return tag('worksheet', '', tag('sheetData', '', body.join('')));
  };
  const table = [OLD_TRADES.split(','), ...rows];

  test('the same trades as CSV and as XLSX are known as the same', async (context) => {
    const { give, ledger } = await stage(context);
    expect(sheetOf(table)).toContain('<v>0.57999999999999996</v>');
    expect(await give('trades.xlsx', workbook(sheetOf(table)))).toEqual({ imported: 2, duplicate: 0, error: 0 });
    expect(await ledger()).toEqual(['2021-01-05T10:00 Buy 0.58 ETH for 580.058 USDT', '2021-01-06T10:00 Buy 0.0796 BNB for 3.184 USDT']);
    expect(await give('trades.csv', csv)).toEqual({ imported: 0, duplicate: 2, error: 0 });
    expect(await give('prefixed.xlsx', workbook(sheetOf(table, 'x:')))).toEqual({ imported: 0, duplicate: 2, error: 0 });
    const phantoms = '<c r="XFD1" s="1"/><c r="AAA1" s="1"></c>';
    expect(await give('wide.xlsx', workbook(sheetOf(table, '', phantoms)))).toEqual({ imported: 0, duplicate: 2, error: 0 });
    expect(await give('usual.xlsx', xlsxOf(table))).toEqual({ imported: 0, duplicate: 2, error: 0 });
  });
  test('the point of a number is one, also beside a text in which points part thousands', async (context) => {
    const { give, ledger } = await stage(context);
    const row = (amount: string | number) => ['1', '2021-01-05 10:00:00', 'Spot', 'Deposit', 'ETH', amount];
    await give('mixed.xlsx', workbook(sheetOf([STATEMENT_HEADER.split(',').slice(0, -1), row('1.234,50'), row(1.125)])));
    expect(await ledger()).toEqual(['2021-01-05T10:00 deposit 1234.5 ETH', '2021-01-05T10:00 deposit 1.125 ETH']);
  });
  test('dates count from 1904 where the workbook says so', async (context) => {
    const { give, ledger } = await stage(context);
    const serial = [OLD_TRADES.split(','), [42739.416666666664, ...rows[0]!.slice(1)]];
    await give('mac.xlsx', workbook(sheetOf(serial), '<workbook><workbookPr date1904="1"/></workbook>'));
    await give('other.xlsx', workbook(sheetOf(serial)));
    expect(await ledger()).toEqual(['2017-01-04T10:00 Buy 0.58 ETH for 580.058 USDT', '2021-01-05T10:00 Buy 0.58 ETH for 580.058 USDT']);
  });
});

describe('names and numbers of a file', () => {
  test('the assets in its cells part a pair, and contradict a wrong one', async (context) => {
    const { give, ledger } = await stage(context);
    const header = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
    const row = (pair: string, base: string, quote: string) => `2021-09-10 10:00:00,${pair},BUY,30,10${base},300${quote},0.01${base}`;
    const rows = [row('LUNAEUR', 'LUNA', 'EUR'), row('BNBUSD', 'BNB', 'USD'), row('1000SATSUSDT', '1000SATS', 'USDT')];
    expect(await give('eur.csv', [header, ...rows].join('\n'))).toMatchObject({ imported: 3, error: 0 });
    expect((await ledger()).sort()).toEqual([
      '2021-09-10T10:00 Buy 10 1000SATS for 300 USDT',
      '2021-09-10T10:00 Buy 10 BNB for 300 USD',
      '2021-09-10T10:00 Buy 10 LUNA for 300 EUR',
    ]);
    expect(await give('wrong.csv', [header, row('BTCUSDT', 'ETH', 'USDT')].join('\n'))).toMatchObject({ imported: 0, error: 1 });
    // Where no cell has a name of both, the coin of the fee can have it.
    const old = `${OLD_TRADES}\n2021-09-11 10:00:00,LUNAEUR,BUY,30,10,300,0.01,LUNA`;
    await give('old.csv', old);
    expect((await ledger()).at(-1)).toBe('2021-09-11T10:00 Buy 10 LUNA for 300 EUR');
  });
  test('a coin that begins with digits, with a number before it', async (context) => {
    const { give, ledger } = await stage(context);
    const header = 'Time,Wallet,Pair,Type,Sell,Buy,Price,Inverse Price,Date Updated,Status';
    const row = (pair: string, sell: string) => `24-03-11 10:01:13,Spot,${pair},Market,${sell},2.45USDT,x,x,24-03-11 10:01:13,Successful`;
    await give('convert.csv', [header, row('1000SATSUSDT', '50001000SATS'), row('1INCHUSDT', '101INCH')].join('\n'), 0);
    expect((await ledger()).sort()).toEqual([
      '2024-03-11T10:01 Sell 10 1INCH for 2.45 USDT',
      '2024-03-11T10:01 Sell 5000 1000SATS for 2.45 USDT',
    ]);
  });
  test('day and month of a whole file; a comma that could be either is refused', async (context) => {
    const { give, ledger } = await stage(context);
    const header = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
    const dates = ['09/05/2020 05:49,ETHUSDT,SELL,200,1ETH,200USDT,0USDT', '14/04/2020 10:41,ETHUSDT,BUY,200,1ETH,200USDT,0USDT'];
    expect(await give('mdy.csv', [header, ...dates].join('\n'))).toMatchObject({ imported: 2, error: 0 });
    expect(await ledger()).toEqual(['2020-04-14T10:41 Buy 1 ETH for 200 USDT', '2020-05-09T05:49 Sell 1 ETH for 200 USDT']);
    const deposits = ['Date(UTC+0);Coin;Network;Amount;Address;TXID;Status', '2024-02-01 10:00:00;BTC;BTC;1,250;addr;tx1;Completed'];
    expect(await give('deposits.csv', deposits.join('\n'))).toMatchObject({ imported: 0, error: 1 });
    expect(await give('deposits.csv', [...deposits, '2024-02-02 10:00:00;BTC;BTC;2,5;addr;tx2;Completed'].join('\n'))).toMatchObject({
      imported: 2,
      error: 0,
    });
    expect((await ledger()).slice(2)).toEqual(['2024-02-01T10:00 deposit 1.25 BTC', '2024-02-02T10:00 deposit 2.5 BTC']);
  });
  test('a point that could be either is refused by its own name; price, quantity and total can decide it', async (context) => {
    const { give, ledger, rows } = await stage(context);
    const deposits = 'Date(UTC+0);Coin;Network;Amount;Address;TXID;Status';
    const deposit = (amount: string) => `${deposits}\n2024-02-01 10:00:00;BTC;BTC;${amount};addr;tx1;Completed`;
    expect(await give('deposits.csv', deposit('1.250'))).toMatchObject({ imported: 0, error: 1 });
    expect(rows()).toEqual([{ row: 2, result: 'error', code: 'AMBIGUOUS_NUMBER', column: 'Amount', value: '1.250' }]);
    expect(await give('deposits.csv', deposit('1,250'))).toMatchObject({ imported: 0, error: 1 });
    expect(rows()).toMatchObject([{ code: 'AMBIGUOUS_NUMBER', value: '1,250' }]);
    const trades = OLD_TRADES.replaceAll(',', ';');
    const trade = (price: string, quantity: string, total: string) =>
      `${trades}\n2024-02-01 10:00:00;ETHUSDT;BUY;${price};${quantity};${total};0;USDT`;
    expect(await give('trades.csv', trade('1.250', '2', '2.500'))).toMatchObject({ imported: 0, error: 1 });
    expect(rows()).toMatchObject([{ code: 'AMBIGUOUS_NUMBER', column: 'Price' }]);
    expect(await give('trades.csv', trade('1,250', '2,000', '2,500'))).toMatchObject({ imported: 1, error: 0 });
    expect(await ledger()).toEqual(['2024-02-01T10:00 Buy 2 ETH for 2.5 USDT']);
  });
  test('a zone that is named counts, whatever the header says', async (context) => {
    const { give, ledger } = await stage(context);
    await give('local.csv', statement('2024-07-01 14:00:00,Spot,Deposit,BTC,0.1'), 120);
    expect(await ledger()).toEqual(['2024-07-01T12:00 deposit 0.1 BTC']);
  });
  test('purchases by card and bank', async (context) => {
    const { give, ledger } = await stage(context);
    const header = 'Date(UTC+1),Method,Spend Amount,Receive Amount,Fee,Price,Status,Transaction ID';
    const rows = [
      '2024-01-15 14:30:00,Card,100.00 EUR,0.00235000 BTC,1.50 EUR,41914.89 EUR/BTC,Successful,TXN1',
      '2024-01-14 10:00:00,Bank Transfer,500.00 EUR,0.23000000 ETH,3.00 EUR,2160.86 EUR/ETH,Failed,TXN2',
    ];
    expect(await give('Buy Crypto.csv', [header, ...rows].join('\n'))).toMatchObject({ imported: 1, error: 0 });
    expect(await ledger()).toEqual(['2024-01-15T13:30 Buy 0.00235 BTC for 100 EUR']);
  });
});

/** Bought and sold in one second; their fees in BNB have no value here. */
const SIX_CLOSED = [
  'ADAUSDT 0 0 9.54 FEE_UNVALUED',
  'BTCUSDT 0 0 3.99 FEE_UNVALUED',
  'ETHUSDT 0 0 10.485 FEE_UNVALUED',
  'LTCUSDT 0 0 9.19 FEE_UNVALUED',
  'SOLUSDT 0 0 16.98 FEE_UNVALUED',
  'XRPUSDT 0 0 9.49 FEE_UNVALUED',
];
const CASES = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data/cases');
describe.skipIf(!existsSync(CASES))('what people brought (needs ../shared/data/cases)', () => {
  test.for<[string, number | undefined, string[]]>([
    ['same-second.csv', undefined, SIX_CLOSED],
    ['second-roundtrip.csv', undefined, ['ETHUSDT 0.6 900 40']],
    ['swap-rebrand.csv', undefined, ['MATICUSDT 0 0 0', 'POLUSDT 0 0 20']],
    ['swap-dist.csv', undefined, ['BQXUSDT 0 0 0', 'VGXUSDT 0 0 20']],
    ['levtoken.csv', undefined, ['BTCUPUSDT 0 0 30']],
    ['p2p.csv', 0, ['ETHUSDT 0.0999 230 0']],
    ['float.xlsx', undefined, ['BNBUSDT 0.0795204 3.184 0', 'ETHUSDT 0.57942 580.058 0']],
    ['prefixed.xlsx', undefined, ['BNBUSDT 0.0795204 3.184 0', 'ETHUSDT 0.57942 580.058 0']],
    ['eur-pairs.csv', undefined, ['ADAEUR 99.9 200 0', 'BNBUSD 0.999 400 0', 'LUNAEUR 9.99 300 0']],
    ['mdy.csv', undefined, ['ZENBTC 0.17 0.0001312440550458715596330275 0.0001751340550458715596330275']],
  ])('%s', async ([file, zone, positions], context) => {
    const { give, positions: folded } = await stage(context);
    expect(await give(file, readFileSync(join(CASES, file)), zone)).toMatchObject({ error: 0 });
    expect(await folded()).toEqual(positions);
  });
});
