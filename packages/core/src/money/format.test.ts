import fc from 'fast-check';
import { expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { assetsOfTag, TAGS } from '../prices/asset-tags.ts';
import { decimal } from './decimal.ts';
import { digits, type Money, type Percent } from './figure.ts';
import {
  type Closeness,
  formatChange,
  formatCompact,
  formatCurrency,
  formatDistance,
  formatFixed,
  formatMoney,
  formatPercent,
  formatPoints,
  formatPrice,
  formatQuantity,
  formatResult,
  formatRoughly,
  formatShare,
  formatSigned,
  MINUS,
  moneyPlaces,
  UNKNOWN,
} from './format.ts';

test.each([
  ['0', '0'],
  ['999.994', '999.99'],
  ['999.996', '1.0K'],
  ['1000', '1.0K'],
  ['999949', '999.9K'],
  ['999950', '1.0M'],
  ['-999950', '−1.0M'],
  ['1250000', '1.2M'],
  ['1350000', '1.4M'],
  ['999950000', '1.0B'],
  ['2500000000000', '2.5T'],
  ['1234500000000000', '1,234.5T'],
  ['12.5', '12.5'],
  ['0.001', '0.001'],
  ['-0.00000012', '−0.00000012'],
  ['-0.000000001', '0'],
  ['abc', UNKNOWN],
])('%s abbreviates to %s', (value, shown) => {
  expect(formatCompact(value)).toBe(shown);
});

test('an abbreviation never shows a thousand of a smaller unit and stays within one rounding of the value', () => {
  const factor: Record<string, number> = { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 10n ** 12n }), fc.integer({ min: 0, max: 6 }), (units, scale) => {
      const shown = formatCompact({ units, scale });
      const unit = /[KMBT]$/.exec(shown)?.[0] ?? '';
      const number = Number(shown.replace(/[KMBT,]/g, ''));
      const value = Number(units) / 10 ** scale;
      expect(number).toBeLessThan(1000);
      expect(Math.abs(number * factor[unit]! - value)).toBeLessThanOrEqual(factor[unit]! * 0.0501);
    }),
  );
});

test('prices print with the precision of their pair', () => {
  expect(formatPrice('43210.1', 2)).toBe('43,210.10');
  expect(formatPrice('0.00001234', 8)).toBe('0.00001234');
  expect(formatPrice('1234567', 0)).toBe('1,234,567');
  expect(formatPrice('43210.1000', undefined)).toBe('43,210.1');
});

test('sums are en-US with the decimals of their currency, coins named behind', () => {
  expect(formatCurrency('1234.5', 'USD')).toBe('$1,234.50');
  expect(formatCurrency('-1234.567', 'USD')).toBe('−$1,234.57');
  expect(formatCurrency('1234.5', 'USDT')).toBe('1,234.50 USDT');
  expect(formatCurrency('oops', 'USDT')).toBe(UNKNOWN);
  expect(formatCurrency('0.0012345', 'BTC')).toBe('0.00123450 BTC');
  expect(formatResult('0.00012', 'BTC')).toBe('+0.00012000 BTC');
  expect(formatMoney('1234.567', 'FDUSD')).toBe('1,234.57');
  expect(['0.01543', '12.5', '3'].map((value) => formatMoney(value, 'USDT', 'fine'))).toEqual(['0.0154', '12.50', '3.00']);
});

test.each([
  ['0.0003', 'USDT', '0.0003'],
  ['-0.0003', 'USDT', '−0.0003'],
  ['0.000345', 'USDT', '0.00034'],
  ['-0.0049999', 'EUR', '−0.005'],
  ['0.005', 'USDT', '0.005'],
  ['0.00000001', 'USDT', '0.00000001'],
  ['0.000000004', 'USDT', '0.00'],
  ['-0.0000000000000000001', 'USDT', '0.00'],
  ['0', 'USDT', '0.00'],
  ['0.00375', 'BTC', '0.00375000'],
  ['-0.00000001', 'BTC', '−0.00000001'],
  ['0.00375', 'XUSDX', '0.00375000'],
  ['0.00375', 'LUSDX', '0.00375000'],
])('%s %s reads %s: what is there is never nothing', (value, currency, shown) => {
  expect(formatMoney(value, currency)).toBe(shown);
  expect(formatMoney(value, currency, 'fine')).toBe(shown);
});

test('no sum above the smallest unit reads as nothing, in any currency, and its sign is kept', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.constantFrom('USDT', 'EUR', 'BTC', 'XUSDX'),
      fc.constantFrom<Closeness>('usual', 'fine'),
      (units, currency, closeness) => {
        expect(formatSigned({ units, scale: 8 }, currency, closeness)).toMatch(/^\+.*[1-9]/);
        expect(formatSigned({ units: -units, scale: 8 }, currency, closeness)).toMatch(/^−.*[1-9]/);
      },
    ),
  );
});

test('only money is counted in hundredths, and all of it that is a quote somewhere', () => {
  const codes = [...new Set(TAGS.flatMap((tag) => assetsOfTag(tag)))];
  const money = new Set([...assetsOfTag('stablecoin'), ...assetsOfTag('fiat')]);
  expect(codes.filter((code) => moneyPlaces(code) === 2 && !money.has(code))).toEqual([]);
  // UST and USTC lost their dollar; U, PAX, MIM and VAI are worth one and are told closely.
  expect([...money].filter((code) => moneyPlaces(code) !== 2).sort()).toEqual(['MIM', 'PAX', 'U', 'UST', 'USTC', 'VAI']);
});

test('percent and signed amounts carry their sign, zero carries none', () => {
  expect(formatPercent('1.254')).toBe('+1.25%');
  expect(formatPercent('-0.4')).toBe('−0.40%');
  expect(formatPercent('-0.001')).toBe('0.00%');
  expect(formatSigned('12.5', 'USDT')).toBe('+12.50');
  expect(formatSigned('-12.5', 'USDT')).toBe('−12.50');
  expect(formatSigned('0', 'USDT')).toBe('0.00');
  expect(formatResult('0.00012', 'BTC')).toBe('+0.00012000 BTC');
  expect(formatChange('0.50')).toBe('+0.5');
  expect(formatShare('62.5')).toBe('62.50%');
  expect(formatShare('x')).toBe(UNKNOWN);
});

test('a distance has an arrow and no sign, none of both where the price is there; points say what they are', () => {
  expect(['0.468', '-0.97', '0.004', '-0.001', 'x'].map((value) => formatDistance(value))).toEqual([
    '↑ 0.47%',
    '↓ 0.97%',
    '0.00%',
    '0.00%',
    UNKNOWN,
  ]);
  expect([formatPoints('5.117', 'en'), formatPoints('-0.4', 'tr'), formatPoints('0', 'en'), formatPoints('x', 'en')]).toEqual([
    '+5.12 pts',
    '−0.40 puan',
    '0.00 pts',
    UNKNOWN,
  ]);
});

test('quantities drop zeros behind the point only', () => {
  expect(formatQuantity('1.50000000')).toBe('1.5');
  expect(formatQuantity('100')).toBe('100');
  expect(formatQuantity('1000.00000000')).toBe('1,000');
});

test('thousands are grouped exactly as Intl en-US groups them', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (units) => {
      expect(formatFixed(decimal(units), 0)).toBe(new Intl.NumberFormat('en-US').format(units).replace('-', MINUS));
    }),
  );
});

test('what an entry spends is a sum or a part of the wallet, as its mode says', () => {
  const { size } = botConfig().entry;
  // @ts-expect-error a part of the wallet is no sum
  expect(size.mode === 'percentOfWallet' ? '' : formatPercent(size.value)).toBe('+1,000.00%');
  expect(size.mode === 'fixed' && formatCurrency(size.value, 'USDT')).toBe('1,000.00 USDT');
});

test('a result in a few characters keeps its sign and is never nothing while it is something', () => {
  const texts = ['42.31', '-19.5', '0.5', '-0.0012', '0', '1250.4', '-9999.6', '10000', '-1234567', 'x'].map((value) =>
    formatRoughly(value),
  );
  expect(texts).toEqual(['+42', '−20', '+0.5', '−0.0012', '0', '+1,250', '−10,000', '+10.0K', '−1.2M', '–']);
});

test('a figure cannot be printed, nor shown as something that it is not', () => {
  const { returnPct, realised } = { returnPct: '1.5' as Percent, realised: '12' as Money };
  // @ts-expect-error a sentence takes no bare decimal
  const said: string = realised;
  // @ts-expect-error a sum has the decimals of its currency
  expect(formatFixed(realised, 2)).toBe('12.00');
  // @ts-expect-error a percentage is no sum
  expect(formatCurrency(returnPct, 'USDT')).toBe('1.50 USDT');
  // @ts-expect-error a sum is no percentage
  expect(formatPercent(realised)).toBe('+12.00%');
  expect([said, digits(realised)]).toEqual(['12', '12']);
});
