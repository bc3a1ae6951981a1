// @vitest-environment happy-dom
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import AutoTradesPage from './auto-trades-page.tsx';

test('bots that cannot be read stand above the list with what they are, and one that is not halted can be', async () => {
  const items = [
    { kind: 'auto-trade', id: 'a', name: 'Odd', halted: false },
    { kind: 'auto-trade', id: 'b', name: 'Still', halted: true },
    { kind: 'wallet', id: 'w', name: 'Purse', halted: false },
  ];
  const haltAutoTrades = vi.fn(async () => ({ halted: 1, liquidating: 0 }));
  const none = async () => [];
  const calls = { listAutoTrades: none, listWallets: none, listAutoTradeFigures: none, listCoinHalts: none, haltAutoTrades };
  await show(testApp({ calls: { ...calls, listUnreadable: async () => ({ items }) } }), <AutoTradesPage />);
  expect(await screen.findByText('2 items cannot be read')).toBeTruthy();
  expect(screen.getByText(/The bot Odd does not trade/)).toBeTruthy();
  expect(screen.getByText(/The bot Still is halted/)).toBeTruthy();
  expect(screen.queryByText(/Purse/)).toBeNull();
  const halts = screen.getAllByRole('button', { name: /^Stop bot.*(Odd|Still)/ });
  expect(halts).toHaveLength(1);
  fireEvent.click(halts[0]!);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Stop bot' }));
  await vi.waitFor(() => expect(haltAutoTrades).toHaveBeenCalledOnce());
  expect(haltAutoTrades.mock.calls.flat()[0]).toMatchObject({ body: { scope: 'bot', autoTradeId: 'a', liquidate: false } });
});

test('a bot that stands still because a pair cannot be read says so in the list', async () => {
  const none = async () => [];
  const bot = {
    id: 'dip',
    name: 'Dip',
    state: 'Running',
    stateReason: null,
    pausedUntil: null,
    unreadPair: 'ABCUSDT',
    exits: 'continue',
    allowed: [],
    withheld: [],
    mode: 'paper',
    currency: 'USDT',
    walletId: 'w',
    config: botConfig(),
    openPositions: 1,
    realised: '0',
    realisedToday: '0',
    lastTrace: null,
  };
  const getNeeds = async () => ({ items: [] });
  const calls = {
    listAutoTrades: async () => [bot],
    listWallets: none,
    listAutoTradeFigures: none,
    listCoinHalts: none,
    listPairs: none,
    getNeeds,
  };
  await show(testApp({ calls }), <AutoTradesPage />);
  expect(await screen.findByText(/data for ABCUSDT cannot be read, so no bot of this account trades/)).toBeTruthy();
});
