import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import type { Translate } from '../app/texts.ts';
import type { Colours } from '../ui/colour.ts';
import { localTime } from '../ui/times.ts';
import { stateShown } from './bot-columns.ts';
import { standstills } from './position-marks.ts';
import { checklist } from './why.ts';

const t = ((key: string | string[]) => `<${Array.isArray(key) ? key[0] : key}>`) as unknown as Translate;
const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;
const UNTIL = '2026-11-23T22:25:51.040Z';
const rule = (name: string, pass: boolean, observed: string | null, limit: string | null) => ({ rule: name, pass, observed, limit });

test('a checklist tells what was seen in words and local time, and nothing that its marks say already', () => {
  const evaluation = {
    symbol: 'ETHUSDT',
    state: 'Watching',
    price: '3314.32',
    at: UNTIL,
    rules: [
      rule('bot-running', true, 'running', 'running'),
      rule('entries-on', true, 'true', 'true'),
      rule('cooldown-over', true, UNTIL, null),
      rule('slot-free', true, '1', '3'),
      rule('budget', true, '1001.5', null),
      rule('take-profit', false, '3314.3', '3400'),
      rule('coin-not-paused', false, 'halt', UNTIL),
    ],
    stoppedBy: 'coin-not-paused',
    waitsFor: null,
  } as unknown as Evaluation;
  const lines = checklist(t, evaluation, { paint, unicode: true, currency: 'USDT', places: 2 }).split('\n').slice(1);
  expect(lines.map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
    '  ✓ <why.bot-running>',
    '  ✓ <why.entries-on>',
    '  ✓ <why.cooldown-over>',
    '  ✓ <why.slot-free>  1 / 3',
    '  ✓ <why.budget>  1,001.50 USDT',
    '  ✗ <why.take-profit>  3,314.30 / 3,400.00',
    `  ✗ <why.coin-not-paused>  <botReasons.halt>, ${localTime(UNTIL)}`,
  ]);
});

test('a coin that the exchange refuses is told in its words', () => {
  const spoken = ((key: string | string[], values: Record<string, unknown> = {}) =>
    `<${Array.isArray(key) ? key[0] : key}: ${String(values.detail)}>`) as unknown as Translate;
  const detail = 'This symbol is not permitted for this account.';
  const evaluation = {
    symbol: 'ETHUSDT',
    state: 'Watching',
    price: '3314.32',
    at: UNTIL,
    rules: [{ ...rule('coin-not-paused', false, 'refused', UNTIL), detail }],
    stoppedBy: 'coin-not-paused',
    waitsFor: { code: 'refused', price: null, at: UNTIL, detail },
  } as unknown as Evaluation;
  const lines = checklist(spoken, evaluation, { paint, unicode: true, currency: 'USDT', places: 2 }).split('\n').slice(1);
  expect(lines[0]).toContain(`<botReasons.refused: ${detail}>, ${localTime(UNTIL)}`);
  expect(lines[1]).toBe(`  <waitsFor.refused: ${detail}>`);
});

test('a bot that stands still because a pair cannot be read says which, before anything else', () => {
  const spoken = ((key: string | string[], values: Record<string, unknown> = {}) =>
    `<${Array.isArray(key) ? key[0] : key} ${(values.pair ?? values.detail ?? '') as string}>`) as unknown as Translate;
  const bot = { ...autoTrade(), unreadPair: 'ABCUSDT', coinPauses: [], coinHalts: [], positions: [] };
  expect(standstills(spoken, bot)).toEqual(['<autoTrades.unreadPair ABCUSDT>']);
  expect(stateShown(spoken, bot, paint)).toContain('<waitsFor.pair-read ABCUSDT>');
});
