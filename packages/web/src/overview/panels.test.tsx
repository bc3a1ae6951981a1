// @vitest-environment happy-dom
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { EquityPanel } from './equity-panel.tsx';
import { HeldPanel } from './held-panel.tsx';
import { NeedsPanel } from './needs-panel.tsx';

const media = (matches: boolean) => () => ({ matches, addEventListener: () => undefined, removeEventListener: () => undefined });
beforeEach(() => vi.stubGlobal('matchMedia', media(true)));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
const loaded = { problem: undefined, hasFailed: false, isStale: false, isLoading: false, loadedAt: 0, retry: () => undefined };

test('needs beyond the sixth are one press away, and each button says what it is for', async () => {
  const items = Array.from({ length: 8 }, (_, index) => ({
    id: `${index}`,
    kind: 'no-stop',
    rank: 1,
    mode: 'live',
    autoTradeId: null,
    botName: null,
    symbol: `COIN${index}`,
    code: 'no-stop',
    facts: { bot: 'Dip', symbol: `COIN${index}` },
    link: '/',
    since: null,
    action: 'set-stop',
  }));
  const data = { checkedAt: '1970-01-01T00:00:00.000Z', items } as never;
  await show(testApp(), <NeedsPanel needs={{ ...loaded, data }} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(6);
  const about = screen.getAllByRole('link')[0]?.getAttribute('aria-describedby');
  expect(document.getElementById(about ?? '')?.textContent).toBe('COIN0 has no stop');
  fireEvent.click(screen.getByRole('button', { name: 'Show 2 more' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(8);
  expect(screen.queryByRole('button')).toBeNull();
});

const row: HeldPositionRow = {
  autoTradeId: 'a',
  botName: 'A bot with a name that is much longer than its column',
  positionId: 'p',
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  state: 'Holding' as never,
  quantity: '1' as never,
  averageCost: null,
  cost: null,
  costGap: 'bots-cost-more',
  price: '10' as never,
  value: '10' as never,
  result: null,
  resultPct: null,
  realised: null,
  stop: '9' as never,
  target: null,
  rebuys: [],
  breakEven: null,
  atRisk: null,
  openedAt: '1970-01-01T00:00:00.000Z',
  next: null,
  attention: null,
  broken: [],
  excludedFromTotals: false,
  sparkline: [1, 2],
};
const held = (...items: HeldPositionRow[]) => ({ ...loaded, data: { items, totals: [], asOf: '1970-01-01T00:00:00.000Z' } });

test('a row of positions is named by its coin; a figure that is unknown has its own reason, and a stop is never said to be missing', async () => {
  await show(testApp(), <HeldPanel held={held(row, { ...row, positionId: 'q', baseAsset: 'BNB', stop: null })} whole={undefined} />);
  const [btc, bnb] = screen.getAllByRole('rowheader').map((head) => within(head.parentElement as HTMLElement));
  expect(btc?.getByText('BTC')).toBeTruthy();
  expect(btc?.getAllByTitle('Cost unknown').length).toBeGreaterThan(0);
  expect(btc?.queryByTitle('Price unknown')).toBeNull();
  expect(btc?.queryByText('unlimited')).toBeNull();
  expect(bnb?.getByText('unlimited')).toBeTruthy();
  expect(btc?.getByRole('img', { name: /^BTC, 30 days/ })).toBeTruthy();
});

test('on a phone what is at risk has its name for the ear', async () => {
  vi.stubGlobal('matchMedia', media(false));
  await show(testApp(), <HeldPanel held={held({ ...row, costGap: null, atRisk: '1' as never })} whole={undefined} />);
  expect(screen.getByText('At risk: 1.00 USDT')).toBeTruthy();
});

test('what is open in another currency is named, never left at 0.00', async () => {
  const change = { change: '1' as never, pct: null, since: '1970-01-01T00:00:00.000Z', exact: true };
  const equity = {
    ...loaded,
    data: {
      currency: 'USDT',
      now: { equity: '100', free: '50', invested: '50', unpriced: [] },
      sinceMidnight: change,
      month: null,
      series: [],
      change: null,
      benchmark: null,
      other: { btc: null, currency: null },
      asOf: '1970-01-01T00:00:00.000Z',
    } as never,
  };
  const totals = [{ currency: 'BTC', value: '0.002', result: '0.0005', atRisk: '0.0001', withoutStop: 0, count: 1, leftOut: 0 }];
  const held = { ...loaded, data: { items: [row], totals, asOf: '1970-01-01T00:00:00.000Z' } as never };
  const none = () => undefined;
  await show(testApp(), <EquityPanel mode="live" onMode={none} range="30d" onRange={none} equity={equity} held={held} />);
  expect(screen.getByText('+0.00050000 BTC')).toBeTruthy();
  expect(screen.getByText('0.00010000 BTC')).toBeTruthy();
});
