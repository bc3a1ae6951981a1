import { type Decimal, decimal, multiply, rescale } from '@pilotfish/core/money/decimal';
import type { Market } from '../market/market.ts';
import { PRIMARY } from './fill-entries.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { PositionBooks } from './position-book.ts';

/** Digits a value of money needs. */
const VALUE_SCALE = 8;

/** What other features ask of the ledger. */
export function ledgerQuestions(parts: {
  ledger: Pick<LedgerStore, 'entries'>;
  books: Pick<PositionBooks, 'of'>;
  market: Pick<Market, 'rate'>;
}) {
  const { ledger, books, market } = parts;
  return {
    /** Units in open positions of the primary currency with what they cost; positions that cannot be told right are left out. */
    costsOf: async (accountId: string) => {
      const byAsset = new Map<string, { quantity: Decimal; cost: Decimal }>();
      for (const { position } of (await books.of(accountId)).positions) {
        if (position.closedAt !== null || position.quoteAsset !== PRIMARY || position.reasons.size > 0) continue;
        byAsset.set(position.baseAsset, { quantity: position.quantity, cost: position.cost });
      }
      return (asset: string) => byAsset.get(asset);
    },
    /** Transfers from a moment on at what they cost, else at today's price; what has no price is left out. */
    flowsOf: async (accountId: string, from: number): Promise<{ at: number; value: Decimal }[]> => {
      const entries = await ledger.entries(accountId, { kind: 'transfer', from: from + 1 });
      return entries.flatMap((entry) => {
        if (entry.kind !== 'transfer' || entry.transfer === 'conversion') return [];
        const rate = entry.asset === PRIMARY ? '1' : market.rate(entry.asset, PRIMARY);
        if (rate === undefined) return [];
        const value = entry.cost === null ? multiply(decimal(entry.change), decimal(rate)) : decimal(entry.cost);
        return [{ at: entry.at, value: rescale(value, VALUE_SCALE, 'half-even') }];
      });
    },
  };
}
