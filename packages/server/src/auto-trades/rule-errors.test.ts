import type { AutoTradeConfigInput } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { violatedRules } from '@pilotfish/core/auto-trades/config/config-rules';
import { botConfig, walletBook } from '@pilotfish/core/testing/auto-trade-fixtures';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { expect, test } from 'vitest';
import { createTexts } from '../http/texts.ts';
import { ruleErrors, withoutNotBought } from './rule-errors.ts';

const texts = createTexts();
const { entry } = botConfig();
const size = (value: string): Partial<AutoTradeConfigInput> => ({ entry: { ...entry, size: { mode: 'fixed', value } } });
const levels = [{ dropPct: '2' }];
const errors = (over: Partial<AutoTradeConfigInput>, language: 'en' | 'tr' = 'en', spread = '0.01') => {
  const facts = {
    pair: () => btcusdt,
    price: () => '98765.43',
    spread: () => spread,
    takerFee: () => '0.001',
    wallet: walletBook('10000'),
  };
  return ruleErrors(violatedRules(botConfig(over), facts), texts, language);
};
const sentences = (over: Partial<AutoTradeConfigInput>) => (['en', 'tr'] as const).map((language) => errors(over, language)[0]?.message);

test.each<[string, Partial<AutoTradeConfigInput>, string, string]>([
  [
    'sums with their currency',
    size('25000'),
    '25,000.00 USDT is more than the wallet can spend (9,900.00 USDT).',
    '25,000.00 USDT cüzdanın harcayabileceğinden (9,900.00 USDT) fazla.',
  ],
  [
    'the pair beside the sums of it',
    size('5.1'),
    '5.10 USDT is too small to buy BTCUSDT and sell it again. Use at least 5.25 USDT.',
    '5.10 USDT, BTCUSDT alıp yeniden satmak için çok küçük; en az 5.25 USDT.',
  ],
  [
    'percentages with their sign where the language puts it',
    { entry: { ...entry, maxSpreadPct: '7.50' } },
    '7.5% is too high; at most 5%.',
    '%7.5 çok yüksek; en çok %5.',
  ],
  [
    'a sum rounded up to what is asked for',
    { ...size('1000.33'), maxExposurePerCoin: '1500', rebuys: { levels } },
    'The entry and all its rebuys cost up to 2,011.36 USDT. The limit of 1,500.00 USDT per coin is too low.',
    'Giriş ve tüm ek alımlar 2,011.36 USDT tutabilir. Coin başına 1,500.00 USDT sınırı yetmez.',
  ],
])('the sentence of a rule tells %s', (_, over, english, turkish) => {
  expect(sentences(over)).toEqual([english, turkish]);
});

test('a bound is told rounded up, so that it is enough when it is typed', () => {
  const [error] = errors({ entry: { ...entry, trailing: { reboundPct: '0.2' } } }, 'en', '0.12341234');
  expect(error).toMatchObject({ message: '0.2% is too low; at least 0.2469%.', limit: '0.2469' });
});

test('beside the sentence the values stand as programs read them', () => {
  expect(errors(size('5.1'))).toMatchObject([{ path: 'entry.size.value', code: 'BELOW_MIN_NOTIONAL', limit: '5.25', actual: '5.1' }]);
  expect(errors({ entry: { ...entry, maxSpreadPct: '7.50' } })).toMatchObject([{ limit: '5', actual: '7.5' }]);
});

test('a pair that is no longer bought refuses only who names it first', () => {
  const facts = {
    pair: () => ({ ...btcusdt, filters: { ...btcusdt.filters, withoutOrders: ['Market' as const] } }),
    price: () => '98765.43',
    spread: () => '0.01',
    takerFee: () => '0.001',
    wallet: walletBook('10000'),
  };
  const violated = violatedRules(botConfig({ entry: { ...entry, maxSpreadPct: '7.50' } }), facts);
  const codes = (before?: ReturnType<typeof botConfig>) => withoutNotBought(violated, before).map(({ code }) => code);
  expect(codes()).toContain('NO_MARKET_ORDERS');
  expect(codes(botConfig({ coins: { symbols: ['ETHUSDT'] } }))).toEqual(codes());
  expect(codes(botConfig())).toEqual(codes().filter((code) => code !== 'NO_MARKET_ORDERS'));
});
