import type { Permissions } from '../exchange-connection/exchange-connection-contract.ts';
import type { Account } from './account-contract.ts';

/** Claims are checked by name; roles are `role` claims. */
export const hasRole = (account: Pick<Account, 'claims'>, role: string): boolean =>
  account.claims.some((claim) => claim.name === 'role' && claim.value === role);

/**
 * Whether keys may trade, by what the exchange said of them. Unknown is not false: the exchange may leave the field out,
 * and only its "no" takes trading away. What it then refuses, it refuses by itself.
 */
export const isTradeEnabled = (permissions: Pick<Permissions, 'enableSpotAndMarginTrading'>): boolean =>
  permissions.enableSpotAndMarginTrading !== false;

/** True where an exchange is connected by keys that may not trade: what trades live is then offered as disabled. */
export const isTradingDenied = (account: Pick<Account, 'exchanges'>, exchange = 'Binance'): boolean =>
  account.exchanges.some((connected) => connected.name === exchange && !connected.tradeEnabled);
