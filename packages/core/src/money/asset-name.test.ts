import { expect, test } from 'vitest';
import { asset, symbol } from '../http/wire.ts';
import { nameFrom } from './asset-name.ts';

test.each(['BTC', '1INCH', '币安人生', 'Ğ', '0G', 'क्रिप्टो', '１', '币'.repeat(20)])('%s may be a coin', (name) => {
  expect(asset.safeParse(name).success).toBe(true);
  expect(symbol.safeParse(`${name}USDT`).success).toBe(true);
});

test.each([
  '',
  'btc',
  'ß',
  'B TC',
  'BTC/USDT',
  'B-TC',
  'B\u202eTC',
  'B\u200dTC',
  'B\u0000',
  'B\nTC',
  '<B>',
  '%42',
  "B'",
  '😀',
  '币'.repeat(31),
])('%j is no name', (name) => {
  expect([asset.safeParse(name).success, symbol.safeParse(name.length < 2 ? name : `${name}`).success]).toEqual([false, false]);
});

test('a typed name is brought into the form of the exchange', () => {
  expect(['btc-usdt', ' btc/try ', '币安人生usdt', 'e\u0301', 'B\u202etc', '½'].map(nameFrom)).toEqual([
    'BTCUSDT',
    'BTCTRY',
    '币安人生USDT',
    'É',
    'BTC',
    '',
  ]);
});
