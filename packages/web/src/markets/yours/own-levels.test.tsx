// @vitest-environment happy-dom
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import { useOwnLevels } from './own-levels.ts';

afterEach(cleanup);

const row = {
  autoTradeId: 'b1',
  botName: 'Majors trend',
  positionId: 'p1',
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  quantity: '0.0152',
  averageCost: '96412.5',
  cost: '1465.47',
  price: '97884.23',
  value: '1487.84',
  result: '20.88',
  resultPct: '1.42',
  stop: '94484.25',
  target: null,
  breakEven: '96509.01',
  broken: [],
  excludedFromTotals: false,
} as unknown as HeldPositionRow;

function Levels() {
  const levels = useOwnLevels('BTCUSDT');
  return (
    <ul>
      {levels.map(({ id, label, note = '', price, tone, look }) => (
        <li key={id}>{[label, note, price, tone, look].join(' | ')}</li>
      ))}
    </ul>
  );
}
const shown = async (live: HeldPositionRow[], paper: HeldPositionRow[]) => {
  const listHeldPositions = async ({ query }: { query: { mode: string } }) => ({ items: query.mode === 'live' ? live : paper });
  const app = testApp({ calls: { listHeldPositions, getAccount: async () => ({ claims: [], exchanges: [] }) } });
  await show(signedIn(app), <Levels />);
  return (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
};
const LIVE = ['0.0152 BTC | +20.88 USDT | 96412.5 | neutral | solid', 'Majors trend stop | 94484.25 | loss | dashed'];

test('the average with its result and the stop of what is held live; what is on paper or of another pair is no line', async () => {
  const paper = { ...row, positionId: 'p2', averageCost: '1' } as HeldPositionRow;
  const eth = { ...row, positionId: 'p3', symbol: 'ETHUSDT' } as HeldPositionRow;
  const lines = (await shown([row, eth], [paper])).map((text) => text?.replace(' |  | ', ' | '));
  expect(lines).toEqual(LIVE);
});

test('of what is on paper where nothing is held live, with its target; one by hand says so', async () => {
  const paper = { ...row, autoTradeId: null, botName: null, target: '99000' } as HeldPositionRow;
  const lines = (await shown([], [paper])).map((text) => text?.replace(' |  | ', ' | '));
  expect(lines).toEqual([LIVE[0], 'By hand stop | 94484.25 | loss | dashed', 'By hand target | 99000 | gain | dashed']);
});
