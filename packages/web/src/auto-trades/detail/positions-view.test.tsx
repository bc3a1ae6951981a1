// @vitest-environment happy-dom
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { show, testApp } from '../../app/testing/shown-app.tsx';
import { PositionsView } from './positions-view.tsx';

const line = { trigger: null, entryLow: null, arm: null, protectedCost: null, peak: null, stopLoss: null };
const position = (symbol: string, over: Partial<AutoTradePosition> = {}) =>
  ({
    id: `p-${symbol}`,
    symbol,
    state: 'Open',
    machineState: 'open',
    allowed: ['sell'],
    withheld: [],
    attention: null,
    stopRefused: null,
    openedAt: '2030-01-01T10:00:00.000Z',
    closedAt: null,
    exitReason: null,
    quantity: '1',
    invested: '10',
    averageCost: '10',
    breakEven: '10.02',
    realised: '0',
    fees: '0',
    lines: { ...line, takeProfit: [], rebuys: [], target: null, protectiveStop: null, timeStopAt: null },
    ...over,
  }) as unknown as AutoTradePosition;
const botOf = (...positions: AutoTradePosition[]) =>
  ({
    id: 'dip',
    name: 'Dip',
    mode: 'paper',
    state: 'Running',
    currency: 'USDT',
    config: botConfig(),
    evaluations: [],
    positions,
  }) as unknown as AutoTradeDetail;

const NEWER = { openedAt: '2030-01-02T10:00:00.000Z' };
const OVER: Partial<AutoTradePosition> = { state: 'Closed', allowed: [], quantity: '0' };
/** The first is held; another is bought after it; the first is sold and goes below; then it leaves the list. */
const LOOKS = [
  botOf(position('AAUSDT')),
  botOf(position('AAUSDT'), position('BBUSDT', NEWER)),
  botOf(position('AAUSDT', OVER), position('BBUSDT', NEWER)),
  botOf(position('BBUSDT', NEWER)),
] as const;
function Looks() {
  const [look, setLook] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setLook(look + 1)}>
        next look
      </button>
      <PositionsView bot={LOOKS[look] ?? LOOKS[0]} />
    </>
  );
}

test('the position beside the list stays while newer ones come above it, when it is sold and when it leaves: a sale meets no other', async () => {
  await show(testApp(), <Looks />);
  const next = () => fireEvent.click(screen.getByRole('button', { name: 'next look' }));
  const shown = () => screen.queryAllByRole('heading', { level: 2 })[0]?.textContent;
  const sells = () => screen.queryAllByRole('button', { name: 'Sell now' }).length;
  expect([shown(), sells()]).toEqual(['AAUSDT', 1]);
  next();
  expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('BBUSDT');
  expect([shown(), sells()]).toEqual(['AAUSDT', 1]);
  next();
  expect([shown(), sells()]).toEqual(['AAUSDT', 0]);
  next();
  expect([shown(), sells()]).not.toContain('BBUSDT');
  expect(sells()).toBe(0);
  fireEvent.click(screen.getByRole('button', { name: /^BBUSDT/ }));
  expect([shown(), sells()]).toEqual(['BBUSDT', 1]);
});
