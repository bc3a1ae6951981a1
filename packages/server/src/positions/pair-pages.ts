import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import type { Logger } from 'pino';
import type { Queries } from '../database/database.ts';
import { type Exchange, idAfterAllocations, idAfterTrades, MY_TRADES_WEIGHT, TRADES_PER_PAGE } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { type Rows, sentIn } from '../exchange/exchange-rows.ts';
import type { Signer } from '../exchange/signing.ts';
import type { Market } from '../market/market.ts';
import type { FeeValuer } from './fee-valuer.ts';
import { entriesOfPage, type MyTrade } from './fill-entries.ts';
import type { LedgerStore } from './ledger-store.ts';
import { appendTold } from './superseded.ts';
import type { SyncCursor, SyncStore } from './sync-store.ts';

/** A reading of an account's history, as far as the pages of one pair go. */
export type PairReading = {
  readonly accountId: string;
  readonly signer: Signer;
  /** The exchange's own number of the account. */
  readonly uid: string;
  /** @throws what ends the reading: what was just read must not be written any more */
  requireCurrent(): void;
  /** So many new trades were written. */
  onAdded(count: number): void;
  /** A page was read, and another follows. */
  onPage(): void;
};

const INVALID_SYMBOL = -1121;

/** A pair of which nothing was read yet. */
export const freshCursor = (symbol: string): SyncCursor => ({
  symbol,
  nextTradeId: '0',
  trades: 0,
  readAt: null,
  refused: false,
  isAsked: false,
});

/** Reads the trades and the allocations of one pair page by page, each from where it was left. Cursor and entries are written together. */
export function pairPages(options: {
  exchange: Pick<Exchange, 'tradesFrom' | 'allocationsFrom' | 'mayBeRouted'>;
  market: Pick<Market, 'pair' | 'isUnread'>;
  ledger: LedgerStore;
  store: SyncStore;
  valuer: FeeValuer;
  /** Asks until there is an answer. @throws ExchangeError when it was refused, or tried often enough */
  patiently: <Answer>(weight: number, ask: () => Promise<Answer>) => Promise<Answer>;
  now: () => number;
  log: Logger;
}) {
  const { exchange, market, ledger, store, valuer, patiently, now, log } = options;

  async function append(reading: PairReading, entries: readonly TradeEntry[], within: (queries: Queries) => Promise<void>): Promise<void> {
    reading.requireCurrent();
    if (entries.length === 0) return store.together(within);
    const { added } = await appendTold(ledger, reading.accountId, entries, { within });
    reading.onAdded(added);
  }

  async function trades(reading: PairReading, symbol: string): Promise<void> {
    const { accountId, signer, uid } = reading;
    const list = `trades ${symbol}`;
    // Which assets it trades is not known now: it is read from where its cursor stands once that is.
    if (market.isUnread(symbol)) return;
    let cursor = (await store.cursors(accountId, uid)).get(symbol) ?? freshCursor(symbol);
    if (await store.mayBeReadNow(accountId, uid, list, now())) cursor = { ...cursor, nextTradeId: '0', trades: 0 };
    // Deleted from the list, or never on it: the exchange would answer "invalid symbol".
    for (let last = false; !last; ) {
      let page: Rows<MyTrade>;
      try {
        page = await patiently(MY_TRADES_WEIGHT, () => exchange.tradesFrom(signer, symbol, cursor.nextTradeId));
      } catch (error) {
        if (!(error instanceof ExchangeError) || error.code !== INVALID_SYMBOL) throw error;
        reading.requireCurrent();
        await store.saveCursor(accountId, uid, { ...cursor, refused: true });
        return;
      }
      const nextTradeId = idAfterTrades(page);
      last = sentIn(page) < TRADES_PER_PAGE || nextTradeId === undefined;
      const { read, unread } = entriesOfPage(list, page, market);
      const entries = await valuer.withValues(read);
      const next: SyncCursor = {
        ...cursor,
        nextTradeId: nextTradeId ?? cursor.nextTradeId,
        trades: cursor.trades + sentIn(page),
        readAt: last ? now() : cursor.readAt,
        refused: false,
      };
      // Behind the cursor nothing is asked for again: what could not be read is noted along with it.
      const within = async (queries: Queries) => {
        await store.saveCursor(accountId, uid, next, queries);
        await store.saveUnread({ accountId, uid, list, isFirst: cursor.nextTradeId === '0', at: now() }, unread, queries);
      };
      await append(reading, entries, within);
      cursor = next;
      if (!last) reading.onPage();
      reading.requireCurrent();
    }
  }

  /** What smart order routing filled is in no list of trades: it is read from where it was left, like them. */
  async function allocations(reading: PairReading, symbol: string): Promise<void> {
    const { accountId, signer, uid } = reading;
    if (!exchange.mayBeRouted(symbol) || market.isUnread(symbol)) return;
    const list = `allocations ${symbol}`;
    const isAgain = await store.mayBeReadNow(accountId, uid, list, now());
    let from = isAgain ? '0' : String((await store.transferCursors(accountId, uid)).get(list) ?? 0);
    for (let last = false; !last; ) {
      const page = await patiently(MY_TRADES_WEIGHT, () => exchange.allocationsFrom(signer, symbol, from)).catch((error: unknown) => {
        // A pair that is gone, or an account that may not ask: what smart order routing filled of it stays unknown, the rest is read.
        if (!(error instanceof ExchangeError) || error.kind !== 'refused') throw error;
        log.warn({ err: error, accountId, symbol }, 'the allocations of a pair could not be read');
        return undefined;
      });
      // A refusal to keys that are gone says nothing of the pair: it stays to be read.
      if (!page) return reading.requireCurrent();
      const next = idAfterAllocations(page) ?? from;
      last = sentIn(page) < TRADES_PER_PAGE || next === from;
      const isFirst = from === '0';
      const within = async (queries: Queries) => {
        await store.saveTransferCursor(accountId, uid, list, Math.min(Number(next), Number.MAX_SAFE_INTEGER), queries);
        await store.saveUnread({ accountId, uid, list, isFirst, at: now() }, unread, queries);
      };
      const { read, unread } = entriesOfPage(list, page, market);
      const ids = read.map(({ id }) => id);
      const known = await ledger.known(accountId, ids);
      const entries = await valuer.withValues(read.filter(({ id }) => !known.has(id)));
      await append(reading, entries, within);
      from = next;
      reading.requireCurrent();
    }
  }

  return { trades, allocations };
}
