// @vitest-environment happy-dom
import type { ClosedRow } from '@pilotfish/core/positions/positions-contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import { ClosedPanel } from './closed-panel.tsx';
import { closedPath, exitTone } from './closed-table.tsx';

const bot = { id: '0190a0b0-0000-7000-8000-00000000000b', name: 'Majors trend' };
const row = (changes: Partial<ClosedRow> = {}) =>
  ({
    id: '0190a0b0-0000-7000-8000-000000000001',
    exchange: 'Binance',
    symbol: 'BNBUSDT',
    baseAsset: 'BNB',
    quoteAsset: 'USDT',
    number: 3,
    openedAt: '2026-11-25T06:00:00.000Z',
    closedAt: '2026-11-25T14:21:00.000Z',
    matchedCost: '1768.4',
    realised: '21.4',
    returnPct: '1.21',
    fees: '3.5',
    broken: [],
    excludedFromTotals: false,
    bots: [bot],
    byHand: false,
    exit: 'TakeProfit',
    ...changes,
  }) as ClosedRow;
const totals = { currency: 'USDT', count: 1, realised: '21.4', fees: '3.5', wins: 1, losses: 0, broken: 0, excluded: 0 };
const NONE = { items: [], page: 1, pageSize: 25, total: 0, totalsListed: [], totalsAll: [], choices: { bots: [], coins: [], exits: [] } };
const ONE = { ...NONE, items: [row()], total: 1, totalsListed: [totals], totalsAll: [totals] };

beforeEach(
  () =>
    void vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })),
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Shows the panel over what the server answers; what it was asked for. */
async function shown(
  props: Parameters<typeof ClosedPanel>[0],
  answer: unknown = ONE,
  exchanges: readonly object[] = [{ name: 'Binance' }],
) {
  const asked: Record<string, unknown>[] = [];
  const listClosedPositions = async ({ query }: { query: Record<string, unknown> }) => {
    asked.push(query);
    return answer;
  };
  const app = signedIn(testApp({ calls: { getAccount: async () => ({ claims: [], exchanges }), listClosedPositions } }));
  await show(app, <ClosedPanel {...props} />, props.mode === 'paper' ? '/positions?onlyBrokenPositions=true' : '/positions');
  return { asked, app };
}
const link = () => screen.findByRole('link', { name: 'BNB Majors trend' });

describe('a row that can be chosen', () => {
  test('is chosen by a plain click, and opens elsewhere by another one', async () => {
    const onChoose = vi.fn();
    await shown({ mode: 'live', onChoose });
    const name = await link();
    expect(name.getAttribute('href')).toBe(`/positions/detail/${row().id}`);
    // The browser opens its tab or window.
    expect(fireEvent.click(name, { ctrlKey: true })).toBe(true);
    expect(onChoose).not.toHaveBeenCalled();
    expect(fireEvent.click(name)).toBe(false);
    expect(onChoose.mock.calls).toEqual([[row()]]);
  });
  test('is marked, and found by its id', async () => {
    await shown({ mode: 'live', chosenId: row().id, onChoose: () => undefined });
    const marked = (await link()).closest('tr');
    expect([marked?.getAttribute('aria-current'), marked?.dataset.row]).toEqual(['true', row().id]);
    expect(marked?.querySelector('a')).toBe(await link());
  });
});

test('on paper it asks for paper, without the filter that has no sense there, and leads to the bot', async () => {
  const { asked } = await shown({ mode: 'paper' });
  expect((await link()).getAttribute('href')).toBe(`/auto-trade/detail/${bot.id}`);
  expect(asked).toEqual([{ mode: 'paper', order: 'closedAt-desc', page: 1, pageSize: 25 }]);
  expect(screen.queryByRole('button', { name: 'Only broken' })).toBe(null);
  expect(screen.getByRole('link', { name: /Performance/ }).getAttribute('href')).toBe('/performance?mode=paper');
});

describe('nothing closed yet', () => {
  const here = async (props: Parameters<typeof ClosedPanel>[0], exchanges?: readonly object[]) => {
    const { app, asked } = await shown(props, NONE, exchanges);
    await expect.poll(() => asked.length > 0 && app.account.getSnapshot().context.data !== undefined).toBe(true);
    return screen.queryByRole('region', { name: 'Closed' });
  };
  test('the way is to the file to import; without an exchange the page says what comes first', async () => {
    const panel = await here({ mode: 'live' });
    expect(within(panel!).getByRole('link', { name: 'Import a file' }).getAttribute('href')).toBe('/positions/import');
    cleanup();
    expect(await here({ mode: 'live' }, [])).toBe(null);
  });
  test('on paper the way is to the bots, and there is nothing to filter or to export', async () => {
    const panel = await here({ mode: 'paper' });
    await within(panel!).findByText('No closed positions');
    expect(within(panel!).queryAllByRole('combobox')).toEqual([]);
    expect(within(panel!).queryByRole('button')).toBe(null);
    expect(within(panel!).getByRole('link', { name: 'All bots' }).getAttribute('href')).toBe('/auto-trade');
  });
});

test('broken ones can be picked out where there are some', async () => {
  await shown({ mode: 'live' }, { ...ONE, totalsAll: [{ ...totals, broken: 1 }] });
  await screen.findByRole('button', { name: 'Only broken' });
});

test.each([
  ['TakeProfit', '5', 'gain'],
  ['TrailingCost', '5', 'gain'],
  ['TrailingCost', '-5', undefined],
  ['StopLoss', '-5', 'loss'],
  ['StopLoss', '5', undefined],
  ['hand', '5', undefined],
  ['TakeProfit', '0.00', undefined],
  ['TakeProfit', null, undefined],
] as const)('the tone of %s with %s', (exit, realised, tone) => expect(exitTone(row({ exit, realised }))).toBe(tone));

test('a position on paper whose bots are gone leads to the bots', () => expect(closedPath(row({ bots: [] }), 'paper')).toBe('/auto-trade'));
