import { expect, test } from 'vitest';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import en from '../locales/en.json' with { type: 'json' };
import { spendWords } from './spend-outlook.ts';

const texts = en.autoTrades.spend as Record<string, string>;
const t = (key: string, values: Record<string, string | number> = {}) =>
  (texts[`${key.slice('autoTrades.spend.'.length)}_${values.count === 1 ? 'one' : 'other'}`] ?? '').replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => String(values[name]),
  );
const { entry } = botConfig();
const said = (over: Parameters<typeof botConfig>[0]) => spendWords(t, { config: botConfig(over), currency: 'USDT' });

test('how many positions, and what each is opened with', () => {
  expect(said({ maxOpenPositions: 3 })).toBe('It can hold up to 3 positions, each opened with 1,000.00 USDT.');
  expect(said({ maxOpenPositions: 1, entry: { ...entry, size: { mode: 'percentOfWallet', value: '12.5' } } })).toBe(
    'It can hold one position, opened with 12.5% of the wallet.',
  );
});

test('rebuys come on top, named or made by a rule', () => {
  const levels = [{ dropPct: '2' }, { dropPct: '4' }];
  expect(said({ maxOpenPositions: 1, rebuys: { levels } })).toBe(
    'It can hold one position, opened with 1,000.00 USDT. It can rebuy each position up to 2 times; a rebuy may be larger than the first buy.',
  );
  expect(said({ maxOpenPositions: 1, rebuys: { generator: { count: 1, stepPct: '2' } } })).toContain(
    'It can rebuy each position once; the rebuy may be larger than the first buy.',
  );
});
