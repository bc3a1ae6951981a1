// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import MarketsPage from './markets-page.tsx';

test('an address whose pair does not exist says so, once the pairs are known', async () => {
  let answer: ((pairs: object[]) => void) | undefined;
  const promise = new Promise<object[]>((resolve) => {
    answer = resolve;
  });
  await show(testApp({ calls: { listPairs: () => promise } }), <MarketsPage />, '/prices?pair=NOPEUSDT');
  expect(screen.queryByText(/NOPEUSDT/)).toBeNull();
  answer?.([btcusdt]);
  expect(await screen.findByText('This exchange does not list NOPEUSDT')).toBeTruthy();
});

test('nothing is said of pairs while a filter is refused after one that nothing matched', async () => {
  const answers = [
    async () => ({ items: [], columns: [], total: 0, page: 1, pageSize: 1000, snapshot: 's', asOf: '', tooLittleHistory: 0 }),
    () => Promise.reject(new AppError('invalid')),
  ];
  const calls = {
    listPairs: async () => [btcusdt],
    getFilterOptions: async () => ({ filter: [], sort: [] }),
    getFilterResults: () => (answers.length > 1 ? answers.shift() : answers[0])?.(),
  };
  const app = testApp({ calls });
  await show(app, <MarketsPage />, '/prices?view=table&quote=all');
  expect(await screen.findByText('No pair matches')).toBeTruthy();
  app.queries.invalidate('screener');
  expect(await screen.findByText('The filter cannot be applied yet')).toBeTruthy();
  expect(screen.queryByText('No pair matches')).toBeNull();
});
