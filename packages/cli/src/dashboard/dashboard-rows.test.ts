import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { bot, dashboardState } from '../../testing/dashboard-fixture.ts';
import { loadTexts } from '../app/texts.ts';
import { shownText } from '../ui/cell-text.ts';
import type { Colours } from '../ui/colour.ts';
import { DETAILS } from './dashboard-details.ts';
import { TABLES } from './dashboard-rows.ts';

const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;

test('what a bot in BTC earned is read with every digit of a coin, in its row and in its details', async () => {
  const words = { t: await loadTexts('en'), unicode: true, alertText: () => '' };
  const row: AutoTrade = { ...bot, currency: 'BTC', realised: '0.000015', realisedToday: '-0.00000001' };
  const columns = TABLES.bots.columns(words);
  const shown = (key: string) => shownText(columns.find((column) => column.key === key)!, row, paint);
  expect([shown('realised'), shown('realisedToday')]).toEqual(['+0.00001500', '−0.00000001']);
  const details = DETAILS.bots(row, dashboardState, words, { width: 100, height: 20, paint, coloured: false }).join('\n');
  expect(details).toContain('+0.00001500 BTC');
  expect(details).toContain('−0.00000001');
});

test('prices in the details have the decimals of their pair', async () => {
  const words = { t: await loadTexts('en'), unicode: true, alertText: () => '' };
  const position = { ...dashboardState.positions![0]!, averageCost: '60000.123456' };
  const details = DETAILS.positions(position, dashboardState, words, { width: 100, height: 20, paint, coloured: false }).join('\n');
  expect(details).toContain('60,000.12 ');
  expect(details).toContain('60,100.00 ');
});
