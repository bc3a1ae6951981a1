/** @module-tag smoke */
import type { Mover } from '@pilotfish/core/landing/landing-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { FilterResult } from '@pilotfish/core/prices/screener-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// What an Admin says of a currency is seen by everybody at once: where one looks for a coin, and not where one has it.

let stage: ExchangeStage;
let admin: SignedInUser;
let user: SignedInUser;
beforeAll(async () => {
  stage = await startExchangeStage(3);
  admin = await stage.server.register();
  user = await stage.server.register();
});
afterAll(async () => {
  await stage?.close();
});

type Coins = { coins: string[]; leftOut: { reason: string; count: number }[] };
async function shown(filterId: string) {
  const pairs = (await user.call<Pair[]>('/bff/v1/pairs')).body;
  const results = await user.call<{ items: FilterResult[] }>('/bff/v1/filter/results', { body: { sort: [], columns: [] } });
  const movers = await Promise.all(['gainers', 'losers'].map((list) => user.call<Mover[]>(`/bff/v1/landing/${list}`)));
  const { coins, leftOut } = (await user.call<Coins>(`/bff/v2/coin-filters/${filterId}/coins`)).body;
  const { items } = (await user.call<{ items: { symbol: string }[] }>('/bff/v1/tickers')).body;
  return {
    offered: pairs.find(({ symbol }) => symbol === 'ETHUSDT')?.offered ?? true,
    others: pairs.filter(({ offered }) => offered === false).map(({ symbol }) => symbol),
    found: results.body.items.some(({ symbol }) => symbol === 'ETHUSDT'),
    moves: movers.flatMap(({ body }) => body).some(({ symbol }) => symbol === 'ETHUSDT'),
    chosen: coins.includes('ETHUSDT'),
    leftOut: leftOut.find(({ reason }) => reason === 'notOffered')?.count ?? 0,
    hasPrice: items.some(({ symbol }) => symbol === 'ETHUSDT'),
  };
}

test('a currency that is no longer offered is found nowhere, and keeps its price where it is held', async () => {
  const filter = { name: 'All', minAgeDays: 0, maxSpreadPct: '5', minQuoteVolume24h: '0', include: ['ETHUSDT'] };
  const { body } = await user.call<{ id: string }>('/bff/v2/coin-filters', { body: filter });
  const before = await shown(body.id);
  expect(before).toEqual({ offered: true, others: [], found: true, moves: true, chosen: true, leftOut: 0, hasPrice: true });

  expect((await admin.call('/bff/v2/admin/currencies/ETH', { method: 'PUT', body: { enabled: false } })).status).toBe(200);
  await stage.time.advance(6_000);
  const after = await shown(body.id);
  expect(after).toEqual({
    ...before,
    offered: false,
    others: expect.arrayContaining(['ETHUSDT', 'ETHBTC']),
    found: false,
    moves: false,
    chosen: false,
    leftOut: 1,
  });
  expect(after.others.every((symbol) => symbol.includes('ETH'))).toBe(true);

  expect((await admin.call('/bff/v2/admin/currencies/ETH', { method: 'PUT', body: { enabled: null } })).status).toBe(200);
  await stage.time.advance(6_000);
  expect(await shown(body.id)).toEqual(before);
});
