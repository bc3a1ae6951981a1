// @vitest-environment happy-dom
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../app/testing/shown-app.tsx';
import PricesPage from './prices-page.tsx';

test('an address whose pair does not exist says so, once the pairs are known', async () => {
  let answer: ((pairs: object[]) => void) | undefined;
  const promise = new Promise<object[]>((resolve) => {
    answer = resolve;
  });
  await show(testApp({ calls: { listPairs: () => promise } }), <PricesPage />, '/prices?pair=NOPEUSDT');
  expect(screen.queryByText(/NOPEUSDT/)).toBeNull();
  answer?.([btcusdt]);
  expect(await screen.findByText('NOPEUSDT is not a pair of this exchange')).toBeTruthy();
});
