// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { PositionsFrame } from './positions-tabs.tsx';

afterEach(cleanup);

const difference = { asset: 'SOL', balance: '1', known: '0', difference: '1', reasons: [] };
const shown = (path: string, differences: readonly object[]) => {
  const calls = {
    getAccount: async () => ({ claims: [], exchanges: [{ name: 'Binance' }] }),
    getSyncStatus: async () => ({ state: 'idle', finishedAt: null, comparedAt: null, differences }),
  };
  return show(signedIn(testApp({ calls })), <PositionsFrame title="Somewhere">{null}</PositionsFrame>, path);
};

test.each([
  ['/positions', 'Positions'],
  ['/positions/open-positions', 'Positions'],
  ['/positions/closed-positions', 'Positions'],
  ['/positions/orders', 'Orders'],
  ['/positions/import', 'Import'],
  ['/positions/migration', 'Unexplained1'],
])('at %s the current tab is %s', async (path, tab) => {
  await shown(path, [difference]);
  await screen.findByRole('link', { name: /Unexplained.*1/ });
  const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map(({ textContent }) => textContent)).toEqual([tab]);
});

test('where all is explained there is no number', async () => {
  await shown('/positions', []);
  await screen.findByRole('link', { name: 'Unexplained' });
});
