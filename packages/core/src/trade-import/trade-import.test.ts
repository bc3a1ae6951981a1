import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PAIRS, read } from '../../testing/import-file.ts';
import { readAmount, readNumber, readTime, readZone, zoneIn } from './import-cells.ts';
import type { TradeDraft } from './import-draft.ts';
import { rowNamer, tradeIdentity } from './import-identity.ts';
import { splitPair } from './known-pairs.ts';

describe('cells', () => {
  test.each([
    ['11,426.20', '11426.2'],
    ['0.00001000', '0.00001'],
    ['-3.605E-05', '-0.00003605'],
    ['1.2e3', '1200'],
    ['.5', '0.5'],
    ['1,5', undefined],
    ['1.234,5', undefined],
    ['12,34.5', undefined],
    ['=1+1', undefined],
    ['', undefined],
    ['NaN', undefined],
  ])('number %s', (text, value) => expect(readNumber(text)).toBe(value));
  test.each([
    ['0.001BTC', ['BTC', 'USDT'], '0.001', 'BTC'],
    ['0.51INCH', ['1INCH', 'USDT'], '0.5', '1INCH'],
    ['0.51INCH', ['INCH'], '0.51', 'INCH'],
    ['100.0001INCH', ['1INCH'], '100.000', '1INCH'],
    ['100 USDT', [], '100', 'USDT'],
    ['62,000.50USDT', ['USDT'], '62000.5', 'USDT'],
    ['1.5币安人生', [], '1.5', '币安人生'],
    ['42', ['BTC'], '42', undefined],
    ['12X!', [], undefined, undefined],
  ])('amount %s of %j', (text, candidates, value, asset) => {
    const amount = readAmount(text, candidates);
    expect(amount && { value: amount.value, asset: amount.asset }).toEqual(
      value === undefined ? undefined : { value: readNumber(value), asset },
    );
  });
  test.each([
    ['2024-03-01 12:30:00', 0, '2024-03-01T12:30:00.000Z'],
    ['23-09-20 18:20:55', 180, '2023-09-20T15:20:55.000Z'],
    ['2026-01-20 10:10:12', -360, '2026-01-20T16:10:12.000Z'],
    ['31.12.17 23:59', 0, '2017-12-31T23:59:00.000Z'],
    ['45352.5', 60, '2024-03-01T11:00:00.000Z'],
    ['2024/3/1 1:02', 0, '2024-03-01T01:02:00.000Z'],
    ['25/12/2023 10:00', 0, '2023-12-25T10:00:00.000Z'],
    ['2024-01-01T00:00:00.123456Z', 300, '2024-01-01T00:00:00.123Z'],
  ])('time %s', (text, zone, iso) => expect(new Date(readTime(text, zone) as number).toISOString()).toBe(iso));
  test.each([
    ['03/04/2024 10:00', 'AMBIGUOUS_DATE'],
    ['2024-02-30 10:00:00', 'BAD_DATE'],
    ['2024-13-01', 'BAD_DATE'],
    ['yesterday', 'BAD_DATE'],
    ['1999-01-01', 'BAD_DATE'],
  ])('time %s is refused', (text, code) => expect(readTime(text, 0)).toBe(code));
  test('the same day and month is not ambiguous', () => expect(readTime('05/05/2024', 0)).toBe(Date.UTC(2024, 4, 5)));
  test('zones of headers and file names', () => {
    expect(['UTC', 'UTC+3', 'UTC-05:30', '(UTC--6)', 'CET', 'UTC+99', 'UTCnull'].map(readZone)).toEqual([
      0,
      180,
      -330,
      -360,
      undefined,
      undefined,
      undefined,
    ]);
    expect(zoneIn('Binance-Spot-Trade-History-202603230406(UTC--6)_5d63c10c.csv')).toBe(-360);
    expect([zoneIn('Date(UTC+2)'), zoneIn('UTC_Time'), zoneIn('Time'), zoneIn('Date(UTCnull)')]).toEqual([120, 0, undefined, undefined]);
  });
});

test('pairs: those the exchange has, those it had, and those nobody can take apart', () => {
  expect(splitPair('BTCUSDT', PAIRS)).toEqual({ symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT', listed: true });
  expect(splitPair('SOLBUSD', PAIRS)).toEqual({ symbol: 'SOLBUSD', baseAsset: 'SOL', quoteAsset: 'BUSD', listed: false });
  expect(splitPair('btc/usdt', PAIRS)).toMatchObject({ symbol: 'BTCUSDT', listed: true });
  expect(splitPair('币安人生USDT', PAIRS)).toEqual({ symbol: '币安人生USDT', baseAsset: '币安人生', quoteAsset: 'USDT', listed: false });
  expect(splitPair('币安人生/币', PAIRS)).toEqual({ symbol: '币安人生币', baseAsset: '币安人生', quoteAsset: '币', listed: false });
  expect([splitPair('XYZ', PAIRS), splitPair('', PAIRS), splitPair('A B', PAIRS)]).toEqual([undefined, undefined, undefined]);
});

describe('every header variant', () => {
  const trade = { kind: 'trade', side: 'Buy' };
  test.each<[string, string, string, object]>([
    [
      'old trade history',
      'Date(UTC),Market,Type,Price,Amount,Total,Fee,Fee Coin\n2018-01-20 16:59:59,XLMETH,BUY,0.00012345,123,0.01518435,0.123,XLM',
      'trade-history',
      { ...trade, symbol: 'XLMETH', quantity: '123', quoteQuantity: '0.01518435', fee: '0.123', feeAsset: 'XLM' },
    ],
    [
      'old trade history with Side',
      'Date(UTC),Market,Type,Side,Price,Amount,Total,Fee,Fee Coin\n2026-01-20 16:59:59,BTCUSDT,LIMIT,BUY,100,2,200,0.1,BNB',
      'trade-history',
      { ...trade, quantity: '2', feeAsset: 'BNB' },
    ],
    [
      'quoted, thousands commas, BOM',
      '\uFEFF"Date(UTC)","Pair","Side","Price","Executed","Amount","Fee"\n"2024-03-01 12:30:00","BTCUSDT","BUY","62,000.50","0.00100000BTC","62.0005USDT","0.0000015BNB"',
      'trade-history',
      { ...trade, price: '62000.5', quantity: '0.001', fee: '0.0000015', feeAsset: 'BNB' },
    ],
    [
      'a digit before the coin',
      '"Date(UTC)","Pair","Side","Price","Executed","Amount","Fee"\n"2024-03-01 13:00:00","1INCHUSDT","BUY","0.51","100.0001INCH","51USDT","0.1001INCH"',
      'trade-history',
      { ...trade, quantity: '100', fee: '0.1', feeAsset: '1INCH' },
    ],
    [
      'Spanish',
      'Tiempo,Par,Lado,Precio,Ejecutado,Cantidad,Tarifa\n2025-11-05 10:00:00,BTCUSDT,BUY,100,1BTC,100USDT,0.1USDT',
      'trade-history',
      { ...trade, quantity: '1' },
    ],
    [
      'a zone in the header',
      'Date(UTC+2),Pair,Side,Price,Executed,Amount,Fee\n2024-01-01 02:00:00,BTCUSDT,BUY,100,1BTC,100USDT,0.1USDT',
      'trade-history',
      { ...trade, at: Date.UTC(2024, 0, 1) },
    ],
    [
      'columns in another order',
      'Fee,Amount,Executed,Price,Side,Pair,Date(UTC)\n0.1USDT,100USDT,1BTC,100,BUY,BTCUSDT,2024-01-01 02:00:00',
      'trade-history',
      { ...trade, quantity: '1' },
    ],
    [
      'order history of 2026',
      'Time,OrderNo,Pair,Type¹,Side,Order Price,Order Amount,Time,Executed²,Average Price,Trading total³,Status\n2026-01-18 20:16:06,1002,BTCUSDT,Limit,BUY,99000,0.001BTC,2026-01-19 08:00:00,0.001BTC,99000,99USDT,FILLED',
      'order-history',
      { ...trade, at: Date.UTC(2026, 0, 19, 8), orderId: '1002', aggregate: true, feeUnknown: true },
    ],
    [
      'order history with fills',
      'Date(UTC);Pair;Type;Order Price;Order Amount;AvgTrading Price;Filled;Total;status\n2020-03-19 17:02:52;BTCUSDT;BUY;0.0;0.041600;6236.39;0.041600;259.44;Filled\n;Date(UTC);Trading Price;Filled;Total;Fee;;;\n;2020-03-19 17:02:52;6236.39;0.041600;259.43382400;0.01612653BNB;;;',
      'order-history',
      { ...trade, quoteQuantity: '259.433824', fee: '0.01612653', feeAsset: 'BNB' },
    ],
    [
      'convert',
      'Date,Wallet,Pair,Type,Sell,Buy,Price,Inverse Price,Date Updated,Status\n21-05-11 00:44:32,SPOT,ETHBUSD,Instant,124.60184573 BUSD,0.03158115 ETH,x,x,21-05-11 00:44:33,Successful',
      'convert',
      { kind: 'conversion', from: { asset: 'BUSD', quantity: '124.60184573' }, to: { asset: 'ETH', quantity: '0.03158115' } },
    ],
    [
      'deposits',
      'Time,Coin,Network,Amount,Address,TXID,Status\n23-05-06 23:05:55,USDT,MATIC,125.564991,addr,tx-dep,Completed',
      'deposits',
      { kind: 'transfer', transfer: 'deposit', change: '125.564991' },
    ],
    [
      'withdrawals',
      'Time,Coin,Network,Amount,Fee,Address,TXID,Status\n23-09-20 22:25:57,HNT,SOL,12.013,0.11,addr,tx-wd,Completed',
      'deposits',
      { kind: 'transfer', transfer: 'withdrawal', change: '-12.123' },
    ],
    [
      'between people',
      'Order Number,Created Time,Order Type,Asset,Quantity,Total Price,Fiat Type,Counterparty,Status\n123,23-09-20 19:48:03,SELL,USDT,891,891,CAD,merchant,Completed',
      'peer',
      { kind: 'conversion', from: { asset: 'USDT', quantity: '891' } },
    ],
  ])('%s', (_, text, format, expected) => {
    const result = read(text, { zone: /UTC\+2/.test(text) ? 120 : 0 });
    expect(result.problems).toEqual([]);
    expect(result.format).toBe(format);
    expect(result.drafts).toHaveLength(1);
    expect(result.drafts[0]).toMatchObject(expected);
  });

  test('auto-invest: a purchase at a price, its fee on top; dashes are no fee', () => {
    const text = [
      'Auto-Invest Date(UTC),Holding Coin,Amount per period,Trading Fee,Units,From,Status',
      '2022-05-01 14:00:00,ETH,10.00000000 USDT,0.00250000 USDT,0.01000000 ETH,Flexible Savings,Success',
      '2022-05-01 14:00:00,SOL,20.00000000 BUSD,-- BUSD,0.25000000 SOL,Spot Wallet + Flexible Savings,Success',
      '2022-05-01 14:00:00,ALGO,0.01000000 BTC,0.00010000 BTC,500.00000000 ALGO,Spot Wallet,Success',
      '2022-05-02 14:00:00,ETH,10.00000000 USDT,0.00250000 USDT,0.01000000 ETH,Spot Wallet,Failed',
      '2022-05-03 14:00:00,ETH,10.00000000 USDT,0.00250000 USDT,0.01000000 BTC,Spot Wallet,Success',
      '2022-05-03 14:00:00,ETH,10.00000000 USDT,-0.00250000 USDT,0.01000000 ETH,Spot Wallet,Success',
    ].join('\n');
    const { format, drafts, problems } = read(text);
    expect(format).toBe('auto-invest');
    const bought = { quoteAsset: 'USDT', quantity: '0.01', price: '1000', quoteQuantity: '10', fee: '0.0025', feeAsset: 'USDT' };
    expect(drafts).toMatchObject([
      { ...trade, symbol: 'ETHUSDT', ...bought },
      { ...trade, symbol: 'SOLBUSD', quoteQuantity: '20', fee: '0', notice: 'DELISTED_PAIR' },
      { kind: 'conversion', from: { asset: 'BTC', quantity: '0.0101' }, to: { asset: 'ALGO', quantity: '500' } },
    ]);
    expect(problems).toMatchObject([
      { row: 5, result: 'skipped', code: 'NOT_COMPLETED', value: 'Failed' },
      { row: 6, result: 'error', code: 'BAD_NUMBER', column: 'Units' },
      { row: 7, result: 'error', code: 'BAD_NUMBER', column: 'Trading Fee' },
    ]);
  });
  describe('cash', () => {
    const cash = (fileName: string, ...rows: string[]) =>
      read(['Date(UTC),Coin,Amount,Status,Payment Method,Indicated Amount,Fee,Order ID', ...rows].join('\n'), { fileName });
    const sent = '2021-02-07 10:21:25,EUR,98.1,Successful, ,100,1.90,55260b';
    test('a deposit is what arrived; one that failed is left out with its reason', () => {
      const result = cash('Binance-Deposit-Fiat-History.csv', sent, sent.replace('Successful', 'Failed'));
      expect(result.format).toBe('cash');
      expect(result.drafts).toMatchObject([{ kind: 'transfer', transfer: 'deposit', asset: 'EUR', change: '98.1' }]);
      expect(result.problems).toEqual([{ row: 3, result: 'skipped', code: 'NOT_COMPLETED', column: 'Status', value: 'Failed' }]);
    });
    test('a withdrawal is what left, its fee with it', () =>
      expect(cash('withdraw-fiat.csv', '2021-05-20 20:21:02,EUR,340.77,Successful,bank transfer,341.57,0.80,CJW712').drafts).toMatchObject([
        { transfer: 'withdrawal', change: '-341.57' },
      ]));
    test('amounts that contradict each other are refused', () =>
      expect(cash('deposit.csv', sent.replace('98.1', '100')).problems).toMatchObject([
        { result: 'error', code: 'BAD_NUMBER', column: 'Indicated Amount' },
      ]));
    test.each(['Deposit-and-Withdraw-History.csv', 'export.csv'])('%s does not say which of both it is: nothing is guessed', (name) => {
      const { drafts, problems } = cash(name, sent);
      expect(drafts).toEqual([]);
      expect(problems).toMatchObject([{ result: 'error', code: 'DIRECTION_UNKNOWN', value: name }]);
    });
  });

  test('statements: legs become trades, conversions and transfers again', () => {
    const { drafts, problems, format } = read(
      [
        'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
        '1,2025-01-04 11:08:17,Spot,Deposit,USDT,500.00000000,',
        '1,2025-01-04 11:20:13,Spot,Binance Convert,SOL,10.00000000,',
        '1,2025-01-04 11:20:13,Spot,Binance Convert,USDT,-200.00000000,',
        '1,2025-01-04 11:27:37,Spot,Transfer Between Main and Funding Wallet,SOL,-5.00000000,',
        '1,2025-01-13 21:37:45,Strategy,Transaction Revenue,ETH,0.00407900,',
        '1,2025-01-13 21:37:46,Strategy,Transaction Fee,ETH,-0.00000408,',
        '1,2025-01-13 21:37:46,Strategy,Transaction Sold,XRP,-5.00000000,',
        '1,2025-01-14 00:00:00,Spot,ETH 2.0 Staking Rewards,BETH,-3.605E-05,',
        '1,2025-01-15 00:00:00,Spot,Tea Party,BTC,1,',
        '1,2025-01-16 00:00:00,Spot,Buy,BTC,1,',
      ].join('\n'),
    );
    expect(format).toBe('transaction-records');
    expect(drafts).toMatchObject([
      { kind: 'transfer', transfer: 'deposit', change: '500' },
      { kind: 'conversion', from: { asset: 'USDT', quantity: '200' }, to: { asset: 'SOL', quantity: '10' } },
      { kind: 'trade', symbol: 'XRPETH', side: 'Sell', quantity: '5', quoteQuantity: '0.004079', fee: '0.00000408', feeAsset: 'ETH' },
      { kind: 'transfer', transfer: 'reward', change: '-0.00003605' },
    ]);
    expect(problems).toEqual([
      { row: 5, result: 'skipped', code: 'OWN_TRANSFER', column: 'Operation', value: 'Transfer Between Main and Funding Wallet' },
      { row: 10, result: 'question', code: 'UNKNOWN_OPERATION', column: 'Operation', value: 'Tea Party' },
      { row: 11, result: 'error', code: 'UNBALANCED_LEG', value: '1 BTC' },
    ]);
  });
});

test('rows that are honestly alike keep their own names, and have the same names when the file comes again', () => {
  const text = [
    'Date(UTC),Pair,Side,Price,Executed,Amount,Fee',
    ...Array.from({ length: 3 }, () => '2024-01-01,BTCUSDT,BUY,1,1BTC,1USDT,0USDT'),
  ].join('\n');
  const names = () => {
    const name = rowNamer('trade-history');
    return read(text, { zone: 0 }).drafts.map(name);
  };
  expect(new Set(names()).size).toBe(3);
  expect(names()).toEqual(names());
});

test('the exchange numbers the fills of each pair by themselves: one number on two pairs is two fills', () => {
  const draft = { kind: 'trade', tradeId: '28' } as TradeDraft;
  const name = rowNamer('trade-history');
  expect(name({ ...draft, symbol: 'BTCUSDT' })).not.toBe(name({ ...draft, symbol: 'ETHUSDT' }));
  expect(name({ ...draft, symbol: 'BTCUSDT' })).toBe(tradeIdentity('BTCUSDT', '28'));
});

const EXPORTS = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data/exports');
describe.skipIf(!existsSync(EXPORTS))('real files people published (needs ../shared/data/exports)', () => {
  test.each([
    ['declarenta-binance-sample.csv', 'trade-history', 3, 0, 0],
    ['declarenta-binance-tx-sample.csv', 'transaction-records', 4, 1, 0],
    ['ganciaux-convert-history-semicolon-2022.csv', 'convert', 33, 0, 0],
    ['metko-order-history-xlsx-layout-2023.csv', 'order-history', 154, 16, 0],
  ])('%s: %s, %i read, %i left out, %i wrong', (file, format, count, skipped, errors) => {
    const result = read(readFileSync(join(EXPORTS, file), 'utf8'), { zone: 0, fileName: file });
    expect({
      format: result.format,
      drafts: result.drafts.length,
      skipped: result.problems.filter(({ result: kind }) => kind === 'skipped').length,
      errors: result.problems.filter(({ result: kind }) => kind === 'error'),
    }).toMatchObject({ format, drafts: count, skipped, errors: errors === 0 ? [] : expect.anything() });
  });
  test('no file is forgotten', () => expect(readdirSync(EXPORTS).filter((file) => file.endsWith('.csv'))).toHaveLength(4));
});
