import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { applySettings, newDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { botSettingsOf } from '@pilotfish/core/auto-trades/config/bot-settings';
import { PRESETS } from '@pilotfish/core/auto-trades/config/presets';
import type { FilterOptions } from '@pilotfish/core/prices/screener-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect, test } from 'vitest';
import { loadTexts } from '../../app/texts.ts';
import { complaintsAbout, type Facts, QUESTIONS, type QuestionId, questionAbout, questionOf } from './create-questions.ts';

const t = await loadTexts('en');
const wallet = { id: 'w1', name: 'Main', mode: 'paper', currency: 'USDT', free: '1000' } as Wallet;
const facts = {
  wallets: [wallet],
  filters: [
    { id: 'f1', name: 'Large caps' },
    { id: 'f2', name: 'New' },
  ] as unknown as Facts['filters'],
  templates: [
    { id: 't1', name: 'Ladder', settings: botSettingsOf(botConfig({ maxOpenPositions: 7 })) },
    { id: 't2', name: 'Torn', settings: null },
  ] as unknown as Facts['templates'],
  pairs: new Set(['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'USDTTRY']),
  options: { filter: [{ key: 'rsi', label: 'RSI', type: 'number', timeframes: ['1h'], operations: ['lt'] }] } as unknown as FilterOptions,
  words: { language: 'en', names: new Map(), options: undefined },
} satisfies Facts;
const draft = newDraft('w1', []);
const given = (id: QuestionId, answer: string, of = draft) => questionOf(id, of, facts, t).take(answer);
const taken = (id: QuestionId, answer: string, of = draft) => {
  const answered = given(id, answer, of);
  if ('refusal' in answered) throw new Error(answered.refusal);
  return answered;
};

test('coins: a coin means its pair with the currency of the wallet, a pair itself, the name of a filter the filter', () => {
  const coins = (text: string) => taken('coins', text).draft.coins;
  expect(coins('btc, eth/usdt ,ETH-BTC,btc,NOSUCH')).toEqual({
    symbols: ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'NOSUCH'],
    coinFilterIds: [],
  });
  expect(coins('large caps')).toEqual({ symbols: [], coinFilterIds: ['f1'] });
  expect(coins('New, Large caps')).toEqual({ symbols: [], coinFilterIds: ['f2', 'f1'] });
  // Half a filter is none: the server says what it does not know.
  expect(coins('New, btc')).toEqual({ symbols: ['NEW', 'BTCUSDT'], coinFilterIds: [] });
});

test('a size is an amount, or a share of the wallet', () => {
  expect(taken('size', '20').draft.entry.size).toEqual({ mode: 'fixed', value: '20' });
  const share = taken('size', '5 %').draft;
  expect(taken('size', '%5').draft.entry.size).toEqual(share.entry.size);
  expect(share.entry.size).toEqual({ mode: 'percentOfWallet', value: '5' });
  expect(questionOf('size', share, facts, t).initial).toBe('5%');
});

test('what is no whole number goes to the server as it was typed, which names the fault', () => {
  expect(taken('maxOpen', '3').draft.maxOpenPositions).toBe(3);
  expect(taken('maxOpen', '1.5').draft.maxOpenPositions).toBe('1.5');
});

test('take profit: levels, none, and what is no level', () => {
  expect(taken('takeProfit', '2:50,3:50').draft.takeProfit.levels).toEqual([
    { gainPct: '2', sellPct: '50' },
    { gainPct: '3', sellPct: '50' },
  ]);
  expect(taken('takeProfit', 'none').draft.takeProfit.levels).toEqual([]);
  for (const wrong of ['2:50:1', 'x', '2:']) expect(given('takeProfit', wrong)).toHaveProperty('refusal');
});

test('rebuys, stop and trigger ask on as far as there is more to say, and keep what was said before', () => {
  const three = taken('rebuys', '3');
  expect([three.ask, three.draft.rebuys.generator]).toMatchObject([['rebuyStep'], { count: 3 }]);
  expect(taken('rebuys', '0', three.draft).draft.rebuys).toMatchObject({ generator: null, levels: [] });
  expect(taken('stopLoss', 'none')).toEqual({ draft: { ...draft, stopLoss: { mode: 'none' } } });
  // How much one accepts to lose is nobody's to propose.
  expect(questionOf('stopPct', taken('stopLoss', 'percent').draft, facts, t).initial).toBeUndefined();
  const stop = taken('stopPct', '9', taken('stopLoss', 'percent').draft).draft;
  expect(taken('stopLoss', 'percent', stop).draft.stopLoss).toMatchObject({ mode: 'percent', pct: '9' });
  const drop = taken('drop', '7').draft;
  expect(taken('trigger', 'drop', drop)).toMatchObject({ draft: { entry: { trigger: { dropPct: '7' } } }, ask: ['drop', 'lookback'] });
  expect(taken('trigger', 'immediate', drop)).toMatchObject({ draft: { entry: { trigger: { kind: 'immediate' } } }, ask: [] });
});

test('conditions are read as in a file; those that cannot be read are refused in words', () => {
  const { draft: asked } = taken('trigger', 'conditions');
  expect(taken('conditions', 'rsi.1h < 30', asked).draft.entry.trigger).toMatchObject({
    kind: 'conditions',
    rules: { rules: [{ key: 'rsi' }] },
  });
  expect(given('conditions', 'nothing < 30', asked)).toMatchObject({ refusal: expect.stringContaining('nothing') });
});

test('what the server says of a setting belongs to the question that is about it', () => {
  const errors = [
    { path: 'coins.symbols.0', message: 'Unknown.' },
    { path: 'entry.size.value', message: 'Too small.' },
    { path: 'protections.drawdown', message: 'Elsewhere.' },
  ];
  expect(errors.map(({ path }) => questionAbout(path, draft, facts, t))).toEqual(['coins', 'size', undefined]);
  expect(complaintsAbout(questionOf('coins', draft, facts, t), errors)).toBe('Unknown.');
  expect(complaintsAbout(questionOf('name', draft, facts, t), errors)).toBeUndefined();
});

test('own templates stand before the presets, and fill in everything but name, wallet and coins', () => {
  const question = questionOf('preset', draft, facts, t);
  expect(question.options?.map(({ label }) => label)).toEqual(['Ladder', 'Cautious', 'Trend', 'Dip buyer', 'My own settings']);
  const filled = taken('preset', 't1', { ...draft, name: 'Dip' }).draft;
  expect(filled).toMatchObject({ name: 'Dip', walletId: 'w1', coins: draft.coins, maxOpenPositions: 7 });
});

test('Enter alone leaves every setting of a template and of a preset as it is', async () => {
  const rule = (key: string, value: number) => ({ key, timeframe: '1h', operation: 'lt', value });
  const groups = [
    { match: 'all', rules: [rule('rsi', 30), { match: 'any', rules: [rule('rsi', 20), rule('rsi', 25)] }] },
    { match: 'any', rules: [rule('rsi', 30), rule('rsi', 20)], negate: true },
  ];
  const { entry } = botConfig();
  const settings = groups.map((rules) => ({
    ...botSettingsOf(botConfig({ takeProfit: { levels: [2, 4].map((gain) => ({ gainPct: `${gain}`, sellPct: '50' })) } })),
    entry: { ...entry, size: { mode: 'percentOfWallet', value: '7' }, trigger: { kind: 'conditions', rules } },
    rebuys: { ...botConfig().rebuys, generator: null, levels: ['3', '5'].map((dropPct) => ({ dropPct, sizeMultiplier: '2' })) },
  }));
  const own = settings.map((each, index) => ({ id: `own${index}`, name: 'Own', settings: each })) as unknown as Facts['templates'];
  for (const chosen of ['own0', 'own1', ...PRESETS]) {
    let now = { ...newDraft('w1', ['BTCUSDT']), name: 'Dip' };
    const answered = (id: QuestionId, text?: string): void => {
      const question = questionOf(id, now, { ...facts, templates: own }, t);
      const found = question.take(text ?? question.initial ?? '');
      if ('refusal' in found) throw new Error(`${id}: ${found.refusal}`);
      now = found.draft;
      for (const more of found.ask ?? []) answered(more);
    };
    answered('preset', chosen);
    const begun = now;
    for (const id of QUESTIONS) if (id !== 'preset') answered(id);
    expect(now, chosen).toEqual(begun);
    expect(autoTradeConfigSchema.safeParse({ ...now, walletId: '0190a0b0-0000-7000-8000-000000000000' }).success, chosen).toBe(true);
  }
  // Another number of rebuys is one of steps, in place of the levels.
  const levels = applySettings(draft, settings[0] as never);
  expect(taken('rebuys', '4', levels).draft.rebuys).toMatchObject({ levels: [], generator: { count: 4 } });
});
