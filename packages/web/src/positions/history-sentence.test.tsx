// @vitest-environment happy-dom
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { createTexts } from '../platform/texts.ts';
import { HistorySentence, historyWords } from './history-sentence.tsx';

const AT = '2026-11-25T14:41:00.000Z';
const idle: SyncStatus = {
  state: 'idle',
  done: 5,
  total: 5,
  symbol: null,
  tradesFound: 0,
  etaSeconds: null,
  finishedAt: AT,
  error: null,
  comparedAt: AT,
  differences: [],
};
const differences = (...assets: string[]) => assets.map((asset) => ({ asset, balance: '1', known: '0', difference: '1', reasons: [] }));
const unread = [{ list: 'deposits', row: '1', field: 'amount' }];

describe('what is said of the history, and what of it asks for the reader', () => {
  const upTo = 'Trade history read up to 14:41.';
  test.each<[string, Partial<SyncStatus>, string, string | undefined]>([
    ['all explained', {}, `${upTo} Every balance is explained.`, undefined],
    ['one not', { differences: differences('SOL') }, upTo, 'All balances except SOL are explained.'],
    ['three not', { differences: differences('ADA', 'ETH', 'SOL') }, upTo, 'All balances except ADA, ETH, and SOL are explained.'],
    ['four not', { differences: differences('ADA', 'BNB', 'ETH', 'SOL') }, upTo, '4 balances are not explained.'],
    ['not compared', { comparedAt: null }, `${upTo} Balances have not been compared with the exchange yet.`, undefined],
    ['a record not read', { unread }, `${upTo} Every balance is explained.`, '1 record could not be read.'],
    ['running', { state: 'running', done: 2, etaSeconds: 90 }, 'Reading the trade history: 40%. 2 minutes left.', undefined],
    ['running, of an unknown number', { state: 'running', done: 0, total: 0 }, 'Reading the trade history: 0%.', undefined],
    ['never', { state: 'never', finishedAt: null }, '', 'The trade history has not been read yet.'],
    ['failed', { state: 'failed', error: 'exchange-unreachable' }, '', 'Reading the trade history failed.'],
  ])('%s', async (_, changes, text, needed) => {
    const { t } = await createTexts('en', { all: true });
    expect(historyWords({ ...idle, ...changes }, t, 'en', () => '14:41')).toEqual({ text, needed });
  });
  test('names are joined as the language joins them', async () => {
    const { t } = await createTexts('tr', { all: true });
    expect(historyWords({ ...idle, differences: differences('ADA', 'SOL') }, t, 'tr', () => '14:41')).toEqual({
      text: 'İşlem geçmişi 14:41 itibarıyla okundu.',
      needed: 'ADA ve SOL dışındaki tüm bakiyeler açıklanıyor.',
    });
  });
});

describe('the sentence', () => {
  afterEach(cleanup);
  const shown = (exchanges: readonly object[], getSyncStatus: () => Promise<unknown>) =>
    show(signedIn(testApp({ calls: { getAccount: async () => ({ claims: [], exchanges }), getSyncStatus } })), <HistorySentence />);
  const connected = [{ name: 'Binance', tradeEnabled: true }];

  test('what is needed leads to where it is put right', async () => {
    await shown(connected, async () => ({ ...idle, differences: differences('SOL') }));
    expect((await screen.findByRole('link', { name: 'All balances except SOL are explained.' })).getAttribute('href')).toBe(
      '/positions/migration',
    );
  });
  test('that it could not be asked is said', async () => {
    await shown(connected, async () => {
      throw new Error('no answer');
    });
    await screen.findByRole('link', { name: 'The state of the trade history could not be loaded.' });
  });
  test('without an exchange only files are known', async () => {
    await shown([], async () => idle);
    await screen.findByText('No exchange is connected. Only imported files are included.');
  });
});
