import { expect, test } from 'vitest';
import { plainDecimal } from './plain-decimal.ts';

test.each([
  ['4.2E-7', '0.00000042'],
  ['1e-7', '0.0000001'],
  ['-3.605E-05', '-0.00003605'],
  ['1E+3', '1000'],
  ['1.25e1', '12.5'],
  ['0E-8', '0'],
  ['0.50', '0.50'],
])('an exponent is a number, exactly: %s', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
});

test.each(['', 'NaN', '1,5', 'Infinity', '1e', 'e5', '1e999', ' 1', '.5'])('%j is no number', (text) => {
  expect(plainDecimal(text)).toBeUndefined();
});
