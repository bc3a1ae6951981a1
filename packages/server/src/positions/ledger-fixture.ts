import { decimal, toText } from '@pilotfish/core/money/decimal';
import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import type { Database } from '../database/database.ts';
import type { PositionOverride } from './overrides-store.ts';

export const NOW = Date.UTC(2026, 0, 15);
export const OWNER = '018f0000-0000-7000-8000-000000000001';
export const MINUTE = 60_000;

export async function account(database: Database, id = OWNER): Promise<void> {
  const values = {
    id,
    username: id,
    username_key: id,
    email: id,
    email_key: id,
    email_confirmed: 0,
    password_hash: '',
  } as const;
  await database.queries
    .insertInto('accounts')
    .values({
      ...values,
      phone: null,
      phone_confirmed: 0,
      two_factor_confirmed: 1,
      totp_secret: null,
      language: 'en',
      created_at: NOW,
      updated_at: NOW,
    })
    .execute();
}
export const trade = (
  minute: number,
  side: 'Buy' | 'Sell',
  quantity: string,
  price: string,
  more: Partial<TradeEntry> = {},
): TradeEntry => ({
  kind: 'trade',
  id: `trade:ETHUSDT:${minute}`,
  at: NOW + minute * MINUTE,
  symbol: 'ETHUSDT',
  baseAsset: 'ETH',
  quoteAsset: 'USDT',
  side,
  price,
  quantity,
  quoteQuantity: toText({ units: decimal(quantity).units * decimal(price).units, scale: decimal(quantity).scale + decimal(price).scale }),
  fee: '0',
  feeAsset: 'USDT',
  tradeId: String(minute),
  orderId: null,
  source: 'api',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: '1',
  ...more,
});
export const other = (minute: number, base: string, more: Partial<TradeEntry> = {}) =>
  trade(minute, 'Buy', '1', '10', { id: `trade:${base}USDT:${minute}`, symbol: `${base}USDT`, baseAsset: base, ...more });
export const override = (of: TradeEntry, more: Partial<PositionOverride>): PositionOverride => ({
  symbol: of.symbol,
  entryId: of.id,
  entryAt: of.at,
  reopenedUntil: null,
  targetPrice: null,
  closing: null,
  excluded: false,
  brokenText: null,
  ...more,
});
