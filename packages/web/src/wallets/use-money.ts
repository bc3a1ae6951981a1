import { type MoneyKind, moneyOf } from '@pilotfish/core/auto-trades/real-money';
import { useConfig } from '../platform/use-session.ts';

/** Whose money bots and wallets of a mode move at this server's exchange. */
export function useMoney(): (mode: 'paper' | 'live') => MoneyKind {
  const exchange = useConfig()?.exchange;
  return (mode) => moneyOf({ mode, exchange });
}
