import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { settingsOf } from '@pilotfish/core/auto-trades/config/setting-fields';
import { conditionsText, deepestDrop, rebuysText, settingText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';

const i18n = i18next.createInstance();
let words: Words;
beforeAll(async () => {
  await i18n.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } });
  words = { t: (key, values) => i18n.t(key, values ?? {}), language: 'en', names: new Map([['f1', 'Liquid']]), options: undefined };
});

const rebuys = (over: object): BotDraft['rebuys'] => ({
  levels: [],
  generator: null,
  basis: 'lastBuy',
  minMinutesBetween: 5,
  trailingReboundPct: '0',
  ...over,
});
const levels = (...drops: string[]) => drops.map((dropPct) => ({ dropPct, sizeMultiplier: '1' }));

describe('how deep rebuys go', () => {
  test.each([
    ['below the first buy: as deep as the last', rebuys({ basis: 'firstBuy', levels: levels('4', '9') }), 9],
    ['below the last buy: one on top of the other', rebuys({ levels: levels('10', '10') }), 19],
    [
      'even steps below the first buy add up',
      rebuys({ basis: 'firstBuy', generator: { count: 3, stepPct: '2', stepScale: '2', sizeScale: '1' } }),
      14,
    ],
    ['none', rebuys({}), undefined],
    ['half-written', rebuys({ levels: levels('4', '') }), undefined],
  ])('%s', (_, given, depth) => {
    const found = deepestDrop(given);
    if (depth === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(depth);
  });
  test('in a sentence', () => {
    expect(rebuysText(rebuys({ basis: 'firstBuy', levels: levels('3', '6', '9') }), words)).toBe('3 rebuys down to −9%');
    expect(rebuysText(rebuys({ levels: levels('') }), words)).toBe('1 rebuy');
    expect(rebuysText(rebuys({}), words)).toBe(en.autoTrades.words.noRebuys);
  });
});

test('conditions read like a sentence, groups in brackets', () => {
  const rsi = { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 };
  const inner = {
    match: 'any' as const,
    negate: true,
    rules: [
      { key: 'change', operation: 'between', value: [1, 5] },
      { key: 'price', operation: 'gt', of: { key: 'sma' } },
    ],
  };
  expect(conditionsText({ match: 'all', rules: [rsi, inner] }, words)).toBe(
    'rsi 1h below 30 and (not (change between 1 – 5 or price above sma))',
  );
  expect(conditionsText(null, words)).toBe(en.autoTrades.words.none);
});

test('in Turkish the value stands before the word that needs it, and percent signs before their figures', async () => {
  const turkish = i18next.createInstance();
  await turkish.init({ lng: 'tr', resources: { tr: { translation: tr } }, interpolation: { escapeValue: false } });
  const said: Words = { ...words, t: (key, values) => turkish.t(key, values ?? {}), language: 'tr' };
  const rule = (operation: string, value: unknown) => ({ key: 'rsi', timeframe: '1h', operation, value }) as never;
  expect(conditionsText({ match: 'all', rules: [rule('lt', 30), rule('gte', 10)] }, said)).toBe('rsi 1h 30 altında ve rsi 1h en az 10');
  expect(conditionsText({ match: 'all', rules: [{ ...(rule('lt', 30) as object), negate: true } as never] }, said)).toBe(
    'rsi 1h 30 altında değil',
  );
  expect(settingText('rebuys.levels', [{ dropPct: '3', sizeMultiplier: '2' }], said)).toBe('−%3 × 2');
});

test('an amount is told with its currency, and a time that never comes as never', () => {
  const inDollars = { ...words, currency: 'USDT' };
  expect(settingText('entry.size', { mode: 'fixed', value: '2000' }, inDollars)).toBe('2,000.00 USDT');
  expect(settingText('entry.size', { mode: 'percentOfWallet', value: '20' }, inDollars)).toBe('20%');
  expect(settingText('maxExposurePerCoin', '500', inDollars)).toBe('500.00 USDT');
  expect(settingText('protections.drawdown', { maxPct: '15.50', lookbackHours: 24, pauseHours: 12 }, words)).toContain('15.5%');
  expect(settingText('protections.dailyLoss', { amount: '50', tz: 'UTC' }, inDollars)).toContain('50.00 USDT');
  expect(settingText('trailingCost.expiryMin', 0, words)).toBe(en.autoTrades.words.never);
  expect(settingText('trailingCost.expiryMin', 30, words)).toBe('30 m');
  expect(settingText('timeStop', { hours: 36, onlyIfGainPctAbove: null }, words)).toBe('after 1 d 12 h');
});

test('every setting of every kind has words, never a key or an object', () => {
  const config = autoTradeConfigSchema.parse({
    name: 'Dip',
    walletId: '0190a0b0-0000-7000-8000-000000000000',
    coins: { symbols: ['BTCUSDT'] },
    entry: {},
    stopLoss: { mode: 'percent', pct: '5' },
    timeStop: { hours: 3, onlyIfGainPctAbove: '1' },
    rebuys: { generator: { count: 2, stepPct: '3' } },
    exit: { minGainPct: '1', conditions: { match: 'all', rules: [{ key: 'rsi', operation: 'gt', value: 70 }] } },
    protections: {
      lowProfitCoin: { minTrades: 3, minProfitPct: '1', lookbackHours: 24, pauseHours: 6 },
      dailyLoss: { amount: '50' },
      btcGuard: { dropPct: '3', windowMin: 60, resumePct: '1' },
    },
  });
  for (const [path, value] of settingsOf(config)) {
    const text = settingText(path, value, words);
    expect(text, path).toMatch(/\S/);
    expect(text, path).not.toMatch(/autoTrades\.|\[object|undefined|\{\{/);
  }
});
