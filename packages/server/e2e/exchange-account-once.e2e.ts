/** @module-tag smoke */
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

let stage: ExchangeStage;
let ada: SignedInUser;
let ben: SignedInUser;
let keys: { clientId: string; clientSecret: string };
beforeEach(async () => {
  stage = await startExchangeStage(11);
  [ada, ben] = [await stage.server.register(), await stage.server.register()];
  keys = await account();
});
afterEach(() => stage?.close());

const account = async () => {
  const { apiKey, apiSecret } = await stage.simulator.createAccount({ balances: { USDT: '10000' } });
  return { clientId: apiKey, clientSecret: apiSecret };
};
const connect = (who: SignedInUser, body = keys, headers = {}) =>
  who.call<{ code?: string; detail?: string }>('/gateway/v2/account/connect/binance', { body, headers });
const disconnect = (who: SignedInUser) => who.call('/gateway/v2/account/connect/binance', { method: 'DELETE' });
const wallet = (who: SignedInUser, initialBalance: string) =>
  who.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance } });
const connections = () =>
  stage.server.context.database.queries
    .selectFrom('exchange_connections')
    .select(['account_id', 'uid', 'claim'])
    .orderBy('connected_at')
    .orderBy('account_id')
    .execute();
const notices = async (who: SignedInUser) =>
  (await who.call<{ items: { code: string }[] }>('/bff/v2/notifications')).body.items.map(({ code }) => code);

test('an exchange account is connected by one person only, until that one lets it go', async () => {
  expect((await connect(ada)).status).toBe(200);
  expect(await connect(ben)).toMatchObject({
    status: 409,
    body: { code: 'exchange-account-taken', detail: expect.stringContaining('Disconnect it there first') },
  });
  const turkish = await connect(ben, keys, { 'accept-language': 'tr' });
  expect(turkish.body.detail).toContain('Önce bağlantıyı orada kesin');
  expect(await connections()).toHaveLength(1);
  // The same person connects it again, with whichever keys.
  expect((await connect(ada)).status).toBe(200);
  expect((await connect(ben, await account())).status).toBe(200);
  expect((await connect(ben)).status).toBe(409);
  expect((await disconnect(ada)).status).toBe(204);
  expect((await connect(ben)).status).toBe(200);
  expect((await connect(ada)).status).toBe(409);
});

test('of two who connect it at the same moment one does', async () => {
  const statuses = (await Promise.all([connect(ada), connect(ben)])).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await connections()).toHaveLength(1);
});

/** What an earlier version may have left: both have connected the same account. */
async function bothConnected(): Promise<void> {
  await connect(ada);
  const other = await account();
  await connect(ben, other);
  const { queries } = stage.server.context.database;
  await queries.schema.dropIndex('exchange_connections_claim').execute();
  await queries.schema.alterTable('exchange_connections').dropColumn('claim').execute();
  await sql`delete from kysely_migration where name = '0101-exchange-accounts-once'`.execute(queries);
  const first = await queries.selectFrom('exchange_connections').select('uid').orderBy('connected_at').orderBy('account_id').execute();
  await queries.updateTable('exchange_connections').set({ uid: first[0]!.uid }).execute();
  await stage.server.restart();
}

test('two who shared it before go on, both are told once, and nothing is promised twice any more', async () => {
  await bothConnected();
  const [first, second] = await connections();
  expect([first?.claim, second?.claim, second?.uid]).toEqual([`simulated:${first?.uid}`, null, first?.uid]);
  for (const who of [ada, ben]) expect(await notices(who)).toContain('exchange-account-shared');
  await stage.server.restart();
  for (const who of [ada, ben]) {
    expect((await notices(who)).filter((code) => code === 'exchange-account-shared')).toHaveLength(1);
    expect((await who.call('/gateway/v2/account/connect/binance')).status).toBe(200);
  }
  expect((await wallet(ada, '6000')).status).toBe(201);
  expect(await wallet(ben, '5000')).toMatchObject({ status: 409, body: { code: 'underfunded' } });
  const { body, status } = await wallet(ben, '4000');
  expect(status).toBe(201);
  expect(await ben.call(`/bff/v2/wallets/${body.id}/add-balance`, { body: { amount: '1' } })).toMatchObject({
    status: 409,
    body: { code: 'underfunded' },
  });
  // Keys of the shared account may be replaced; nobody new comes to it, also when the first has left.
  expect((await connect(ada)).status).toBe(200);
  const [eve, other] = [await stage.server.register(), await account()];
  expect((await connect(eve)).status).toBe(409);
  expect((await connect(ada, other)).status).toBe(200);
  expect((await connect(eve)).status).toBe(409);
  expect((await connect(ada)).status).toBe(409);
});

test('what is promised at the same moment is promised one after the other', async () => {
  await bothConnected();
  const statuses = (await Promise.all([wallet(ada, '6000'), wallet(ben, '6000')])).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
});
