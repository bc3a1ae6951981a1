// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { AllActions } from './testing/all-actions.tsx';

const idle = (mode: 'paper' | 'live') =>
  ({
    id: 'dip',
    name: 'Dip',
    state: 'Disabled',
    exits: 'continue',
    allowed: ['enable'],
    withheld: [],
    mustAcknowledge: false,
    mode,
    currency: 'USDT',
    walletName: 'Main',
    config: botConfig({ maxOpenPositions: 2, rebuys: { levels: [{ dropPct: '3' }] } }),
    openPositions: 0,
  }) as unknown as AutoTrade;

const asked = async (mode: 'paper' | 'live') => {
  const { unmount } = await show(testApp(), <AllActions bot={idle(mode)} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Enable' }));
  const text = within(screen.getByRole('dialog')).getByText(/may buy at any time/).parentElement?.textContent ?? '';
  unmount();
  return text;
};

test('before a live bot is enabled its dialog says whose money moves, and how much; of paper money it does not', async () => {
  expect(await asked('live')).toContain(
    'It trades real money from Main. It can hold up to 2 positions, each opened with 1,000.00 USDT. It can rebuy each position once; the rebuy may be larger than the first buy.',
  );
  expect(await asked('paper')).not.toContain('It can hold');
});
