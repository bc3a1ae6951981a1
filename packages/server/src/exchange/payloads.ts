import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import * as z from 'zod';

/** The exchange's own shapes, as far as we read them. Unknown fields pass: the exchange adds some every month. */

const text = z.string();

export const exchangeInfoPayload = z.object({
  rateLimits: z.array(z.looseObject({ rateLimitType: text, interval: text, intervalNum: z.number(), limit: z.number() })),
  symbols: z.array(
    z.looseObject({
      symbol: text,
      status: text,
      baseAsset: text,
      quoteAsset: text,
      baseAssetPrecision: z.number(),
      quoteAssetPrecision: z.number(),
      isSpotTradingAllowed: z.boolean().optional(),
      filters: z.array(z.looseObject({ filterType: text })),
    }),
  ),
});
export type ExchangeInfoPayload = z.infer<typeof exchangeInfoPayload>;

export const tickerPayload = z.looseObject({
  symbol: text,
  priceChangePercent: text,
  lastPrice: text,
  openPrice: text,
  highPrice: text,
  lowPrice: text,
  volume: text,
  quoteVolume: text,
  bidPrice: text.optional(),
  askPrice: text.optional(),
  closeTime: z.number(),
});
export const tickersPayload = z.array(tickerPayload);

export const klinesPayload = z.array(z.tuple([z.number(), text, text, text, text, text, z.number()]).rest(z.unknown()));

/** What came in and went out of an account, as far as a balance is reckoned by it. */
export const depositedPayload = z.array(z.looseObject({ amount: text, status: z.number() }));
export const withdrawnPayload = z.array(z.looseObject({ amount: text, transactionFee: text.default('0'), status: z.number() }));

const level = z.tuple([text, text]);
export const depthPayload = z.looseObject({ bids: z.array(level), asks: z.array(level) });

export const accountPayload = z.looseObject({
  canTrade: z.boolean(),
  uid: z.number().optional(),
  commissionRates: z.looseObject({ maker: text, taker: text }).optional(),
  balances: z.array(z.looseObject({ asset: text, free: text, locked: text })),
});
/** What a trade costs: by whether it takes or makes, and by its side on top. */
const commissionRates = z.looseObject({ maker: text, taker: text, buyer: text.optional(), seller: text.optional() });
export const commissionPayload = z.looseObject({
  symbol: text,
  standardCommission: commissionRates,
  /** Exchanges and versions that know none leave them out. */
  specialCommission: commissionRates.optional(),
  taxCommission: commissionRates.optional(),
  /** The share of the standard commission that is paid where it is paid in `discountAsset`. */
  discount: z.looseObject({ enabledForAccount: z.boolean(), enabledForSymbol: z.boolean(), discount: text }).optional(),
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

const fillPayload = z.looseObject({ price: text, qty: text, commission: text, commissionAsset: text, tradeId: z.number() });
export const placedOrderPayload = z.looseObject({
  symbol: text,
  orderId: z.number(),
  clientOrderId: text,
  transactTime: z.number(),
  status: text,
  executedQty: text,
  cummulativeQuoteQty: text.optional(),
  fills: z.array(fillPayload).default([]),
});
export type PlacedOrderPayload = z.infer<typeof placedOrderPayload>;

export const orderPayload = z.looseObject({
  symbol: text,
  orderId: z.number(),
  clientOrderId: text,
  price: text,
  origQty: text,
  executedQty: text,
  cummulativeQuoteQty: text,
  status: text,
  type: text,
  side: z.enum(['BUY', 'SELL']),
  stopPrice: text.optional(),
  time: z.number().optional(),
  updateTime: z.number().optional(),
  transactTime: z.number().optional(),
  origClientOrderId: text.optional(),
});
export type OrderPayload = z.infer<typeof orderPayload>;
export const ordersPayload = z.array(orderPayload);

export const myTradesPayload = z.array(
  z.looseObject({
    symbol: text,
    id: z.number(),
    orderId: z.number(),
    price: text,
    qty: text,
    quoteQty: text,
    commission: text,
    commissionAsset: text,
    time: z.number(),
    isBuyer: z.boolean(),
  }),
);
export type MyTradesPayload = z.infer<typeof myTradesPayload>;

export const executionReport = z.looseObject({
  e: z.literal('executionReport'),
  E: z.number(),
  s: text,
  /** Client order id; after a cancel the id of the cancel request, and `C` the order's own. */
  c: text,
  C: text,
  S: z.enum(['BUY', 'SELL']),
  x: text,
  X: text,
  r: text,
  i: z.number(),
  l: text,
  L: text,
  Y: text,
  n: text,
  N: text.nullable(),
  T: z.number(),
  t: z.number(),
  z: text,
  /** What was paid or got for `z` so far. */
  Z: text.optional(),
});
export type ExecutionReport = z.infer<typeof executionReport>;

/**
 * What a report says was executed. A TRADE of nothing tells an order's end alone; one that names no price or no trade is
 * `untold`: taken as it stands it would be a fill at 0, so the trades of the order have to be asked for.
 */
export function executedBy({ x, l, L, t }: Pick<ExecutionReport, 'x' | 'l' | 'L' | 't'>): 'nothing' | 'told' | 'untold' {
  if (x !== 'TRADE' || !isPositive(decimal(l))) return 'nothing';
  return isPositive(decimal(L)) && t >= 0 ? 'told' : 'untold';
}
