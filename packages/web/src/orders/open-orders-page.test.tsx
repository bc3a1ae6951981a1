// @vitest-environment happy-dom
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import OpenOrdersPage from './open-orders-page.tsx';

const order = (orderId: string, price: string, bot: object | null) => ({
  orderId,
  clientOrderId: `c${orderId}`,
  symbol: 'BTCUSDT',
  side: 'Sell',
  type: 'LIMIT',
  status: 'NEW',
  price,
  quantity: '0.001',
  executedQuantity: '0',
  quoteQuantity: '0',
  bot,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
});

test('before the protective stop of a bot is cancelled, the bot is named and what follows is said', async () => {
  const cancelOrder = vi.fn(() => new Promise(() => undefined));
  const orders = [order('1', '50000', { id: 'night', name: 'Night shift', purpose: 'protect' }), order('2', '60000', null)];
  const calls = {
    getAccount: async () => ({ claims: [], exchanges: [{ name: 'Binance', tradeEnabled: true }] }),
    listPairs: async () => [btcusdt],
    listOpenOrders: async () => orders,
    cancelOrder,
  };
  await show(signedIn(testApp({ calls })), <OpenOrdersPage />);
  const askFor = async (price: RegExp) => {
    fireEvent.click(await screen.findByRole('button', { name: price }));
    return screen.getByRole('dialog').textContent;
  };
  const asked = await askFor(/^Cancel .*50,000/);
  expect(asked).toContain(
    'This is the protective stop of Night shift. Until the bot places a new one, nothing at the exchange protects the position.',
  );
  expect(cancelOrder).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel order' }));
  await vi.waitFor(() => expect(cancelOrder).toHaveBeenCalledOnce());
  expect(await askFor(/^Cancel .*60,000/)).not.toContain('shift');
});
