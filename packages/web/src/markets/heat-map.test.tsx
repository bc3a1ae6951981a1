// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { HeatMap } from './heat-map.tsx';

const row = (base: string, volume: number, day: number | null, hour = 0.4) => ({
  symbol: `${base}USDT`,
  baseAsset: base,
  quoteAsset: 'USDT',
  price: '1',
  values: { 'change.1h': hour, 'change.24h': day, 'change.7d': 4, quoteVolume: volume },
});
const answer = (items: object[]) => ({
  items,
  columns: [],
  total: items.length,
  page: 1,
  pageSize: 1000,
  snapshot: 's',
  asOf: '',
  tooLittleHistory: 0,
});
const BTC = row('BTC', 3.9e9, 1.29);
const ETH = row('ETH', 1.8e9, -0.14);
const NEW = row('NEW', 9e8, null);

// Nothing is laid out here: a map of 800 × 300 px.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Props = Parameters<typeof HeatMap>[0];
async function map(results: (call: { body: unknown }) => unknown, props: Partial<Props> = {}) {
  const onOpen = vi.fn();
  const app = testApp({ calls: { getFilterResults: results } });
  const live = vi.spyOn(app.live, 'on');
  const rest: Omit<Props, 'onOpen'> = { quote: 'USDT', span: '24h', onSpan: () => undefined, chosen: undefined, height: 300 };
  await show(app, <HeatMap {...rest} {...props} onOpen={onOpen} />);
  const tick = (...items: string[][]) =>
    act(() => {
      for (const [kind, listener] of live.mock.calls) if (kind === 'tickers') (listener as (event: object) => void)({ items });
    });
  return { app, onOpen, tick };
}
const tiles = () => screen.getAllByRole('listitem').map((item) => item.querySelector('button')!);

test('asks for the sixty most traded pairs of its quote, and shows them by volume with sign, tone and words', async () => {
  const asked = vi.fn<(call: { body: unknown }) => Promise<unknown>>(async () => answer([ETH, NEW, BTC]));
  await map(asked, { chosen: 'ETHUSDT' });
  await screen.findByRole('button', { name: /^BTC/ });
  expect(asked.mock.calls[0]?.[0].body).toMatchObject({
    filter: {
      rules: [
        { key: 'quote', value: ['USDT'] },
        { key: 'quoteVolume', operation: 'topN', value: 60 },
      ],
    },
  });
  expect(tiles().map((tile) => tile.title)).toEqual([
    'BTC, +1.29%, volume 3.9B USDT',
    'ETH, −0.14%, volume 1.8B USDT',
    'NEW, change unknown, volume 900.0M USDT',
  ]);
  expect(
    tiles().map((tile) =>
      [...tile.querySelectorAll('[aria-hidden]')].map(({ textContent }) => textContent).concat(tile.dataset.tone ?? ''),
    ),
  ).toEqual([
    ['BTC', '+1.3%', 'gain'],
    ['ETH', '−0.1%', 'loss'],
    ['NEW', '–', ''],
  ]);
  expect(tiles().map((tile) => tile.getAttribute('aria-current'))).toEqual([null, 'true', null]);
});

test('all quotes together are not compared: it is those in USDT', async () => {
  const asked = vi.fn<(call: { body: unknown }) => Promise<unknown>>(async () => answer([BTC]));
  await map(asked, { quote: '' });
  await screen.findByRole('button', { name: /^BTC/ });
  expect(asked.mock.calls[0]?.[0].body).toMatchObject({ filter: { rules: [{ value: ['USDT'] }, {}] } });
});

test('the change of 24 hours follows the market, other spans are those of the answer', async () => {
  const calls = async () => answer([BTC]);
  const { tick } = await map(calls);
  await screen.findByRole('button', { name: /1\.29/ });
  tick(['BTCUSDT', '2', '-2.5', '1', '1', '1']);
  await screen.findByRole('button', { name: /^BTC, −2\.50%/ });
  cleanup();
  await map(calls, { span: '1h' });
  await screen.findByRole('button', { name: /^BTC, \+0\.40%/ });
});

test('one tab stop; the arrow keys go by volume, Home and End to its ends, Enter and a click open', async () => {
  const { onOpen } = await map(async () => answer([BTC, ETH, NEW]));
  await screen.findByRole('button', { name: /^BTC/ });
  const stops = () => tiles().map((tile) => tile.tabIndex);
  expect(stops()).toEqual([0, -1, -1]);
  act(() => tiles()[0]!.focus());
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
  press('ArrowRight');
  expect(document.activeElement).toBe(tiles()[1]);
  expect(stops()).toEqual([-1, 0, -1]);
  press('End');
  press('ArrowRight');
  expect(document.activeElement).toBe(tiles()[2]);
  press('ArrowLeft');
  press('Home');
  expect(document.activeElement).toBe(tiles()[0]);
  fireEvent.click(tiles()[1]!);
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('ETHUSDT');
});

test('waits with a skeleton; a failure says so and is tried again; nothing traded is said', async () => {
  const answers = [() => Promise.reject(new AppError('exchange-unreachable')), async () => answer([])];
  await map(() => (answers.length > 1 ? answers.shift() : answers[0])?.());
  expect(screen.getByRole('status').textContent).toBe('Loading');
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No pair with this quote asset is trading now.')).toBeTruthy();
});

test('what is old stays, in grey, with its time', async () => {
  const answers = [async () => answer([BTC]), () => Promise.reject(new AppError('exchange-unreachable'))];
  const { app } = await map(() => (answers.length > 1 ? answers.shift() : answers[0])?.());
  await screen.findByRole('button', { name: /^BTC/ });
  app.queries.invalidate('screener:heat');
  await screen.findByText(/^as of /i);
  expect(screen.getByRole('button', { name: /^BTC/ }).closest('.stale')).not.toBeNull();
});
