import type { Price } from '@pilotfish/core/money/figure';
import { expect, test } from 'vitest';
import { type BotScreen, botScreenStore } from './bot-screen-store.ts';

const first = { traces: [], prices: new Map(), status: 'connecting' } as unknown as BotScreen;
const trace = (seq: number) => ({ seq }) as BotScreen['traces'][number];

test('a thousand changes within a beat are two redraws, and the last one shows the newest', () => {
  const beats: (() => void)[] = [];
  const store = botScreenStore(first, 67, { set: (run) => beats.push(run) });
  const seen: (Price | undefined)[] = [];
  store.subscribe(() => seen.push(store.get().prices.get('BTCUSDT')));
  for (let price = 1; price <= 1000; price += 1) store.change({ prices: new Map([['BTCUSDT', String(price)]]) });
  expect(seen).toEqual(['1']);
  beats.shift()?.();
  expect(seen).toEqual(['1', '1000']);
  beats.shift()?.();
  expect(seen).toHaveLength(2);
});

test('traces that come twice or late are shown once and in order', () => {
  const store = botScreenStore(first, 0, { set: (run) => run() });
  store.addTraces([trace(1), trace(3)]);
  store.addTraces([trace(2), trace(3)]);
  expect(store.get().traces.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
