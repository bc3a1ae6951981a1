import type { WalletMove } from '@pilotfish/core/auto-trades/position/position-state';
import { add, compare, decimal, isZero, negate, subtract, toText, ZERO } from '@pilotfish/core/money/decimal';
import { type PaperTerms, STANDARD_PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import {
  afterMove,
  afterTransfer,
  emptySums,
  type WalletBook,
  type WalletSums,
  walletTotal,
  withoutTransfer,
} from '@pilotfish/core/wallets/wallet-book';
import * as z from 'zod';
import { foldName } from '../auth/accounts-store.ts';
import { accountTurns } from '../database/account-turns.ts';
import type { Database, Queries } from '../database/database.ts';
import { keyInMarket } from '../database/market-scope.ts';
import type { Keys } from '../exchange-connection/exchange-connection-store.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** Note of the transfer by which a paper wallet is brought back to what was put into it; people may write the same. */
const RESTORED = 'reset';

/** A ledger row as it is folded: a move of a position, or money in and out. `restored`: not put in by its owner. */
export type LedgerMove = WalletMove | { readonly kind: 'transfer'; readonly amount: string; readonly restored?: boolean };

const amount = z.string();
const ledgerMove: z.ZodType<LedgerMove> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('transfer'), amount, restored: z.boolean().optional() }),
  z.object({ kind: z.enum(['reserve', 'release']), amount }),
  z.object({ kind: z.literal('buy'), amount, reserved: amount }),
  z.object({ kind: z.literal('sell'), cost: amount, proceeds: amount }),
  z.object({ kind: z.literal('detach'), amount }),
]) as z.ZodType<LedgerMove>;

export const afterLedgerMove = (sums: WalletSums, move: LedgerMove): WalletSums =>
  move.kind === 'transfer' ? afterTransfer(sums, move.amount) : afterMove(sums, move);

/** Change of what is free, for people who read the ledger. */
function freeChange(move: LedgerMove): string {
  switch (move.kind) {
    case 'transfer':
    case 'release':
      return move.amount;
    case 'reserve':
      return toText(negate(decimal(move.amount)));
    case 'buy':
      return toText(negate(subtract(decimal(move.amount), decimal(move.reserved))));
    case 'sell':
      return move.proceeds;
    case 'detach':
      return '0';
  }
}

const kindOf = (move: LedgerMove): string => {
  if (move.kind === 'transfer') return move.amount.startsWith('-') ? 'withdraw' : 'deposit';
  return move.kind === 'detach' ? 'adjust' : move.kind;
};

export type WalletRow = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly currency: string;
  readonly mode: 'paper' | 'live';
  readonly reservePct: string;
  readonly createdAt: number;
  /** Null for a live wallet: the exchange sets them. */
  readonly terms: PaperTerms | null;
};

export type NewLedgerRow = {
  readonly walletId: string;
  readonly at: number;
  readonly move: LedgerMove;
  readonly note: string;
  readonly positionId: string | null;
};

const termColumns = (terms: PaperTerms | null) => ({
  maker_fee_pct: terms?.makerFeePct ?? null,
  taker_fee_pct: terms?.takerFeePct ?? null,
  latency_ms: terms?.latencyMs ?? null,
});

export const walletBinding = (accountId: string, field: string) => ({ user: accountId, kind: 'wallet', field });

/**
 * Wallets and their ledger. The sums of every wallet live in memory (`book`), because reservations must be atomic
 * and immediate; the ledger on disk is what they are folded from at start.
 */
export function walletsStore({ queries, market }: Database, secretBox: SecretBox, newId: () => string) {
  const nameKey = (name: string) => keyInMarket(market, foldName(name));
  const books = new Map<string, WalletBook>();
  const inTurn = accountTurns();
  const toRow = (row: {
    id: string;
    account_id: string;
    name: string;
    currency: string;
    mode: 'paper' | 'live';
    reserve_pct: string;
    created_at: number;
    maker_fee_pct: string | null;
    taker_fee_pct: string | null;
    latency_ms: number | null;
  }): WalletRow => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    currency: row.currency,
    mode: row.mode,
    reservePct: row.reserve_pct,
    createdAt: row.created_at,
    terms:
      row.mode === 'live'
        ? null
        : {
            makerFeePct: row.maker_fee_pct ?? STANDARD_PAPER_TERMS.makerFeePct,
            takerFeePct: row.taker_fee_pct ?? STANDARD_PAPER_TERMS.takerFeePct,
            latencyMs: row.latency_ms ?? STANDARD_PAPER_TERMS.latencyMs,
          },
  });
  const seal = (accountId: string, field: string, text: string) => secretBox.seal(text, walletBinding(accountId, field));

  async function book(row: WalletRow): Promise<WalletBook> {
    const known = books.get(row.id);
    if (known) return known;
    const ledger = await queries.selectFrom('wallet_ledger').select('move').where('wallet_id', '=', row.id).orderBy('id').execute();
    const again = books.get(row.id);
    if (again) return again;
    const sums = ledger.reduce((folded, { move }) => afterLedgerMove(folded, ledgerMove.parse(JSON.parse(move))), emptySums);
    const created: WalletBook = { id: row.id, currency: row.currency, reservePct: row.reservePct, sums };
    books.set(row.id, created);
    return created;
  }

  return {
    book,
    /**
     * Budgets of one account are promised one after the other: each look at what is held counts the ones before it, and
     * what is in the sums of its wallets is in their ledgers, too.
     */
    inTurn,
    /** Folds the ledgers anew at the next use: after a write failed, memory is ahead of disk. */
    forget: (): void => books.clear(),
    list: async (accountId: string): Promise<WalletRow[]> =>
      (await queries.selectFrom('wallets').selectAll().where('account_id', '=', accountId).orderBy('id').execute()).map(toRow),
    find: async (accountId: string, id: string): Promise<WalletRow | undefined> => {
      const row = await queries
        .selectFrom('wallets')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toRow(row);
    },
    insert: async (wallet: WalletRow, paper: Keys | undefined, on: Queries): Promise<void> => {
      await on
        .insertInto('wallets')
        .values({
          id: wallet.id,
          account_id: wallet.accountId,
          name: wallet.name,
          name_key: nameKey(wallet.name),
          currency: wallet.currency,
          mode: wallet.mode,
          reserve_pct: wallet.reservePct,
          paper_key: paper ? seal(wallet.accountId, 'paper_key', paper.apiKey) : null,
          paper_secret: paper ? seal(wallet.accountId, 'paper_secret', paper.apiSecret) : null,
          created_at: wallet.createdAt,
          ...termColumns(wallet.terms),
        })
        .execute();
    },
    saveTerms: async (walletId: string, terms: PaperTerms, on: Queries): Promise<void> => {
      await on.updateTable('wallets').set(termColumns(terms)).where('id', '=', walletId).execute();
    },
    nameTaken: async (accountId: string, name: string): Promise<boolean> =>
      (await queries
        .selectFrom('wallets')
        .select('id')
        .where('account_id', '=', accountId)
        .where('name_key', '=', nameKey(name))
        .executeTakeFirst()) !== undefined,
    paperKeys: async (walletId: string): Promise<Keys | undefined> => {
      const row = await queries
        .selectFrom('wallets')
        .select(['account_id', 'paper_key', 'paper_secret'])
        .where('id', '=', walletId)
        .executeTakeFirst();
      if (!row?.paper_key || !row.paper_secret) return undefined;
      const open = (field: string, text: string) => secretBox.open(text, walletBinding(row.account_id, field));
      return { apiKey: open('paper_key', row.paper_key), apiSecret: open('paper_secret', row.paper_secret) };
    },
    append: async (rows: readonly NewLedgerRow[], on: Queries): Promise<void> => {
      if (rows.length === 0) return;
      await on
        .insertInto('wallet_ledger')
        .values(
          rows.map(({ walletId, at, move, note, positionId }) => ({
            id: newId(),
            wallet_id: walletId,
            at,
            kind: kindOf(move),
            amount: freeChange(move),
            move: JSON.stringify(move),
            note,
            position_id: positionId,
          })),
        )
        .execute();
    },
    /**
     * Brings a wallet back to what its owner put into it: what was won is taken out, what was lost is added, each as a
     * transfer of its own in the ledger. Answers the amount; never takes more than is free.
     */
    restore: (row: WalletRow, at: number): Promise<string> =>
      inTurn(row.accountId, async () => {
        const budget = await book(row);
        const transfers = await queries
          .selectFrom('wallet_ledger')
          .select('move')
          .where('wallet_id', '=', row.id)
          .where('kind', 'in', ['deposit', 'withdraw'])
          .execute();
        const paidIn = transfers
          .map(({ move }) => ledgerMove.parse(JSON.parse(move)))
          .reduce((total, move) => (move.kind === 'transfer' && !move.restored ? add(total, decimal(move.amount)) : total), ZERO);
        const missing = subtract(paidIn, decimal(walletTotal(budget.sums)));
        const most = negate(decimal(budget.sums.free));
        const amount = toText(compare(missing, most) < 0 ? most : missing);
        if (isZero(decimal(amount))) return '0';
        budget.sums = afterTransfer(budget.sums, amount);
        const line = {
          id: newId(),
          wallet_id: row.id,
          at,
          kind: kindOf({ kind: 'transfer', amount }),
          amount,
          note: RESTORED,
          position_id: null,
        };
        await queries
          .insertInto('wallet_ledger')
          .values({ ...line, move: JSON.stringify({ kind: 'transfer', amount, restored: true }) })
          .execute()
          .catch((error: unknown) => {
            budget.sums = withoutTransfer(budget.sums, amount);
            throw error;
          });
        return amount;
      }),
    ledger: (walletId: string, limit: number) =>
      queries.selectFrom('wallet_ledger').selectAll().where('wallet_id', '=', walletId).orderBy('id', 'desc').limit(limit).execute(),
  };
}
export type WalletsStore = ReturnType<typeof walletsStore>;
