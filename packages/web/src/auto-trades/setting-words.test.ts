import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/auto-trade-config';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BotDraft } from './bot-draft.ts';
import { settingsOf } from './setting-fields.ts';
import { conditionsText, deepestDrop, rebuysText, settingText, type Words } from './setting-words.ts';

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
    expect(rebuysText(rebuys({ basis: 'firstBuy', levels: levels('3', '6', '9') }), words)).toBe('3 rebuys down to −9 %');
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
