import { accountContract } from '../account/account-contract.ts';
import { accountSecurityContract } from '../account/account-security-contract.ts';
import { adminContract } from '../admin/admin-contract.ts';
import { instanceContract } from '../admin/instance-contract.ts';
import { localizationContract } from '../admin/localization-contract.ts';
import { marketChoiceContract } from '../admin/market-choice-contract.ts';
import { authContract } from '../auth/auth-contract.ts';
import { autoTradeActionsContract } from '../auto-trades/auto-trade-actions-contract.ts';
import { autoTradesContract } from '../auto-trades/auto-trades-contract.ts';
import { botFiguresContract } from '../auto-trades/bot-figures-contract.ts';
import { botTemplatesContract } from '../auto-trades/bot-templates-contract.ts';
import { candlesContract } from '../candles/candles-contract.ts';
import { comparisonContract } from '../comparison/comparison-contract.ts';
import { exchangeConnectionContract } from '../exchange-connection/exchange-connection-contract.ts';
import { landingContract } from '../landing/landing-contract.ts';
import { notificationsContract } from '../notifications/notifications-contract.ts';
import { ordersContract } from '../orders/orders-contract.ts';
import { overviewContract } from '../overview/overview-contract.ts';
import { performanceContract } from '../performance/performance-contract.ts';
import { heldPositionsContract } from '../positions/held-positions-contract.ts';
import { positionsContract } from '../positions/positions-contract.ts';
import { priceAlertsContract } from '../price-alerts/price-alerts-contract.ts';
import { pricesContract } from '../prices/prices-contract.ts';
import { screenerContract } from '../prices/screener-contract.ts';
import { telegramConnectionContract } from '../telegram-connection/telegram-connection-contract.ts';
import { carryOverContract } from '../trade-import/carry-over-contract.ts';
import { tradeImportContract } from '../trade-import/trade-import-contract.ts';
import { walletsContract } from '../wallets/wallets-contract.ts';

/** Every endpoint of both backends, by id: what the client, the routes and the documents are made from. */
export const contract = {
  ...authContract,
  ...accountContract,
  ...accountSecurityContract,
  ...exchangeConnectionContract,
  ...telegramConnectionContract,
  ...pricesContract,
  ...screenerContract,
  ...candlesContract,
  ...landingContract,
  ...positionsContract,
  ...heldPositionsContract,
  ...overviewContract,
  ...performanceContract,
  ...ordersContract,
  ...autoTradesContract,
  ...botFiguresContract,
  ...botTemplatesContract,
  ...autoTradeActionsContract,
  ...comparisonContract,
  ...walletsContract,
  ...priceAlertsContract,
  ...tradeImportContract,
  ...carryOverContract,
  ...notificationsContract,
  ...adminContract,
  ...instanceContract,
  ...localizationContract,
  ...marketChoiceContract,
};

export type Contract = typeof contract;
export type EndpointId = keyof Contract;
