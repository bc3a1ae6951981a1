// @vitest-environment happy-dom
import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { useLiveTickers } from '../use-prices.ts';
import { PricesGrid } from './prices-grid.tsx';

const rows = ['BTC', 'ETH'].map((base) => ({
  symbol: `${base}USDT`,
  baseAsset: base,
  quoteAsset: 'USDT',
  price: '1',
  values: { 'change.24h': 1.29 },
}));

// Nothing is laid out here; the rows that are drawn are those of a window.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const isWide = (wide: boolean) =>
  vi
    .spyOn(window, 'matchMedia')
    .mockImplementation(
      () => ({ matches: wide, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList,
    );
const nothing = () => undefined;
const given = {
  options: new Map(),
  precisionOf: () => 2,
  tag: (key: string) => key,
  sort: [],
  onSort: nothing,
  favourites: new Set<string>(),
  onToggleFavourite: nothing,
  open: undefined,
  onOpen: nothing,
  density: 'comfortable',
} as const;

async function grid(wide: boolean) {
  isWide(wide);
  const listSparklines = vi.fn(async () => ({ items: [{ symbol: 'BTCUSDT', points: [0, 40, 100] }], asOf: '' }));
  await show(testApp({ calls: { listSparklines } }), <PricesGrid {...given} rows={rows} columns={['change.24h']} />);
  return listSparklines;
}

test('a line stands after the pair; where it is not known its cell is empty', async () => {
  await grid(true);
  const table = screen.getByRole('table');
  await vi.waitFor(() => expect(table.querySelectorAll('.prices-spark path')).toHaveLength(1));
  expect(within(table).getAllByRole('columnheader')[1]?.textContent).toBe('24 h');
  expect(table.getAttribute('aria-colcount')).toBe('3');
  const [btc, eth] = [...table.querySelectorAll<HTMLElement>('.prices-row')];
  expect(btc?.children).toHaveLength(3);
  expect(btc?.querySelector('.prices-spark path')).not.toBeNull();
  expect(eth?.querySelector('.prices-spark')?.childElementCount).toBe(0);
});

test('on a phone there is no line, and none is asked for', async () => {
  const listSparklines = await grid(false);
  const table = screen.getByRole('table');
  expect(table.querySelectorAll('.prices-row')).toHaveLength(2);
  expect(table.querySelector('.prices-spark')).toBeNull();
  expect(table.getAttribute('aria-colcount')).toBe('2');
  expect(listSparklines).not.toHaveBeenCalled();
});

/** Its second row comes into view by a press. */
function Scrolled() {
  useLiveTickers();
  const [shown, setShown] = useState(1);
  return (
    <>
      <button type="button" onClick={() => setShown(2)}>
        Scroll
      </button>
      <PricesGrid {...given} rows={rows.slice(0, shown)} columns={['price']} />
    </>
  );
}

test('a price that moves flashes; a row that scrolls into view does not', async () => {
  isWide(false);
  const app = testApp();
  let tick: (payload: StreamPayload<'tickers'>) => void = nothing;
  app.live.on = ((topic: string, handler: typeof tick) => {
    if (topic === 'tickers') tick = handler;
    return nothing;
  }) as never;
  await show(app, <Scrolled />);
  const move = (price: string) =>
    act(async () => {
      tick({ at: '', items: rows.map(({ symbol }) => [symbol, price, '0', '0', '2', '1']), stale: false });
      await new Promise((drawn) => requestAnimationFrame(drawn));
    });
  const flashing = () => [...document.querySelectorAll('.prices-row')].map((row) => row.querySelector('.flash')?.textContent);
  await move('1.5');
  await move('1.75');
  expect(flashing()).toEqual(['1.75']);
  fireEvent.click(screen.getByRole('button', { name: 'Scroll' }));
  expect(flashing()).toEqual(['1.75', undefined]);
  await move('1.5');
  expect(flashing()).toEqual(['1.50', '1.50']);
});
