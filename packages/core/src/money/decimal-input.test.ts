import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDecimalText } from './decimal.ts';
import { completeDecimal, editDecimal } from './decimal-input.ts';

const typed = (text: string): string => text.split('').reduce((held, key) => editDecimal(held, held + key).text, '');

test.each([
  ['1,5', '1.5'],
  ['1.234,5', '1.2345'],
  ['1e5', '15'],
  ['-3', '3'],
  ['1..2', '1.2'],
  [' 7 ', '7'],
  ['.5', '.5'],
])('typing %s leaves %s', (keys, held) => {
  expect(typed(keys)).toBe(held);
});

test('a paste with both separators is refused and says so', () => {
  expect(editDecimal('4', '1.234,5', true)).toEqual({ accepted: false, reason: 'both-separators', text: '4' });
  expect(editDecimal('4', '1,234.5', true)).toEqual({ accepted: false, reason: 'both-separators', text: '4' });
  expect(editDecimal('', '65,500', true)).toEqual({ accepted: false, reason: 'both-separators', text: '' });
  expect(editDecimal('', '0,123', true)).toEqual({ accepted: true, text: '0.123' });
  expect(editDecimal('', '65,5001', true)).toEqual({ accepted: true, text: '65.5001' });
  expect(editDecimal('', '65.500', true)).toEqual({ accepted: true, text: '65.500' });
  expect(editDecimal('', ' 1,5\n', true)).toEqual({ accepted: true, text: '1.5' });
  expect(editDecimal('', '1,234,567', true)).toEqual({ accepted: false, reason: 'not-a-decimal', text: '' });
});

test('more places than the pair has are refused', () => {
  expect(editDecimal('1.23', '1.234', false, 2)).toEqual({ accepted: false, reason: 'too-many-places', text: '1.23' });
});

test('whatever is typed or pasted, the field holds digits and at most one point, and completes to decimal text or nothing', () => {
  const key = fc.constantFrom('0', '1', '9', '.', ',', '-', 'e', ' ', '٣', 'x', '12.5', '1,2', '1.2,3');
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 30 }), (edits) => {
      const held = edits.reduce((text, [piece, pasted]) => editDecimal(text, text + piece, pasted).text, '');
      expect(held).toMatch(/^[0-9]*\.?[0-9]*$/);
      const complete = completeDecimal(held);
      expect(complete === '' || (isDecimalText(complete) && !/^0\d/.test(complete))).toBe(true);
      if (complete !== '') expect(Number(complete)).toBe(Number(held));
    }),
  );
});
