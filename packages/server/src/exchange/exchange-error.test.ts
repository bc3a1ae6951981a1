import { expect, test } from 'vitest';
import { ExchangeError, refusalCode } from './exchange-error.ts';

test.each([
  [-1013, 'Filter failure: MAX_NUM_ALGO_ORDERS', '-1013 MAX_NUM_ALGO_ORDERS'],
  [-2010, 'Account has insufficient balance for requested action.', '-2010 INSUFFICIENT_BALANCE'],
  [-2010, 'Stop price would trigger immediately.', '-2010 STOP_WOULD_TRIGGER'],
  [-1013, 'Invalid quantity.', '-1013'],
])('%i %s', (code, message, told) => {
  expect(refusalCode(new ExchangeError('refused', message, { code }))).toBe(told);
});

test('without a code the status tells', () => {
  expect(refusalCode(new ExchangeError('refused', 'no', { status: 403 }))).toBe('403');
  expect(refusalCode(new ExchangeError('refused', 'no'))).toBe('REFUSED');
});
