// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import type { PriceCanvas } from '../ui/charts/price-canvas.tsx';
import type { Chosen } from './chosen.ts';
import { PositionPanel } from './position-panel.tsx';
import { BOT_ID, botOf, botPosition, botRow, closedRow, fills, handRow, openPosition, pairs } from './testing/panel-samples.ts';

type Drawn = Parameters<typeof PriceCanvas>[0];
const canvas = vi.hoisted(() => ({ last: undefined as Drawn | undefined }));
vi.mock('../ui/charts/price-canvas.tsx', () => ({
  PriceCanvas: (props: Drawn) => {
    canvas.last = props;
    return <canvas />;
  },
}));
beforeEach(() => {
  canvas.last = undefined;
});
afterEach(cleanup);

const candles = [
  { openTime: '1970-01-01T00:00:00.000Z', open: '3700', high: '3710', low: '3690', close: '3705', volume: '10' },
  { openTime: '1970-01-01T00:05:00.000Z', open: '3705', high: '3712', low: '3700', close: '3664.1', volume: '12' },
];
const refused = () => Promise.reject(Object.assign(new Error('no'), { code: 'exchange-unreachable' }));
const page = (items: readonly unknown[], total = items.length) => ({ items, total, page: 1, pageSize: 200 });
const CALLS = {
  listPairs: async () => pairs,
  listCandles: async ({ query: { interval } }: { query: { interval: string } }) => ({ interval, items: candles }),
  getAutoTradeDetail: async () => botOf(botPosition),
  listAutoTradePositionTrades: async () => fills(10),
  listOpenPositions: async () => ({ items: [openPosition], totals: [], asOf: '1970-01-01T00:00:00.000Z' }),
  listClosedPositions: async () => page([]),
  listPositionTrades: async () => page(fills(2).toReversed()),
};
const panel = (chosen: Chosen, calls: object = {}) =>
  show(testApp({ calls: { ...CALLS, ...calls } }), <PositionPanel chosen={chosen} onClose={() => undefined} />);
/** The figure under a name, with what stands below it. */
const figure = (name: string) => screen.getByText(name).parentElement?.textContent;
const ofBot = {
  kind: 'bot',
  mode: 'live',
  row: botRow,
  ledger: { id: 'of-the-ledger', broken: [{ code: 'GAP', detail: 'A month is missing.' }] },
} satisfies Chosen;
const ofHand: Chosen = { kind: 'hand', row: handRow };

describe('of a bot', () => {
  test('says what becomes of it, what is next, and offers what its bot allows', async () => {
    await panel(ofBot);
    const aside = within(screen.getByRole('complementary', { name: 'ETH / USDT' }));
    expect(figure('Result')).toContain('−17.29');
    expect(figure('If the stop fills')).toMatch(/−31\.85.*↓ 0\.97%.*away/);
    expect(figure('At the target')).toMatch(/\+36\.40.*↑ 3\.58%.*away/);
    expect(figure('Exit fee')).toContain('1.50');
    expect(aside.getByText(/Stop sells at 3,628\.55\./)).toBeTruthy();
    expect(aside.getByRole('link', { name: 'Majors trend' }).getAttribute('href')).toBe(`/auto-trade/detail/${BOT_ID}`);
    expect(aside.getByRole('link', { name: 'Full page' }).getAttribute('href')).toBe(`/auto-trade/detail/${BOT_ID}?coin=ETHUSDT`);
    expect(aside.getByRole('link', { name: 'Why' }).getAttribute('href')).toBe(`/auto-trade/detail/${BOT_ID}?coin=ETHUSDT&tab=why`);
    // What it is a part of, and that this is not whole.
    expect(aside.getByRole('link', { name: 'All ETH of this account' }).getAttribute('href')).toBe('/positions/detail/of-the-ledger');
    expect(aside.getByText('A month is missing.')).toBeTruthy();
    await aside.findByRole('button', { name: 'Sell now' });
    expect(aside.getByRole('button', { name: 'Take over' })).toBeTruthy();
    expect(aside.queryByRole('button', { name: 'Resume' })).toBeNull();
  });
  test('draws its levels and its fills, none of which can be moved here', async () => {
    await panel(ofBot);
    await vi.waitFor(() => expect(canvas.last?.marks.levels.map(({ id }) => id)).toEqual(['average', 'takeProfit-1', 'arm', 'stopLoss']));
    expect(canvas.last?.marks.levels.some(({ grip }) => grip)).toBe(false);
    expect(canvas.last?.marks.fills).toHaveLength(10);
  });
  test('lists the newest eight fills, and where the others are', async () => {
    await panel(ofBot);
    const list = await screen.findByRole('list', { name: 'Fills' });
    const rows = within(list).getAllByRole('listitem');
    expect(rows).toHaveLength(8);
    expect(rows[0]?.textContent).toContain('Buy 0.41 ETH at 3,702.60');
    expect(rows[0]?.textContent).toContain('−1,518.07');
    expect(screen.getByRole('link', { name: 'All 10 fills' })).toBeTruthy();
  });
  test('without a stop says so, and without a target', async () => {
    await panel({ ...ofBot, row: { ...botRow, stop: null, target: null } });
    expect(figure('If the stop fills')).toMatch(/No stop.*unlimited/);
    expect(figure('At the target')).toContain('No target');
    expect(screen.getByText('No stop: nothing is sold if the price falls.')).toBeTruthy();
  });
  test('that was closed meanwhile says so, and sells nothing', async () => {
    await panel(ofBot, { getAutoTradeDetail: async () => botOf({ ...botPosition, state: 'Closed', allowed: ['sell'] }) });
    expect(await screen.findByText(/This position has been closed\./)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sell now' })).toBeNull();
  });
  test('whose bot cannot be read keeps its figures, and is tried again', async () => {
    const answers = [refused, async () => botOf(botPosition)];
    await panel(ofBot, { getAutoTradeDetail: () => answers.shift()?.() ?? refused() });
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Sell now' })).toBeTruthy();
    expect(figure('Result')).toContain('−17.29');
  });
});

describe('by hand', () => {
  test('has the figures of the ledger, its target, two buttons and the rest behind dots', async () => {
    await panel(ofHand);
    await screen.findByRole('button', { name: 'Recalculate' });
    expect(figure('Realised so far')).toContain('+3.50');
    expect(figure('Binance average')).toContain('690.51');
    expect(screen.getByRole('button', { name: 'Set a target for BNBUSDT' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Mark as closed' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Exclude from totals' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'More actions' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Exclude from totals' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });
  test('that is broken names what would fix it', async () => {
    const broken = [{ code: 'MISSING_COST' as const, detail: '0.2 BNB came in without a cost.', fix: 'Enter the cost.' }];
    await panel({ kind: 'hand', row: { ...handRow, broken, cost: null, result: null, resultPct: null, costGap: 'broken' } });
    expect(screen.getByText('0.2 BNB came in without a cost.')).toBeTruthy();
    expect(figure('Result')).toContain('unreliable');
  });
  test('that was closed meanwhile says so', async () => {
    await panel(ofHand, { listOpenPositions: async () => ({ items: [], totals: [], asOf: '1970-01-01T00:00:00.000Z' }) });
    expect(await screen.findByText(/This position has been closed\./)).toBeTruthy();
  });
});

describe('closed', () => {
  test('live: what it brought, why it ended, and what the ledger lets its owner do', async () => {
    await panel({ kind: 'closed', mode: 'live', row: closedRow });
    expect(figure('Result')).toContain('−8.12');
    expect(figure('Return')).toContain('−0.85%');
    expect(figure('Held')).toContain('1 h');
    expect(figure('Exit')).toContain('stop loss');
    expect(screen.getByRole('link', { name: 'Full page' }).getAttribute('href')).toBe(`/positions/detail/${closedRow.id}`);
    expect(screen.getByRole('button', { name: 'Mark as open' })).toBeTruthy();
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  });
  test('on paper: the fills of its bot, and nothing to do', async () => {
    await panel({ kind: 'closed', mode: 'paper', row: closedRow });
    expect(screen.getByText('Paper')).toBeTruthy();
    expect(await screen.findAllByRole('listitem')).toHaveLength(8);
    expect(screen.queryByRole('button', { name: 'Mark as open' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Full page' }).getAttribute('href')).toBe(
      `/auto-trade/detail/${BOT_ID}?coin=LTCUSDT%2F${closedRow.id}`,
    );
  });
});

/** A row, a field, and the panel until it is closed. */
function Page() {
  const [isOpen, open] = useState(true);
  return (
    <>
      <div data-row={botRow.positionId}>
        <a href="/row">row</a>
      </div>
      <input aria-label="field" />
      {isOpen && <PositionPanel chosen={ofBot} onClose={() => open(false)} />}
    </>
  );
}

test('Escape closes it and gives the focus back to its row; in a field it does not', async () => {
  await show(testApp({ calls: CALLS }), <Page />);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'field' }), { key: 'Escape' });
  expect(screen.getByRole('complementary')).toBeTruthy();
  screen.getByRole('button', { name: 'Close details' }).focus();
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(screen.queryByRole('complementary')).toBeNull();
  expect(document.activeElement?.textContent).toBe('row');
});
