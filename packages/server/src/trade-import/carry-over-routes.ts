import { AppError } from '@pilotfish/core/http/problem';
import { decimal, toText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import type { SwapEntry } from '@pilotfish/core/positions/ledger-entry';
import { halfSwaps, joinGiven, momentOf, proposalOf, type SwapRefusal } from '@pilotfish/core/trade-import/half-swaps';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Language } from '../http/texts.ts';
import type { LedgerStore } from '../positions/ledger-store.ts';
import type { WriteCarryOver } from './carry-over.ts';

/** Halves of swaps of one answer. */
const MOST_HALVES = 200;

export type CarryOverParts = {
  readonly store: LedgerStore;
  readonly write: WriteCarryOver;
  /** Compares what the account holds with the ledger as it is now. */
  readonly reconcile: (accountId: string) => Promise<void>;
};

const iso = (at: number): string => new Date(at).toISOString();

/** Swaps and renamings of which the ledger knows one side: offered to the owner, who says what the coin became or came of. */
export function carryOverFeature(
  { database, texts, audit, now, quotas }: Pick<AppContext, 'database' | 'texts' | 'audit' | 'now' | 'quotas'>,
  { store, write, reconcile }: CarryOverParts,
): Feature {
  const refused = ({ path, code, asset, limit }: SwapRefusal, actual: string, language: Language): AppError => {
    const message = texts.text(language, `tradeImport.carryOver.${code}`, { actual, asset, limit: limit ?? '' });
    return new AppError('invalid', { fields: [{ path, code, message, actual, ...(limit === undefined ? {} : { limit }) }] });
  };

  return {
    handlers: {
      listHalfSwaps: async ({ account }) => {
        const halves = halfSwaps(await store.entries(account.id, { kind: 'transfer' }));
        const items = halves.slice(0, MOST_HALVES).map((half) => {
          const { at, ...proposal } = proposalOf(half);
          const { id, asset, change } = half.entry;
          return { id, asset, change, at: iso(half.entry.at), proposal: { ...proposal, at: iso(at) } };
        });
        return { items, total: halves.length };
      },
      carryOver: async ({ account, body, language, origin }) => {
        await database.transaction((queries) => quotas.requireRoom(queries, account.id, 'imports', language));
        const { fromAsset, asset } = body;
        const swap: Omit<SwapEntry, 'id'> = {
          kind: 'swap',
          at: Date.parse(body.at),
          fromAsset,
          fromQuantity: toText(decimal(body.fromQuantity)),
          asset,
          quantity: toText(decimal(body.quantity)),
          source: 'user',
        };
        const { batchId, gaveWay } = await store.inTurn(account.id, async () => {
          const known = await store.entries(account.id, { assets: [...new Set([fromAsset, asset])] });
          const placed = { ...swap, at: momentOf(swap, known) };
          const joined = joinGiven(placed, known, now());
          if ('code' in joined) throw refused(joined, digits(body[joined.path]), language);
          return { batchId: await write(account.id, placed, joined), gaveWay: joined };
        });
        await reconcile(account.id);
        await audit.record({
          accountId: account.id,
          action: 'trade-import.carry-over',
          target: batchId,
          origin,
          details: { from: `${swap.fromQuantity} ${fromAsset}`, to: `${swap.quantity} ${asset}` },
        });
        return { batchId, replaced: gaveWay.map((entry) => ({ asset: entry.asset, change: entry.change, at: iso(entry.at) })) };
      },
    },
  };
}
