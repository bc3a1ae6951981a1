import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decimal, equals, isDecimalText } from '@pilotfish/core/money/decimal';
import { averageEvent, averageRow, bookRow, miniTickers, priceRows, tradeRow, tradeRows } from '@pilotfish/simulator/mirror/upstream-rows';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseExchangeJson } from '../exchange/exchange-json.ts';
import { listsIn, unreadOf } from '../exchange/exchange-rows.ts';
import {
  accountPayload,
  allocationsPayload,
  commissionPayload,
  depositedPayload,
  depthPayload,
  exchangeInfoPayload,
  executedBy,
  executionReports,
  klinesPayload,
  myTradesPayload,
  orderPayload,
  ordersPayload,
  placedOrderPayload,
  restrictionsPayload,
  tickerPayload,
  tickersPayload,
  withdrawnPayload,
} from '../exchange/payloads.ts';
import { bookTickers, dayTickers } from '../market/market-polls.ts';
import { bookEvent, tradeEvent } from '../market/symbol-feed.ts';
import { conversionsPayload, depositsPayload, dividendsPayload, dustPayload, withdrawalsPayload } from '../positions/transfer-payloads.ts';
import { klineEvent } from '../price-alerts/alert-feeds.ts';
import { bnbBurn } from '../prices/account-questions.ts';

// What the exchange says of its answers and events, in its documents, in the examples of its client, and as others recorded
// them: each is read whole, each figure as it was sent. All that the server and the mirror ask for stands here by its name.

const EXCHANGE = resolve(import.meta.dirname, '../../../../../shared/data/exchange');
const IS_THERE = existsSync(EXCHANGE);
if (!IS_THERE) console.warn('No ../shared/data/exchange beside the project: payloads of the exchange are not held against it.');

type Source = { readonly name: string; readonly given: () => unknown };
/** A file of payloads. Examples that are cut lack the very figures they are for: those stand in the documents. */
const file = (name: string): Source => ({ name, given: () => parseExchangeJson(readFileSync(join(EXCHANGE, `${name}.json`), 'utf8')) });

const BLOCK = /```(?:javascript|json)? *\n(\s*[[{][\s\S]*?)```/g;
const LIST = /^\s*\[\s*\{/;
/** The first such example of a document behind these words, without the comments. */
const documented = (document: string, behind: string, such = /[[{]/): Source => ({
  name: `docs/${document}, ${behind.trim()}`,
  given: () => {
    const text = readFileSync(join(EXCHANGE, 'docs', document), 'utf8');
    const from = text.indexOf(behind);
    if (from < 0) throw new Error(`nothing is said of ${behind}`);
    const block = [...text.slice(from).matchAll(BLOCK)].map(([, each = '']) => each).find((each) => such.test(each)) ?? '';
    const bare = block.replaceAll(/(^|[\s,{}[\]"])\/\/.*$/gm, '$1').replaceAll(/,(\s*[\]}])/g, '$1');
    return parseExchangeJson(bare);
  },
});
const rest = (call: string, such?: RegExp) => documented('rest-api.md', `\n${call}\n`, such);
const account = (event: string): Source => documented('user-data-stream.md', '# ', new RegExp(`"${event}"`));

/** What is made of an event of an account beside an execution: that it came. */
const named = z.looseObject({ e: z.string() });
/** By this the account's events are known on their connection. */
const subscribed = z.looseObject({ status: z.literal(200), result: z.looseObject({ subscriptionId: z.int() }) });
/** A row that comes by itself, as a list of one. */
const rowOf = ({ row }: { row: z.ZodType }) => row;
type Read = readonly [schema: z.ZodType, ...sources: Source[]];

/** Requests of the server and of the mirror, with what is made of the answers. */
const REQUESTS: Readonly<Record<string, readonly Read[]>> = {
  '/api/v3/account': [
    [
      accountPayload,
      file('published/spot-rest-api/getAccount'),
      file('captured/account_response'),
      file('captured/http_spot_wallet_account'),
    ],
  ],
  '/api/v3/account/commission': [[commissionPayload, file('published/spot-rest-api/accountCommission')]],
  '/api/v3/aggTrades': [[tradeRows, rest('GET /api/v3/aggTrades'), file('captured/http_spot_market_agg_trades')]],
  '/api/v3/allOrders': [[ordersPayload, file('published/spot-rest-api/allOrders'), file('captured/all_orders_response')]],
  '/api/v3/avgPrice': [[averageRow, file('published/spot-rest-api/avgPrice')]],
  '/api/v3/depth': [
    [depthPayload, file('published/spot-rest-api/depth'), file('captured/depth_response'), file('captured/http_spot_market_depth')],
    [bookRow, file('published/spot-rest-api/depth')],
  ],
  '/api/v3/exchangeInfo': [[exchangeInfoPayload, file('captured/http_spot_market_exchange_info')]],
  '/api/v3/klines': [
    [klinesPayload, rest('GET /api/v3/klines'), file('captured/http_spot_market_klines'), file('captured/klines_response')],
  ],
  '/api/v3/myAllocations': [[allocationsPayload, file('published/spot-rest-api/myAllocations')]],
  '/api/v3/myTrades': [[myTradesPayload, file('published/spot-rest-api/myTrades'), file('captured/account_trades_response')]],
  '/api/v3/openOrders': [[ordersPayload, file('published/spot-rest-api/getOpenOrders'), file('captured/open_orders_response')]],
  '/api/v3/order': [
    [orderPayload, file('published/spot-rest-api/getOrder'), file('captured/order_response'), rest('GET /api/v3/order')],
    [orderPayload, file('published/spot-rest-api/deleteOrder'), file('captured/cancel_order_response')],
    [placedOrderPayload, file('captured/new_order_full_response'), rest('POST /api/v3/order', /"fills"/)],
  ],
  '/api/v3/ticker/24hr': [
    [tickerPayload, file('captured/ticker_24hr_response'), rest('GET /api/v3/ticker/24hr', /"lastPrice"/)],
    [tickersPayload, rest('GET /api/v3/ticker/24hr', LIST)],
    [dayTickers, rest('GET /api/v3/ticker/24hr', LIST)],
  ],
  '/api/v3/ticker/bookTicker': [[bookTickers, rest('GET /api/v3/ticker/bookTicker', LIST)]],
  '/api/v3/ticker/price': [[priceRows, rest('GET /api/v3/ticker/price', LIST)]],
  '/api/v3/time': [[z.looseObject({ serverTime: z.number() }), file('published/spot-rest-api/time')]],
  '/sapi/v1/account/apiRestrictions': [[restrictionsPayload, file('published/wallet-rest-api/getApiKeyPermission')]],
  '/sapi/v1/asset/assetDividend': [[dividendsPayload, file('published/wallet-rest-api/assetDividendRecord')]],
  '/sapi/v1/asset/dribblet': [[dustPayload, file('published/wallet-rest-api/dustlog')]],
  '/sapi/v1/bnbBurn': [[bnbBurn, file('published/wallet-rest-api/toggleBnbBurnOnSpotTradeAndMarginInterest')]],
  '/sapi/v1/capital/deposit/hisrec': [
    [depositsPayload, file('published/wallet-rest-api/depositHistory')],
    [depositedPayload, file('published/wallet-rest-api/depositHistory')],
  ],
  '/sapi/v1/capital/withdraw/history': [
    [withdrawalsPayload, file('published/wallet-rest-api/withdrawHistory')],
    [withdrawnPayload, file('published/wallet-rest-api/withdrawHistory')],
  ],
  '/sapi/v1/convert/tradeFlow': [[conversionsPayload, file('published/convert-rest-api/getConvertTradeHistory')]],
};

const streamed = (heading: string): Source => documented('web-socket-streams.md', `\n## ${heading}`);
const reports = IS_THERE
  ? readdirSync(join(EXCHANGE, 'captured')).flatMap((name) =>
      /execution_report/.test(name) ? [file(`captured/${name.replace('.json', '')}`)] : [],
    )
  : [];
/** Streams by what stands behind the `@`, and events and methods of accounts by their names. */
const EVENTS: Readonly<Record<string, readonly Read[]>> = {
  aggTrade: [[tradeRow, streamed('Aggregate Trade Streams')]],
  avgPrice: [[averageEvent, streamed('Average Price')]],
  bookTicker: [[rowOf(bookEvent), streamed('Individual Symbol Book Ticker Streams'), file('captured/ws_spot_ticker_book')]],
  'depth20@100ms': [[bookRow, file('published/spot-websocket-streams/partialBookDepth')]],
  kline_1m: [[rowOf(klineEvent), streamed('Kline/Candlestick Streams for UTC')]],
  '!miniTicker@arr': [[miniTickers.element, streamed('Individual Symbol Mini Ticker Stream')]],
  trade: [[rowOf(tradeEvent), streamed('Trade Streams'), file('captured/ws_spot_trade')]],
  'userDataStream.subscribe.signature': [[subscribed, file('published/spot-websocket-api/userDataStreamSubscribeSignature')]],
  'userDataStream.unsubscribe': [
    [z.looseObject({ status: z.literal(200) }), file('published/spot-websocket-api/userDataStreamUnsubscribe')],
  ],
  executionReport: [[executionReports.row, account('executionReport'), ...reports]],
  outboundAccountPosition: [[named, account('outboundAccountPosition'), file('captured/account_position_wrapped')]],
  balanceUpdate: [[named, account('balanceUpdate'), file('captured/balance_update_wrapped')]],
  externalLockUpdate: [[named, account('externalLockUpdate')]],
  eventStreamTerminated: [[named, account('eventStreamTerminated')]],
  serverShutdown: [[named, documented('web-socket-api.md', 'serverShutdown', /"serverShutdown"/)]],
};

/** Figures that were read, by their places, that are not what was sent. */
function changed(read: unknown, sent: unknown, path = ''): string[] {
  if (typeof read === 'object' && read !== null && typeof sent === 'object' && sent !== null)
    return Object.entries(read).flatMap(([key, value]) => changed(value, (sent as Record<string, unknown>)[key], `${path}.${key}`));
  if (typeof read !== 'string' || (typeof sent !== 'string' && typeof sent !== 'number') || !isDecimalText(read)) return [];
  const text = String(sent);
  return isDecimalText(text) && equals(decimal(read), decimal(text)) ? [] : [`${path}: ${text} read as ${read}`];
}

/** The event itself: streams that are combined, and connections of accounts, put it into a frame. */
const unframed = (sent: unknown): unknown => {
  const { event, data } = (typeof sent === 'object' && sent !== null ? sent : {}) as { event?: unknown; data?: unknown };
  return event ?? data ?? sent;
};
const cases = Object.entries({ ...REQUESTS, ...EVENTS }).flatMap(([use, reads]) =>
  reads.flatMap(([schema, ...sources]) => sources.map(({ name, given }) => [use, name, schema, given] as const)),
);
test.skipIf(!IS_THERE).each(cases)('%s: %s is read whole and exactly (needs ../shared/data/exchange)', (_, _name, schema, given) => {
  const sent = unframed(given());
  const read = schema.parse(sent);
  expect([...unreadOf(Array.isArray(read) ? read : []), ...listsIn(read).flatMap(unreadOf)]).toEqual([]);
  expect(changed(read, sent)).toEqual([]);
});

/** Names of what is asked for and listened to, as the sources write them. */
const ASKED = [
  /['"](\/s?api\/v\d\/[\w/]+)['"]/g,
  /\}@([a-z][\w@]*)[`'"]/gi,
  /['"](![\w@]+)['"]/g,
  /['"](userDataStream\.[\w.]+)['"]/g,
  /['"](executionReport|outboundAccountPosition|balanceUpdate|externalLockUpdate|listStatus|eventStreamTerminated|serverShutdown)['"]/g,
];
test('everything that is asked of the exchange stands here by its name, and nothing else does', () => {
  const sources = [resolve(import.meta.dirname, '..'), resolve(import.meta.dirname, '../../../simulator/src/mirror')];
  const found = new Set<string>();
  for (const folder of sources)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || /\.test\.ts$|testing\//.test(name)) continue;
      const text = readFileSync(join(folder, name), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      for (const pattern of ASKED) for (const [, each = ''] of text.matchAll(pattern)) found.add(each);
    }
  expect([...found].sort()).toEqual([...Object.keys(REQUESTS), ...Object.keys(EVENTS)].sort());
});

test.skipIf(!IS_THERE)('what self-trade prevention took from an order is no fill, and says why (needs ../shared/data/exchange)', () => {
  const sent = unframed(file('captured/ws_spot_execution_report_trade_prevention').given());
  const report = executionReports.row.parse(sent);
  expect(executedBy(report)).toBe('nothing');
  expect(report).toMatchObject({ x: 'TRADE_PREVENTION', X: 'EXPIRED_IN_MATCH', z: '0.00000000' });
});
