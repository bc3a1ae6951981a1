import type { Decimal } from '@pilotfish/core/money/decimal';
import type { Pair } from '../market/market-contract.ts';

export type Side = 'BUY' | 'SELL';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';
export const ORDER_TYPES = ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED';
export type ExpiryReason = 'UNFILLED_IOC_QUANTITY_EXPIRED' | 'UNFILLED_FOK_ORDER_EXPIRED' | 'INSUFFICIENT_LIQUIDITY';

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
  readonly clientOrderId: string | undefined;
  readonly strategyId: number | undefined;
  readonly strategyType: number | undefined;
  readonly selfTradePreventionMode: string;
};

export type Order = {
  readonly orderId: number;
  readonly accountId: number;
  readonly pair: Pair;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: Decimal;
  readonly stopPrice: Decimal;
  readonly quoteOrderQuantity: Decimal;
  readonly strategyId: number | undefined;
  readonly strategyType: number | undefined;
  readonly selfTradePreventionMode: string;
  readonly time: number;
  /** Ordered amount of the base asset (found while walking the book for market orders by quote amount). */
  quantity: Decimal;
  executed: Decimal;
  /** Amount of the quote asset that changed hands. */
  executedQuote: Decimal;
  status: OrderStatus;
  updateTime: number;
  /** False for a conditional order that waits for its stop price. */
  isWorking: boolean;
  /** Market time since which it works; -1 while it waits. */
  workingTime: number;
  /** What the order still holds of the asset it spends. */
  locked: Decimal;
  expiryReason: ExpiryReason | undefined;
};

/** One execution of an order. */
export type Fill = {
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

/** The asset an order spends. */
export const spentAsset = (order: { pair: Pair; side: Side }): string => (order.side === 'BUY' ? order.pair.quote : order.pair.base);
export const isConditional = (type: OrderType): boolean => type.startsWith('STOP_LOSS') || type.startsWith('TAKE_PROFIT');
/** Market orders, and conditional orders that become one. */
export const isMarketLike = (type: OrderType): boolean => type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT';
export const isOpen = (order: Order): boolean => order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
