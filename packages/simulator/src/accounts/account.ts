import { add, type Decimal, isNegative, subtract, ZERO } from '@pilotfish/core/money/decimal';
import type { Fill, Order } from '../matching/order.ts';
import type { OrderList } from '../matching/order-list.ts';
import { type AccountTerms, STANDARD_TERMS } from './account-terms.ts';

export type Balance = { free: Decimal; locked: Decimal };
/** Money that came from outside, or went there when it is negative. `time` is market time, ms. */
export type Transfer = { readonly id: number; readonly asset: string; readonly amount: Decimal; readonly time: number };

/** One customer of the simulated exchange. Money moves only through the functions below. */
export type Account = {
  readonly id: number;
  /** Wall time, ms. */
  readonly createdAt: number;
  /** Market time of the last change, ms. */
  updateTime: number;
  /** Pay fees in BNB at 75 % while there is enough of it. */
  burnBnb: boolean;
  /** Of orders from now on. */
  terms: AccountTerms;
  readonly balances: Map<string, Balance>;
  /** All orders ever, by id, in id order. */
  readonly orders: Map<number, Order>;
  readonly openOrders: Map<number, Order>;
  /** All order lists ever, by id, in id order. */
  readonly lists: Map<number, OrderList>;
  readonly openLists: Map<number, OrderList>;
  readonly fills: Fill[];
  readonly transfers: Transfer[];
};

export function newAccount(id: number, createdAt: number): Account {
  return {
    id,
    createdAt,
    updateTime: createdAt,
    burnBnb: false,
    terms: STANDARD_TERMS,
    balances: new Map(),
    orders: new Map(),
    openOrders: new Map(),
    lists: new Map(),
    openLists: new Map(),
    fills: [],
    transfers: [],
  };
}

export function balanceOf(account: Account, asset: string): Balance {
  return account.balances.get(asset) ?? { free: ZERO, locked: ZERO };
}

function change(account: Account, asset: string, free: Decimal, locked: Decimal): void {
  const balance = balanceOf(account, asset);
  const next = { free: add(balance.free, free), locked: add(balance.locked, locked) };
  if (isNegative(next.free) || isNegative(next.locked)) throw new RangeError(`balance of ${asset} would become negative`);
  account.balances.set(asset, next);
}

export const credit = (account: Account, asset: string, amount: Decimal): void => change(account, asset, amount, ZERO);
export const debit = (account: Account, asset: string, amount: Decimal): void => change(account, asset, subtract(ZERO, amount), ZERO);
/** Money from outside, or to it when negative; kept in the account's history. Throws `RangeError` when there is too little. */
export function transfer(account: Account, asset: string, amount: Decimal, time: number): Transfer {
  credit(account, asset, amount);
  const made = { id: account.id * 100_000 + account.transfers.length + 1, asset, amount, time };
  account.transfers.push(made);
  return made;
}
/** Reserves money for an order. */
export const lock = (account: Account, asset: string, amount: Decimal): void => change(account, asset, subtract(ZERO, amount), amount);
export const unlock = (account: Account, asset: string, amount: Decimal): void => change(account, asset, amount, subtract(ZERO, amount));
/** Spends reserved money. */
export const spendLocked = (account: Account, asset: string, amount: Decimal): void => change(account, asset, ZERO, subtract(ZERO, amount));
