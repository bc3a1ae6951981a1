import type { LedgerEntry, TradeEntry, TransferEntry } from '@pilotfish/core/positions/ledger-entry';
import { expect, type TestContext, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import type { LedgerChange } from './ledger-change.ts';
import { ledgerStore } from './ledger-store.ts';

const NOW = Date.UTC(2026, 0, 15);
const OWNER = 'owner';
async function account(database: Database): Promise<void> {
  const values = {
    id: OWNER,
    username: 'o',
    username_key: 'o',
    email: 'o',
    email_key: 'o',
    email_confirmed: 0,
    password_hash: '',
    phone: null,
  } as const;
  await database.queries
    .insertInto('accounts')
    .values({ ...values, phone_confirmed: 0, two_factor_confirmed: 1, totp_secret: null, language: 'en', created_at: NOW, updated_at: NOW })
    .execute();
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
  source: 'trade-history',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: null,
  ...more,
});
const deposit: TransferEntry = {
  kind: 'transfer',
  id: 'd1',
  at: NOW + 1,
  asset: 'SOL',
  change: '3',
  transfer: 'deposit',
  cost: null,
  source: 'deposit-history',
};
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => fill(`t${from + index}`, { at: NOW + index }));
const nothing = async () => undefined;
const plain = { returning: [], settled: new Map(), yields: new Map(), within: nothing };

describeEachDialect('imports into the ledger', (open) => {
  async function stage(context: TestContext) {
    const database = await open(context);
    await account(database);
    const store = ledgerStore(database);
    const changes: LedgerChange[] = [];
    store.onChange((change) => changes.push(change));
    const ids = async () => (await store.entries(OWNER)).map(({ id }) => id);
    const rows = async () => (await database.queries.selectFrom('ledger_entries').select('entry_id').execute()).length;
    const imported = async (batchId: string, entries: readonly LedgerEntry[], replaced: readonly LedgerEntry[] = []) => {
      const writer = await store.batches.open(OWNER, batchId);
      await writer.add(entries);
      await writer.replace(replaced);
      await writer.commit(nothing);
    };
    return { database, store, changes, ids, rows, imported };
  }

  test('nobody sees anything of it before all of it, and then one change tells of all', async (context) => {
    const { store, changes, ids } = await stage(context);
    await store.append(OWNER, [fill('order', { aggregate: true })]);
    const writer = await store.batches.open(OWNER, 'b');
    expect(await writer.add([fill('a'), deposit])).toEqual([]);
    await writer.replace([fill('order', { aggregate: true })]);
    expect(await ids()).toEqual(['order']);
    expect([await store.version(OWNER), changes.length]).toEqual([1, 1]);
    expect((await store.symbols(OWNER))[0]?.sources).toEqual(new Set(['trade-history']));
    await writer.commit(nothing);
    expect(await ids()).toEqual(['a', 'd1']);
    expect(changes.at(-1)).toMatchObject({ version: 2, assets: ['ETH', 'BTC', 'BNB', 'SOL'], symbols: ['ETHBTC'] });
    // One fill came and one went.
    expect(changes.at(-1)?.flows.get('ETH')?.units).toBe(0n);
  });

  test('taken back, its entries are gone and what gave way to it counts again', async (context) => {
    const { store, changes, ids, rows, imported } = await stage(context);
    const order = fill('order', { aggregate: true });
    await imported('orders', [order]);
    await imported('fills', [fill('a'), fill('b')], [order]);
    expect(await ids()).toEqual(['a', 'b']);
    expect(await store.batches.gaveWayTo(OWNER, 'fills')).toEqual([{ entry: order, batchId: 'orders' }]);
    await store.batches.takeBack(OWNER, 'fills', { ...plain, returning: [order] });
    expect(await ids()).toEqual(['order']);
    expect(changes.at(-1)).toMatchObject({ version: 3, symbols: ['ETHBTC'] });
    expect(await rows()).toBe(3);
    await store.batches.sweep(OWNER);
    expect([await ids(), await rows()]).toEqual([['order'], 1]);
    await store.batches.takeBack(OWNER, 'orders', plain);
    await store.batches.sweep();
    expect([await ids(), await rows()]).toEqual([[], 0]);
  });

  test('however much gave way, all of it counts again', async (context) => {
    const { store, ids, imported } = await stage(context);
    const orders = many(1201);
    await imported('orders', orders);
    await imported('fills', [fill('a')], orders);
    expect(await ids()).toEqual(['a']);
    await store.batches.takeBack(OWNER, 'fills', { ...plain, returning: orders });
    await store.batches.sweep(OWNER);
    expect(await ids()).toHaveLength(1201);
  });

  test('its names are free again at once, for a file and for the exchange', async (context) => {
    const { store, ids, imported, rows } = await stage(context);
    await imported('b', [fill('a'), fill('x'), fill('y')]);
    await store.batches.takeBack(OWNER, 'b', plain);
    expect(await store.append(OWNER, [fill('a', { source: 'api' })])).toEqual({ added: 1, duplicates: [] });
    await imported('c', [fill('x')]);
    expect(await ids()).toEqual(['a', 'x']);
    await store.batches.sweep();
    expect([await ids(), await rows()]).toEqual([['a', 'x'], 2]);
  });

  test('a name that counts already is answered and stays what it is', async (context) => {
    const { store, ids } = await stage(context);
    await store.append(OWNER, [fill('a', { source: 'api' })]);
    const writer = await store.batches.open(OWNER, 'b');
    expect(await writer.add([fill('a'), fill('b')])).toEqual(['a']);
    await writer.commit(nothing);
    expect(await ids()).toEqual(['a', 'b']);
    expect(await store.entries(OWNER)).toMatchObject([{ source: 'api' }, { source: 'trade-history' }]);
  });

  test('what gave way to a swap its owner entered is known by name until that is taken back; what gave way to a file is not', async (context) => {
    const { store, ids, imported } = await stage(context);
    const gift: TransferEntry = { ...deposit, id: 'gift' };
    await imported('file', [deposit]);
    await store.append(OWNER, [gift]);
    const swap = {
      kind: 'swap',
      id: 's',
      at: NOW,
      fromAsset: 'OLD',
      fromQuantity: '1',
      asset: 'SOL',
      quantity: '3',
      source: 'user',
    } as const;
    await imported('carried', [swap], [deposit, gift]);
    expect([...(await store.known(OWNER, ['d1', 'gift', 's', 'none']))].toSorted()).toEqual(['d1', 'gift', 's']);
    // Neither the exchange nor a file brings it a second time.
    expect(await store.append(OWNER, [gift])).toEqual({ added: 0, duplicates: ['gift'] });
    const writer = await store.batches.open(OWNER, 'again');
    expect(await writer.add([deposit])).toEqual(['d1']);
    await writer.discard();
    expect(await ids()).toEqual(['s']);
    await store.batches.takeBack(OWNER, 'carried', { ...plain, returning: [deposit, gift] });
    expect(await ids()).toEqual(['d1', 'gift']);
    await imported('better', [{ ...swap, source: 'transaction-records' }], [deposit]);
    expect([...(await store.known(OWNER, ['d1', 'gift', 's']))].toSorted()).toEqual(['gift', 's']);
  });

  test('given up, or never finished by a process that ended, it leaves nothing', async (context) => {
    const { database, store, ids, rows } = await stage(context);
    const order = fill('order', { aggregate: true });
    await store.append(OWNER, [order]);
    const given = await store.batches.open(OWNER, 'b');
    await given.add(many(1200));
    await given.replace([order]);
    await given.discard();
    expect([await ids(), await rows()]).toEqual([['order'], 1]);

    const lost = await store.batches.open(OWNER, 'c');
    await lost.add(many(1200));
    await lost.replace([order]);
    // While it is written nobody removes it.
    await store.batches.sweep();
    expect(await rows()).toBe(1201);
    const next = ledgerStore(database);
    expect((await next.entries(OWNER)).map(({ id }) => id)).toEqual(['order']);
    await next.batches.sweep();
    expect([await ids(), await rows()]).toEqual([['order'], 1]);
    expect(await database.queries.selectFrom('hidden_batches').selectAll().execute()).toEqual([]);
  });

  test('another writer, such as a bot, has its turn between the steps of an import and of its removal', async (context) => {
    const { database, store } = await stage(context);
    let done = false;
    let turns = 0;
    const bot = async () => {
      for (; !done; turns += 1) {
        await database.transaction((queries) =>
          queries
            .insertInto('throttles')
            .values({ key: `step ${turns}`, failures: 0, blocked_until: 0, updated_at: NOW })
            .execute(),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const during = async (work: Promise<unknown>) => {
      const before = turns;
      await work;
      return turns - before;
    };
    const running = bot();
    const writer = await store.batches.open(OWNER, 'b');
    // Twenty steps each: in one transaction nobody else would have had a turn.
    expect(await during(writer.add(many(10_000)))).toBeGreaterThanOrEqual(10);
    await writer.commit(nothing);
    await store.batches.takeBack(OWNER, 'b', plain);
    expect(await during(store.batches.sweep())).toBeGreaterThanOrEqual(10);
    done = true;
    await running;
  }, 60_000);
});
