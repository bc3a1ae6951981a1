import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { Market } from '../market/market.ts';
import { type HeldByBot, handRow } from './held-list.ts';
import { type LedgerExit, ledgerExits } from './ledger-exits.ts';
import { positionReader } from './position-reader.ts';
import type { PositionsService } from './positions-service.ts';

/** What is held by hand. `result` is what selling it now brings above its cost, in the quote asset; null without a price. */
export type HeldByHand = { readonly coin: string; readonly currency: string; readonly result: Decimal | null };

/** What results over a range are made of, as the ledger of an account has it. */
export function ledgerResults(context: Pick<AppContext, 'texts' | 'database'>, service: PositionsService, market: Market) {
  const positions = positionReader(context, service, market);
  const exits = ledgerExits(service.books);
  return {
    /** Oldest first. */
    exits: async (accountId: string): Promise<readonly LedgerExit[]> =>
      (await exits.of(accountId, await positions.look(accountId, 'en'))).results,
    /** What no bot holds; without what is broken, left out, or of no cost that is known. */
    heldByHand: async (accountId: string, bots: readonly Pick<HeldByBot, 'symbol' | 'quantity' | 'cost'>[]): Promise<HeldByHand[]> => {
      const look = await positions.look(accountId, 'en');
      return look.book.positions.flatMap((of) => {
        const { position, override } = of;
        if (position.closedAt !== null || override?.excluded) return [];
        const own = bots.filter(({ symbol }) => symbol === position.symbol);
        const row = handRow(look.valued(of), own, look, []);
        if (row === undefined || row.costGap !== null) return [];
        return [{ coin: row.baseAsset, currency: row.quoteAsset, result: row.result === null ? null : decimal(row.result) }];
      });
    },
  };
}
export type LedgerResults = ReturnType<typeof ledgerResults>;
