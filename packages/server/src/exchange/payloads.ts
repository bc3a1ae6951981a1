import { isAssetName, isName } from '@pilotfish/core/money/asset-name';
import { decimal, isPositive, multiply, toText } from '@pilotfish/core/money/decimal';
import * as z from 'zod';
import { amountText as amount, idText, rowsOf } from './exchange-rows.ts';

/**
 * The exchange's own shapes, as far as we read them. Unknown fields pass: the exchange adds some every month. What is not
 * used is not asked for, and lists are read row by row: an odd field of one row must not cost the others.
 */

const text = z.string();

/** How many orders may rest: what cannot be read of it is as if it were not said. No pair is left out for that. */
const count = amount.transform(Number).pipe(z.int().min(0)).optional().catch(undefined);

/** Whether a bound holds for market orders, too: it does where that is not said. */
const flag = z.boolean().optional().catch(undefined);

/** What is read of the filters of orders. */
const FILTERS: Readonly<Record<string, z.ZodType<Record<string, unknown>>>> = {
  PRICE_FILTER: z.looseObject({ tickSize: amount, minPrice: amount.optional(), maxPrice: amount.optional() }),
  LOT_SIZE: z.looseObject({ stepSize: amount, minQty: amount.optional(), maxQty: amount.optional() }),
  MARKET_LOT_SIZE: z.looseObject({ stepSize: amount.optional(), minQty: amount.optional(), maxQty: amount.optional() }),
  NOTIONAL: z.looseObject({
    minNotional: amount.optional(),
    maxNotional: amount.optional(),
    applyMinToMarket: flag,
    applyMaxToMarket: flag,
    avgPriceMins: count,
  }),
  MIN_NOTIONAL: z.looseObject({ minNotional: amount.optional(), applyToMarket: flag, avgPriceMins: count }),
  PERCENT_PRICE_BY_SIDE: z.looseObject({
    bidMultiplierUp: amount.optional(),
    bidMultiplierDown: amount.optional(),
    askMultiplierUp: amount.optional(),
    askMultiplierDown: amount.optional(),
  }),
  PERCENT_PRICE: z.looseObject({ multiplierUp: amount.optional(), multiplierDown: amount.optional() }),
  MAX_NUM_ORDERS: z.looseObject({ maxNumOrders: count, limit: count }),
  MAX_NUM_ALGO_ORDERS: z.looseObject({ maxNumAlgoOrders: count }),
};
type Filter = { readonly filterType: string; readonly [field: string]: unknown };

/** A filter that we keep and cannot read, or must have and do not find, makes the whole pair unreadable: orders would break it. Others are passed over. */
const filters = z.array(z.unknown()).transform((given, context): Filter[] => {
  const read = given.flatMap((each) => {
    const filterType = typeof each === 'object' && each !== null ? (each as { filterType?: unknown }).filterType : undefined;
    const schema = typeof filterType === 'string' && Object.hasOwn(FILTERS, filterType) ? FILTERS[filterType] : undefined;
    if (schema === undefined) return [];
    const { success, data, error } = schema.safeParse(each);
    if (success) return [{ ...data, filterType: String(filterType) }];
    context.addIssue({ code: 'custom', message: 'not read', path: [String(filterType), ...(error.issues[0]?.path ?? [])] });
    return [];
  });
  for (const needed of ['PRICE_FILTER', 'LOT_SIZE'])
    if (!read.some(({ filterType }) => filterType === needed)) context.addIssue({ code: 'custom', message: 'not there', path: [needed] });
  return read;
});

/** Which accounts may trade a pair. What cannot be read of it is as if it were not said: the exchange decides order by order. */
const permissionSets = z.array(z.array(text)).optional().catch(undefined);
/** Our kinds of orders by the exchange's names. */
export const ORDER_TYPES = { Market: 'MARKET', Limit: 'LIMIT', StopLimit: 'STOP_LOSS_LIMIT' } as const;
const orderTypes = z.array(text).optional().catch(undefined);

export const exchangeInfoPayload = z.looseObject({
  /** Pairs with smart order routing. */
  sors: rowsOf('sors', z.looseObject({ symbols: z.array(text) }), ['baseAsset'])
    .optional()
    .catch(undefined),
  rateLimits: rowsOf('rateLimits', z.looseObject({ rateLimitType: text, interval: text, intervalNum: z.number(), limit: z.number() }), [
    'rateLimitType',
  ]),
  symbols: rowsOf(
    'symbols',
    z.looseObject({
      // Names that no answer could carry would make every list of pairs unreadable.
      symbol: text.refine(isName),
      status: text,
      baseAsset: text.refine(isAssetName),
      quoteAsset: text.refine(isAssetName),
      baseAssetPrecision: z.number(),
      quoteAssetPrecision: z.number(),
      isSpotTradingAllowed: z.boolean().nullish(),
      permissionSets,
      orderTypes,
      filters,
    }),
    ['symbol'],
  ),
});
export type ExchangeInfoPayload = z.infer<typeof exchangeInfoPayload>;

export const tickerPayload = z.looseObject({
  symbol: text,
  lastPrice: amount,
  openPrice: amount,
  highPrice: amount,
  lowPrice: amount,
  volume: amount,
  quoteVolume: amount,
  bidPrice: amount.optional(),
  askPrice: amount.optional(),
  closeTime: z.number(),
});
export const tickersPayload = rowsOf('tickers', tickerPayload, ['symbol']);

const kline = z.tuple([z.number(), amount, amount, amount, amount, amount, z.number()]).rest(z.unknown());
export type KlinePayload = z.infer<typeof kline>;
export const klinesPayload = rowsOf('klines', kline, ['0']);

/** The wallet of a deposit or withdrawal: 0 spot, 1 funding. Not said: spot. */
const walletType = z.number().nullish();
/** What came to the funding wallet, or left it, does not change the spot balance. */
export const isOfSpot = ({ walletType: wallet }: { readonly walletType?: number | null | undefined }): boolean => wallet !== 1;

/** What came in and went out of an account, as far as a balance is reckoned by it. */
export const depositedPayload = rowsOf('deposits', z.looseObject({ amount, status: z.number(), walletType }), ['id']);
export const withdrawnPayload = rowsOf(
  'withdrawals',
  z.looseObject({ amount, transactionFee: amount.default('0'), status: z.number(), walletType }),
  ['id'],
);

const levels = rowsOf('depth', z.tuple([amount, amount]), ['0']);
export const depthPayload = z.looseObject({ bids: levels, asks: levels });

export const accountPayload = z.looseObject({
  uid: idText.optional(),
  canTrade: z.boolean().optional(),
  permissions: z.array(text).optional().catch(undefined),
  commissionRates: z.looseObject({ taker: amount }).optional(),
  /** When anything of the account changed last. The documents only show it, so nothing may fail where it is missing or odd. */
  updateTime: z.number().optional().catch(undefined),
  balances: rowsOf('balances', z.looseObject({ asset: text, free: amount, locked: amount }), ['asset']),
});
export type BalancePayload = z.infer<typeof accountPayload>['balances'][number];
/** What a trade costs that takes, and by its side on top. */
const commissionRates = z.looseObject({ taker: amount, buyer: amount.optional(), seller: amount.optional() });
export const commissionPayload = z.looseObject({
  standardCommission: commissionRates,
  /** Exchanges and versions that know none leave them out. */
  specialCommission: commissionRates.optional(),
  taxCommission: commissionRates.optional(),
  /** The share of the standard commission that is paid where it is paid in `discountAsset`. */
  discount: z.looseObject({ enabledForAccount: z.boolean(), enabledForSymbol: z.boolean(), discount: amount }).optional(),
});
export type CommissionPayload = z.infer<typeof commissionPayload>;
export const restrictionsPayload = z.looseObject({
  enableWithdrawals: z.boolean().optional(),
  enableReading: z.boolean().optional(),
  enableSpotAndMarginTrading: z.boolean().optional(),
  ipRestrict: z.boolean().optional(),
  createTime: z.number().optional(),
  tradingAuthorityExpirationTime: z.number().nullable().optional(),
});

/**
 * What smart order routing (SOR) fills is no trade: its trade id is -1, it has an id among allocations, and is listed by
 * `myAllocations` alone. Its name here cannot be that of a trade.
 */
const allocationName = (id: string): string => `sor-${id}`;
const nameOf = (tradeId: string, allocationId: string | undefined): string =>
  tradeId.startsWith('-') && allocationId !== undefined ? allocationName(allocationId) : tradeId;

const fillPayload = z
  .looseObject({ price: amount, qty: amount, commission: amount, commissionAsset: text, tradeId: idText, allocId: idText.optional() })
  .transform((fill) => ({ ...fill, tradeId: nameOf(fill.tradeId, fill.allocId) }));
export const placedOrderPayload = z.looseObject({
  symbol: text,
  orderId: idText,
  clientOrderId: text,
  transactTime: z.number(),
  status: text,
  executedQty: amount,
  cummulativeQuoteQty: amount.optional(),
  fills: rowsOf('fills', fillPayload, ['tradeId']).prefault([]),
  expiryReason: text.optional(),
});
export type PlacedOrderPayload = z.infer<typeof placedOrderPayload>;

export const orderPayload = z.looseObject({
  symbol: text,
  orderId: idText,
  clientOrderId: text,
  price: amount,
  origQty: amount,
  executedQty: amount,
  cummulativeQuoteQty: amount,
  status: text,
  type: text,
  side: z.enum(['BUY', 'SELL']),
  stopPrice: amount.optional(),
  time: z.number().optional(),
  updateTime: z.number().optional(),
  transactTime: z.number().optional(),
  origClientOrderId: text.optional(),
  usedSor: z.boolean().optional(),
  /** Why it expired; left out of orders that did not. */
  expiryReason: text.optional(),
});
export type OrderPayload = z.infer<typeof orderPayload>;
export const ordersPayload = rowsOf('orders', orderPayload, ['symbol', 'orderId', 'clientOrderId']);

export const myTradesPayload = rowsOf(
  'trades',
  z.looseObject({
    symbol: text,
    id: idText,
    orderId: idText,
    price: amount,
    qty: amount,
    quoteQty: amount,
    commission: amount,
    commissionAsset: text,
    time: z.number(),
    isBuyer: z.boolean(),
  }),
  ['symbol', 'id'],
);
export type MyTradesPayload = z.infer<typeof myTradesPayload>;

/** Allocations as trades; `allocationId` is what the next page is asked from. */
export const allocationsPayload = rowsOf(
  'allocations',
  z
    .looseObject({
      symbol: text,
      allocationId: idText,
      orderId: idText,
      price: amount,
      qty: amount,
      quoteQty: amount,
      commission: amount,
      commissionAsset: text,
      time: z.number(),
      isBuyer: z.boolean(),
    })
    .transform((row) => ({ ...row, id: allocationName(row.allocationId) })),
  ['symbol', 'allocationId'],
);

const executionReport = z
  .looseObject({
    e: z.literal('executionReport'),
    s: text,
    /** Client order id; after a cancel the id of the cancel request, and `C` the order's own. */
    c: text,
    C: text,
    S: z.enum(['BUY', 'SELL']),
    x: text,
    X: text,
    r: text,
    i: idText,
    l: amount,
    L: amount,
    Y: amount.optional(),
    n: amount,
    N: text.nullable(),
    T: z.number(),
    t: idText,
    /** Of an allocation, which has no trade id. */
    a: idText.optional(),
    z: amount,
    /** What was paid or got for `z` so far. */
    Z: amount.optional(),
    /** Why it expired. */
    eR: text.optional(),
  })
  // Reports of some versions leave the quote amount out: the exchange defines it as price × quantity.
  .transform((report) => ({
    ...report,
    t: nameOf(report.t, report.a),
    Y: report.Y ?? toText(multiply(decimal(report.L), decimal(report.l))),
  }));
export type ExecutionReport = z.infer<typeof executionReport>;
export const executionReports = { list: 'executionReports', row: executionReport, names: ['s', 'i', 't'] };

/**
 * What a report says was executed. A TRADE of nothing tells an order's end alone; one that names no price or no trade is
 * `untold`: taken as it stands it would be a fill at 0, so the trades of the order have to be asked for.
 */
export function executedBy({ x, l, L, t }: Pick<ExecutionReport, 'x' | 'l' | 'L' | 't'>): 'nothing' | 'told' | 'untold' {
  if (x !== 'TRADE' || !isPositive(decimal(l))) return 'nothing';
  return isPositive(decimal(L)) && !t.startsWith('-') ? 'told' : 'untold';
}
