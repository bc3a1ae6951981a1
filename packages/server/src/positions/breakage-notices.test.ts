import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { factsOf } from '../notifications/notification-texts.ts';
import { type Breakage, type BreakageCode, breakageNotices } from './breakage-notices.ts';

let server: TestServer;
let accountId: string;
let found: readonly Breakage[] | undefined;
let mismatched: ReadonlySet<string> | undefined;
let notices: ReturnType<typeof breakageNotices>;

beforeEach(async () => {
  server = await startTestServer({ features: async () => [] });
  accountId = server.context.newId();
  const row = { username: 'ada', username_key: 'ada', email: 'a@example.com', email_key: 'a@example.com', password_hash: 'x' };
  await server.context.database.queries
    .insertInto('accounts')
    .values({
      id: accountId,
      ...row,
      email_confirmed: 0,
      phone: null,
      phone_confirmed: 0,
      two_factor_confirmed: 1,
      totp_secret: null,
      language: 'en',
      created_at: 0,
      updated_at: 0,
      deleted_at: null,
    })
    .execute();
  found = [];
  mismatched = new Set();
  notices = breakageNotices(server.context, async () => found && { found, mismatched }, { settleMs: 3000, mostMs: 20_000 });
});
afterEach(async () => {
  vi.useRealTimers();
  await notices.stop();
  await server.close();
});

const broken = (id: string, code: BreakageCode, excluded = false): Breakage =>
  ({
    of: { id, position: { symbol: `${id}USDT`, baseAsset: id.replace(/\d/g, ''), number: 1 }, override: { excluded } },
    code,
  }) as unknown as Breakage;
const told = async () =>
  (
    await server.context.database.queries
      .selectFrom('notifications')
      .select(['kind', 'code', 'facts', 'link'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute()
  ).map(({ facts, ...row }) => ({ ...row, ...factsOf({ code: '', facts }) }));

test('a breakage is told once, however often it is looked at, and again when it comes back', async () => {
  found = [broken('BTC', 'OVERSOLD')];
  await notices.look(accountId);
  await notices.look(accountId);
  expect(await told()).toEqual([
    {
      kind: 'position-broken',
      code: 'position-broken',
      link: '/positions/detail/BTC',
      symbol: 'BTCUSDT',
      number: 1,
      reasonKey: 'positions.brokenNames.OVERSOLD',
    },
  ]);
  found = [broken('BTC', 'OVERSOLD'), broken('BTC', 'MISSING_COST')];
  await notices.look(accountId);
  expect((await told()).slice(1)).toMatchObject([{ reasonKey: 'positions.brokenNames.MISSING_COST' }]);
  found = [];
  await notices.look(accountId);
  found = [broken('BTC', 'OVERSOLD')];
  await notices.look(accountId);
  expect(await told()).toHaveLength(3);
});

test('many at once are one message; what its owner said, what mends itself and what does not count are none', async () => {
  found = [broken('BTC', 'USER'), broken('ETH', 'GAP'), broken('SOL', 'FEE_UNVALUED'), broken('XRP', 'OVERSOLD', true)];
  await notices.look(accountId);
  expect(await told()).toEqual([]);
  found = Array.from({ length: 12 }, (_, n) => broken(`C${n}`, 'MISSING_COST'));
  await notices.look(accountId);
  await notices.look(accountId);
  expect(await told()).toMatchObject([{ code: 'positions-broken', count: 12, pairs: expect.stringMatching(/^C0USDT, .*C9USDT …$/) }]);
});

test('a balance that differs is told once while it lasts, however many positions come and go, and again when it returns', async () => {
  found = [broken('BTC', 'BALANCE_MISMATCH'), broken('BTC2', 'BALANCE_MISMATCH')];
  mismatched = new Set(['BTC']);
  await notices.look(accountId);
  expect(await told()).toMatchObject([{ symbol: 'BTCUSDT', reasonKey: 'positions.brokenNames.BALANCE_MISMATCH' }]);
  // The next position of the same coin; then none is open for a while; then the server starts anew and has not compared.
  found = [broken('BTC3', 'BALANCE_MISMATCH')];
  await notices.look(accountId);
  found = [];
  await notices.look(accountId);
  mismatched = undefined;
  await notices.look(accountId);
  mismatched = new Set(['BTC']);
  found = [broken('BTC4', 'BALANCE_MISMATCH')];
  await notices.look(accountId);
  expect(await told()).toHaveLength(1);
  // Another coin is another matter.
  mismatched = new Set(['BTC', 'ETH']);
  found = [broken('BTC4', 'BALANCE_MISMATCH'), broken('ETH', 'BALANCE_MISMATCH')];
  await notices.look(accountId);
  expect(await told()).toHaveLength(2);
  mismatched = new Set(['ETH']);
  found = [broken('ETH', 'BALANCE_MISMATCH')];
  await notices.look(accountId);
  mismatched = new Set(['BTC', 'ETH']);
  found = [broken('BTC5', 'BALANCE_MISMATCH'), broken('ETH', 'BALANCE_MISMATCH')];
  await notices.look(accountId);
  expect((await told()).slice(2)).toMatchObject([{ symbol: 'BTC5USDT' }]);
});

test('changes that never end postpone it only so long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  found = [broken('BTC', 'OVERSOLD')];
  for (let write = 0; write < 11; write += 1) {
    notices.poke(accountId);
    await vi.advanceTimersByTimeAsync(2000);
  }
  vi.useRealTimers();
  await vi.waitFor(async () => expect(await told()).toHaveLength(1));
});

test('of an account that is gone nothing is written any more', async () => {
  const { queries } = server.context.database;
  await queries.updateTable('accounts').set({ deleted_at: 1 }).where('id', '=', accountId).execute();
  found = [broken('BTC', 'OVERSOLD')];
  await notices.look(accountId);
  expect(await told()).toEqual([]);
  expect(await queries.selectFrom('position_breakages').selectAll().execute()).toEqual([]);
});

test('nothing is said while nobody can say, and everything is looked at once it has settled', async () => {
  found = undefined;
  await notices.look(accountId);
  expect(await told()).toEqual([]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  found = [broken('BTC', 'OVERSOLD')];
  for (let write = 0; write < 5; write += 1) {
    notices.poke(accountId);
    await vi.advanceTimersByTimeAsync(2000);
  }
  vi.useRealTimers();
  expect(await told()).toEqual([]);
  notices.poke(accountId);
  await vi.waitFor(async () => expect(await told()).toHaveLength(1));
});
