import { expect, test } from 'vitest';
import { readLineFor } from './alert-line.ts';

const options = { symbols: ['BTCUSDT', 'ETHUSDT', 'MOVEUSDT', 'UPUSDT', 'ABOVEUSDT', 'VOLUMEUSDT'], language: 'en', now: 0 } as const;
const read = (line: string) => {
  const found = readLineFor('BTCUSDT', line, options);
  return found.ok
    ? `${found.body.symbol} ${found.body.condition.kind}`
    : `${found.error.code} at ${found.error.position}: ${found.error.text}`;
};

test.each([
  ['> 100k', 'BTCUSDT above'],
  ['drops 5% in 1h', 'BTCUSDT change'],
  ['rsi 14 1h < 30', 'BTCUSDT rsi'],
  // A coin that is named is meant.
  ['eth > 5k', 'ETHUSDT above'],
  // Coins are called like words of a line: it is not theirs because of that.
  ['move 5% in 1h', 'BTCUSDT change'],
  ['up 5% in 1h', 'BTCUSDT change'],
  ['volume > 5', 'BTCUSDT volume'],
  ['above 100', 'BTCUSDT above'],
  ['moveusdt 5% in 1h', 'MOVEUSDT change'],
])('beside a pair the line “%s” is %s', (line, meant) => {
  expect(read(line)).toBe(meant);
});

test('what is refused is pointed at where it was typed, and an unknown coin is never taken for the pair', () => {
  expect(read('> 100,000')).toMatch(/ at 2: 100,000$/);
  expect(read('NOPE > 5')).toBe('symbol-unknown at 0: NOPE');
});
