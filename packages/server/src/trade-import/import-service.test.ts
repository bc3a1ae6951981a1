import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { add, type Decimal, isZero, toText, ZERO } from '@pilotfish/core/money/decimal';
import { foldLedger } from '@pilotfish/core/positions/asset-fold';
import { addFlows, type LedgerEntry, type TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { NOTHING_SAID } from '@pilotfish/core/positions/position-machine';
import { TIER } from '@pilotfish/core/testing/tiers';
import { realTimers } from '@pilotfish/core/time/timers';
import { tradeIdentity } from '@pilotfish/core/trade-import/import-identity';
import { CASH_ASSETS } from '@pilotfish/core/trade-import/known-pairs';
import fc from 'fast-check';
import { describe, expect, type TestContext, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { uuidGenerator } from '../database/uuid.ts';
import { ledgerStore } from '../positions/ledger-store.ts';
import { ledgerMigrations } from '../positions/ledger-tables.ts';
import { overridesStore } from '../positions/overrides-store.ts';
import { appendTold } from '../positions/superseded.ts';
import { zoneText } from './import-answer.ts';
import { uploadOf, xlsxOf, zipOf } from './import-fixture.ts';
import { type ImportOptions, importService } from './import-service.ts';

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
const PAIRS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC'].map((pair) => {
  const [baseAsset = '', quoteAsset = ''] = pair.split('/');
  return { symbol: baseAsset + quoteAsset, baseAsset, quoteAsset };
});
const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const line = (second: number, side = 'BUY', quantity = 1) =>
  `${new Date(NOW - 86_400_000 + second * 1000).toISOString().slice(0, 19).replace('T', ' ')},BTCUSDT,${side},100,${quantity}BTC,${quantity * 100}USDT,0.1USDT`;
const ORDER = `Date(UTC),OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n${line(1).slice(0, 19)},77,BTCUSDT,Limit,BUY,100,3,${line(1).slice(0, 19)},3BTC,100,300USDT,FILLED`;
const csv = (...lines: string[]) => [HEADER, ...lines].join('\n');

/** What the ledger explains of each asset, as text; nothing of those that come to nothing. */
const explained = (flows: ReadonlyMap<string, Decimal>) =>
  Object.fromEntries([...flows].filter(([, sum]) => !isZero(sum)).map(([asset, sum]) => [asset, toText(sum)]));

describeEachDialect('import', (open) => {
  async function stage(context: TestContext) {
    const database = await open(context);
    const store = ledgerStore(database);
    // Positions that are held in memory know of the ledger what they were told.
    const heard = new Map<string, Decimal>();
    store.onChange(({ flows }) => {
      for (const [asset, change] of flows) heard.set(asset, add(heard.get(asset) ?? ZERO, change));
    });
    const agree = async () => {
      const held = new Map<string, Decimal>();
      for (const entry of await store.entries(owner)) addFlows(held, entry);
      expect(explained(heard), 'what was told of the ledger').toEqual(explained(held));
    };
    const told: { phase: string; done: number }[] = [];
    const during: { rates: () => Promise<unknown> } = { rates: async () => undefined };
    const service = importService(
      {
        timers: realTimers,
        database,
        now: () => NOW,
        newId,
        stream: { publish: (_topic: string, payload: { phase: string; done: number }) => void told.push(payload) } as never,
        log: { error: () => undefined } as never,
      },
      {
        market: { pairs: () => PAIRS as never },
        store,
        rates: {
          load: async () => {
            await during.rates();
            return (asset, quote) => (asset === 'BNB' && quote === 'USDT' ? '600' : undefined);
          },
        },
        valueLater: () => {},

        reconcile: async () => undefined,
      },
    );
    context.onTestFinished(() => service.stop());
    const owner = await account(database);
    const run = async (name: string, data: string | Uint8Array, options: Partial<ImportOptions> = {}) => {
      const answer = await service.importFile(owner, uploadOf(name, data), { commit: true, acceptPartial: false, ...options });
      await agree();
      return answer;
    };
    const undo = async (accountId: string, batchId: string) => {
      const answer = await service.undo(accountId, batchId);
      await agree();
      return answer;
    };
    return { database, store, service: { ...service, undo }, owner, other: await account(database), run, told, during };
  }

  test('what is given away and never came in is told by asset and moment, before and after storing', async (context) => {
    const { run } = await stage(context);
    const [bought, sold, more] = [line(1), line(2, 'SELL'), line(3, 'SELL')];
    expect((await run('all.csv', csv(bought, sold), { commit: false })).warnings).toEqual([]);
    const missing = await run('late.csv', csv(sold, more), { commit: false });
    expect(missing.warnings).toEqual([{ code: 'NEGATIVE_HOLDING', asset: 'BTC', at: missing.preview[0]!.at, amount: expect.any(String) }]);
    expect(missing.needs).toBeNull();
    // What the ledger holds already counts, and what came in at the same moment was there before it went out.
    await run('first.csv', csv(bought));
    const second = await run('late.csv', csv(sold, more));
    expect(second.warnings).toMatchObject([{ asset: 'BTC', at: missing.preview[1]!.at }]);
    expect(Number(second.warnings[0]!.amount)).toBeLessThan(Number(missing.warnings[0]!.amount));
  });

  test('an operation nobody knows is asked about once for all its rows, and what is said counts for later files', async (context) => {
    const { run, service, owner, store } = await stage(context);
    const statement = (...rows: string[]) => ['User_ID,UTC_Time,Account,Operation,Coin,Change,Remark', ...rows].join('\n');
    const row = (second: number, operation: string, change: string, coin = 'USDT') =>
      `1,${line(second).slice(0, 19)},Spot,${operation},${coin},${change},`;
    const first = statement(
      row(1, 'Cashback Voucher', '5'),
      row(2, 'Night Market Gift', '7'),
      row(3, 'night market gift ', '0.5', 'BTC'),
      row(4, 'Transfer Between Main and Funding Wallet', '9'),
      row(5, 'Deposit', '100'),
    );
    const asked = await run('a.csv', first);
    expect(asked).toMatchObject({
      committed: false,
      needs: 'operations',
      counts: { rows: 5, imported: 2, skipped: 1, question: 2, error: 0 },
      operations: [{ name: 'Night Market Gift', rows: 2, assets: ['USDT', 'BTC'], meaning: null }],
      leftOut: [{ code: 'OWN_TRANSFER', rows: 1 }],
    });
    expect(await store.entries(owner)).toEqual([]);
    // A preview keeps nothing of what was said.
    expect((await run('a.csv', first, { commit: false, operations: { 'night market gift': 'reward' } })).needs).toBeNull();
    expect((await run('a.csv', first, { commit: false })).needs).toBe('operations');
    const done = await run('a.csv', first, { operations: { 'night market gift': 'outside' } });
    expect(done).toMatchObject({ committed: true, counts: { imported: 4, question: 0 }, operations: [{ rows: 2, meaning: 'outside' }] });
    const kinds = async () => (await store.entries(owner)).map((entry) => entry.kind === 'transfer' && [entry.transfer, entry.change]);
    expect(await kinds()).toEqual([
      ['reward', '5'],
      ['deposit', '7'],
      ['deposit', '0.5'],
      ['deposit', '100'],
    ]);
    const later = await run('b.csv', statement(row(10, 'Night Market Gift', '-2')));
    expect(later).toMatchObject({ committed: true, needs: null, counts: { imported: 1 } });
    expect((await kinds()).at(-1)).toEqual(['withdrawal', '-2']);
    // Said anew, it counts from then on; what was stored stays.
    expect(
      await run('c.csv', statement(row(11, 'Night Market Gift', '-2')), { operations: { 'night market gift': 'internal' } }),
    ).toMatchObject({
      committed: true,
      counts: { imported: 0, skipped: 1 },
      leftOut: [{ code: 'OWN_TRANSFER', rows: 1 }],
    });
    expect((await run('d.csv', statement(row(12, 'Night Market Gift', '-2')))).counts).toMatchObject({ imported: 0, skipped: 1 });
    // It is the owner's own, and rows without an answer may be left out.
    expect((await service.list(owner)).length).toBe(4);
    expect(await run('e.csv', statement(row(13, 'Other Thing', '1'), row(14, 'Deposit', '1')), { acceptPartial: true })).toMatchObject({
      committed: true,
      counts: { imported: 1, question: 1 },
    });
  });

  test.for<[string, string[], Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['a reward that came from outside', ['Gift Thing,USDT,7'], { 'gift thing': 'reward' }, { 'gift thing': 'outside' }, ['deposit 7 USDT']],
    [
      'a fee that was left out at first',
      ['Buy,BTC,1', 'Transaction Related,USDT,-100', 'Platform Charge,BTC,-0.001'],
      {},
      { 'platform charge': 'fee' },
      ['Buy 1 BTC for 100 USDT, fee 0.001 BTC'],
    ],
    [
      'a leg that is a fee',
      ['Buy,BTC,1', 'Transaction Related,USDT,-100', 'Platform Charge,BTC,-0.001'],
      { 'platform charge': 'trade' },
      { 'platform charge': 'fee' },
      ['Buy 1 BTC for 100 USDT, fee 0.001 BTC'],
    ],
    [
      'a fee that is none',
      ['Buy,BTC,1', 'Transaction Related,USDT,-100', 'Platform Charge,BTC,-0.001'],
      { 'platform charge': 'fee' },
      { 'platform charge': 'internal' },
      ['Buy 1 BTC for 100 USDT, fee 0 USDT'],
    ],
    [
      'a deposit and a withdrawal that are a swap',
      ['Odd Change,ETH,-5', 'Odd Change,BTC,100'],
      { 'odd change': 'outside' },
      { 'odd change': 'swap' },
      ['5 ETH → 100 BTC'],
    ],
  ])('the same file with another answer counts once: %s', async ([, rows, before, after, right], context) => {
    const { run, owner, store, service } = await stage(context);
    const statement = [
      'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
      ...rows.map((row) => `1,${line(5).slice(0, 19)},Spot,${row},`),
    ].join('\n');
    const words = async () =>
      (await store.entries(owner)).map((entry) =>
        entry.kind === 'trade'
          ? `${entry.side} ${entry.quantity} ${entry.baseAsset} for ${entry.quoteQuantity} ${entry.quoteAsset}, fee ${entry.fee} ${entry.feeAsset}`
          : entry.kind === 'transfer'
            ? `${entry.transfer} ${entry.change} ${entry.asset}`
            : `${entry.fromQuantity} ${entry.fromAsset} → ${entry.quantity} ${entry.asset}`,
      );
    await run('a.csv', statement, { acceptPartial: true, operations: before as never });
    const first = await words();
    expect(first).not.toEqual(right);
    const again = await run('b.csv', statement, { operations: after as never });
    expect(await words()).toEqual(right);
    // Read a third time nothing changes, and taken back it is as before.
    expect((await run('c.csv', statement)).counts.imported).toBe(0);
    await service.undo(owner, again.batchId!);
    expect(await words()).toEqual(first);
  });

  test('a preview stores nothing; a commit stores all of it, values fees, and can be taken back', async (context) => {
    const { store, service, owner, other, run } = await stage(context);
    const file = csv(line(1), line(2, 'SELL'), line(3).replace('0.1USDT', '0.001BNB'));
    const preview = await run('trades.csv', file, { commit: false });
    expect(preview).toMatchObject({
      committed: false,
      batchId: null,
      needs: null,
      format: 'trade-history',
      zone: 'UTC',
      counts: { rows: 3, imported: 3 },
    });
    expect(preview.preview).toHaveLength(3);
    expect(await store.entries(owner)).toEqual([]);
    const done = await run('trades.csv', file);
    expect(done).toMatchObject({ committed: true, counts: { imported: 3, error: 0 } });
    expect(await store.entries(owner)).toMatchObject([
      { side: 'Buy' },
      { side: 'Sell' },
      { feeAsset: 'BNB', feeInQuote: '0.6', feeInPrimary: '0.6' },
    ]);
    expect(await service.list(owner)).toMatchObject([{ id: done.batchId, fileName: 'trades.csv', counts: { imported: 3 } }]);
    expect(await service.list(other)).toEqual([]);
    expect(await service.undo(other, done.batchId ?? '')).toBe(false);
    expect(await service.undo(owner, done.batchId ?? '')).toBe(true);
    expect([await store.entries(owner), await service.list(owner), await service.undo(owner, done.batchId ?? '')]).toEqual([[], [], false]);
  });

  test('the same file again, or one that overlaps it, brings nothing twice; rows that are honestly alike stay', async (context) => {
    const { store, owner, run } = await stage(context);
    await run('a.csv', csv(line(1), line(1), line(2)));
    expect(await run('a.csv', csv(line(1), line(1), line(2)))).toMatchObject({ counts: { imported: 0, duplicate: 3 } });
    expect(await run('b.csv', csv(line(2), line(3)))).toMatchObject({
      counts: { imported: 1, duplicate: 1 },
      rows: [{ row: 2, result: 'duplicate' }],
    });
    expect(await store.entries(owner)).toHaveLength(4);
  });

  test('rows the exchange already told of are known; undoing brings back what gave way', async (context) => {
    const { store, service, owner, run } = await stage(context);
    const orders = await run(
      'orders.csv',
      `Date(UTC),OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n${line(1).slice(0, 19)},77,BTCUSDT,Limit,BUY,100,3,${line(1).slice(0, 19)},3BTC,100,300USDT,FILLED`,
    );
    expect(orders.counts.imported).toBe(1);
    expect(await store.entries(owner)).toMatchObject([{ aggregate: true, feeUnknown: true }]);
    const fills = await run('trades.csv', csv(line(1), line(1, 'BUY', 2)));
    expect(fills.counts.imported).toBe(2);
    expect((await store.entries(owner)).map(({ source }) => source)).toEqual(['trade-history', 'trade-history']);
    expect(
      await run(
        'orders.csv',
        `Date(UTC),OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n${line(1).slice(0, 19)},77,BTCUSDT,Limit,BUY,100,3,${line(1).slice(0, 19)},3BTC,100,300USDT,FILLED`,
      ),
    ).toMatchObject({ counts: { imported: 0, crossDuplicate: 1 } });
    await service.undo(owner, fills.batchId ?? '');
    expect(await store.entries(owner)).toMatchObject([{ aggregate: true, orderId: '77' }]);
    await service.undo(owner, orders.batchId ?? '');
    expect(await store.entries(owner)).toEqual([]);
  });

  test('an API fill stands against its row in a file', async (context) => {
    const { store, owner, run } = await stage(context);
    await run('a.csv', csv(line(1)));
    const [row] = (await store.entries(owner)) as [TradeEntry];
    const api: TradeEntry = { ...row, id: tradeIdentity('BTCUSDT', '9'), source: 'api', tradeId: '9' };
    await store.append(owner, [api], { replaces: [row.id] });
    expect(await run('a.csv', csv(line(1)))).toMatchObject({ counts: { imported: 0, crossDuplicate: 1 } });
    expect(await store.entries(owner)).toHaveLength(1);
  });

  test.for([
    ['as it was placed', 0],
    ['two days later', 2 * 24 * 3_600_000],
  ] as const)('undoing does not bring back what the exchange has told of since, executed %s', async ([, later], context) => {
    const { store, service, owner, run } = await stage(context);
    const orders = `Date(UTC),OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n${line(1).slice(0, 19)},77,BTCUSDT,Limit,BUY,100,3,${line(1).slice(0, 19)},3BTC,100,300USDT,FILLED`;
    await run('orders.csv', orders);
    const fills = await run('trades.csv', csv(line(1, 'BUY', 3)));
    const [row] = (await store.entries(owner)) as [TradeEntry];
    const api: TradeEntry = { ...row, id: tradeIdentity('BTCUSDT', '9'), at: row.at + later, source: 'api', tradeId: '9', orderId: '77' };
    await appendTold(store, owner, [api]);
    expect((await store.entries(owner)).at(-1)).toMatchObject({ source: 'api' });
    await service.undo(owner, fills.batchId ?? '');
    expect(await store.entries(owner)).toMatchObject([{ source: 'api' }]);
  });

  test('what gave way to an import of an earlier version returns, too', async (context) => {
    const { database, store, service, owner, run } = await stage(context);
    const orders = await run('orders.csv', ORDER);
    const [row] = (await store.entries(owner)) as [TradeEntry];
    const fills = await run('trades.csv', csv(line(1, 'BUY', 3)));
    // As it was kept then: beside the ledger, by the names of then.
    await store.append(owner, [], { replaces: [row.id] });
    const before = [{ entry: { ...row, id: row.id.replace(`:${row.at}:`, ':') }, batchId: orders.batchId }];
    await database.queries
      .updateTable('import_batches')
      .set({ replaced: JSON.stringify(before) })
      .where('id', '=', fills.batchId!)
      .execute();
    await service.undo(owner, fills.batchId ?? '');
    expect(await store.entries(owner)).toEqual([row]);
    await service.undo(owner, orders.batchId ?? '');
    expect(await store.entries(owner)).toEqual([]);
  });

  test('rows named by an earlier version get the names of this one, and what was said of them follows', async (context) => {
    const { database, store, owner, run } = await stage(context);
    await run('a.csv', csv(line(1), line(1), line(2)));
    const entries = await store.entries(owner);
    const [first] = entries as [TradeEntry];
    const told: TradeEntry = { ...first, id: 'convert:9', source: 'api' };
    await store.append(owner, [told]);
    // They had whole seconds, and no time in their names.
    const second = ({ at }: LedgerEntry) => Math.floor(at / 1000) * 1000;
    const old = (entry: LedgerEntry) => entry.id.replace(`:${second(entry)}:`, ':');
    for (const entry of entries)
      await database.queries
        .updateTable('ledger_entries')
        .set({ entry_id: old(entry), at: second(entry) })
        .where('entry_id', '=', entry.id)
        .execute();
    await overridesStore(database).save(
      owner,
      { ...NOTHING_SAID, entryId: old(first), entryAt: first.at, symbol: 'BTCUSDT', targetPrice: '1' },
      NOW,
    );
    await ledgerMigrations['0173-ledger-names-by-time']?.up(database.queries);
    expect((await store.entries(owner)).map(({ id }) => id).toSorted()).toEqual([...entries, told].map(({ id }) => id).toSorted());
    expect((await overridesStore(database).list(owner))[0]?.entryId).toBe(first.id);
    expect(await run('a.csv', csv(line(1), line(1), line(2)))).toMatchObject({ counts: { imported: 0 } });
  });

  test('an import that fails half-way leaves nothing, and can be done again', async (context) => {
    const { database, store, owner, run, told } = await stage(context);
    await run('orders.csv', ORDER);
    const rows = csv(...Array.from({ length: 1500 }, (_, index) => line(index, 'BUY', index === 1 ? 3 : 1)));
    const publish = told.push.bind(told);
    told.push = (payload) => {
      if (payload.phase === 'storing') throw new Error('the stream is gone');
      return publish(payload);
    };
    await expect(run('trades.csv', rows, { uploadId: 'u' })).rejects.toThrow('the stream is gone');
    told.push = publish;
    expect(await store.entries(owner)).toMatchObject([{ aggregate: true }]);
    expect(await database.queries.selectFrom('ledger_entries').select('entry_id').execute()).toHaveLength(1);
    expect(await run('trades.csv', rows)).toMatchObject({ committed: true, counts: { imported: 1500 } });
    expect(await store.entries(owner)).toHaveLength(1500);
  });

  test('three sources of the same, undone in any order: what is left tells of it once', async (context) => {
    const statement = [
      'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
      `1,${line(1).slice(0, 19)},Spot,Buy,BTC,3,`,
      `1,${line(1).slice(0, 19)},Spot,Buy,USDT,-300,`,
    ].join('\n');
    const orders = `Date(UTC),OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n${line(1).slice(0, 19)},77,BTCUSDT,Limit,BUY,100,3,${line(1).slice(0, 19)},3BTC,100,300USDT,FILLED`;
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const { store, service, owner, run } = await stage(context);
      const batches = [
        await run('statement.csv', statement),
        await run('orders.csv', orders),
        await run('trades.csv', csv(line(1, 'BUY', 3))),
      ];
      expect(await store.entries(owner)).toMatchObject([{ source: 'trade-history' }]);
      await service.undo(owner, batches[order[0] ?? 0]?.batchId ?? '');
      expect(await store.entries(owner)).toHaveLength(1);
      await service.undo(owner, batches[order[1] ?? 0]?.batchId ?? '');
      expect(await store.entries(owner)).toMatchObject([{ source: 'transaction-records' }]);
    }
  });

  test('a fill the exchange tells of while a file is being imported is stored once', async (context) => {
    const { store, owner, run, during } = await stage(context);
    const row: TradeEntry = {
      kind: 'trade',
      id: tradeIdentity('BTCUSDT', '9'),
      at: NOW - 86_400_000 + 1000,
      symbol: 'BTCUSDT',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      side: 'Buy',
      price: '100',
      quantity: '1',
      quoteQuantity: '100',
      fee: '0.1',
      feeAsset: 'USDT',
      tradeId: '9',
      orderId: '7',
      source: 'api',
      feeInQuote: null,
      feeInPrimary: null,
      quoteRate: '1',
    };
    during.rates = () => appendTold(store, owner, [row]);
    expect(await run('a.csv', csv(line(1), line(2)))).toMatchObject({ committed: true, counts: { imported: 1, crossDuplicate: 1 } });
    expect((await store.entries(owner)).map(({ source }) => source)).toEqual(['api', 'trade-history']);
  });

  test('two imports of the same time, of two sources, are one after the other', async (context) => {
    const { store, owner, run } = await stage(context);
    const orders = `Date(UTC),OrderNo,Pair,Type,Side,Order Price,Order Amount,Time,Executed,Average Price,Trading total,Status\n${line(1).slice(0, 19)},77,BTCUSDT,Limit,BUY,100,3,${line(1).slice(0, 19)},3BTC,100,300USDT,FILLED`;
    await Promise.all([run('orders.csv', orders), run('trades.csv', csv(line(1), line(1, 'BUY', 2))), run('trades.csv', csv(line(1)))]);
    expect((await store.entries(owner)).map(({ source }) => source)).toEqual(['trade-history', 'trade-history']);
  });

  test('a renamed coin brings its cost along: the sale of the new one says what was won', async (context) => {
    const { run, store, owner, service } = await stage(context);
    const rows = [
      '2024-01-01 10:00:00,Spot,Deposit,USDT,1000',
      '2024-01-02 10:00:00,Spot,Transaction Buy,MATIC,100',
      '2024-01-02 10:00:00,Spot,Transaction Spend,USDT,-100',
      '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,MATIC,-100',
      '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,POL,100',
      '2024-10-01 10:00:00,Spot,Transaction Sold,POL,-100',
      '2024-10-01 10:00:00,Spot,Transaction Revenue,USDT,120',
    ].map((row) => `1,${row},`);
    const statement = ['User_ID,UTC_Time,Account,Operation,Coin,Change,Remark', ...rows].join('\n');
    const answer = await run('statement.csv', statement);
    expect(answer).toMatchObject({ counts: { imported: 4, error: 0 }, warnings: [] });
    const options = { primary: 'USDT', cash: CASH_ASSETS, rulesOf: () => ({ stepSize: ZERO, minNotional: ZERO }) };
    const results = async () =>
      foldLedger(await store.entries(owner), options).flatMap(({ positions }) =>
        positions.map(({ symbol, realised, reasons }) => [symbol, toText(realised), ...reasons].join(' ')),
      );
    expect(await results()).toEqual(['MATICUSDT 0', 'POLUSDT 20']);
    expect(await run('statement.csv', statement)).toMatchObject({ counts: { imported: 0, duplicate: 4 } });
    await service.undo(owner, answer.batchId!);
    expect(await results()).toEqual([]);
  });

  test('a conversion between coins is stored once, whoever tells of it first', async (context) => {
    const { store, owner, run } = await stage(context);
    const convert =
      'Date,Pair,Type,Sell,Buy,Price,Inverse Price,Date Updated,Status\n2026-01-01 10:00:00,BNBETH,Market,2 BNB,0.5 ETH,4,0.25,2026-01-01 10:00:03,Successful';
    const statement = [
      'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
      '1,2026-01-01 10:00:01,Spot,Binance Convert,BNB,-2,',
      '1,2026-01-01 10:00:01,Spot,Binance Convert,ETH,0.5,',
    ].join('\n');
    expect(await run('convert.csv', convert, { zone: 0 })).toMatchObject({ counts: { imported: 1 } });
    expect(await store.entries(owner)).toMatchObject([{ side: 'Sell' }, { side: 'Buy' }]);
    expect(await run('statement.csv', statement)).toMatchObject({ counts: { imported: 0, crossDuplicate: 1 } });
    expect(await store.entries(owner)).toHaveLength(2);
  });

  test('a file with rows that cannot be read is stored only when that is accepted', async (context) => {
    const { store, owner, run } = await stage(context);
    const file = csv(line(1), 'x,BTCUSDT,BUY,1,1BTC,1USDT,0');
    expect(await run('a.csv', file)).toMatchObject({
      committed: false,
      needs: 'acceptPartial',
      counts: { imported: 1, error: 1 },
      rows: [{ row: 3, code: 'BAD_DATE' }],
    });
    expect(await store.entries(owner)).toEqual([]);
    expect(await run('a.csv', file, { acceptPartial: true })).toMatchObject({ committed: true, counts: { imported: 1, error: 1 } });
    expect(await store.entries(owner)).toHaveLength(1);
  });

  test('the zone is asked for, never guessed; the file name may say it', async (context) => {
    const { run, store, owner } = await stage(context);
    const file = `Time,Pair,Side,Price,Executed,Amount,Fee\n2025-01-01 03:00:00,BTCUSDT,BUY,100,1BTC,100USDT,0.1USDT`;
    expect(await run('export.csv', file)).toMatchObject({ needs: 'zone', zone: null, committed: false });
    expect(await run('export.csv', file, { commit: false, zone: 180 })).toMatchObject({ needs: null, zone: 'UTC+3' });
    await run('Binance-Spot-Trade-History-2025(UTC+3)-part1-of1.csv', file);
    expect(await store.entries(owner)).toMatchObject([{ at: Date.UTC(2025, 0, 1) }]);
  });

  test('an unknown header asks for a mapping, and is read with it', async (context) => {
    const { run } = await stage(context);
    const file = 'When,What,Way,Rate,Units,Sum\n2025-01-01 03:00:00,BTCUSDT,BUY,100,1,100';
    expect(await run('x.csv', file)).toMatchObject({
      needs: 'mapping',
      columns: ['When', 'What', 'Way', 'Rate', 'Units', 'Sum'],
      format: 'unknown',
    });
    const mapping = { When: 'time', What: 'pair', Way: 'side', Rate: 'price', Units: 'quantity', Sum: 'total' } as const;
    expect(await run('x.csv', file, { mapping, zone: 0 })).toMatchObject({ committed: true, counts: { imported: 1 } });
  });

  test('a ZIP of parts, a workbook, a workbook in a ZIP', async (context) => {
    const { run, store, owner } = await stage(context);
    const zip = zipOf([
      { name: 'part-2.csv', data: csv(line(3)) },
      { name: 'part-1.csv', data: csv(line(1), line(2)) },
      { name: 'readme.pdf', data: 'x' },
    ]);
    expect(await run('export.zip', zip)).toMatchObject({ counts: { rows: 3, imported: 3 } });
    const cells = csv(line(4))
      .split('\n')
      .map((row) => row.split(','));
    expect(await run('export.xlsx', xlsxOf(cells))).toMatchObject({ counts: { rows: 1, imported: 1 } });
    expect(await run('again.zip', zipOf([{ name: 'a.xlsx', data: xlsxOf(cells) }]))).toMatchObject({ counts: { duplicate: 1 } });
    expect(await store.entries(owner)).toHaveLength(4);
  });

  test('files of one ZIP that overlap bring nothing twice; parts of one export keep rows that are alike', async (context) => {
    const { run, store, owner } = await stage(context);
    const spring = { name: 'jan-mar.csv', data: csv(line(1), line(1), line(2)) };
    const zip = zipOf([spring, { name: 'mar-jun.csv', data: csv(line(2), line(3)) }]);
    const counts = { rows: 5, imported: 4, duplicate: 1 };
    expect(await run('export.zip', zip, { commit: false })).toMatchObject({ counts });
    expect(await run('export.zip', zip)).toMatchObject({ counts });
    expect(await store.entries(owner)).toHaveLength(4);
    const parts = zipOf([
      { name: 'export-part1-of2.csv', data: csv(line(7), line(8)) },
      { name: 'export-part2-of2.csv', data: csv(line(8), line(9)) },
    ]);
    expect(await run('parts.zip', parts)).toMatchObject({ counts: { rows: 4, imported: 4 } });
    expect(await store.entries(owner)).toHaveLength(8);
  });

  test('progress is told to the one who uploads', async (context) => {
    const { run, told } = await stage(context);
    await run('a.csv', csv(line(1), line(2)), { uploadId: 'u1' });
    expect(told.map(({ phase, done }) => [phase, done])).toEqual([
      ['reading', 2],
      ['storing', 2],
      ['folding', 2],
    ]);
  });

  test('any parts of a file, in any order, however they overlap, make the same ledger', async (context) => {
    const { database, newStage } = { database: await open(context), newStage: stage };
    void database;
    const rows = Array.from({ length: 12 }, (_, index) => line(Math.floor(index / 2), index % 3 === 0 ? 'SELL' : 'BUY', 1 + (index % 2)));
    const whole = await newStage(context);
    await whole.run('whole.csv', csv(...rows));
    const expected = strip(await whole.store.entries(whole.owner));
    const cuts = fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cuts, async (parts) => {
        const each = await newStage(context);
        // Parts are cut between seconds: a second that is torn apart cannot be told from two.
        for (const [from, length] of parts)
          await each.run('p.csv', csv(...rows.slice(2 * Math.floor(from / 2), 2 * Math.ceil((from + length) / 2))));
        await each.run('whole.csv', csv(...rows));
        expect(strip(await each.store.entries(each.owner))).toEqual(expected);
      }),
      { numRuns: TIER === 'deep' ? 12 : 3 },
    );
  }, 60_000);
});

const strip = (entries: readonly LedgerEntry[]) => entries.map(({ id, at }) => [id, at]);

/** A database without a row, for files that nothing is stored of. */
const nothing: object = { selectFrom: () => nothing, select: () => nothing, where: () => nothing, execute: async () => [] };

describe('what is refused', () => {
  const service = importService(
    {
      timers: realTimers,
      database: { queries: nothing } as never,
      now: () => NOW,
      newId,
      stream: undefined as never,
      log: { error: () => undefined } as never,
    },
    {
      market: { pairs: () => [] },
      store: { isEmpty: async () => true, pages: async function* () {} } as never,
      rates: { load: async () => () => undefined },
      valueLater: () => {},

      reconcile: async () => undefined,
    },
  );
  const run = (name: string, data: string | Uint8Array) =>
    service.importFile('x', uploadOf(name, data), { commit: false, acceptPartial: false });
  const zeros = Buffer.alloc(4 * 1024 * 1024);
  test.each<[string, string | Uint8Array, string]>([
    ['nothing.csv', '', 'empty'],
    ['picture.csv', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]), 'encoding'],
    ['damaged.zip', 'PK\x03\x04 and nothing else', 'zipBroken'],
    ['bomb.zip', zipOf([{ name: 'a.csv', data: zeros }]), 'zipBomb'],
    ['liar.zip', zipOf([{ name: 'a.csv', data: zeros, claims: 2000 }]), 'zipBroken'],
    ['many.zip', zipOf(Array.from({ length: 21 }, (_, index) => ({ name: `${index}.csv`, data: 'a' }))), 'zipTooManyFiles'],
    ['nested.zip', zipOf([{ name: 'b.zip', data: 'x' }]), 'zipNested'],
    ['locked.zip', zipOf([{ name: 'a.csv', data: 'x', flags: 1 }]), 'zipEncrypted'],
    ['photos.zip', zipOf([{ name: 'a.png', data: 'x' }]), 'zipNothing'],
    [
      'wide.xlsx',
      zipOf([
        { name: 'xl/workbook.xml', data: '<a/>' },
        { name: 'xl/worksheets/sheet1.xml', data: '<w><row r="1"><c r="ZZZ1"><v>1</v></c></row></w>' },
      ]),
      'tooManyCells',
    ],
    [
      'entity.xlsx',
      zipOf([
        { name: 'xl/workbook.xml', data: '<a/>' },
        { name: 'xl/worksheets/sheet1.xml', data: '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><w>&x;</w>' },
      ]),
      'xlsxBroken',
    ],
    [
      'torn.xlsx',
      zipOf([
        { name: 'xl/workbook.xml', data: '<a/>' },
        { name: 'xl/worksheets/sheet1.xml', data: '<w><row' },
      ]),
      'xlsxBroken',
    ],
  ])('%s: %s', async (name, data, code) => expect(run(name, data)).rejects.toMatchObject({ code }));
  test('a formula is text that is no number, never a result', async () => {
    const answer = await run('f.xlsx', xlsxOf([HEADER.split(','), ['2025-01-01', 'BTCUSDT', 'BUY', '=1+99', '1BTC', '100USDT', '0USDT']]));
    expect(answer.rows).toEqual([{ row: 2, result: 'error', code: 'BAD_NUMBER', column: 'Price', value: '=1+99' }]);
  });
  test('numbers and times of a spreadsheet itself', async () => {
    const answer = await run('n.xlsx', xlsxOf([HEADER.split(','), [45352.5, 'BTCUSDT', 'BUY', 100, '1BTC', '100USDT', '0USDT']]));
    expect(answer.preview).toMatchObject([{ at: '2024-03-01T12:00:00.000Z', price: '100' }]);
  });
});

test('zones in words', () => expect([0, 180, -330, 345].map(zoneText)).toEqual(['UTC', 'UTC+3', 'UTC-5:30', 'UTC+5:45']));

const EXPORTS = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data/exports');
describe.skipIf(!existsSync(EXPORTS))('real files (needs ../shared/data/exports)', () => {
  const pairs = ['CAKE/USDT', 'AVAX/USDT', 'BTC/EUR', 'ETH/EUR', 'XRP/ETH'].map((pair) => {
    const [baseAsset = '', quoteAsset = ''] = pair.split('/');
    return { symbol: baseAsset + quoteAsset, baseAsset, quoteAsset };
  });
  const service = importService(
    {
      timers: realTimers,
      database: { queries: nothing } as never,
      now: () => NOW,
      newId,
      stream: undefined as never,
      log: { error: () => undefined } as never,
    },
    {
      market: { pairs: () => pairs as never },
      store: { isEmpty: async () => true, pages: async function* () {} } as never,
      rates: { load: async () => () => undefined },
      valueLater: () => {},

      reconcile: async () => undefined,
    },
  );
  test.each([
    ['declarenta-binance-sample.csv', { rows: 3, imported: 3, skipped: 0, error: 0 }],
    ['declarenta-binance-tx-sample.csv', { rows: 10, imported: 4, skipped: 1, error: 0 }],
    ['ganciaux-convert-history-semicolon-2022.csv', { rows: 33, imported: 33, skipped: 0, error: 0 }],
    ['metko-order-history-xlsx-layout-2023.csv', { rows: 454, imported: 154, skipped: 16, error: 0 }],
  ])('%s', async (file, counts) => {
    const answer = await service.importFile('x', uploadOf(file, readFileSync(join(EXPORTS, file))), {
      commit: false,
      acceptPartial: false,
      zone: 0,
    });
    expect(answer).toMatchObject({ counts, needs: null });
  });
});
