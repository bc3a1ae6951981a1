// @vitest-environment happy-dom
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { show, testApp } from '../../app/testing/shown-app.tsx';
import { LadderOf } from './ladder-preview.tsx';

const ladderOf = (...symbols: string[]) => ({
  rungs: symbols.map((symbol) => ({ symbol, level: 0, price: '65000.5', quantity: '0.01', quote: '650' })),
  exits: [{ symbol: 'BTCUSDT', level: 0, gainPct: '3', price: '66950', quantity: '0.01', quote: '669', mergedInto: null }],
  stops: [],
  worstCaseTotal: '650',
  worstLoss: null,
  currency: 'USDT',
});

test('the preview of a bot shows prices with the digits of their pair', async () => {
  const calls = { listPairs: async () => [btcusdt] };
  await show(testApp({ calls }), <LadderOf ladder={ladderOf('BTCUSDT') as never} />);
  expect(await screen.findByRole('cell', { name: '65,000.50' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '66,950.00' })).toBeTruthy();
});

function Looks() {
  const [symbols, setSymbols] = useState(['BTCUSDT', 'ETHUSDT']);
  return (
    <>
      <button type="button" onClick={() => setSymbols(['AAVEUSDT', ...symbols])}>
        another coin
      </button>
      <LadderOf ladder={ladderOf(...symbols) as never} />
    </>
  );
}

test('the coin shown stays when another comes before it', async () => {
  await show(testApp(), <Looks />);
  const chosen = () => (screen.getByRole('combobox') as HTMLSelectElement).value;
  expect(chosen()).toBe('BTCUSDT');
  fireEvent.click(screen.getByRole('button', { name: 'another coin' }));
  expect(chosen()).toBe('BTCUSDT');
});
