import { type Decimal, decimal, negate } from '@pilotfish/core/money/decimal';
import type { WalletSums } from '@pilotfish/core/wallets/wallet-book';
import type { Database } from '../database/database.ts';
import type { WalletsStore } from './wallets-store.ts';

export type PaperBook = { readonly walletId: string; readonly currency: string; readonly sums: WalletSums };
/** Money that came into a wallet, or left it (below zero), otherwise than by trading; epoch ms, in the wallet's currency. */
export type PaperFlow = { readonly at: number; readonly currency: string; readonly amount: Decimal };

/** What the home screen asks of wallets on paper. */
export function paperBooks({ queries }: Pick<Database, 'queries'>, store: Pick<WalletsStore, 'list' | 'book'>) {
  return {
    /** Accounts with a wallet on paper. */
    accounts: async (): Promise<string[]> => {
      const rows = await queries
        .selectFrom('wallets')
        .select('account_id')
        .where('mode', '=', 'paper')
        .distinct()
        .orderBy('account_id')
        .execute();
      return rows.map((row) => row.account_id);
    },
    of: async (accountId: string): Promise<PaperBook[]> => {
      const rows = (await store.list(accountId)).filter(({ mode }) => mode === 'paper');
      return Promise.all(rows.map(async (row) => ({ walletId: row.id, currency: row.currency, sums: (await store.book(row)).sums })));
    },
    /** Transfers after a moment, and coins that left the budget at their cost because their owner took them over; oldest first. */
    flows: async (accountId: string, from: number): Promise<PaperFlow[]> => {
      const rows = await queries
        .selectFrom('wallets as wallet')
        .innerJoin('wallet_ledger as line', 'line.wallet_id', 'wallet.id')
        .select(['line.at', 'line.kind', 'line.amount', 'line.move', 'wallet.currency'])
        .where('wallet.account_id', '=', accountId)
        .where('wallet.mode', '=', 'paper')
        .where('line.at', '>', from)
        .where('line.kind', 'in', ['deposit', 'withdraw', 'adjust'])
        .orderBy('line.at')
        .orderBy('line.id')
        .execute();
      return rows.map(({ at, kind, amount, move, currency }) => ({
        at: Number(at),
        currency,
        // A line of coins that leave changes nothing that is free, so its amount is zero: its move has the cost.
        amount: kind === 'adjust' ? negate(decimal((JSON.parse(move) as { amount: string }).amount)) : decimal(amount),
      }));
    },
  };
}
export type PaperBooks = ReturnType<typeof paperBooks>;
