import type { Pair } from '../market/market-contract.ts';
import type { OrderRequest } from './order.ts';

/**
 * Orders that depend on one another. `OCO`: a pair of which one ends the other. `OTO`: a working order that, once filled,
 * puts one or two pending orders (then an OCO pair) to work.
 */
export type OrderList = {
  readonly orderListId: number;
  readonly accountId: number;
  readonly pair: Pair;
  readonly contingencyType: 'OCO' | 'OTO';
  readonly listClientOrderId: string;
  /** In the exchange's order: the working order, then the stop leg, then the other one. */
  readonly orderIds: readonly number[];
  /** The pending orders sell what the working order bought ("one pays the other"). */
  readonly paysPending: boolean;
  readonly time: number;
  transactionTime: number;
  listStatusType: 'EXEC_STARTED' | 'UPDATED' | 'ALL_DONE';
  listOrderStatus: 'EXECUTING' | 'ALL_DONE' | 'REJECT';
};

/** A list as it is asked for: either a pair, or a working order and one or two that follow it. */
export type OrderListRequest = {
  readonly contingencyType: 'OCO' | 'OTO';
  readonly listClientOrderId: string | undefined;
  readonly working: OrderRequest | undefined;
  /** One order, or a pair in the order stop leg, other leg. */
  readonly legs: readonly OrderRequest[];
  readonly paysPending: boolean;
};

export const isListOpen = (list: OrderList): boolean => list.listOrderStatus === 'EXECUTING';
