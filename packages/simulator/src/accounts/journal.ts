import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decimal, isPositive, toText } from '@pilotfish/core/money/decimal';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Market } from '../market/market-contract.ts';
import { splitSymbol } from '../market/symbol-table.ts';
import { ticksOf } from '../matching/book-walk.ts';
import type { Fill, Order } from '../matching/order.ts';
import { isOpen } from '../matching/order.ts';
import { isListOpen, type OrderList } from '../matching/order-list.ts';
import { type Account, balanceOf, newAccount, type Transfer, unlock } from './account.ts';
import type { AccountStore } from './account-store.ts';
import { type AccountTerms, type FeeRates, STANDARD_TERMS } from './account-terms.ts';
import type { ApiKey } from './api-key.ts';

type StoredOrder = Record<string, string | number | boolean | undefined>;
type StoredFill = Record<string, string | number | boolean>;
type StoredList = Omit<OrderList, 'pair'> & { pair: string };
type Counters = Record<(typeof COUNTERS)[number], number>;
const COUNTERS = ['nextOrderId', 'nextTradeId', 'nextListId', 'nextExecutionId', 'nextPreventedMatchId'] as const;

/** One line of the journal: everything that changed together. */
type Entry = {
  market?: number;
  /** Older journals know fewer counters. */
  counters?: Partial<Counters>;
  /** Older journals know no terms. */
  accounts?: { id: number; createdAt: number; updateTime: number; burnBnb: boolean; terms?: AccountTerms }[];
  keys?: ApiKey[];
  revoked?: string[];
  balances?: [accountId: number, asset: string, free: string, locked: string][];
  orders?: StoredOrder[];
  lists?: StoredList[];
  fills?: [accountId: number, fill: StoredFill][];
  transfers?: StoredTransfer[];
};

export type Changes = {
  accounts: Iterable<Account>;
  orders: Iterable<Order>;
  lists: Iterable<OrderList>;
  fills: Iterable<{ accountId: number; fill: Fill }>;
  transfers: Iterable<{ accountId: number; transfer: Transfer }>;
  balances: Iterable<[Account, Iterable<string>]>;
  engine: Counters;
};

const NEW_LINE = 10;
/** Name of the file, without its ending, where none is given. */
const NAME = 'journal';

/** How long lines that the disk refused wait before they are tried again. */
const AGAIN_MS = 1000;

export type JournalOptions = {
  /** Name of the file, so that several exchanges can share a folder. */
  readonly name?: string | undefined;
  readonly timers: Pick<Timers, 'wait'>;
  /** Hears why the disk refused lines; they are tried again at once, and then each second. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
  readonly append?: ((file: FileHandle, lines: Buffer) => Promise<void>) | undefined;
};

const appendTo = async (file: FileHandle, lines: Buffer): Promise<void> => {
  await file.appendFile(lines);
  await file.datasync();
};

/**
 * Accounts, keys, orders, fills and balances as an append-only file of JSON lines. A line holds everything of one
 * change, so a crash loses a change whole or not at all; a torn last line is dropped at the next start. On a full disk
 * whoever changes something waits: what is in memory is never more than what will be on the disk.
 */
export class Journal {
  private readonly path: string;
  private file: FileHandle | undefined;
  private size = 0;
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;
  private closing = false;
  private readonly options: JournalOptions;
  /** Orders and lists of pairs that the market does not have now (delisted, another tape), in their last state: the pair may be back at the next start. */
  private readonly absent = { orders: new Map<number, StoredOrder>(), lists: new Map<number, StoredList>() };
  /** Market time of the last line. */
  position: number | undefined;

  private constructor(path: string, options: JournalOptions) {
    this.path = path;
    this.options = options;
  }

  static async open(folder: string, options: JournalOptions): Promise<Journal> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Journal(join(folder, `${options.name ?? NAME}.jsonl`), options);
  }

  /** Reads the last market position only, before the accounts can be restored. */
  async readPosition(): Promise<number | undefined> {
    for (const entry of await this.entries()) this.position = entry.market ?? this.position;
    return this.position;
  }

  /** Restores the store, then rewrites the journal as one line per account (compaction) and opens it for appending. */
  async restore(store: AccountStore, market: Market, engine: Counters & { restore(order: Order): void }): Promise<void> {
    for (const entry of await this.entries()) this.apply(entry, store, market, engine);
    for (const account of store.accounts.values()) {
      const orders = [...account.orders.values()].sort((a, b) => a.orderId - b.orderId);
      account.orders.clear();
      for (const order of orders) {
        account.orders.set(order.orderId, order);
        if (!isOpen(order)) continue;
        account.openOrders.set(order.orderId, order);
        engine.restore(order);
      }
      for (const list of account.lists.values()) if (isListOpen(list)) account.openLists.set(list.orderListId, list);
    }
    for (const [id, stored] of this.absent.orders) this.absent.orders.set(id, ended(stored, store));
    for (const [id, stored] of this.absent.lists)
      this.absent.lists.set(id, { ...stored, listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' });
    await this.compact(store, engine);
  }

  /** Appends a change; resolves once it is on disk. */
  record(changes: Changes, marketTime: number): Promise<void> {
    return this.append({
      market: marketTime,
      accounts: [...changes.accounts].map(accountRow),
      counters: storedCounters(changes.engine),
      balances: [...changes.balances].flatMap(([account, assets]) => [...assets].map((asset) => storedBalance(account, asset))),
      orders: [...changes.orders].map(storedOrder),
      lists: [...changes.lists].map(storedList),
      fills: [...changes.fills].map(({ accountId, fill }) => [accountId, storedFill(fill)]),
      transfers: [...changes.transfers].map((each) => storedTransfer(each.accountId, each.transfer)),
    });
  }

  recordAccount(account: Account, keys: ApiKey[], marketTime: number): Promise<void> {
    return this.append({ market: marketTime, ...storedAccount(account), keys });
  }

  recordRevoked(apiKey: string, marketTime: number): Promise<void> {
    return this.append({ market: marketTime, revoked: [apiKey] });
  }

  recordPosition(marketTime: number): Promise<void> {
    return this.append({ market: marketTime });
  }

  /** From here on nothing waits for the disk: what it refuses then is lost, and whoever waits for it is told. */
  end(): void {
    this.closing = true;
  }

  /** @throws what the disk refused the last lines for */
  async close(): Promise<void> {
    this.end();
    try {
      await this.writing;
    } finally {
      await this.file?.close();
      this.file = undefined;
    }
  }

  private append(entry: Entry): Promise<void> {
    this.waiting.push(`${JSON.stringify(entry)}\n`);
    this.writing ??= this.write();
    return this.writing;
  }

  /** Writes lines that came while the disk was busy together, so that many orders share one flush. */
  private async write(): Promise<void> {
    // Lines of the same turn of the event loop go together.
    await Promise.resolve();
    try {
      for (let refusals = 0; this.waiting.length > 0; ) {
        const batch = this.waiting;
        this.waiting = [];
        const lines = Buffer.from(batch.join(''));
        try {
          if (this.file) await (this.options.append ?? appendTo)(this.file, lines);
          this.size += lines.length;
          refusals = 0;
        } catch (error) {
          // Half a line must not stay in the middle of the file.
          await this.file?.truncate(this.size);
          if (this.closing) throw error;
          this.waiting.unshift(...batch);
          if (refusals === 0) this.options.onRefused?.(error);
          else await this.options.timers.wait(AGAIN_MS);
          refusals += 1;
        }
      }
    } finally {
      this.writing = undefined;
    }
  }

  private async entries(): Promise<Entry[]> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    // What follows the last line break was never answered: it is torn, or nothing.
    const lines = text.split('\n').slice(0, -1);
    const entries: Entry[] = [];
    lines.forEach((line, index) => {
      if (line === '') return;
      try {
        entries.push(JSON.parse(line) as Entry);
      } catch {
        throw new Error(`${this.path}:${index + 1} is damaged; move the file away to start with no accounts`);
      }
    });
    return entries;
  }

  private apply(entry: Entry, store: AccountStore, market: Market, engine: Counters): void {
    this.position = entry.market ?? this.position;
    if (entry.counters) Object.assign(engine, entry.counters);
    for (const { id, createdAt, updateTime, burnBnb, terms = STANDARD_TERMS } of entry.accounts ?? []) {
      const known = store.accounts.get(id);
      const account = known ?? newAccount(id, createdAt);
      if (!known) account.updateTime = updateTime;
      account.burnBnb = burnBnb;
      account.terms = terms;
      store.accounts.set(id, account);
    }
    for (const key of entry.keys ?? []) store.keys.set(key.apiKey, key);
    for (const apiKey of entry.revoked ?? []) store.keys.delete(apiKey);
    for (const [id, asset, free, locked] of entry.balances ?? []) {
      store.byId(id).balances.set(asset, { free: decimal(free), locked: decimal(locked) });
    }
    for (const stored of entry.orders ?? []) {
      const order = loadedOrder(stored, market);
      if (!order) {
        this.absent.orders.set(Number(stored.orderId), stored);
        continue;
      }
      const account = store.byId(order.accountId);
      account.orders.set(order.orderId, order);
      account.updateTime = Math.max(account.updateTime, order.updateTime);
    }
    for (const stored of entry.lists ?? []) {
      const pair = market.find(stored.pair);
      if (pair) store.byId(stored.accountId).lists.set(stored.orderListId, { ...stored, pair });
      else this.absent.lists.set(stored.orderListId, stored);
    }
    for (const [id, stored] of entry.fills ?? []) store.byId(id).fills.push(loadedFill(stored));
    for (const [accountId, id, asset, amount, time] of entry.transfers ?? [])
      store.byId(accountId).transfers.push({ id, asset, amount: decimal(amount), time });
  }

  private async compact(store: AccountStore, engine: Counters): Promise<void> {
    const entries: Entry[] = [
      {
        ...(this.position === undefined ? {} : { market: this.position }),
        counters: storedCounters(engine),
      },
    ];
    for (const account of store.accounts.values()) {
      entries.push({
        ...storedAccount(account),
        keys: [...store.keys.values()].filter((key) => key.accountId === account.id),
        orders: [...[...account.orders.values()].map(storedOrder), ...ofAccount(this.absent.orders, account)],
        lists: [...[...account.lists.values()].map(storedList), ...ofAccount(this.absent.lists, account)],
        fills: account.fills.map((fill) => [account.id, storedFill(fill)]),
      });
    }
    const isFull = await this.replace(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')).then(
      () => false,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        // What is there says the same, and can be added to as soon as there is room.
        this.options.onRefused?.(error);
        return true;
      },
    );
    this.file = await open(this.path, 'a', 0o600);
    this.size = (await this.file.stat()).size;
    if (isFull) await this.goOn(store);
  }

  /** Goes on with a journal that could not be compacted. */
  private async goOn(store: AccountStore): Promise<void> {
    // The next line would be added to a torn one, and both would be damaged.
    this.size = (await readFile(this.path)).lastIndexOf(NEW_LINE) + 1;
    await this.file!.truncate(this.size);
    const { orders, lists } = this.absent;
    if (orders.size + lists.size === 0) return;
    // Before anything else: without this line the next start would give back a second time what these orders held.
    const balances = [...store.accounts.values()].flatMap((account) => storedAccount(account).balances ?? []);
    const entry: Entry = { balances, orders: [...orders.values()], lists: [...lists.values()] };
    // Whoever waits for a later line, or closes the journal, is told.
    this.append(entry).catch(() => undefined);
  }

  private async replace(text: string): Promise<void> {
    const temporary = `${this.path}.new`;
    try {
      const file = await open(temporary, 'w', 0o600);
      try {
        await file.writeFile(text);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

type StoredTransfer = [accountId: number, id: number, asset: string, amount: string, time: number];
const storedTransfer = (accountId: number, { id, asset, amount, time }: Transfer): StoredTransfer => [
  accountId,
  id,
  asset,
  toText(amount),
  time,
];

const storedBalance = (account: Account, asset: string): [number, string, string, string] => {
  const { free, locked } = balanceOf(account, asset);
  return [account.id, asset, toText(free), toText(locked)];
};

const accountRow = ({ id, createdAt, updateTime, burnBnb, terms }: Account) => ({ id, createdAt, updateTime, burnBnb, terms });

const storedAccount = (account: Account): Entry => ({
  accounts: [accountRow(account)],
  balances: [...account.balances.keys()].map((asset) => storedBalance(account, asset)),
  transfers: account.transfers.map((each) => storedTransfer(account.id, each)),
});

const storedCounters = (engine: Counters): Counters => Object.fromEntries(COUNTERS.map((name) => [name, engine[name]])) as Counters;

const storedList = ({ pair, ...rest }: OrderList): StoredList => ({ ...rest, pair: pair.symbol });

const MONEY_OF_ORDER = [
  'price',
  'stopPrice',
  'icebergQuantity',
  'quoteOrderQuantity',
  'quantity',
  'executed',
  'executedQuote',
  'prevented',
  'locked',
] as const;
const MONEY_OF_FILL = ['price', 'quantity', 'quoteQuantity', 'commission'] as const;

function storedOrder(order: Order): StoredOrder {
  const { pair, ...rest } = order;
  return {
    ...rest,
    pair: pair.symbol,
    base: pair.base,
    quote: pair.quote,
    ...Object.fromEntries(MONEY_OF_ORDER.map((name) => [name, toText(order[name])])),
  } as unknown as StoredOrder;
}

const ofAccount = <Stored extends { accountId?: unknown }>(rows: ReadonlyMap<number, Stored>, { id }: Account): Stored[] =>
  [...rows.values()].filter(({ accountId }) => accountId === id);

/** An order that nobody can match any more: what an open one holds is given back, and it has expired. */
function ended(stored: StoredOrder, store: AccountStore): StoredOrder {
  if (!isOpen({ status: stored.status as Order['status'] })) return stored;
  const locked = decimal(String(stored.locked));
  if (isPositive(locked)) {
    const { base, quote } = assetsOf(stored);
    unlock(store.byId(Number(stored.accountId)), stored.side === 'BUY' ? quote : base, locked);
  }
  return { ...stored, status: 'EXPIRED', expiryReason: 'EXCHANGE_CANCELED', locked: '0' };
}

/** Older journals hold the name of the pair alone. */
const assetsOf = ({ pair, base, quote }: StoredOrder): { base: string; quote: string } =>
  typeof base === 'string' && typeof quote === 'string' ? { base, quote } : splitSymbol(String(pair));

/** What orders were that older journals hold. */
const BEFORE_LISTS = { orderListId: -1, trailingTime: -1, trailingTicks: 0 };
const BEFORE_TERMS: { readonly fees: FeeRates } = { fees: { maker: STANDARD_TERMS.maker, taker: STANDARD_TERMS.taker } };

/** Undefined when the market no longer has the pair (another tape, another table). */
function loadedOrder({ base: _base, quote: _quote, ...stored }: StoredOrder, market: Market): Order | undefined {
  const pair = market.find(String(stored.pair));
  if (!pair) return undefined;
  const amounts = Object.fromEntries(MONEY_OF_ORDER.map((name) => [name, decimal(String(stored[name] ?? 0))])) as Record<
    (typeof MONEY_OF_ORDER)[number],
    Order['price']
  >;
  const places = { priceTicks: ticksOf(pair, amounts.price), stopTicks: ticksOf(pair, amounts.stopPrice) };
  return { ...BEFORE_LISTS, ...BEFORE_TERMS, amendments: [], preventions: [], ...stored, ...amounts, ...places, pair } as unknown as Order;
}

const storedFill = (fill: Fill): StoredFill =>
  ({ ...fill, ...Object.fromEntries(MONEY_OF_FILL.map((name) => [name, toText(fill[name])])) }) as unknown as StoredFill;

const loadedFill = (stored: StoredFill): Fill =>
  ({ ...stored, ...Object.fromEntries(MONEY_OF_FILL.map((name) => [name, decimal(String(stored[name]))])) }) as unknown as Fill;
