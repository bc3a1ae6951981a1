import type { WalletMove } from '../auto-trades/position/position-state.ts';
import { add, decimal, multiply, subtract, toText } from '../money/decimal.ts';
import type { Money, Percent } from '../money/figure.ts';

/** Sums of a wallet's ledger, decimal text in its currency. */
export type WalletSums = {
  readonly free: string;
  readonly reserved: string;
  readonly invested: string;
  readonly realised: string;
  readonly deposits: string;
  readonly withdrawals: string;
};

export const emptySums: WalletSums = { free: '0', reserved: '0', invested: '0', realised: '0', deposits: '0', withdrawals: '0' };

/** The sums as they are told. */
type WalletFigures = Readonly<Record<keyof WalletSums, Money>>;

const plus = (a: Money, b: Money): string => toText(add(decimal(a), decimal(b)));
const minus = (a: Money, b: Money): string => toText(subtract(decimal(a), decimal(b)));

/** Adds budget, or takes from its free part with a negative amount. */
export function afterTransfer(sums: WalletSums, amount: string): WalletSums {
  return amount.startsWith('-')
    ? { ...sums, free: plus(sums.free, amount), withdrawals: plus(sums.withdrawals, amount.slice(1)) }
    : { ...sums, free: plus(sums.free, amount), deposits: plus(sums.deposits, amount) };
}

/** The sums before a transfer that could not be written. */
export function withoutTransfer(sums: WalletSums, amount: string): WalletSums {
  return amount.startsWith('-')
    ? { ...sums, free: minus(sums.free, amount), withdrawals: minus(sums.withdrawals, amount.slice(1)) }
    : { ...sums, free: minus(sums.free, amount), deposits: minus(sums.deposits, amount) };
}

/**
 * One move of a position. Keeps free + reserved + invested = deposits − withdrawals + realised. */
export function afterMove(sums: WalletSums, move: WalletMove): WalletSums {
  switch (move.kind) {
    case 'reserve':
      return { ...sums, free: minus(sums.free, move.amount), reserved: plus(sums.reserved, move.amount) };
    case 'release':
      return { ...sums, free: plus(sums.free, move.amount), reserved: minus(sums.reserved, move.amount) };
    case 'buy':
      return {
        ...sums,
        reserved: minus(sums.reserved, move.reserved),
        free: minus(sums.free, minus(move.amount, move.reserved)),
        invested: plus(sums.invested, move.amount),
      };
    case 'sell':
      return {
        ...sums,
        free: plus(sums.free, move.proceeds),
        invested: minus(sums.invested, move.cost),
        realised: plus(sums.realised, minus(move.proceeds, move.cost)),
      };
    case 'detach':
      return { ...sums, invested: minus(sums.invested, move.amount), withdrawals: plus(sums.withdrawals, move.amount) };
  }
}

/** What was put into a wallet less what was taken out of it. */
export const paidIn = (sums: WalletFigures): string => minus(sums.deposits, sums.withdrawals);

/** Budget at cost: what a percentage of the wallet refers to. */
export const walletTotal = (sums: WalletFigures): string => plus(plus(sums.free, sums.reserved), sums.invested);

/** What entries may still take: free, less the part of the wallet that is never used. Not below zero. */
export function spendable(sums: WalletFigures, reservePct: Percent): string {
  const kept = multiply(decimal(walletTotal(sums)), multiply(decimal(reservePct), decimal('0.01')));
  const rest = subtract(decimal(sums.free), kept);
  return rest.units < 0n ? '0' : toText(rest);
}

/** True when the sums obey the identity of a wallet. */
export const walletBalances = (sums: WalletFigures): boolean =>
  walletTotal(sums) === plus(minus(sums.deposits, sums.withdrawals), sums.realised);

/** A wallet in memory, shared by its bots: reservations are atomic because one thread makes them. */
export type WalletBook = {
  readonly id: string;
  readonly currency: string;
  readonly reservePct: string;
  sums: WalletSums;
};
