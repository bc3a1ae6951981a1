// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import AutoTradeCreatePage from './auto-trade-create-page.tsx';

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined })),
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const wallet = { id: '01890000-0000-7000-8000-000000000001', name: 'Main', mode: 'paper', currency: 'USDT', free: '900' };
const original = {
  id: 'dip',
  name: 'Dip',
  mode: 'paper',
  currency: 'USDT',
  walletId: wallet.id,
  walletName: 'Main',
  config: botConfig({ maxOpenPositions: 7, coins: { symbols: [], coinFilterIds: ['01890000-0000-7000-8000-0000000000aa'] } }),
} as unknown as AutoTrade;
const account = { username: 'ada', claims: [], exchanges: [] };

const open = async (at: string, createAutoTrade = vi.fn(() => new Promise<never>(() => undefined))) => {
  const calls = {
    getAccount: async () => account,
    listWallets: async () => [wallet],
    listAutoTrades: async () => [original, { ...original, id: 'other', name: 'Dip copy' }],
    listCoinFilters: async () => [],
    createAutoTrade,
  };
  await show(signedIn(testApp({ calls })), <AutoTradeCreatePage />, at);
  await screen.findByRole('textbox', { name: /name/i });
  return createAutoTrade;
};
const value = (name: RegExp) => (screen.getByRole('textbox', { name }) as HTMLInputElement).value;

test('a copy has the settings, a free name, and says whose money it moves and what is not in it; nothing is saved', async () => {
  const createAutoTrade = await open('/auto-trade/create?from=dip');
  expect(value(/name/i)).toBe('Dip copy 2');
  expect(screen.getByText('Copy of Dip')).toBeTruthy();
  const notice = screen.getByText(/it will trade paper money from Main/).textContent;
  expect(notice).toContain('Only the settings are copied');
  expect(notice).toContain('1 of its coin filters no longer exists');
  const asked = createAutoTrade.mock.calls.map(
    (call) => (call as unknown[])[0] as { query: { validateOnly?: string }; body: { maxOpenPositions: number } },
  );
  expect(asked.every(({ query, body }) => query.validateOnly === 'true' && body.maxOpenPositions === 7)).toBe(true);
});

test('a preset of the address fills the form in; a bot that is gone says so', async () => {
  await open('/auto-trade/create?from=gone&preset=cautious');
  expect(value(/name/i)).toBe('');
  expect(screen.getByText(/The bot to copy no longer exists/)).toBeTruthy();
  expect((screen.getByRole('textbox', { name: 'Max open positions' }) as HTMLInputElement).value).toBe('2');
});
