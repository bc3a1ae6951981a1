import { add, decimal, negate, toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import type { Timers } from '@pilotfish/core/time/timers';
import { conversionLeg, crossDuplicates } from '@pilotfish/core/trade-import/cross-duplicates';
import { entriesOf } from '@pilotfish/core/trade-import/draft-entries';
import type { ConversionDraft } from '@pilotfish/core/trade-import/import-draft';
import type { Logger } from 'pino';
import type * as z from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { type Rows, sentIn, textOfUnread, type UnreadRow, unreadOf, withUnread } from '../exchange/exchange-rows.ts';
import type { Parameters } from '../exchange/signing.ts';
import type { Market } from '../market/market.ts';
import type { WeightPacer } from '../market/weight-pacer.ts';
import { PRIMARY } from './fill-entries.ts';
import type { SyncAccount } from './history-sync.ts';
import { assetsOf } from './ledger-change.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { MinuteRates } from './minute-rates.ts';
import type { SyncStore } from './sync-store.ts';
import { conversionsPayload, type Dust, depositsPayload, dividendsPayload, dustPayload, withdrawalsPayload } from './transfer-payloads.ts';

const DAY = 86_400_000;
/** Nothing is older: the exchange opened in July 2017. */
const BEGINNING = Date.UTC(2017, 6, 1);
/** Empty windows in a row, before the oldest trade, after which nothing older is looked for. */
const EMPTY_WINDOWS = 4;
/** Rows that were still pending are looked at again for so long. */
const PENDING_MS = 7 * DAY;
/** What happened just now waits: the minute it is valued in has not ended. */
const SETTLED_MS = 2 * 60_000;
const ROWS = 1000;

type Kind = {
  readonly name: string;
  /** Longest span the exchange takes in one question. */
  readonly windowMs: number;
  /** Wait after each question beyond the first few: some lists are dear. */
  readonly pauseMs: number;
  /** The rows, and beside them those that could not be read. */
  readonly read: (ask: Ask, from: number, to: number) => Promise<Rows<Row>>;
  /** The name of its cursor, where that is not `name`. A new one has everything read from the beginning. */
  readonly cursor?: string;
};
type Row =
  | { readonly entry: LedgerEntry }
  | {
      readonly id: string;
      readonly conversion: ConversionDraft;
      /** Names under which an earlier version stored it wrongly. */
      readonly instead?: readonly string[];
    };
type Ask = <Answer>(path: `/${string}`, answer: z.ZodType<Answer>, parameters: Parameters) => Promise<Answer>;
const FREE_QUESTIONS = 8;

const canonical = (amount: string): string => toText(decimal(amount));
const moved = (id: string, at: number, asset: string, change: string, transfer: 'deposit' | 'withdrawal' | 'reward'): Row => ({
  entry: { kind: 'transfer', id, at, asset, change: canonical(change), transfer, cost: null, source: 'api' },
});

type Side = { readonly asset: string; readonly amount: string };
const converted = (id: string, at: number, from: Side, to: Side): Row => ({
  id,
  conversion: {
    kind: 'conversion',
    row: 0,
    at,
    from: { asset: from.asset, quantity: canonical(from.amount) },
    to: { asset: to.asset, quantity: canonical(to.amount) },
  },
});

/** All rows of a list that is paged by an offset. */
async function pages<Value>(page: (offset: number) => Promise<Rows<Value>>): Promise<Rows<Value>> {
  const all: Value[] = [];
  const unread: UnreadRow[] = [];
  for (;;) {
    const rows = await page(all.length + unread.length);
    all.push(...rows);
    unread.push(...unreadOf(rows));
    if (sentIn(rows) < ROWS) return withUnread(all, unread);
  }
}

/** The exchange sends a hundred records of dust at most, the newest. */
const DUST_RECORDS = 100;

/** Dust of a span: each question ends where the answer before it did. The exchange takes an end only with a beginning. */
async function dust(ask: Ask, startTime: number, end: number): Promise<Rows<Dust['rows'][number]>> {
  const all = new Map<string, Dust['rows'][number]>();
  const unread: UnreadRow[] = [];
  for (let endTime = end; ; ) {
    const { rows, records, oldest } = await ask('/sapi/v1/asset/dribblet', dustPayload, { startTime, endTime });
    // Records of the very moment at which one answer ended come again with the next.
    for (const row of rows) all.set(`${row.transId} ${row.fromAsset}`, row);
    unread.push(...unreadOf(rows));
    if (records < DUST_RECORDS || !(startTime < oldest && oldest < endTime)) return withUnread([...all.values()], unread);
    endTime = oldest;
  }
}

/** Conversions of a span; one that holds more than the exchange sends at a time is asked for by halves. */
async function conversions(ask: Ask, startTime: number, endTime: number): Promise<Rows<Row>> {
  const { list, moreData } = await ask('/sapi/v1/convert/tradeFlow', conversionsPayload, { startTime, endTime, limit: ROWS });
  if (moreData && sentIn(list) > 0 && endTime > startTime) {
    const middle = Math.floor((startTime + endTime) / 2);
    const [older, newer] = [await conversions(ask, startTime, middle), await conversions(ask, middle + 1, endTime)];
    return withUnread([...older, ...newer], [...unreadOf(older), ...unreadOf(newer)]);
  }
  return rowsFrom(list, ({ orderId, orderStatus, createTime, fromAsset, fromAmount, toAsset, toAmount }) =>
    orderStatus === 'SUCCESS'
      ? [converted(`convert:${orderId}`, createTime, { asset: fromAsset, amount: fromAmount }, { asset: toAsset, amount: toAmount })]
      : [],
  );
}

/** What becomes of the rows of a list; what could not be read stays beside it. */
const rowsFrom = <Value>(list: Rows<Value>, made: (value: Value) => Row[]): Rows<Row> => withUnread(list.flatMap(made), unreadOf(list));

const CREDITED = new Set([1, 6]);
const COMPLETED = 6;

const KINDS: readonly Kind[] = [
  {
    name: 'deposits',
    windowMs: 89 * DAY,
    pauseMs: 0,
    read: async (ask, startTime, endTime) =>
      rowsFrom(
        await pages((offset) => ask('/sapi/v1/capital/deposit/hisrec', depositsPayload, { startTime, endTime, offset, limit: ROWS })),
        ({ id, status, insertTime, coin, amount }) =>
          CREDITED.has(status) ? [moved(`deposit:${id}`, insertTime, coin, amount, 'deposit')] : [],
      ),
  },
  {
    name: 'withdrawals',
    windowMs: 89 * DAY,
    pauseMs: 6500,
    read: async (ask, startTime, endTime) =>
      rowsFrom(
        await pages((offset) => ask('/sapi/v1/capital/withdraw/history', withdrawalsPayload, { startTime, endTime, offset, limit: ROWS })),
        ({ id, status, applyTime, coin, amount, transactionFee }) => {
          const gone = negate(add(decimal(amount), decimal(transactionFee)));
          return status === COMPLETED ? [moved(`withdrawal:${id}`, applyTime, coin, toText(gone), 'withdrawal')] : [];
        },
      ),
  },
  {
    name: 'dividends',
    windowMs: 179 * DAY,
    pauseMs: 0,
    read: async (ask, startTime, endTime) => {
      const all: Row[] = [];
      const unread: UnreadRow[] = [];
      // Newest first and 500 at most: the next question ends where the last answer did.
      for (let end = endTime; ; ) {
        const { rows } = await ask('/sapi/v1/asset/assetDividend', dividendsPayload, { startTime, endTime: end, limit: 500 });
        for (const { id, divTime, asset, amount, direction } of rows)
          all.push(moved(`dividend:${id}`, divTime, asset, direction === -1 ? `-${amount}` : amount, 'reward'));
        unread.push(...unreadOf(rows));
        const times = [...rows.map(({ divTime }) => divTime), ...unreadOf(rows).map((row) => Number(textOfUnread(row, 'divTime')))];
        const oldest = Math.min(...times.filter((at) => at > 0));
        if (sentIn(rows) < 500 || oldest >= end) return withUnread(all, unread);
        end = oldest;
      }
    },
  },
  {
    name: 'conversions',
    // Earlier versions rounded ids, and left out what was more than a span's list holds.
    cursor: 'conversions:whole',
    windowMs: 29 * DAY,
    pauseMs: 1100,
    read: conversions,
  },
  {
    name: 'dust',
    // Earlier versions took all dust to have become BNB, and the newest hundred records for all there are.
    cursor: 'dust:whole',
    windowMs: 89 * DAY,
    pauseMs: 0,
    read: async (ask, startTime, endTime) =>
      rowsFrom(await dust(ask, startTime, endTime), ({ transId, operateTime, fromAsset, amount, transferedAmount, targetAsset }) => {
        const id = `dust:${transId}:${fromAsset}`;
        const isBnb = targetAsset === 'BNB';
        const row = converted(
          isBnb ? id : `${id}:${targetAsset}`,
          operateTime,
          { asset: fromAsset, amount },
          { asset: targetAsset, amount: transferedAmount },
        );
        return [isBnb ? row : { ...row, instead: [id, `${id}:2`] }];
      }),
  },
];

/** Long numbers of a name as they were before they were read exactly: through a double. */
const roundedName = (name: string): string => name.replace(/\d{16,}/g, (digits) => String(Number(digits)));

const moveOf = (entry: LedgerEntry): string | undefined =>
  entry.kind === 'transfer' ? `${entry.asset} ${entry.change}` : conversionLeg(entry);

/**
 * Entries that the ledger does not have under the rounded name yet. Only the same movement is the same: two ids may have been
 * rounded to one name, and then the ledger has one of the two.
 */
function withoutRounded(told: readonly LedgerEntry[], before: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const byName = new Map(before.map((entry) => [entry.id, entry]));
  return told.filter((entry) => {
    const name = roundedName(entry.id);
    const stored = name === entry.id ? undefined : byName.get(name);
    return stored === undefined || stored.at !== entry.at || moveOf(stored) !== moveOf(entry);
  });
}

/**
 * Deposits, withdrawals, dividends, conversions and dust, from the wallet's own lists. One that an exchange does not
 * serve is left alone, and so are all of an exchange without a wallet: what they would explain stays visible as a difference.
 */
export function transferHistory(options: {
  exchange: Pick<Exchange, 'rest' | 'hasWallet'>;
  store: SyncStore;
  ledger: LedgerStore;
  market: Pick<Market, 'pairs' | 'asOf'>;
  rates: MinuteRates;
  pacer: WeightPacer;
  log: Logger;
  timers: Pick<Timers, 'wait'>;
}) {
  const { exchange, store, ledger, market, rates, pacer, log } = options;
  const { wait } = options.timers;
  const notServed = new Set<string>();

  async function toEntries(rows: readonly Row[]): Promise<LedgerEntry[]> {
    const wanted = rows.flatMap((row) => {
      if ('entry' in row) return [];
      const { from, to, at } = row.conversion;
      return [from, to].map(({ asset }) => ({ asset, quote: PRIMARY, at }));
    });
    const rateAt = await rates.load(wanted);
    const pairs = new Map(market.pairs().map((pair) => [pair.symbol, pair]));
    return rows.flatMap((row) =>
      'entry' in row ? [row.entry] : entriesOf(row.conversion, row.id, { source: 'api', primary: PRIMARY, pairs, rateAt }),
    );
  }

  /** Reads one list up to `to`; answers how many entries were new. */
  async function readKind(accountId: string, { signer, uid }: SyncAccount, kind: Kind, to: number): Promise<number> {
    const cursor = kind.cursor ?? kind.name;
    // What could not be read is behind the cursor: to be read now, it takes a reading from the beginning.
    const fromBeginning = await store.mayBeReadNow(accountId, uid, kind.name, to);
    const readTo = fromBeginning ? undefined : (await store.transferCursors(accountId, uid)).get(cursor);
    const oldest = Math.min(to, ...(await ledger.symbols(accountId)).map(({ first }) => first));
    const until = readTo === undefined ? BEGINNING : Math.min(readTo, to) - PENDING_MS;
    let asked = 0;
    const ask: Ask = async (path, answer, parameters) => {
      if (!(await pacer.take(1))) throw new ExchangeError('unreachable', 'Reading was stopped.');
      if (asked++ >= FREE_QUESTIONS && kind.pauseMs > 0) await wait(kind.pauseMs);
      return exchange.rest.request({ method: 'GET', path, weight: 1, signer, parameters, answer });
    };
    const rows: Row[] = [];
    const unread: UnreadRow[] = [];
    for (let end = to, empty = 0; end > until; ) {
      const start = Math.max(until, end - kind.windowMs);
      const found = await kind.read(ask, start, end);
      rows.push(...found);
      unread.push(...unreadOf(found));
      empty = sentIn(found) === 0 ? empty + 1 : 0;
      end = start;
      // The first deposit came before the first trade, but hardly a year before it.
      if (readTo === undefined && empty >= EMPTY_WINDOWS && end < oldest) break;
    }
    const told = (await toEntries(rows)).filter(({ at }) => at <= to);
    return ledger.inTurn(accountId, async () => {
      // Files and people may have told of the same before: they give way, and what they said of the cost stays.
      const instead = new Set(rows.flatMap((row) => ('instead' in row ? (row.instead ?? []) : [])));
      const stored = await ledger.entries(accountId, { assets: [...new Set(told.flatMap(assetsOf))] });
      const before = stored.filter(({ id }) => !instead.has(id));
      const fresh = withoutRounded(told, before);
      const { known, replaced, tellers, costs } = crossDuplicates(fresh, before, await ledger.batches.givenSides(accountId, before));
      await keepBeside(
        accountId,
        fresh.filter(({ id }) => known.has(id)),
        tellers,
      );
      // What a swap tells of already must not count beside it.
      const entries = fresh.filter(({ id }) => !known.has(id)).map((entry) => ({ ...entry, ...costs.get(entry.id) }));
      const { added } = await ledger.append(accountId, entries, {
        replaces: [...replaced, ...instead],
        within: async (queries) => {
          await store.saveTransferCursor(accountId, uid, cursor, to, queries);
          const list = { accountId, uid, list: kind.name, isFirst: readTo === undefined, at: to };
          await store.saveUnread(list, unread, queries);
        },
      });
      return added;
    });
  }

  /** What an import tells of already counts again once that is taken back: the exchange is not asked for it a second time. */
  async function keepBeside(accountId: string, entries: readonly LedgerEntry[], tellers: ReadonlyMap<string, string>): Promise<void> {
    const batches = await ledger.batches.batchesOf(
      accountId,
      entries.flatMap(({ id }) => tellers.get(id) ?? []),
    );
    for (const entry of entries) {
      const batchId = batches.get(tellers.get(entry.id) ?? '');
      if (batchId != null) await ledger.batches.keepGaveWay(accountId, batchId, [{ entry, batchId: null }]);
    }
  }

  return {
    /** Answers how many entries were new. A list that cannot be read now is read the next time. */
    read: async (accountId: string, account: SyncAccount): Promise<number> => {
      if (!exchange.hasWallet) return 0;
      let added = 0;
      const to = market.asOf - SETTLED_MS;
      for (const kind of KINDS) {
        if (notServed.has(kind.name)) continue;
        // Deposits need no rate: one that has just come is taken at once.
        const end = kind.name === 'deposits' || kind.name === 'withdrawals' ? market.asOf : to;
        try {
          added += await readKind(accountId, account, kind, end);
        } catch (error) {
          if (!(error instanceof ExchangeError)) throw error;
          if (error.status === 404) notServed.add(kind.name);
          log.info({ list: kind.name, reason: error.message }, 'a list of the wallet could not be read');
        }
      }
      return added;
    },
  };
}
