import type { Account } from './account-contract.ts';

/** Claims are checked by name; roles are `role` claims. */
export const hasRole = (account: Pick<Account, 'claims'>, role: string): boolean =>
  account.claims.some((claim) => claim.name === 'role' && claim.value === role);

/** Trading permission for an exchange exists when that exchange has `tradeEnabled`. */
export const canTrade = (account: Pick<Account, 'exchanges'>, exchange: string): boolean =>
  account.exchanges.some((connected) => connected.name === exchange && connected.tradeEnabled);
