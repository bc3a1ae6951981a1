// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import StopAll from '../app/frame/stop-all.tsx';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { AllActions } from './testing/all-actions.tsx';

const bot = {
  id: 'dip',
  name: 'Dip',
  state: 'Running',
  stateReason: null,
  pausedUntil: null,
  exits: 'continue',
  allowed: ['disable', 'freeze', 'halt'],
  withheld: [],
  mustAcknowledge: false,
  mode: 'paper',
  currency: 'USDT',
  walletId: 'w',
  walletName: 'Main',
  config: botConfig(),
  openPositions: 1,
  realised: '0',
  realisedToday: '0',
  lastTrace: null,
} as unknown as AutoTrade;

test.each<[string, string, ReactNode]>([
  [en.autoTrades.action.disable, 'disableAutoTrade', <AllActions key="disable" bot={bot} />],
  [en.autoTrades.action.halt, 'haltAutoTrades', <AllActions key="halt" bot={bot} />],
  [en.autoTrades.haltAll.open, 'haltAutoTrades', <StopAll key="all" />],
])('%s without the server: the question stays and says so, and nothing is sent before Try again', async (name, call, node) => {
  const write = vi.fn(() => Promise.reject(new AppError('offline')));
  const empty = async () => [];
  const calls = { listAutoTrades: async () => [bot], listWallets: empty, listAutoTradeFigures: empty, listCoinHalts: empty, [call]: write };
  const app = testApp({ calls });
  await show(app, node);
  fireEvent.click(await screen.findByRole('button', { name }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name }));
  expect(await dialog.findByText('Not done')).toBeTruthy();
  expect(dialog.getByText('The server is offline. Try again once it is back.')).toBeTruthy();
  app.connectionRestored();
  expect(write).toHaveBeenCalledOnce();
  write.mockImplementation(async () => undefined as never);
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(write).toHaveBeenCalledTimes(2);
  // Its toast arrives with code of its own: left alone it would come up on the page of the next file.
  await vi.waitFor(() => expect(document.querySelector('.Toastify__toast')).not.toBeNull());
});
