// @vitest-environment happy-dom
import type { TradeMode } from '@pilotfish/core/http/wire';
import { digits } from '@pilotfish/core/money/figure';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useEquity } from '../overview/use-overview.ts';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { useHeld } from './use-auto-trades.ts';

afterEach(cleanup);

function Shown({ mode }: { mode: TradeMode }) {
  const [held, equity] = [useHeld(mode), useEquity(mode, '30d')];
  const [value, all] = [held.data?.totals[0]?.value, equity.data?.now.equity];
  return (
    <p>
      {mode} is {value && digits(value)} of {all && digits(all)}
    </p>
  );
}

test('two places that look at different money at once have each its own answer', async () => {
  const of = (mode: TradeMode) => (mode === 'live' ? '1' : '2');
  const calls = {
    listHeldPositions: async ({ query: { mode } }: { query: { mode: TradeMode } }) => ({ items: [], totals: [{ value: of(mode) }] }),
    getEquity: async ({ query: { mode } }: { query: { mode: TradeMode } }) => ({ now: { equity: `${of(mode)}0` } }),
  };
  await show(
    signedIn(testApp({ calls })),
    <>
      <Shown mode="live" />
      <Shown mode="paper" />
    </>,
  );
  expect(await screen.findByText('live is 1 of 10')).toBeTruthy();
  expect(await screen.findByText('paper is 2 of 20')).toBeTruthy();
});
