// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { draftOf } from '@pilotfish/core/auto-trades/config/bot-draft';
import { AppError } from '@pilotfish/core/http/problem';
import { botConfig, WALLET_ID } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import { BotForm } from './bot-form.tsx';

const bot = {
  id: 'a',
  name: 'Dip',
  state: 'Disabled',
  allowed: ['enable'],
  withheld: [],
  mustAcknowledge: false,
  openPositions: 1,
  configVersion: 1,
  config: botConfig(),
} as unknown as AutoTrade;
const ladder = { rungs: [], exits: [], stops: [], worstCaseTotal: '100', worstLoss: '3', currency: 'USDT' };

test('what would be sold at once is asked where a second tap on Save and start cancels', async () => {
  const enableAutoTrade = vi.fn(async () => ({ ...bot, state: 'Running' }));
  const updateAutoTrade = vi.fn(async ({ query }: { query: { validateOnly?: string; sellNow?: string } }) => {
    if (query.validateOnly !== 'true') throw new AppError('would-sell-now', { detail: 'Sells 1 BTC.' });
    return { autoTrade: bot, valid: true, errors: [], ladder, changes: [] };
  });
  const calls = {
    updateAutoTrade,
    enableAutoTrade,
    getAccount: async () => ({ username: 'ada', claims: [], exchanges: [{ name: 'Binance', tradeEnabled: true }] }),
    listWallets: async () => [{ id: WALLET_ID, name: 'Main', mode: 'live', currency: 'USDT', free: '500' }],
    listPairs: async () => [],
    listCoinFilters: async () => [],
  };
  await show(signedIn(testApp({ calls })), <BotForm initial={draftOf(bot.config)} existing={bot} begun="ada" onSaved={() => undefined} />);
  // By their words: roles of a whole form take long to find.
  fireEvent.click((await screen.findByText('Review')).closest('button') as HTMLElement);
  const button = (words: string) => screen.getByText(words, { selector: 'form button' }) as HTMLButtonElement;
  await vi.waitFor(() => expect(button('Save and start').disabled).toBe(false));
  const start = button('Save and start');
  fireEvent.click(start);
  const open = async (words: RegExp) => within((await screen.findByText(words)).closest('dialog') as HTMLElement);
  const first = await open(/^Save and start Dip/);
  const row = (button: HTMLElement) => getComputedStyle(button.parentElement as HTMLElement).flexDirection;
  const confirm = first.getByRole('button', { name: 'Save and start' });
  expect(row(confirm)).toBe('row');
  fireEvent.click(confirm);
  const second = await open(/Sells 1 BTC/);
  expect(row(second.getByRole('button', { name: 'Cancel' }))).toBe('row-reverse');
  expect(enableAutoTrade).not.toHaveBeenCalled();
});
