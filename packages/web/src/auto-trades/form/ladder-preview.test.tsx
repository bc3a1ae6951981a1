// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { LadderOf } from './ladder-preview.tsx';

const step = (symbol: string, level: number, more: object) => ({ symbol, level, quantity: '0.01', quote: '650', sells: [], ...more });
const ladderOf = (...symbols: string[]) => ({
  rungs: symbols.flatMap((symbol) => [
    step(symbol, 0, {
      price: '65000.5',
      invested: '650.66',
      averageCost: '65065.5005',
      stopPrice: '59860.26',
      lossAtStop: '52.66',
      sells: [{ price: '66950', quote: '669.5' }],
    }),
    step(symbol, 1, {
      price: '62400.48',
      invested: '1300.66',
      averageCost: '63763.1',
      stopPrice: '58662.05',
      lossAtStop: '105.5',
      sells: [{ price: '65676', quote: '1340.12' }],
    }),
  ]),
  exits: symbols.map((symbol) => ({
    symbol,
    level: 0,
    gainPct: '3',
    price: '66950',
    quantity: '0.01',
    quote: '669.5',
    mergedInto: null,
  })),
  stops: symbols.map((symbol) => ({ symbol, price: '58662.05', loss: '105.5' })),
  worstCaseTotal: '1307',
  worstLoss: '105.5',
  currency: 'USDT',
});
const candles = (fails: () => boolean) => ({
  listPairs: async () => [btcusdt],
  listCandles: async () => {
    if (fails()) throw new AppError('timeout');
    return { symbol: 'BTCUSDT', interval: '1h', items: [] };
  },
});
const row = (name: RegExp) => screen.getByRole('row', { name });

test('the preview of a bot shows prices with the digits of their pair', async () => {
  await show(testApp({ calls: candles(() => false) }), <LadderOf ladder={ladderOf('BTCUSDT') as never} />);
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
  const chosen = () => (screen.getByRole('combobox', { name: 'Coin' }) as HTMLSelectElement).value;
  expect(chosen()).toBe('BTCUSDT');
  fireEvent.click(screen.getByRole('button', { name: 'another coin' }));
  expect(chosen()).toBe('BTCUSDT');
});

test('each step says what is invested and lost at its stop; a chosen one, by press or arrow, moves the sells', async () => {
  await show(testApp({ calls: candles(() => false) }), <LadderOf ladder={ladderOf('BTCUSDT') as never} />);
  await screen.findByRole('cell', { name: '65,000.50' });
  expect(row(/^Entry/).textContent).toMatch(/650\.66.*−52\.66.*59,860\.26/);
  expect(row(/^Rebuy 1/).textContent).toMatch(/1,300\.66.*−105\.50.*58,662\.05/);
  const pressed = () => screen.getByRole('button', { pressed: true }).textContent;
  expect([pressed(), row(/^Sell 1/).textContent]).toEqual(['Entry', expect.stringContaining('66,950.00')]);
  fireEvent.click(screen.getByRole('button', { name: 'Rebuy 1' }));
  expect([pressed(), row(/^Sell 1/).textContent]).toEqual(['Rebuy 1', expect.stringMatching(/65,676\.00.*1,340\.12/)]);
  fireEvent.keyDown(screen.getByRole('button', { name: 'Rebuy 1' }), { key: 'ArrowDown' });
  expect(pressed()).toBe('Rebuy 1');
  fireEvent.keyDown(screen.getByRole('button', { name: 'Rebuy 1' }), { key: 'ArrowUp' });
  expect(pressed()).toBe('Entry');
  expect(document.activeElement?.textContent).toBe('Entry');
});

test('without candles the table stands alone, with a way to try again; a pair that has left has no chart', async () => {
  let fails = true;
  await show(testApp({ calls: candles(() => fails) }), <LadderOf ladder={ladderOf('BTCUSDT', 'GONEUSDT') as never} />);
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(row(/^Entry/)).toBeTruthy();
  fails = false;
  fireEvent.click(again);
  await screen.findByText('Nothing to draw yet');
  fireEvent.change(screen.getByRole('combobox', { name: 'Coin' }), { target: { value: 'GONEUSDT' } });
  await screen.findByText(/no longer lists this pair/);
  expect(row(/^Entry/)).toBeTruthy();
});
