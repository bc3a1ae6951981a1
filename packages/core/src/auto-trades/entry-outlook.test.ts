import { expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import en from '../locales/en.json' with { type: 'json' };
import { entryOutlook, entryWords } from './entry-outlook.ts';

const rung = (level: number, quote: string) => ({ symbol: 'BTCUSDT', level, price: '60000', quantity: '0.01', quote });
const bot = (over: object = {}, size: object = { mode: 'fixed', value: '1000' }) => ({
  config: botConfig({ entry: { size, trigger: { kind: 'manual' }, order: { type: 'Market' }, ...over } } as never),
  ladder: { rungs: [rung(0, '612'), rung(1, '700')], exits: [], stops: [], worstCaseTotal: '0', worstLoss: null, currency: 'USDT' },
  currency: 'USDT',
});
const limit = { order: { type: 'Limit', offsetPct: '0.1' } };

test('at the market: the amount of the bot, in whole lots at the price', () => {
  // 1000 ÷ 97000 = 0.010309…
  expect(entryOutlook(bot(), 'BTCUSDT', '97000', btcusdt)).toEqual({ type: 'Market', quantity: '0.0103', price: '97000', quote: '1000' });
  expect(entryOutlook(bot(), 'BTCUSDT', '97000')).toMatchObject({ quantity: '0.01030927' });
});

test('a limit order stands below the price by its offset, on the tick', () => {
  // 97,123.45 × 0.999 = 97,026.32655
  expect(entryOutlook(bot(limit), 'BTCUSDT', '97123.45', btcusdt)).toEqual({
    type: 'Limit',
    quantity: '0.0103',
    price: '97026.32',
    quote: '1000',
  });
});

test('what is above the maximum of one order is named as it will be ordered', () => {
  const pair = { ...btcusdt, filters: { ...btcusdt.filters, maxNotional: '500', marketMaxNotional: '250', averageMinutes: 0 } };
  expect(entryOutlook(bot(limit), 'BTCUSDT', '100100.1', pair)).toMatchObject({ quantity: '0.005', quote: '499.99995' });
  expect(entryOutlook(bot(), 'BTCUSDT', '100000', pair)).toMatchObject({ quantity: '0.0025', quote: '250' });
});

test('a part of the wallet is the amount that the server planned for the coin', () => {
  const part = bot({}, { mode: 'percentOfWallet', value: '5' });
  expect(entryOutlook(part, 'BTCUSDT', '61200', btcusdt)).toMatchObject({ quantity: '0.01', quote: '612' });
  expect(entryOutlook(part, 'ETHUSDT', '3000')).toBeUndefined();
  expect(entryOutlook(part, 'BTCUSDT', null)).toBeUndefined();
});

test('as a sentence: what, how much, at what price; and that it is unknown where it is', () => {
  const texts = en.autoTrades.enter as Record<string, string>;
  const t = (key: string, values: Record<string, string> = {}) =>
    (texts[key.slice('autoTrades.enter.'.length)] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  expect(entryWords(t, bot(), 'BTCUSDT', '97000', btcusdt)).toBe(
    'About 0.0103 with a market order at about 97,000.00: 1,000.00 USDT plus the fee.',
  );
  expect(entryWords(t, bot(limit), 'BTCUSDT', '97123.45', btcusdt)).toBe(
    'About 0.0103 with a limit order at about 97,026.32: 1,000.00 USDT plus the fee.',
  );
  expect(entryWords(t, bot(), 'BTCUSDT', undefined)).toBe('Quantity and price are unknown: there is no price yet.');
});
