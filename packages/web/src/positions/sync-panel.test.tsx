// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { SyncPanel } from './sync-panel.tsx';

const getAccount = async () => ({ claims: [], exchanges: [{ name: 'Binance', tradeEnabled: true }] });
const idle = { state: 'idle', done: 1, total: 1, symbol: null, tradesFound: 0, etaSeconds: null, error: null, differences: [] };

test.each([true, undefined])('an exchange that lists no deposits (%s) is named with the history', async (withoutTransfers) => {
  const at = '2026-11-21T10:00:00.000Z';
  const status = { ...idle, finishedAt: at, comparedAt: at, withoutTransfers };
  await show(signedIn(testApp({ calls: { getAccount, getSyncStatus: async () => status } })), <SyncPanel />);
  await screen.findByText(/^Read up to/);
  expect(screen.queryAllByText(/deposits, withdrawals, rewards, conversions or dust/)).toHaveLength(withoutTransfers ? 1 : 0);
});

test('without an exchange nothing is asked', async () => {
  const asked: string[] = [];
  const calls = { getAccount: async () => ({ claims: [], exchanges: [] }), getSyncStatus: async () => asked.push('sync') };
  const app = signedIn(testApp({ calls }));
  await show(app, <SyncPanel />);
  await expect.poll(() => app.account.getSnapshot().context.data).toBeDefined();
  expect(asked).toEqual([]);
});
