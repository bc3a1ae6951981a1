import { expect, test } from 'vitest';
import { loadTexts } from './texts.ts';

test('a server may say texts differently, and take that back', async () => {
  const t = await loadTexts('en');
  const before = t('cli.dashboard.tabs.bots');
  t.override({ 'cli.dashboard.tabs.bots': 'Robots of {{name}}', 'no.such.key': 'x', cli: 'not a text' });
  expect(t('cli.dashboard.tabs.bots', { name: 'Ada' })).toBe('Robots of Ada');
  expect(t('cli.dashboard.tabs.prices')).toBe('Prices');
  expect(t('no.such.key')).toBe('no.such.key');
  t.override({ 'cli.dashboard.tabs.prices': 'Quotes' });
  expect([t('cli.dashboard.tabs.bots'), t('cli.dashboard.tabs.prices')]).toEqual([before, 'Quotes']);
  t.override({});
  expect(t('cli.dashboard.tabs.prices')).toBe('Prices');
});

test('the count of a sentence is grouped', async () => {
  const t = await loadTexts('tr');
  expect(t('imports.rows', { count: 30_000 })).toBe('30,000 satır');
});

test('what one command says differently, no other one says', async () => {
  const [one, other] = await Promise.all([loadTexts('en'), loadTexts('en')]);
  one.override({ 'nav.prices': 'Rates' });
  expect([one('nav.prices'), other('nav.prices'), (await loadTexts('en'))('nav.prices')]).toEqual(['Rates', 'Markets', 'Markets']);
  one.override({});
  expect(one('nav.prices')).toBe('Markets');
});
