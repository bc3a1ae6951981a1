import type { Migration } from 'kysely';
import { type AccountTables, accountMigrations } from '../account/account-tables.ts';
import { type AdminTables, adminMigrations } from '../admin/admin-tables.ts';
import { type AuditTables, auditMigrations } from '../audit/audit-tables.ts';
import { type AuthTables, authMigrations } from '../auth/auth-tables.ts';
import { type AutoTradesTables, autoTradesMigrations } from '../auto-trades/auto-trades-tables.ts';
import { type BotTemplatesTables, botTemplatesMigrations } from '../auto-trades/bot-templates-tables.ts';
import { type ExchangeConnectionTables, exchangeConnectionMigrations } from '../exchange-connection/exchange-connection-tables.ts';
import { type HttpTables, httpMigrations } from '../http/http-tables.ts';
import { type LandingTables, landingMigrations } from '../landing/landing-tables.ts';
import { type MailTables, mailMigrations } from '../mail/mail-tables.ts';
import { type NotificationsTables, notificationsMigrations } from '../notifications/notifications-tables.ts';
import { type LedgerTables, ledgerMigrations } from '../positions/ledger-tables.ts';
import { type PriceAlertsTables, priceAlertsMigrations } from '../price-alerts/price-alerts-tables.ts';
import { type PricesTables, pricesMigrations } from '../prices/prices-tables.ts';
import { type SecretsTables, secretsMigrations } from '../secrets/secrets-tables.ts';
import { type TelegramTables, telegramMigrations } from '../telegram/telegram-tables.ts';
import { type ImportTables, importMigrations } from '../trade-import/import-tables.ts';
import { type WalletsTables, walletsMigrations } from '../wallets/wallets-tables.ts';
import { type InstallationTables, installationMigrations } from './installation-tables.ts';
import { type MarketTables, marketMigrations } from './market-migrations.ts';

/** Every table of the product. A feature adds its tables here and its steps below. */
export interface Schema
  extends InstallationTables,
    MarketTables,
    SecretsTables,
    AuthTables,
    AuditTables,
    MailTables,
    HttpTables,
    AdminTables,
    AccountTables,
    LandingTables,
    ExchangeConnectionTables,
    WalletsTables,
    LedgerTables,
    ImportTables,
    AutoTradesTables,
    BotTemplatesTables,
    NotificationsTables,
    TelegramTables,
    PricesTables,
    PriceAlertsTables {}

/** Steps run in the order of their names: `<feature number>-<feature>-<step>`; a step that has run is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...installationMigrations,
  ...marketMigrations,
  ...secretsMigrations,
  ...authMigrations,
  ...auditMigrations,
  ...mailMigrations,
  ...httpMigrations,
  ...adminMigrations,
  ...accountMigrations,
  ...landingMigrations,
  ...exchangeConnectionMigrations,
  ...walletsMigrations,
  ...autoTradesMigrations,
  ...botTemplatesMigrations,
  ...ledgerMigrations,
  ...importMigrations,
  ...pricesMigrations,
  ...notificationsMigrations,
  ...telegramMigrations,
  ...priceAlertsMigrations,
};
