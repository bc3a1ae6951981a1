// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import Palette from './palette.tsx';

const pairs = [{ symbol: 'RKUSDT', baseAsset: 'RK', quoteAsset: 'USDT' }];
const Where = () => <output>{useLocation().pathname}</output>;
const options = () => screen.getAllByRole('option');
const selected = () => options().filter((option) => option.getAttribute('aria-selected') === 'true');

/** The palette with `rk` typed before the pairs are loaded, and what loads them. */
async function typedEarly(): Promise<() => Promise<void>> {
  let resolve: (loaded: typeof pairs) => void = () => undefined;
  const promise = new Promise<typeof pairs>((done) => {
    resolve = done;
  });
  await show(
    testApp({ calls: { listPairs: () => promise } }),
    <>
      <Palette open={true} onClose={() => undefined} onSheet={() => undefined} />
      <Where />
    </>,
  );
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'rk' } });
  return () =>
    act(async () => {
      resolve(pairs);
      await promise;
    });
}

test('pairs that load while one looks take the mark from nothing: Enter goes where it would have gone', async () => {
  const load = await typedEarly();
  expect(selected().map(({ textContent }) => textContent)).toEqual(['MarketsPage']);
  await load();
  await screen.findByText('RK / USDT');
  // It answers better and stands first now.
  expect(options()[0]?.textContent).toBe('RK / USDTPair');
  expect(selected().map(({ textContent }) => textContent)).toEqual(['MarketsPage']);
  expect(screen.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(selected()[0]?.id);
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  expect(document.querySelector('output')?.textContent).toBe('/prices');
});

test('typing on marks the first answer again, and arrows go on from the marked one', async () => {
  const load = await typedEarly();
  await load();
  await screen.findByText('RK / USDT');
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'ArrowUp' });
  expect(selected()[0]?.textContent).toBe('RK / USDTPair');
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'ArrowDown' });
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'rk /' } });
  expect(selected()[0]?.textContent).toBe('RK / USDTPair');
});
