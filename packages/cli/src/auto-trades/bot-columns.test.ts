import type { AutoTrade, AutoTradeLog, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { expect, test } from 'vitest';
import { loadTexts } from '../app/texts.ts';
import { exactText, shownText } from '../ui/cell-text.ts';
import type { Colours } from '../ui/colour.ts';
import { bots, type ListedBot, listedBots, logLines, positions } from './bot-columns.ts';

const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;

test.each([
  ['en', 'UNLISTED', 'Needs attention (Coin no longer listed)'],
  ['tr', 'UNLISTED', 'İlgi istiyor (Coin artık listede değil)'],
  ['en', '-2010', 'Needs attention (-2010)'],
] as const)('why a position needs its owner is said in words where there are any: %s %s', async (language, attention, shown) => {
  const { columns } = positions(await loadTexts(language), 'USDT');
  const row = { state: 'NeedsAttention', attention } as AutoTradePosition;
  expect(shownText(columns.find(({ key }) => key === 'state')!, row, paint)).toBe(shown);
});

test('what a bot in BTC earned is read with every digit of a coin, also in its positions', async () => {
  const t = await loadTexts('en');
  const bot = { currency: 'BTC', realised: '0.000015', realisedToday: '-0.00000001' } as AutoTrade;
  const shown = (key: string) => shownText(bots(t).columns.find((column) => column.key === key)!, bot, paint);
  expect([shown('realised'), shown('realisedToday')]).toEqual(['+0.00001500', '−0.00000001']);
  const realised = positions(t, 'BTC').columns.find(({ key }) => key === 'realised')!;
  expect(shownText(realised, { realised: '0.000015' } as AutoTradePosition, paint)).toBe('+0.00001500');
});

test('the lines of a position keep their digits in a pipe and are grouped on a screen that asks for them', async () => {
  const { columns } = positions(await loadTexts('en'), 'USDT');
  const row = {
    symbol: 'BTCUSDT',
    lines: { stopLoss: '85000.50000000', rebuys: [{ price: '98000.00' }, { price: '96000' }], takeProfit: [] },
  };
  const places = (symbol: string) => (symbol === 'BTCUSDT' ? 2 : undefined);
  const of = (key: string) => {
    const column = columns.find((each) => each.key === key)!;
    const position = row as unknown as AutoTradePosition;
    return [exactText(column, position), shownText(column, position, paint), shownText(column, position, paint, places)];
  };
  expect(of('stopLoss')).toEqual(['85000.50000000', '85,000.5', '85,000.50']);
  expect(of('rebuys')).toEqual(['98000.00,96000', '98,000, 96,000', '98,000.00, 96,000.00']);
  expect(of('takeProfit')).toEqual(['', '', '']);
});

test('the figures of a log line are read as those of a trace', async () => {
  const text = logLines(await loadTexts('en'), 'USDT').columns.find(({ key }) => key === 'text')!;
  const line = (code: string, facts: AutoTradeLog['facts']) => exactText(text, { code, facts } as AutoTradeLog);
  expect(line('TARGET_SET', { price: '64250.10000000' })).toBe('Exit price: 64,250.1.');
  expect(line('NEW_CODE', { price: '64250.10000000' })).toBe('{"price":"64250.10000000"}');
});

test('a list of bots says what is open, of today, in total and at risk, and what it cannot know', async () => {
  const { columns } = listedBots(await loadTexts('en'));
  const figures = { open: '-4.86', today: null, total: '1284.875', atRisk: { amount: '189.2', without: 1 } } as AutoTradeFigures;
  const bot = { currency: 'USDT', figures } as ListedBot;
  const of = (key: string, row = bot) => {
    const column = columns.find((each) => each.key === key)!;
    return [exactText(column, row), shownText(column, row, paint).replace('\u2212', '-')];
  };
  expect(of('openResult')).toEqual(['-4.86', '-4.86']);
  expect(of('today')).toEqual(['', '–']);
  expect(of('total')).toEqual(['1284.875', '+1,284.88']);
  expect(of('atRisk')).toEqual(['189.2', '189.20 (1 without a stop)']);
  expect(of('atRisk', { currency: 'USDT', figures: null } as ListedBot)).toEqual(['', '–']);
});
