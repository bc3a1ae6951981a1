import { STANDARD_PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import { afterTransfer, emptySums } from '@pilotfish/core/wallets/wallet-book';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { uuidGenerator } from '../database/uuid.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { type LedgerMove, type WalletRow, walletsStore } from './wallets-store.ts';

const NOW = Date.UTC(2026, 0, 15);
let counter = 0;
const random = (count: number) => Uint8Array.from({ length: count }, () => (counter = (counter * 31 + 7) & 255));
const newId = uuidGenerator(() => NOW, random);
const box = secretBox(new Uint8Array(32).fill(7), random);

async function account(database: Database): Promise<string> {
  const id = newId();
  await database.queries
    .insertInto('accounts')
    .values({
      id,
      username: id,
      username_key: id,
      email: id,
      email_key: id,
      email_confirmed: 0,
      password_hash: '',
      phone: null,
      phone_confirmed: 0,
      two_factor_confirmed: 1,
      totp_secret: null,
      language: 'en',
      created_at: NOW,
      updated_at: NOW,
    })
    .execute();
  return id;
}

describeEachDialect('wallets', (open) => {
  async function stage(database: Database) {
    const store = walletsStore(database, box, newId);
    const accountId = await account(database);
    const terms = { makerFeePct: '0.075', takerFeePct: '0.1', latencyMs: 150 };
    const row: WalletRow = {
      id: newId(),
      accountId,
      name: 'Main',
      currency: 'USDT',
      mode: 'paper',
      reservePct: '1',
      createdAt: NOW,
      terms,
    };
    await database.transaction((queries) => store.insert(row, { apiKey: 'paper-key', apiSecret: 'canary-secret' }, queries));
    return { store, row, accountId };
  }

  test('sums are the ledger folded, also by a process that never saw the moves', async (context) => {
    const database = await open(context);
    const { store, row } = await stage(database);
    const move = (walletMove: Parameters<typeof store.append>[0][number]['move']) => ({
      walletId: row.id,
      at: NOW,
      move: walletMove,
      note: '',
      positionId: null,
    });
    await database.transaction((queries) =>
      store.append(
        [
          move({ kind: 'transfer', amount: '1000' }),
          move({ kind: 'reserve', amount: '100.5' }),
          move({ kind: 'buy', amount: '100.1', reserved: '100.1' }),
          move({ kind: 'release', amount: '0.4' }),
          move({ kind: 'sell', cost: '100.1', proceeds: '110.00000000000000000000001' }),
          move({ kind: 'transfer', amount: '-10' }),
        ],
        queries,
      ),
    );
    const other = walletsStore(database, box, newId);
    expect((await other.book(row)).sums).toEqual({
      free: '999.90000000000000000000001',
      reserved: '0',
      invested: '0',
      realised: '9.90000000000000000000001',
      deposits: '1000',
      withdrawals: '10',
    });
    expect((await other.ledger(row.id, 10)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['withdraw', '-10'],
      ['sell', '110.00000000000000000000001'],
      ['release', '0.4'],
      ['buy', '0'],
      ['reserve', '-100.5'],
      ['deposit', '1000'],
    ]);
  });

  test('a transaction that fails leaves no line behind', async (context) => {
    const database = await open(context);
    const { store, row } = await stage(database);
    const failing = database.transaction(async (queries) => {
      await store.append([{ walletId: row.id, at: NOW, move: { kind: 'transfer', amount: '5' }, note: '', positionId: null }], queries);
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect((await store.book(row)).sums).toEqual(emptySums);
  });

  test('a reset brings back what the owner put in, whatever the owner wrote beside it, and what a reset did before', async (context) => {
    const database = await open(context);
    const { store, row } = await stage(database);
    const line = (move: LedgerMove, note = '') => ({ walletId: row.id, at: NOW, move, note, positionId: null });
    const lost: LedgerMove = { kind: 'sell', cost: '0', proceeds: '-100' };
    await database.transaction((queries) =>
      store.append(
        [line({ kind: 'transfer', amount: '1000' }, 'initial'), line({ kind: 'transfer', amount: '500' }, 'reset'), line(lost)],
        queries,
      ),
    );
    expect(await store.restore(row, NOW)).toBe('100');
    expect((await store.book(row)).sums).toMatchObject({ free: '1500', deposits: '1600', realised: '-100' });
    // Again, by a process that reads the ledger anew: nothing is missing, and what was added is not taken for the owner's.
    expect(await walletsStore(database, box, newId).restore(row, NOW)).toBe('0');
  });

  test('a reset waits for money that is on its way into the ledger, and does not take it out again', async (context) => {
    const database = await open(context);
    const { store, row } = await stage(database);
    const book = await store.book(row);
    const deposit = store.inTurn(row.accountId, async () => {
      book.sums = afterTransfer(book.sums, '500');
      // Written a while after it counts.
      await database.queries.selectFrom('wallets').select('id').execute();
      await store.append(
        [{ walletId: row.id, at: NOW, move: { kind: 'transfer', amount: '500' }, note: '', positionId: null }],
        database.queries,
      );
    });
    expect(await store.restore(row, NOW)).toBe('0');
    await deposit;
    expect(book.sums.free).toBe('500');
  });

  test('keys of a paper account are sealed at rest and opened for their wallet only', async (context) => {
    const database = await open(context);
    const { store, row, accountId } = await stage(database);
    expect(await store.paperKeys(row.id)).toEqual({ apiKey: 'paper-key', apiSecret: 'canary-secret' });
    const stored = await database.queries.selectFrom('wallets').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect(await store.find(accountId, row.id)).toEqual(row);
    expect(await store.find(newId(), row.id)).toBeUndefined();
  });

  test('terms on paper are kept as they were given, those of before there were any are the standard, and a live wallet has none', async (context) => {
    const database = await open(context);
    const { store, row, accountId } = await stage(database);
    const terms = { makerFeePct: '0.0001', takerFeePct: '5', latencyMs: 3000 };
    await store.saveTerms(row.id, terms, database.queries);
    expect((await walletsStore(database, box, newId).find(accountId, row.id))?.terms).toEqual(terms);
    const live = { ...row, id: newId(), name: 'Live', mode: 'live' as const, terms: null };
    await store.insert(live, undefined, database.queries);
    expect(await store.find(accountId, live.id)).toEqual(live);
    await database.queries.updateTable('wallets').set({ maker_fee_pct: null, taker_fee_pct: null, latency_ms: null }).execute();
    expect((await store.find(accountId, row.id))?.terms).toEqual(STANDARD_PAPER_TERMS);
  });

  test('names are taken without regard to case', async (context) => {
    const database = await open(context);
    const { store, accountId } = await stage(database);
    expect(await store.nameTaken(accountId, ' main ')).toBe(true);
    expect(await store.nameTaken(accountId, 'Other')).toBe(false);
  });
});
