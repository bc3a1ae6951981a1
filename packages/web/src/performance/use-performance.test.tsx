// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../platform/app.ts';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { readAddress } from '../platform/use-address.ts';
import { PERFORMANCE, type PerformanceAddress } from './performance-address.ts';
import { usePerformance, useToday } from './use-performance.ts';

// At noon; which days have 23 or 25 hours is proved where they are reckoned.
beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 1, 12), toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Probe({ address }: { address: PerformanceAddress }) {
  usePerformance(address, useToday());
  return null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Handler = (payload: object) => void;

/** Shows the figures of an address; what was asked for since, and what the stream would say. */
async function followed(search: string) {
  const asked: Record<string, string>[] = [];
  const handlers = new Map<string, Handler>();
  const app = testApp({
    calls: {
      getPerformance: async ({ query }: { query: Record<string, string> }) => {
        asked.push(query);
        return { mode: query.mode };
      },
    },
  });
  const followedApp = {
    ...app,
    browser: { ...app.browser, now: () => Date.now() },
    live: {
      ...app.live,
      on: (topic: string, handler: Handler) => {
        handlers.set(topic, handler);
        return () => handlers.delete(topic);
      },
    },
  } as unknown as App;
  const address = readAddress(PERFORMANCE, new URLSearchParams(search));
  await show(followedApp, <Probe address={address} />);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(0);
  return { asked, pass, say: (topic: string, payload: object) => act(async () => handlers.get(topic)?.(payload)) };
}

test('a burst of news loads the figures once, and what changes none of them not at all', async () => {
  const { asked, pass, say } = await followed('range=30d');
  expect(asked).toEqual([{ mode: 'live', from: '2026-10-03' }]);
  for (let count = 0; count < 5; count += 1) {
    await say('positions', { symbols: ['BTCUSDT'] });
    await say('auto-trades', { autoTradeId: 'one' });
    await say('account', { kind: 'exchange' });
    await pass(500);
  }
  expect(asked.length).toBe(1);
  await pass(3000);
  expect(asked.length).toBe(2);
  await say('positions', { symbols: [], sync: { state: 'running' } });
  await say('account', { kind: 'session' });
  await pass(10_000);
  expect(asked.length).toBe(2);
});

test('midnight of the reader moves a range on, and loads one that has no beginning again', async () => {
  const rolling = await followed('range=7d');
  await rolling.pass(12 * HOUR - MINUTE);
  expect(rolling.asked).toEqual([{ mode: 'live', from: '2026-10-26' }]);
  await rolling.pass(2 * MINUTE);
  expect(rolling.asked.at(-1)).toEqual({ mode: 'live', from: '2026-10-27' });
  const all = await followed('range=all&mode=paper');
  await all.pass(24 * HOUR - 2 * MINUTE);
  expect(all.asked).toEqual([{ mode: 'paper' }]);
  await all.pass(2 * MINUTE);
  expect(all.asked).toEqual([{ mode: 'paper' }, { mode: 'paper' }]);
});

test('a picked day asks for the whole range as well, for its calendar', async () => {
  const { asked } = await followed('range=7d&day=2026-10-30&coins=BTC');
  expect(asked).toEqual([
    { mode: 'live', from: '2026-10-30', to: '2026-10-30', coins: 'BTC' },
    { mode: 'live', from: '2026-10-26', coins: 'BTC' },
  ]);
});
