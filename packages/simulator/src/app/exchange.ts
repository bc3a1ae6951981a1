import { type Decimal, equals, isZero, multiply, rescale, subtract } from '@pilotfish/core/money/decimal';
import { type Account, balanceOf, credit, type Transfer, transfer } from '../accounts/account.ts';
import { AccountStore, type NewAccountOptions } from '../accounts/account-store.ts';
import { changedTerms, type GivenTerms } from '../accounts/account-terms.ts';
import type { KeyRestrictions } from '../accounts/api-key.ts';
import type { Journal } from '../accounts/journal.ts';
import type { Market, Pair, Tick } from '../market/market-contract.ts';
import { MarketView } from '../market/market-view.ts';
import { MONEY_PLACES } from '../matching/book-walk.ts';
import { MatchingEngine } from '../matching/matching-engine.ts';
import type { Fill, Order } from '../matching/order.ts';
import type { OrderList } from '../matching/order-list.ts';
import { accountPosition, balanceUpdate, executionReport, listStatus } from '../matching/order-payload.ts';

/** One event of a customer's user data stream. */
export type UserEvent = { readonly accountId: number; readonly event: Record<string, unknown> };

/**
 * The exchange without its doors: market view, accounts, matching, and the rule that nobody hears of a change before
 * it is on disk.
 */
export class Exchange {
  readonly market: Market;
  readonly view: MarketView;
  readonly accounts: AccountStore;
  readonly engine: MatchingEngine;
  readonly wallNow: () => number;
  /** Set by whoever delivers user data streams. */
  deliver: (event: UserEvent) => void = () => undefined;
  /** Called at the first fill of an order: it leaves the count of unfilled orders. */
  firstFill: (accountId: number) => void = () => undefined;
  /** Trades below this id are listed already; the list can lag behind the orders. */
  listedTrades: (pair: Pair) => number = () => Number.POSITIVE_INFINITY;
  private readonly journal: Journal | undefined;
  private events: UserEvent[] = [];
  private readonly orders = new Set<Order>();
  private readonly lists = new Set<OrderList>();
  private readonly fills: { accountId: number; fill: Fill }[] = [];
  private readonly transfers: { accountId: number; transfer: Transfer }[] = [];
  private readonly balances = new Map<Account, Set<string>>();
  private readonly changedAccounts = new Set<Account>();
  private settling: Promise<void> = Promise.resolve();

  constructor(
    market: Market,
    marketNow: () => number,
    wallNow: () => number,
    journal: Journal | undefined,
    view: MarketView = new MarketView(market, marketNow),
  ) {
    this.market = market;
    this.wallNow = wallNow;
    this.journal = journal;
    this.view = view;
    this.accounts = new AccountStore(market, wallNow);
    this.engine = new MatchingEngine(this.view, this.accounts.byId, {
      order: (account, order, execution) => {
        this.orders.add(order);
        const { fill } = execution;
        if (fill) {
          this.fills.push({ accountId: account.id, fill });
          if (equals(fill.quantity, order.executed)) this.firstFill(account.id);
        }
        this.events.push({ accountId: account.id, event: executionReport(order, execution) });
      },
      list: (account, list) => {
        this.lists.add(list);
        this.events.push({ accountId: account.id, event: listStatus(account, list) });
      },
      balances: (account, assets) => {
        account.updateTime = this.view.now();
        this.touch(account, assets);
        this.events.push({ accountId: account.id, event: accountPosition(account, assets) });
      },
    });
  }

  onTick(tick: Tick): void {
    this.engine.onTick(tick);
  }

  *pairsWithOrders(): Iterable<Pair> {
    for (const index of this.engine.openByPair.keys()) yield this.market.pairs[index]!;
  }

  /** Whether the account pays its fees in BNB. */
  setBurn(account: Account, burnBnb: boolean): void {
    account.burnBnb = burnBnb;
    this.changedAccounts.add(account);
  }

  /** Fees and latency of the account's orders from now on. @throws RangeError naming the field that cannot be taken */
  setTerms(account: Account, given: GivenTerms): void {
    account.terms = changedTerms(account.terms, given);
    this.changedAccounts.add(account);
  }

  /** Opens an account; resolves once it is on disk. */
  async createAccount(options: NewAccountOptions): Promise<{ apiKey: string; apiSecret: string }> {
    const { account, key, secret } = this.accounts.create(options, this.view.now());
    await this.journal?.recordAccount(account, [key], this.view.now());
    return { apiKey: key.apiKey, apiSecret: secret };
  }

  /** Money that comes from outside, or goes there when it is negative. Throws `RangeError` when there is too little. */
  deposit(account: Account, asset: string, amount: Decimal): void {
    const made = transfer(account, asset, amount, this.view.now());
    this.transfers.push({ accountId: account.id, transfer: made });
    account.updateTime = made.time;
    this.touch(account, [asset]);
    this.events.push({ accountId: account.id, event: balanceUpdate(account, asset, amount) });
    this.events.push({ accountId: account.id, event: accountPosition(account, [asset]) });
  }

  /** New coins for old ones, so many for each: balances change, and no list of transfers says so. Their orders have ended before. */
  redenominate(asset: string, factor: Decimal): void {
    for (const account of this.accounts.accounts.values()) {
      const { free } = balanceOf(account, asset);
      if (isZero(free)) continue;
      credit(account, asset, subtract(rescale(multiply(free, factor), MONEY_PLACES, 'down'), free));
      account.updateTime = this.view.now();
      this.touch(account, [asset]);
      this.events.push({ accountId: account.id, event: accountPosition(account, [asset]) });
    }
  }

  /** Takes a key back; resolves once that is on disk. */
  async revoke(apiKey: string): Promise<void> {
    this.accounts.keys.delete(apiKey);
    await this.journal?.recordRevoked(apiKey, this.view.now());
  }

  /** What a key may do from now on; resolves once that is on disk. @throws RangeError for an unknown key */
  async restrict(apiKey: string, restrictions: Partial<KeyRestrictions>): Promise<void> {
    const key = this.accounts.keys.get(apiKey);
    if (!key) throw new RangeError('apiKey is not known.');
    const changed = { ...key, restrictions: { ...key.restrictions, ...restrictions } };
    this.accounts.keys.set(apiKey, changed);
    await this.journal?.recordAccount(this.accounts.byId(key.accountId), [changed], this.view.now());
  }

  /** Marks balances that changed outside of matching. */
  touch(account: Account, assets: readonly string[]): void {
    let touched = this.balances.get(account);
    if (!touched) {
      touched = new Set();
      this.balances.set(account, touched);
    }
    for (const asset of assets) touched.add(asset);
  }

  /** Writes what changed since the last call and then tells it; undefined when nothing changed. */
  settle(): Promise<void> | undefined {
    if (this.events.length === 0 && this.balances.size === 0 && this.changedAccounts.size === 0) return undefined;
    const { events } = this;
    this.events = [];
    const changes = {
      accounts: this.changedAccounts,
      orders: this.orders,
      lists: this.lists,
      fills: this.fills,
      transfers: this.transfers,
      balances: this.balances,
      engine: this.engine,
    };
    const written = this.journal?.record(changes, this.view.now());
    this.changedAccounts.clear();
    this.orders.clear();
    this.lists.clear();
    this.fills.length = 0;
    this.transfers.length = 0;
    this.balances.clear();
    const tell = (): void => {
      for (const event of events) this.deliver(event);
    };
    if (!written) {
      tell();
      return undefined;
    }
    const before = this.settling;
    this.settling = (async () => {
      await before;
      await written;
      tell();
    })();
    return this.settling;
  }
}
