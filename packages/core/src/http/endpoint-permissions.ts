import type { Permission } from '../account/permissions-contract.ts';
import type { EndpointId } from './contract.ts';

/**
 * What a role must allow before a call is made; `not-permitted` (422) otherwise. Never 403, which ends the session of a
 * browser. `live-trading` is in none: it joins `tradeEnabled`, since the same calls trade on paper, too. Beside the
 * declarations, because no client needs it: the first page would carry it.
 */
export const PERMISSION_OF: Readonly<Partial<Record<EndpointId, Permission>>> = {
  createAutoTrade: 'bots',
  updateAutoTrade: 'bots',
  enableAutoTrade: 'bots',
  enterAutoTrade: 'bots',
  createBotTemplate: 'bots',
  updateBotTemplate: 'bots',
  createWallet: 'bots',
  updateWallet: 'bots',
  addWalletBalance: 'bots',
  createPriceAlert: 'price-alerts',
  updatePriceAlert: 'price-alerts',
  enablePriceAlert: 'price-alerts',
  // Candles are stored for backtests of bots.
  startCandleFetch: 'bots',
  importTrades: 'trade-import',
  addMigrationTrades: 'trade-import',
  buildMigrationPosition: 'trade-import',
  carryOver: 'trade-import',
  connectBinance: 'exchange-connection',
  createDemoAccount: 'exchange-connection',
};
