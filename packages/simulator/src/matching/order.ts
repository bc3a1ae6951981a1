import { type Decimal, subtract } from '@pilotfish/core/money/decimal';
import type { FeeRates } from '../accounts/account-terms.ts';
import type { Pair } from '../market/market-contract.ts';

export type Side = 'BUY' | 'SELL';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';
export const ORDER_TYPES = ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
/** `PENDING_NEW`: the second half of an order list, which waits for the first to be filled. */
export type OrderStatus = 'NEW' | 'PENDING_NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';
/** What the exchange does where an order would trade with another one of its own account. */
export const PREVENTION_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER'] as const;
export type PreventionMode = (typeof PREVENTION_MODES)[number];
export type ExpiryReason =
  | 'REJECTED'
  | 'EXCHANGE_CANCELED'
  | 'OCO_TRIGGER'
  | 'OTO_PHASE_ONE_EXPIRED'
  | 'UNFILLED_IOC_QUANTITY_EXPIRED'
  | 'UNFILLED_FOK_ORDER_EXPIRED'
  | 'INSUFFICIENT_LIQUIDITY'
  | 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED';

/** An order after its parameters were checked. Money is exact; absent money is zero as on the wire. */
export type OrderRequest = {
  readonly pair: Pair;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: Decimal;
  readonly quoteOrderQuantity: Decimal;
  readonly price: Decimal;
  readonly stopPrice: Decimal;
  /** What the book shows of it; zero for an order that shows itself whole. */
  readonly icebergQuantity: Decimal;
  /** Distance in hundredths of a percent at which it follows the price; its `stopPrice` may then be zero. */
  readonly trailingDelta: number | undefined;
  readonly clientOrderId: string | undefined;
  readonly strategyId: number | undefined;
  readonly strategyType: number | undefined;
  /** Undefined: the symbol's own. */
  readonly selfTradePreventionMode: PreventionMode | undefined;
};

export type Order = {
  readonly orderId: number;
  readonly accountId: number;
  readonly pair: Pair;
  /** List it belongs to, or -1. */
  readonly orderListId: number;
  clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: Decimal;
  readonly stopPrice: Decimal;
  /** The two prices in ticks, so that a trade is compared without arithmetic. */
  priceTicks: number;
  stopTicks: number;
  icebergQuantity: Decimal;
  readonly trailingDelta: number | undefined;
  /** Market time since which a trailing order follows the price, -1 before. */
  trailingTime: number;
  /** Best price in ticks since then. */
  trailingTicks: number;
  readonly quoteOrderQuantity: Decimal;
  readonly strategyId: number | undefined;
  readonly strategyType: number | undefined;
  readonly selfTradePreventionMode: PreventionMode;
  /** Those of its account when it was placed: what is changed there later is for later orders. */
  readonly fees: FeeRates;
  readonly time: number;
  /** Ordered amount of the base asset (found while walking the book for market orders by quote amount). */
  quantity: Decimal;
  executed: Decimal;
  /** Amount of the quote asset that changed hands. */
  executedQuote: Decimal;
  /** What expired of it in place of trading with its own account. */
  prevented: Decimal;
  status: OrderStatus;
  updateTime: number;
  /** False for a conditional order that waits for its stop price. */
  isWorking: boolean;
  /** Market time since which it works; -1 while it waits. */
  workingTime: number;
  /** What the order still holds of the asset it spends. */
  locked: Decimal;
  expiryReason: ExpiryReason | undefined;
  /** How its quantity was reduced, oldest first. */
  readonly amendments: Amendment[];
  /** Trades with its own account that did not happen, oldest first. */
  readonly preventions: PreventedMatch[];
  /** Filled by smart order routing (SOR): by allocations instead of trades. */
  usedSor?: boolean;
};

/** One reduction of an open order; quantities as they go on the wire. */
export type Amendment = {
  readonly executionId: number;
  readonly origClientOrderId: string;
  readonly newClientOrderId: string;
  readonly origQty: string;
  readonly newQty: string;
  /** Market time, ms. */
  readonly time: number;
};

/** Two orders of one account that did not trade; amounts as they go on the wire. */
export type PreventedMatch = {
  readonly preventedMatchId: number;
  readonly takerOrderId: number;
  readonly makerOrderId: number;
  readonly selfTradePreventionMode: PreventionMode;
  readonly price: string;
  /** What would have been traded. */
  readonly quantity: string;
  readonly quoteQuantity: string;
  /** What expired of each; absent where nothing did. */
  readonly takerPreventedQuantity?: string;
  readonly makerPreventedQuantity?: string;
  /** Market time, ms. */
  readonly transactTime: number;
};

/** One execution of an order. */
export type Fill = {
  /** Below zero for an allocation: see `allocationOf`. */
  readonly tradeId: number;
  readonly orderId: number;
  readonly symbol: string;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly quoteQuantity: Decimal;
  readonly commission: Decimal;
  readonly commissionAsset: string;
  readonly time: number;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
};

/** The id of the allocation that a fill is, where it is no trade: both are counted together, and one is stored as -1 - id. */
export const allocationOf = ({ tradeId }: Fill): number | undefined => (tradeId < 0 ? -1 - tradeId : undefined);

/** The asset an order spends. */
export const spentAsset = (order: { pair: Pair; side: Side }): string => (order.side === 'BUY' ? order.pair.quote : order.pair.base);
export const isConditional = (type: OrderType): boolean => type.startsWith('STOP_LOSS') || type.startsWith('TAKE_PROFIT');
/** Market orders, and conditional orders that become one. */
export const isMarketLike = (type: OrderType): boolean => type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT';
export const isOpen = (order: Pick<Order, 'status'>): boolean =>
  order.status === 'NEW' || order.status === 'PARTIALLY_FILLED' || order.status === 'PENDING_NEW';
/** What can still be executed of an order. */
export const leftOf = ({ quantity, executed, prevented }: Pick<Order, 'quantity' | 'executed' | 'prevented'>): Decimal =>
  subtract(subtract(quantity, executed), prevented);
/** Whether it triggers when the price rises to its stop price (otherwise: when it falls to it). */
export const triggersAbove = (order: { side: Side; type: OrderType }): boolean =>
  (order.side === 'BUY') === order.type.startsWith('STOP_LOSS');
