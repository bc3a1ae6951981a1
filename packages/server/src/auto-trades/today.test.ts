import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { afterEach, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { walletsStore } from '../wallets/wallets-store.ts';
import { type AutoTradeRouteParts, autoTradesFeature } from './auto-trades-routes.ts';
import { autoTradesStore } from './auto-trades-store.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

/** A person in a zone whose bot realised 1 at one moment and 2 at another, and what of it is of today at a third. */
async function today(timeZone: string | undefined, first: string, second: string, seen: string): Promise<unknown> {
  let store: ReturnType<typeof autoTradesStore> | undefined;
  server = await startTestServer({
    features: async (context) => {
      store = autoTradesStore(context.database, context.log);
      const parts = {
        service: {
          store,
          running: () => undefined,
          openOf: async () => 0,
          unreadPair: (key: string) => (key.startsWith('paper:') ? 'ABCUSDT' : undefined),
          start: async () => {},
          stop: async () => {},
          written: async () => {},
        },
        trading: { isDenied: () => false },
        market: { asOf: Date.parse(seen) },
        wallets: walletsStore(context.database, context.secretBox, context.newId),
      } as unknown as AutoTradeRouteParts;
      return [...(await accountFeatures(context)), autoTradesFeature(context, parts)];
    },
  });
  const user = await server.register();
  if (timeZone !== undefined)
    expect((await user.call('/bff/v2/account/preferences', { method: 'PUT', body: { timeZone } })).status).toBe(200);
  const { queries } = server.context.database;
  const { id: accountId } = await queries.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const [walletId, id, positionId] = [server.context.newId(), server.context.newId(), server.context.newId()];
  await queries
    .insertInto('wallets')
    .values({
      id: walletId,
      account_id: accountId,
      name: 'W',
      name_key: 'w',
      currency: 'USDT',
      mode: 'paper',
      reserve_pct: '1',
      paper_key: null,
      paper_secret: null,
      created_at: 1,
    })
    .execute();
  const settings = { name: 'Bot', walletId, coins: { symbols: ['BTCUSDT'] }, entry: {}, stopLoss: { mode: 'none' } };
  const config = autoTradeConfigSchema.parse(settings);
  const bot = { id, accountId, walletId, name: 'Bot', state: 'running' as const, context: newAutoTradeContext, config };
  await store!.insert({ ...bot, configVersion: 1, takerFees: {}, createdAt: 1, updatedAt: 1 }, queries);
  const trace = { autoTradeId: id, runNo: 1, positionId, kind: 'Sell', symbol: 'BTCUSDT', price: '1', bid: '1', ask: '1' } as const;
  const told = { configVersion: 1, reason: 'Manual', before: {}, mode: 'paper' } as const;
  const sales = [first, second].map((at, index) => ({
    ...trace,
    ...told,
    id: server!.context.newId(),
    seq: index + 1,
    at,
    recordedAt: at,
    after: { realised: String(index + 1) },
  }));
  await store!.appendTraces(sales, queries);
  const bots = await user.call<{ realised: string; realisedToday: string; unreadPair: string | null }[]>('/bff/v2/auto-trades');
  const alone = await user.call<{ realisedToday: string }>(`/bff/v2/auto-trades/${id}`);
  expect(alone.body.realisedToday).toBe(bots.body[0]!.realisedToday);
  // One that should be at work and is not, because its account cannot be checked, says why.
  expect(bots.body[0]!.unreadPair).toBe('ABCUSDT');
  return bots.body[0]!.realisedToday;
}

// 2: only the second sale is of today. 3: both are. 0: neither.
test.each([
  ['Europe/Istanbul', '2026-11-20T20:59:59Z', '2026-11-20T22:30:00Z', '2026-11-21T00:30:00Z', '2'],
  ['UTC', '2026-11-20T20:59:59Z', '2026-11-20T22:30:00Z', '2026-11-21T00:30:00Z', '0'],
  // Nothing chosen: the zone of the quiet hours, which is UTC.
  [undefined, '2026-11-20T22:30:00Z', '2026-11-21T00:10:00Z', '2026-11-21T00:30:00Z', '2'],
  // The day on which clocks go back has 25 hours: from 22:00 UTC to 23:00 UTC of the next day.
  ['Europe/Berlin', '2026-10-24T21:59:59Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2'],
  // The one on which they go forward has 23.
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T21:59:59Z', '3'],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z', '0'],
])('today is the day of %s: sales at %s and %s, seen at %s', async (timeZone, first, second, seen, expected) => {
  expect(await today(timeZone, first, second, seen)).toBe(expected);
});
