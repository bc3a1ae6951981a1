import type { Percent } from '../../money/figure.ts';
import type { OrderPurpose } from '../../orders/orders-contract.ts';
import type { PairFilters } from '../../prices/prices-contract.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import type { ExitReason, Trace } from '../trace.ts';

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
  /** What its order ids begin with (`orderPrefixFor`); absent in backtests. */
  readonly orderPrefix?: string | undefined;
};

/**
 * An order in flight: at most one buys and one sells for a position. Prices and quantities in decimal text. Only a
 * protective stop (`protect`) has a stop price, and the floor that it mirrors.
 */
export type OrderInFlight = {
  readonly clientOrderId: string;
  readonly purpose: OrderPurpose;
  readonly side: 'Buy' | 'Sell';
  readonly type: 'Limit' | 'Market' | 'StopLimit';
  readonly quantity: string;
  readonly price: string | null;
  readonly stopPrice?: string;
  readonly mirrors?: ProtectedBy;
  /** What was bid when a sale was decided. */
  readonly offered?: string;
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
  /** Of a market sale: how many before it sold nothing. */
  readonly unfilled?: number;
};

/**
 * A market sale that ended without a fill, and is tried again. `order`: the last try; `until`: when the next is due, venue ms;
 * `reason`: the exchange's expiry reason. Meanwhile nothing is in flight that sells.
 */
export type SalePause = { readonly order: OrderInFlight; readonly tries: number; readonly until: number; readonly reason: string };

/** The floors that a protective stop can mirror; they name the exit that it makes. */
export type ProtectedBy = 'StopLoss' | 'TrailingCost';

/** What a step asks of the world. Stored as outbox rows in the transaction of the step. */
export type Effect =
  | { readonly kind: 'trace'; readonly trace: Omit<Trace, 'seq'> }
  | {
      readonly kind: 'log';
      readonly code: string;
      readonly level: 'info' | 'warning' | 'error';
      readonly facts: Readonly<Record<string, string | number | null>>;
    }
  | { readonly kind: 'place'; readonly order: OrderInFlight; readonly maxSlippagePct: Percent }
  | { readonly kind: 'cancel'; readonly clientOrderId: string; readonly orderId: string | null; readonly order: OrderInFlight }
  /** Moves of the wallet, decimal text: see `wallet-book.ts`. */
  | { readonly kind: 'wallet'; readonly entry: WalletMove };

export type WalletMove =
  | { readonly kind: 'reserve' | 'release'; readonly amount: string }
  /** Money becomes cost: `reserved` of it was set aside for this position, the rest comes from what is free. */
  | { readonly kind: 'buy'; readonly amount: string; readonly reserved: string }
  /** Cost becomes free money; the difference is realised. */
  | { readonly kind: 'sell'; readonly cost: string; readonly proceeds: string }
  /** What is held leaves the budget at its cost: the user takes over, or it is dust that nobody can sell. */
  | { readonly kind: 'detach'; readonly amount: string };

/** One rebuy as it was planned at the entry. `reserve` is the most it can cost. Amounts in the wallet's currency. */
export type LadderLevel = { readonly dropPct: Percent; readonly quote: string; readonly reserve: string };

/** A fee in a third asset that had no price when its fill was counted; it counts zero until it is valued. */
export type UnvaluedFee = { readonly tradeId: string; readonly fee: string; readonly feeAsset: string };

/** Why an order is lost, or was refused: the exchange does not list its pair any more. */
export const UNLISTED = 'UNLISTED';
/** Why an order was refused: it reached the exchange too late, by the time it carried. */
export const LATE = 'LATE';

/** Entries of a coin that were refused in a row; a buy ends it, and whatever may change the answer. */
export type Refusals = {
  readonly code: string;
  /** The exchange's own sentence. */
  readonly detail: string | null;
  /** How many of the last were equal, and how many there were of whatever kind. */
  readonly count: number;
  readonly total: number;
  /** End of the newest pause of the coin (venue ms), which may be over: one more try follows it. Null: no pause yet. */
  readonly until: number | null;
  /** When the last was, venue ms. */
  readonly at: number;
  /** The rules of the pair that it was refused by: a server may find others when it starts. Absent in rows from before. */
  readonly rules?: string;
};
/** Why a position waits for its owner: after a standstill its coin went on at a price of another unit, as it seems. */
export const PRICE_JUMP = 'PRICE_JUMP';
/** The same by the balance: the account holds another multiple of the coin, and no fill and no transfer explains it. */
export const BALANCE_JUMP = 'BALANCE_JUMP';
/**
 * Two prices of a coin with a standstill between them, decimal text, and when the second was: venue ms. `balance`: what the
 * account holds after it, as a multiple of before, where that is known and not about 1.
 */
export type Jump = { readonly at: number; readonly before: string; readonly price: string; readonly balance?: string };

/** Levels that the owner moved by hand, as prices on the tick; null: where the settings put them. */
export type MovedLevels = {
  readonly stop: string | null;
  readonly trailingStart: string | null;
  /** By take-profit level, from the first; shorter than the ladder where the rest stands. */
  readonly takeProfit: readonly (string | null)[];
};

/** Newest shape of a stored context; see `position-upgrade.ts`. */
export const CONTEXT_VERSION = 2;

/** Everything a position remembers. All amounts in decimal text, so that it is stored and compared as it stands. */
export type PositionContext = {
  readonly version: number;
  readonly settings: PositionSettings;
  /** Number of this position for its coin and run, from 1; part of its id. */
  readonly number: number;
  readonly positionId: string;
  // entry
  readonly triggerPrice: string | null;
  readonly entryLow: string | null;
  readonly trailUntil: number | null;
  /** What the conditions saw when they triggered. */
  readonly triggerFacts: Readonly<Record<string, string>> | null;
  /** Amount that the size setting asked for at the entry. */
  readonly entryQuote: string;
  /** What is still set aside for buys of this position. */
  readonly reserved: string;
  /** What the entry order alone may cost at worst. */
  readonly entryReserve: string;
  readonly entryWithdrawn: boolean;
  readonly refused: Refusals | null;
  /** Until when its coin cooled down, or its bot, when this position began (venue ms); null: it did not. */
  readonly cooldownUntil: number | null;
  // rebuys
  readonly ladder: readonly LadderLevel[];
  /** Levels that bought something, from the first. */
  readonly rebuysDone: number;
  readonly lastBuyPrice: string | null;
  readonly lastBuyAt: number | null;
  /** Low below the next level while its rebound is awaited, and until when. */
  readonly rebuyLow: string | null;
  readonly rebuyUntil: number | null;
  /** No rebuy before this: the exchange refused one. */
  readonly rebuyRetryAt: number | null;
  // holding
  readonly quantity: string;
  readonly cost: string;
  /** Everything that came in, what was carried over from the position before included; and what it cost. */
  readonly bought: string;
  readonly spent: string;
  /** Dust of the position before, which joins this one with its first buy. */
  readonly carriedQuantity: string;
  readonly carriedCost: string;
  readonly unvalued: readonly UnvaluedFee[];
  /** Fees that were valued after nothing was left to carry them: in the wallet's result, in no Sell row. */
  readonly lateFees: string;
  readonly firstBuyPrice: string | null;
  readonly realised: string;
  readonly fees: string;
  readonly openedAt: number | null;
  readonly lastFillAt: number | null;
  /** Take-profit levels that sold something, those merged into them included. */
  readonly levelsDone: number;
  /** A price that the user set to sell everything at. */
  readonly targetPrice: string | null;
  /** Null while every level is where the settings put it. */
  readonly moved: MovedLevels | null;
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
  /** A price near the newest one: what the first price after a restart is held against. */
  readonly knownPrice: string | null;
  /** The last standstill that ended with another unit of price. */
  readonly jump: Jump | null;
  // orders
  readonly order: OrderInFlight | null;
  /** The stop that rests at the exchange; while it does, no other sell is placed. */
  readonly resident: OrderInFlight | null;
  /** No new resident stop before this: the exchange would not have the last. */
  readonly residentRetryAt: number | null;
  /** Why none rests: what the exchange or its filters say, null once one does; when that was said last, and tries since it began. */
  readonly stopRefusal: { readonly code: string | null; readonly saidAt: number; readonly tries: number } | null;
  readonly step: number;
  readonly rejections: number;
  readonly salePause: SalePause | null;
  readonly exitReason: ExitReason | null;
  /** What the rule that decided the exit saw. */
  readonly exitFacts: Readonly<Record<string, string>> | null;
  readonly attention: string | null;
  readonly closedAt: number | null;
  readonly effects: readonly Effect[];
};

/** The market at the moment of a decision: decimal text and venue time in ms. */
export type MarketMoment = { readonly at: number; readonly price: string; readonly bid: string; readonly ask: string };

/**
 * One execution. `feeInQuote` is null when the fee asset is the base asset, which is expensed by owning less, and when
 * no price of a third asset is known yet: that fee counts zero until `fee.valued`.
 */
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

/**
 * What the account of a sale that was refused for lack of its coin has of it, base units: what may be sold, and what rests
 * in orders, those of other bots excepted.
 */
export type CoinBalance = { readonly free: string; readonly locked: string };

/** How an order ended. */
export type OrderEnd = {
  readonly status: 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED';
  readonly code: string | null;
  /** Of a sale for which the account had too little. */
  readonly balance?: CoinBalance;
  /** The exchange's own sentence, where it refused the order. */
  readonly detail?: string;
  /** Why the exchange let it expire, where it says so, such as `INSUFFICIENT_LIQUIDITY`. */
  readonly expiryReason?: string;
};

/** Why a position was entered. */
export type EntryReason = 'Drop' | 'Immediate' | 'Conditions' | 'Manual';

/** The stop that should rest at the exchange; null: none should. `code`: one should, but no order of it is possible. */
export type GuardPlan =
  | { readonly quantity: string; readonly stopPrice: string; readonly price: string; readonly mirrors: ProtectedBy }
  | { readonly code: string }
  | null;

export type PlannedOrder = Pick<OrderInFlight, 'type' | 'quantity' | 'price' | 'offered'> & {
  /** How long it may rest; what the settings say of its kind when absent. */
  readonly patienceSec?: number;
};

export type PositionEvent =
  | ({
      readonly type: 'entry.triggered';
      readonly trailUntil: number;
      readonly observed?: Readonly<Record<string, string>>;
    } & MarketMoment)
  | ({ readonly type: 'entry.lapsed'; readonly reason: 'Expired' | 'Chased' } & MarketMoment)
  | ({
      readonly type: 'entry.decided';
      readonly order: PlannedOrder;
      /** Set aside for the whole ladder; `entryReserve` of it for this order. */
      readonly reserve: string;
      readonly entryReserve: string;
      readonly quote: string;
      readonly ladder: readonly LadderLevel[];
      readonly reason: EntryReason;
      readonly slot: number;
      readonly slots: number;
      readonly observed: Readonly<Record<string, string>>;
    } & MarketMoment)
  | { readonly type: 'entry.withdrawn'; readonly at: number }
  | { readonly type: 'order.accepted'; readonly clientOrderId: string; readonly orderId: string }
  | ({ readonly type: 'order.filled'; readonly clientOrderId: string; readonly orderId: string } & FillFacts & MarketMoment)
  | ({ readonly type: 'order.ended'; readonly clientOrderId: string } & OrderEnd & MarketMoment)
  | ({ readonly type: 'order.timedOut' } & MarketMoment)
  /** The pause after a sale that sold nothing is over. */
  | ({ readonly type: 'sale.retried' } & MarketMoment)
  | { readonly type: 'order.lost'; readonly clientOrderId: string; readonly code: string }
  | ({ readonly type: 'line.armed' } & MarketMoment)
  | ({ readonly type: 'line.raised' } & MarketMoment)
  | ({ readonly type: 'line.expired'; readonly reason: 'Timeout' | 'BelowFloor' | 'DataGap' | 'Disabled' } & MarketMoment)
  | ({ readonly type: 'takeProfit.decided' } & MarketMoment)
  /** The first price after a standstill, of another unit than the one `before`. */
  | ({ readonly type: 'price.jumped'; readonly before: string } & MarketMoment)
  /** After a standstill the account holds `factor` times as much of the coin, and nothing explains it. */
  | ({ readonly type: 'balance.jumped'; readonly before: string; readonly factor: string } & MarketMoment)
  /** Its owner says that the unit changed: so many new coins for one old, decimal text. */
  | ({ readonly type: 'position.carriedOver'; readonly factor: string } & MarketMoment)
  /** A backtest has no owner to ask: what is held ends at its cost. */
  | ({ readonly type: 'jump.settled' } & MarketMoment)
  | ({ readonly type: 'exit.decided'; readonly reason: ExitReason; readonly observed?: Readonly<Record<string, string>> } & MarketMoment)
  | ({ readonly type: 'rebuy.lapsed'; readonly reason: 'Expired' | 'Chased' } & MarketMoment)
  | ({ readonly type: 'rebuy.decided'; readonly order: PlannedOrder } & MarketMoment)
  | { readonly type: 'rebuy.withdrawn'; readonly at: number }
  /** The resident stop is missing, or not the one that should rest: `plan` is, or says why none can. */
  | ({ readonly type: 'guard.due'; readonly plan: GuardPlan } & MarketMoment)
  | { readonly type: 'target.set'; readonly price: string | null; readonly at: number }
  | { readonly type: 'levels.moved'; readonly moved: MovedLevels | null; readonly at: number }
  | ({
      readonly type: 'settings.changed';
      readonly config: AutoTradeConfig;
      readonly configVersion: number;
      /** The rest of the ladder by the new settings; null: the wallet cannot pay for it, the old one stays. */
      readonly ladder: readonly LadderLevel[] | null;
    } & MarketMoment)
  | { readonly type: 'fee.valued'; readonly tradeId: string; readonly feeInQuote: string; readonly at: number }
  | { readonly type: 'dust.released'; readonly at: number }
  | { readonly type: 'position.detached'; readonly at: number }
  | ({ readonly type: 'position.resumed' } & MarketMoment);

/** What its owner sets on a position that is held. */
export type SetByHand = Extract<PositionEvent, { readonly type: 'target.set' | 'levels.moved' }>;
/** The same before it is known when. */
export type AskedByHand = SetByHand extends infer Each ? (Each extends SetByHand ? Omit<Each, 'at'> : never) : never;

/** Every order of a position that may be at the exchange: the one being worked on, and the resident stop. */
export const ordersInFlight = ({ order, resident }: Pick<PositionContext, 'order' | 'resident'>): readonly OrderInFlight[] =>
  order ? (resident ? [order, resident] : [order]) : resident ? [resident] : [];

/** What is left of the position before, in its coin and at its cost, and the entries that were refused up to it. */
export type Carried = { readonly quantity: string; readonly cost: string; readonly refused: Refusals | null };

/** A position of a coin before anything happened. */
export function newPosition(
  settings: PositionSettings,
  number: number,
  positionId: string,
  carried: Carried = { quantity: '0', cost: '0', refused: null },
): PositionContext {
  return {
    version: CONTEXT_VERSION,
    settings,
    number,
    positionId,
    triggerPrice: null,
    entryLow: null,
    trailUntil: null,
    triggerFacts: null,
    entryQuote: '0',
    reserved: '0',
    entryReserve: '0',
    entryWithdrawn: false,
    refused: carried.refused,
    cooldownUntil: null,
    ladder: [],
    rebuysDone: 0,
    lastBuyPrice: null,
    lastBuyAt: null,
    rebuyLow: null,
    rebuyUntil: null,
    rebuyRetryAt: null,
    quantity: '0',
    cost: '0',
    bought: '0',
    spent: '0',
    carriedQuantity: carried.quantity,
    carriedCost: carried.cost,
    unvalued: [],
    lateFees: '0',
    firstBuyPrice: null,
    realised: '0',
    fees: '0',
    openedAt: null,
    lastFillAt: null,
    levelsDone: 0,
    targetPrice: null,
    moved: null,
    maxPrice: null,
    minPrice: null,
    stopPrice: null,
    stopSince: null,
    line: null,
    peak: null,
    lineAt: null,
    lineDisarmed: false,
    seenAt: null,
    knownPrice: null,
    jump: null,
    order: null,
    resident: null,
    residentRetryAt: null,
    stopRefusal: null,
    step: 0,
    rejections: 0,
    salePause: null,
    exitReason: null,
    exitFacts: null,
    attention: null,
    closedAt: null,
    effects: [],
  };
}
