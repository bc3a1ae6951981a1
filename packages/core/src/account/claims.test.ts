import { expect, test } from 'vitest';
import { isTradeEnabled, isTradingDenied } from './claims.ts';

test.each([
  ['a yes', { enableSpotAndMarginTrading: true }, true],
  ['a no', { enableSpotAndMarginTrading: false }, false],
  ['nothing said', {}, true],
])('trading permission by %s of the exchange', (_, permissions, enabled) => {
  expect(isTradeEnabled(permissions)).toBe(enabled);
});

test('only connected keys can be without the permission', () => {
  expect(isTradingDenied({ exchanges: [] })).toBe(false);
  expect(isTradingDenied({ exchanges: [{ name: 'Binance', tradeEnabled: true }] })).toBe(false);
  expect(isTradingDenied({ exchanges: [{ name: 'Binance', tradeEnabled: false }] })).toBe(true);
});
