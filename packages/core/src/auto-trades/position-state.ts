import type { PairFilters } from '../prices/prices-contract.ts';
import type { AutoTradeConfig, OrderSettings } from './auto-trade-config.ts';
import type { ExitReason, Trace } from './trace.ts';

/** What a position is judged by and never changes while it lives: its config version, its pair and the fees. */
export type PositionSettings = {
  readonly autoTradeId: string;
  readonly runNo: number;
  readonly mode: 'paper' | 'live';
  readonly config: AutoTradeConfig;
  readonly configVersion: number;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly filters: PairFilters;
  readonly pricePrecision: number;
  /** Taker fee as a fraction in decimal text, e.g. "0.001". */
  readonly takerFee: string;
};

/** Why an order was placed. */
export type OrderPurpose = 'entry' | 'takeProfit' | 'exit';

/** The one order a position may have in flight. Prices and quantities in decimal text. */
export type OrderInFlight = {
  readonly clientOrderId: string;
  readonly purpose: OrderPurpose;
  readonly side: 'Buy' | 'Sell';
  readonly type: 'Limit' | 'Market';
  readonly quantity: string;
  readonly price: string | null;
  /** Venue time, ms. */
  readonly placedAt: number;
  readonly deadline: number;
  readonly attempt: number;
  readonly reprices: number;
  readonly orderId: string | null;
  readonly executed: string;
  readonly tradeIds: readonly string[];
  readonly cancelRequested: boolean;
  readonly level: number | null;
};

/** What a step asks of the world. Stored as outbox rows in the transaction of the step. */
export type Effect =
  | { readonly kind: 'trace'; readonly trace: Omit<Trace, 'seq'> }
  | {
      readonly kind: 'log';
      readonly code: string;
      readonly level: 'info' | 'warning' | 'error';
      readonly facts: Readonly<Record<string, string | number | null>>;
    }
  | { readonly kind: 'place'; readonly order: OrderInFlight; readonly maxSlippagePct: string }
  | { readonly kind: 'cancel'; readonly clientOrderId: string; readonly orderId: string | null }
  /** Moves of the wallet, decimal text: see `wallet-book.ts`. */
  | { readonly kind: 'wallet'; readonly entry: WalletMove };

export type WalletMove =
  | { readonly kind: 'reserve' | 'release'; readonly amount: string }
  /** Money becomes cost: `reserved` of it was set aside for this position, the rest comes from what is free. */
  | { readonly kind: 'buy'; readonly amount: string; readonly reserved: string }
  /** Cost becomes free money; the difference is realised. */
  | { readonly kind: 'sell'; readonly cost: string; readonly proceeds: string }
  /** The user takes over: the cost leaves the budget. */
  | { readonly kind: 'detach'; readonly amount: string };

/** Everything a position remembers. All amounts in decimal text, so that it is stored and compared as it stands. */
export type PositionContext = {
  readonly settings: PositionSettings;
  /** Number of this position for its coin and run, from 1; part of its id. */
  readonly number: number;
  readonly positionId: string;
  // entry
  readonly triggerPrice: string | null;
  readonly entryLow: string | null;
  readonly trailUntil: number | null;
  readonly reserved: string;
  readonly entryWithdrawn: boolean;
  // holding
  readonly quantity: string;
  readonly cost: string;
  readonly bought: string;
  readonly firstBuyPrice: string | null;
  readonly realised: string;
  readonly fees: string;
  readonly openedAt: number | null;
  readonly lastFillAt: number | null;
  readonly levelsDone: number;
  readonly maxPrice: string | null;
  readonly minPrice: string | null;
  // lines
  readonly stopPrice: string | null;
  /** Since when the price is below the stop, while a confirmation time runs. */
  readonly stopSince: number | null;
  readonly line: string | null;
  readonly peak: string | null;
  readonly lineAt: number | null;
  readonly lineDisarmed: boolean;
  /** Newest tick known to storage while the line is drawn: how long nothing was seen is told by it after a restart. */
  readonly seenAt: number | null;
  // orders
  readonly order: OrderInFlight | null;
  readonly step: number;
  readonly rejections: number;
  readonly exitReason: ExitReason | null;
  readonly attention: string | null;
  readonly closedAt: number | null;
  readonly effects: readonly Effect[];
};

/** The market at the moment of a decision: decimal text and venue time in ms. */
export type MarketMoment = { readonly at: number; readonly price: string; readonly bid: string; readonly ask: string };

/** One execution. `feeInQuote` is null only when the fee asset is the base asset, which is expensed by owning less. */
export type FillFacts = {
  readonly tradeId: string;
  readonly price: string;
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly fee: string;
  readonly feeAsset: string;
  readonly feeInQuote: string | null;
  readonly at: number;
};

export type PlannedOrder = { readonly type: 'Limit' | 'Market'; readonly quantity: string; readonly price: string | null };

export type PositionEvent =
  | ({ readonly type: 'entry.triggered'; readonly trailUntil: number } & MarketMoment)
  | ({ readonly type: 'entry.lapsed'; readonly reason: 'Expired' | 'Chased' } & MarketMoment)
  | ({
      readonly type: 'entry.decided';
      readonly order: PlannedOrder;
      readonly reserve: string;
      readonly slot: number;
      readonly slots: number;
      readonly observed: Readonly<Record<string, string>>;
    } & MarketMoment)
  | { readonly type: 'entry.withdrawn'; readonly at: number }
  | { readonly type: 'order.accepted'; readonly clientOrderId: string; readonly orderId: string }
  | ({
      readonly type: 'order.filled';
      readonly clientOrderId: string;
      readonly orderId: string;
      readonly bid: string;
      readonly ask: string;
    } & FillFacts)
  | ({
      readonly type: 'order.ended';
      readonly clientOrderId: string;
      readonly status: 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED';
      readonly code: string | null;
    } & MarketMoment)
  | ({ readonly type: 'order.timedOut' } & MarketMoment)
  | { readonly type: 'order.lost'; readonly clientOrderId: string; readonly code: string }
  | ({ readonly type: 'line.armed' } & MarketMoment)
  | ({ readonly type: 'line.raised' } & MarketMoment)
  | ({ readonly type: 'line.expired'; readonly reason: 'Timeout' | 'BelowFloor' | 'DataGap' | 'Disabled' } & MarketMoment)
  | ({ readonly type: 'takeProfit.decided' } & MarketMoment)
  | ({ readonly type: 'exit.decided'; readonly reason: ExitReason } & MarketMoment)
  | { readonly type: 'position.detached'; readonly at: number }
  | ({ readonly type: 'position.resumed' } & MarketMoment);

export const orderSettingsFor = (config: AutoTradeConfig, purpose: OrderPurpose): OrderSettings =>
  purpose === 'entry' ? config.entry.order : config.exit.order;

/** A position of a coin before anything happened. */
export function newPosition(settings: PositionSettings, number: number, positionId: string): PositionContext {
  return {
    settings,
    number,
    positionId,
    triggerPrice: null,
    entryLow: null,
    trailUntil: null,
    reserved: '0',
    entryWithdrawn: false,
    quantity: '0',
    cost: '0',
    bought: '0',
    firstBuyPrice: null,
    realised: '0',
    fees: '0',
    openedAt: null,
    lastFillAt: null,
    levelsDone: 0,
    maxPrice: null,
    minPrice: null,
    stopPrice: null,
    stopSince: null,
    line: null,
    peak: null,
    lineAt: null,
    lineDisarmed: false,
    seenAt: null,
    order: null,
    step: 0,
    rejections: 0,
    exitReason: null,
    attention: null,
    closedAt: null,
    effects: [],
  };
}
