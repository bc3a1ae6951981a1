// @vitest-environment happy-dom
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { EnterCoin } from './enter-coin.tsx';

test('entering now asks with what money, how much and at what price', async () => {
  const bot = {
    id: 'dip',
    name: 'Dip',
    mode: 'paper',
    currency: 'USDT',
    config: botConfig(),
    ladder: { rungs: [] },
    evaluations: [{ symbol: 'BTCUSDT', price: '50000' }],
  } as unknown as AutoTradeDetail;
  await show(testApp(), <EnterCoin bot={bot} symbol="BTCUSDT" />);
  fireEvent.click(screen.getByRole('button', { name: 'Enter now: BTCUSDT' }));
  const asked = screen.getByRole('dialog').textContent;
  expect(asked).toContain('Dip buys with paper money at once.');
  expect(asked).toContain('About 0.02 with a market order at about 50,000: 1,000.00 USDT plus the fee.');
});
