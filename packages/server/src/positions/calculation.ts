import { AppError } from '@pilotfish/core/http/problem';
import type { LedgerEntry, TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import type { Market } from '../market/market.ts';
import { entryOfTrade } from './fill-entries.ts';
import type { BookPosition } from './position-book.ts';
import type { PositionsService } from './positions-service.ts';
import { appendTold } from './superseded.ts';

/** What the exchange says of a fill, without what we made of it. */
const told = ({ at, side, price, quantity, quoteQuantity, fee, feeAsset }: TradeEntry): string =>
  [at, side, price, quantity, quoteQuantity, fee, feeAsset].join('|');

const numbersOf = (entries: readonly LedgerEntry[]): number[] =>
  // Allocations have ids of their own, and are in no list of trades.
  entries.flatMap((entry) =>
    entry.kind === 'trade' && entry.source === 'api' && /^\d+$/.test(entry.tradeId ?? '') ? Number(entry.tradeId) : [],
  );

/**
 * Reads a position's trades again and puts the ledger right in one transaction: what is missing comes, what the
 * exchange does not know goes, what differs is replaced. Without a connection the entries stay as they were imported.
 * @throws AppError when the exchange cannot be asked
 */
export async function recalculate(
  service: PositionsService,
  market: Pick<Market, 'pair'>,
  accountId: string,
  { position }: BookPosition,
): Promise<{ added: number; removed: number }> {
  const { ledger, sync, valuer, check } = service;
  const { symbol } = position;
  const isConnected = await service.accountOf(accountId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'not-connected') return false;
      throw error;
    },
  );
  let result = { added: 0, removed: 0 };
  if (isConnected && market.pair(symbol) !== undefined) {
    const { entries } = await service.books.withLines(accountId, { id: '', position, override: undefined });
    const own = entries.filter((entry) => entry.kind === 'trade' && entry.symbol === symbol);
    // Something is amiss: it may lie before the first trade that is known.
    const isWhole = position.reasons.size === 0;
    const since = own.filter(({ at }) => at >= position.openedAt && (position.closedAt === null || at <= position.closedAt));
    const fromId = isWhole ? Math.min(...numbersOf(since), Number.MAX_SAFE_INTEGER) : 0;
    if (fromId < Number.MAX_SAFE_INTEGER) {
      const read = (await sync.tradesOf(accountId, symbol, String(fromId))).flatMap((trade) => entryOfTrade(trade, market) ?? []);
      const known = new Map(own.map((entry) => [entry.id, entry]));
      const listed = new Set(read.map(({ id }) => id));
      const newest = Math.max(0, ...read.map(({ tradeId }) => Number(tradeId)));
      // What came in by the stream while the list was read is not missing from it.
      const gone = own.filter(
        (entry) =>
          entry.kind === 'trade' &&
          entry.source === 'api' &&
          Number(entry.tradeId) >= fromId &&
          Number(entry.tradeId) <= newest &&
          !listed.has(entry.id),
      );
      const fresh = read.filter((entry) => {
        const before = known.get(entry.id);
        return before === undefined || (before.kind === 'trade' && told(before) !== told(entry));
      });
      const replaced = fresh.filter(({ id }) => known.has(id)).map(({ id }) => id);
      const values = await valuer.withValues(fresh);
      if (fresh.length > 0 || gone.length > 0)
        await appendTold(ledger, accountId, values, { replaces: [...gone.map(({ id }) => id), ...replaced] });
      result = { added: fresh.length - replaced.length, removed: gone.length };
    }
  }
  if (isConnected) {
    await valuer.settle(accountId);
    await check.compare(accountId).catch(() => undefined);
  }
  return result;
}
