import type { LedgerEntry, TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { expect, type TestContext, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { uuidGenerator } from '../database/uuid.ts';
import type { LedgerChange } from './ledger-change.ts';
import { ledgerStore } from './ledger-store.ts';

const NOW = Date.UTC(2026, 0, 15);
let counter = 0;
const newId = uuidGenerator(
  () => NOW,
  (count) => Uint8Array.from({ length: count }, () => (counter = (counter * 31 + 7) & 255)),
);
async function account(database: Database): Promise<string> {
  const id = newId();
  const values = {
    id,
    username: id,
    username_key: id,
    email: id,
    email_key: id,
    email_confirmed: 0,
    password_hash: '',
    phone: null,
  } as const;
  await database.queries
    .insertInto('accounts')
    .values({ ...values, phone_confirmed: 0, two_factor_confirmed: 1, totp_secret: null, language: 'en', created_at: NOW, updated_at: NOW })
    .execute();
  return id;
}
const fill = (id: string, more: Partial<TradeEntry> = {}): TradeEntry => ({
  kind: 'trade',
  id,
  at: NOW,
  symbol: 'ETHBTC',
  baseAsset: 'ETH',
  quoteAsset: 'BTC',
  side: 'Buy',
  price: '0.05',
  quantity: '1.5',
  quoteQuantity: '0.075',
  fee: '0.001',
  feeAsset: 'BNB',
  tradeId: '7',
  orderId: null,
  source: 'api',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: null,
  ...more,
});
const deposit: LedgerEntry = {
  kind: 'transfer',
  id: 'd1',
  at: NOW + 1,
  asset: 'SOL',
  change: '3',
  transfer: 'deposit',
  cost: '400',
  costEstimated: true,
  source: 'user',
};

describeEachDialect('the ledger', (open) => {
  async function stage(context: TestContext) {
    const database = await open(context);
    const store = ledgerStore(database);
    const changes: LedgerChange[] = [];
    store.onChange((change) => changes.push(change));
    return { database, store, changes, owner: await account(database), other: await account(database) };
  }

  test('keeps entries as they are, apart for each account', async (context) => {
    const { store, owner, other } = await stage(context);
    const entries = [fill('a', { feeUnknown: true, aggregate: true, orderId: '9' }), deposit];
    expect(await store.append(owner, entries)).toEqual({ added: 2, duplicates: [] });
    expect(await store.entries(owner)).toEqual(entries);
    expect(await store.entries(other)).toEqual([]);
  });
  test('the same entry twice is one, within a call and over calls', async (context) => {
    const { store, owner, changes } = await stage(context);
    expect(await store.append(owner, [fill('a'), fill('a'), fill('b')])).toEqual({ added: 2, duplicates: ['a'] });
    expect(await store.append(owner, [fill('b')])).toEqual({ added: 0, duplicates: ['b'] });
    expect(changes).toMatchObject([{ accountId: owner, version: 1, assets: ['ETH', 'BTC', 'BNB'] }]);
  });
  test('finds entries by pair, by any asset they touch, and by time', async (context) => {
    const { store, owner } = await stage(context);
    await store.append(owner, [
      fill('a'),
      fill('b', { symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT', feeAsset: 'USDT', at: NOW + 5 }),
      deposit,
    ]);
    const ids = async (what: Parameters<typeof store.entries>[1]) => (await store.entries(owner, what)).map(({ id }) => id);
    expect(await ids({ symbol: 'ETHBTC' })).toEqual(['a']);
    expect(await ids({ assets: ['BTC'] })).toEqual(['a', 'b']);
    expect(await ids({ assets: ['BNB'] })).toEqual(['a']);
    expect(await ids({ assets: [] })).toEqual([]);
    expect(await ids({ from: NOW + 1, to: NOW + 5 })).toEqual(['d1', 'b']);
  });
  test('what gives way goes in the same step as what comes, or not at all', async (context) => {
    const { store, owner } = await stage(context);
    await store.append(owner, [fill('order')]);
    const refused = store.append(owner, [fill('x')], { replaces: ['order'], within: () => Promise.reject(new Error('no')) });
    await expect(refused).rejects.toThrow('no');
    expect((await store.entries(owner)).map(({ id }) => id)).toEqual(['order']);
    expect(await store.version(owner)).toBe(1);
    await store.append(owner, [fill('x')], { replaces: ['order'] });
    expect((await store.entries(owner)).map(({ id }) => id)).toEqual(['x']);
  });
  test('values that become known are filled in', async (context) => {
    const { store, owner } = await stage(context);
    await store.append(owner, [fill('a')]);
    await store.revalue(owner, [{ id: 'a', feeInQuote: '0.00001', feeInPrimary: '0.6', quoteRate: '60000' }]);
    expect(await store.entries(owner)).toMatchObject([{ feeInQuote: '0.00001', feeInPrimary: '0.6', quoteRate: '60000' }]);
  });
  test('writers at the same time lose nothing and double nothing', async (context) => {
    const { store, owner } = await stage(context);
    const many = (from: number) => Array.from({ length: 1200 }, (_, index) => fill(`t${from + index}`));
    const results = await Promise.all([store.append(owner, many(0)), store.append(owner, many(600)), store.append(owner, many(0))]);
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(1800);
    expect(await store.entries(owner)).toHaveLength(1800);
    // One of them brought nothing that was not there.
    expect(await store.version(owner)).toBe(2);
  });
});
