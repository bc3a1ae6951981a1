// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
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

async function grid(wide: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    () => ({ matches: wide, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList,
  );
  const listSparklines = vi.fn(async () => ({ items: [{ symbol: 'BTCUSDT', points: [0, 40, 100] }], asOf: '' }));
  const nothing = () => undefined;
  await show(
    testApp({ calls: { listSparklines } }),
    <PricesGrid
      rows={rows}
      columns={['change.24h']}
      options={new Map()}
      precisionOf={() => 2}
      tag={(key) => key}
      sort={[]}
      onSort={nothing}
      favourites={new Set()}
      onToggleFavourite={nothing}
      open={undefined}
      onOpen={nothing}
      density="comfortable"
    />,
  );
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
