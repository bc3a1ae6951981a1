import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decimal, equals, isDecimalText } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { parseExchangeJson } from './exchange-json.ts';
import { listsIn, unreadOf } from './exchange-rows.ts';
import {
  accountPayload,
  commissionPayload,
  depositedPayload,
  depthPayload,
  exchangeInfoPayload,
  executionReports,
  klinesPayload,
  myTradesPayload,
  orderPayload,
  ordersPayload,
  placedOrderPayload,
  restrictionsPayload,
  tickerPayload,
  withdrawnPayload,
} from './payloads.ts';

// What the exchange publishes of its answers, and what others recorded of them: each is read whole, each figure as it was
// sent. Left out are examples that are cut: exchangeInfo, ticker24hr, klines and newOrder lack the very figures they are for.

const EXCHANGE = resolve(import.meta.dirname, '../../../../../shared/data/exchange');
const READ: Readonly<Record<string, z.ZodType>> = {
  'published/spot-rest-api/depth': depthPayload,
  'published/spot-rest-api/getAccount': accountPayload,
  'published/spot-rest-api/accountCommission': commissionPayload,
  'published/spot-rest-api/getOrder': orderPayload,
  'published/spot-rest-api/getOpenOrders': ordersPayload,
  'published/spot-rest-api/allOrders': ordersPayload,
  'published/spot-rest-api/myTrades': myTradesPayload,
  'published/wallet-rest-api/depositHistory': depositedPayload,
  'published/wallet-rest-api/withdrawHistory': withdrawnPayload,
  'published/wallet-rest-api/getApiKeyPermission': restrictionsPayload,
  'captured/http_spot_market_exchange_info': exchangeInfoPayload,
  'captured/ticker_24hr_response': tickerPayload,
  'captured/http_spot_market_klines': klinesPayload,
  'captured/klines_response': klinesPayload,
  'captured/depth_response': depthPayload,
  'captured/http_spot_market_depth': depthPayload,
  'captured/account_response': accountPayload,
  'captured/http_spot_wallet_account': accountPayload,
  'captured/new_order_full_response': placedOrderPayload,
  'captured/order_response': orderPayload,
  'captured/open_orders_response': ordersPayload,
  'captured/all_orders_response': ordersPayload,
  'captured/account_trades_response': myTradesPayload,
};
const reports = existsSync(EXCHANGE)
  ? readdirSync(join(EXCHANGE, 'captured')).flatMap((name) =>
      /execution_report/.test(name) ? [`captured/${name.replace('.json', '')}`] : [],
    )
  : [];
const given = (file: string): unknown => parseExchangeJson(readFileSync(join(EXCHANGE, `${file}.json`), 'utf8'));

/** Figures that were read, by their places, that are not what was sent. */
function changed(read: unknown, sent: unknown, path = ''): string[] {
  if (typeof read === 'object' && read !== null && typeof sent === 'object' && sent !== null)
    return Object.entries(read).flatMap(([key, value]) => changed(value, (sent as Record<string, unknown>)[key], `${path}.${key}`));
  if (typeof read !== 'string' || (typeof sent !== 'string' && typeof sent !== 'number') || !isDecimalText(read)) return [];
  const text = String(sent);
  return isDecimalText(text) && equals(decimal(read), decimal(text)) ? [] : [`${path}: ${text} read as ${read}`];
}

test.skipIf(!existsSync(EXCHANGE)).each(Object.entries(READ))(
  '%s is read whole and exactly (needs ../shared/data/exchange)',
  (file, schema) => {
    const sent = given(file);
    const read = schema.parse(sent);
    expect([...unreadOf(Array.isArray(read) ? read : []), ...listsIn(read).flatMap(unreadOf)]).toEqual([]);
    expect(changed(read, sent)).toEqual([]);
  },
);
test.skipIf(reports.length === 0).each(reports)('%s is read whole and exactly (needs ../shared/data/exchange)', (file) => {
  const sent = given(file) as { event?: unknown; data?: unknown };
  const event = sent.event ?? sent.data ?? sent;
  expect(changed(executionReports.row.parse(event), event)).toEqual([]);
});
