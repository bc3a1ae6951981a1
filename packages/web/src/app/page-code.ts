import type { ComponentType } from 'react';
import type { ROUTES } from '../platform/route-table.ts';

export type LatePage = Exclude<(typeof ROUTES)[number]['page'] | 'notFound', 'landing'>;

/**
 * Where the code of every page but the landing page is; each is a chunk of its own. Apart from the router, because the
 * list of all those chunks is longer than the landing page.
 */
export const PAGE_CODE: Record<LatePage, () => Promise<{ default: ComponentType }>> = {
  login: () => import('../auth/login-page.tsx'),
  register: () => import('../auth/register-page.tsx'),
  forgotPassword: () => import('../auth/forgot-password-page.tsx'),
  secondFactor: () => import('../auth/second-factor-page.tsx'),
  myAccount: () => import('../account/my-account-page.tsx'),
  security: () => import('../account/security-page.tsx'),
  notifications: () => import('../notifications/notifications-page.tsx'),
  telegramConnect: () => import('../telegram-connection/telegram-connect-page.tsx'),
  exchangeConnect: () => import('../exchange-connection/exchange-connect-page.tsx'),
  prices: () => import('../markets/markets-page.tsx'),
  positions: () => import('../positions-workspace/workspace-page.tsx'),
  openPositions: () => import('../positions-workspace/workspace-page.tsx'),
  closedPositions: () => import('../positions-workspace/workspace-page.tsx'),
  positionDetail: () => import('../positions/detail/position-detail-page.tsx'),
  openOrders: () => import('../orders/open-orders-page.tsx'),
  tradeImport: () => import('../trade-import/import-page.tsx'),
  migration: () => import('../migration/migration-page.tsx'),
  performance: () => import('../performance/performance-page.tsx'),
  priceAlerts: () => import('../price-alerts/price-alerts-page.tsx'),
  autoTrades: () => import('../auto-trades/list/auto-trades-page.tsx'),
  autoTradeCreate: () => import('../auto-trades/form/auto-trade-create-page.tsx'),
  wallets: () => import('../auto-trades/list/wallets-page.tsx'),
  coinFilters: () => import('../auto-trades/list/coin-filters-page.tsx'),
  autoTradeDetail: () => import('../auto-trades/detail/auto-trade-detail-page.tsx'),
  backtest: () => import('../backtest/backtest-page.tsx'),
  autoTradeEdit: () => import('../auto-trades/form/auto-trade-edit-page.tsx'),
  admin: () => import('../admin/admin-page.tsx'),
  market: () => import('../admin/market-page.tsx'),
  localizationResources: () => import('../admin/localization-resources-page.tsx'),
  currencies: () => import('../admin/currencies-page.tsx'),
  appSettings: () => import('../admin/app-settings-page.tsx'),
  users: () => import('../admin/users-page.tsx'),
  notFound: () => import('./not-found-page.tsx'),
};
