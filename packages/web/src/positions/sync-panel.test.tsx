// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, signedIn, testApp } from '../app/testing/shown-app.tsx';
import { SyncPanel } from './sync-panel.tsx';

const idle = { state: 'idle', done: 1, total: 1, symbol: null, tradesFound: 0, etaSeconds: null, finishedAt: null, error: null };

test.each([true, undefined])('an exchange that lists no deposits (%s) is named with the history', async (withoutTransfers) => {
  const status = { ...idle, comparedAt: '2026-11-21T10:00:00.000Z', differences: [], withoutTransfers };
  await show(signedIn(testApp({ calls: { getSyncStatus: async () => status } })), <SyncPanel />);
  await screen.findByText('Every balance is explained by your trades.');
  expect(screen.queryAllByText(/deposits, withdrawals, rewards, conversions and dust are unknown/)).toHaveLength(withoutTransfers ? 1 : 0);
});
