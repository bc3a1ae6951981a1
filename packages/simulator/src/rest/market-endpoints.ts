import { findInterval } from '../market/candles.ts';
import type { Pair } from '../market/market-contract.ts';
import { averageText, priceText, quantityText, quoteVolumeText } from '../market/market-view.ts';
import { tradesOf } from '../market/trade-history.ts';
import { ORDER_TYPES, PREVENTION_MODES } from '../matching/order.ts';
import { DEFAULT_PREVENTION } from '../matching/self-trade.ts';
import { ACCOUNT_PERMISSIONS } from '../matching/symbol-rights.ts';
import { ApiError, missingParameter } from './api-error.ts';
import { klines, readZone } from './candle-endpoint.ts';
import { type Call, type Endpoint, pairOf } from './endpoint.ts';
import type { RequestParameters } from './request-parameters.ts';
import { dayTicker, windowTicker } from './ticker-payload.ts';

/** A JSON array of symbols, as `symbols=["BTCUSDT","ETHUSDT"]`. */
function symbolList(parameters: RequestParameters): string[] | undefined {
  const text = parameters.text('symbols');
  if (text === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.length > 0 && list.every((entry) => typeof entry === 'string')) return list;
  } catch {
    // Falls through to the refusal below.
  }
  throw new ApiError(
    -1100,
    'Illegal characters found in parameter \'symbols\'; legal range is \'^\\["[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}\\]$\'.',
  );
}

/** Pairs meant by `symbol`, `symbols` or neither (all), and whether the answer is one object. */
function chosenPairs(call: Call): { pairs: Pair[]; single: boolean } {
  const { parameters, exchange } = call;
  const symbol = parameters.text('symbol');
  const symbols = symbolList(parameters);
  const status = parameters.text('symbolStatus');
  if (symbol !== undefined && symbols !== undefined)
    throw new ApiError(
      -1128,
      "Combination of optional parameters invalid. Recommendation: 'symbol' and 'symbols' cannot be sent together.",
    );
  if (symbol !== undefined) return { pairs: [pairOf(call, symbol)], single: true };
  const pairs = symbols ? symbols.map((entry) => pairOf(call, entry)) : exchange.view.listed();
  return { pairs: status ? pairs.filter((pair) => exchange.view.status(pair) === status) : pairs, single: false };
}

const answer = (call: Call, describe: (pair: Pair) => unknown): unknown => {
  const { pairs, single } = chosenPairs(call);
  return single ? describe(pairs[0]!) : pairs.map(describe);
};

const oneOrAll =
  (one: number, all: number) =>
  (parameters: RequestParameters): number =>
    parameters.has('symbol') ? one : all;

function tickerWeight(parameters: RequestParameters): number {
  if (parameters.has('symbol')) return 2;
  const count = (parameters.has('symbols') ? symbolList(parameters)?.length : undefined) ?? 1000;
  return count <= 20 ? 2 : count <= 100 ? 40 : 80;
}

function symbolPayload(call: Call, pair: Pair): Record<string, unknown> {
  return {
    symbol: pair.symbol,
    status: call.exchange.view.status(pair),
    baseAsset: pair.base,
    baseAssetPrecision: 8,
    quoteAsset: pair.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: call.exchange.engine.filters.of(pair),
    permissions: [],
    permissionSets: [ACCOUNT_PERMISSIONS],
    defaultSelfTradePreventionMode: DEFAULT_PREVENTION,
    allowedSelfTradePreventionModes: PREVENTION_MODES,
    ...call.exchange.view.rowOf(pair),
  };
}

/** Pairs that orders were routed for, by their base asset; left out while there are none, as at the exchange. */
function sorsOf({ exchange }: Call): Record<string, unknown> {
  const byBase = new Map<string, string[]>();
  for (const { base, symbol } of exchange.engine.sorPairs) byBase.set(base, [...(byBase.get(base) ?? []), symbol]);
  return byBase.size === 0 ? {} : { sors: [...byBase].map(([baseAsset, symbols]) => ({ baseAsset, symbols })) };
}

function recentTrades(call: Call, fromId?: number): unknown {
  const pair = pairOf(call);
  return tradesOf(call.exchange.market, pair, call.exchange.view.momentOf(pair), { limit: call.parameters.limit(500, 1000), fromId }).map(
    ({ id, block, index }) => ({
      id,
      price: priceText(pair, block.prices[index]!),
      qty: quantityText(pair, block.quantities[index]!),
      quoteQty: quoteVolumeText(pair, block.prices[index]! * pair.tick * block.quantities[index]! * pair.step),
      time: block.times[index],
      isBuyerMaker: block.makerIsBuyer[index] === 1,
      isBestMatch: true,
    }),
  );
}

const depthWeight = (parameters: RequestParameters): number => {
  const limit = Number(parameters.text('limit') ?? 100);
  return limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1000 ? 50 : 250;
};

/** Public market data. */
export const MARKET_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/api/v3/ping', socket: 'ping', security: 'none', weight: 1, run: () => ({}) },
  {
    method: 'GET',
    path: '/api/v3/time',
    socket: 'time',
    security: 'none',
    weight: 1,
    run: ({ exchange }) => ({ serverTime: exchange.wallNow() }),
  },
  {
    method: 'GET',
    path: '/api/v3/exchangeInfo',
    socket: 'exchangeInfo',
    security: 'none',
    weight: 20,
    run: (call) => {
      call.parameters.text('permissions');
      call.parameters.flag('showPermissionSets');
      return {
        timezone: 'UTC',
        serverTime: call.exchange.wallNow(),
        rateLimits: call.limits.describe(),
        exchangeFilters: call.exchange.engine.filters.ofExchange,
        symbols: chosenPairs(call).pairs.map((pair) => symbolPayload(call, pair)),
        ...sorsOf(call),
      };
    },
  },
  {
    method: 'GET',
    path: '/api/v3/depth',
    socket: 'depth',
    security: 'none',
    weight: depthWeight,
    run: (call) => {
      const pair = pairOf(call);
      call.parameters.text('symbolStatus');
      const book = call.exchange.view.book(pair, call.parameters.limit(100, 5000));
      const levels = (side: typeof book.bids): string[][] =>
        side.map((level) => [priceText(pair, level.price), quantityText(pair, level.quantity)]);
      return { lastUpdateId: book.lastUpdateId, bids: levels(book.bids), asks: levels(book.asks) };
    },
  },
  { method: 'GET', path: '/api/v3/trades', socket: 'trades.recent', security: 'none', weight: 25, run: (call) => recentTrades(call) },
  {
    method: 'GET',
    path: '/api/v3/historicalTrades',
    socket: 'trades.historical',
    security: 'none',
    weight: 25,
    run: (call) => recentTrades(call, call.parameters.integer('fromId')),
  },
  {
    method: 'GET',
    path: '/api/v3/aggTrades',
    socket: 'trades.aggregate',
    security: 'none',
    weight: 4,
    run: (call) => {
      const { parameters } = call;
      const pair = pairOf(call);
      const query = {
        fromId: parameters.integer('fromId'),
        startTime: parameters.time('startTime'),
        endTime: parameters.time('endTime'),
        limit: parameters.limit(500, 1000),
      };
      return tradesOf(call.exchange.market, pair, call.exchange.view.momentOf(pair), query).map(({ id, block, index }) => ({
        a: id,
        p: priceText(pair, block.prices[index]!),
        q: quantityText(pair, block.quantities[index]!),
        f: id,
        l: id,
        T: block.times[index],
        m: block.makerIsBuyer[index] === 1,
        M: true,
      }));
    },
  },
  { method: 'GET', path: '/api/v3/klines', socket: 'klines', security: 'none', weight: 2, run: klines },
  { method: 'GET', path: '/api/v3/uiKlines', socket: 'uiKlines', security: 'none', weight: 2, run: klines },
  {
    method: 'GET',
    path: '/api/v3/avgPrice',
    socket: 'avgPrice',
    security: 'none',
    weight: 2,
    run: (call) => {
      const pair = pairOf(call);
      const average = call.exchange.view.average(pair);
      return { mins: 5, price: averageText(pair, average.price), closeTime: average.closeTime };
    },
  },
  {
    method: 'GET',
    path: '/api/v3/historicalBlockTrades',
    socket: 'blockTrades.historical',
    security: 'none',
    weight: 25,
    // Nobody trades blocks here.
    run: (call) => {
      pairOf(call);
      for (const name of ['fromId', 'limit']) call.parameters.integer(name);
      return [];
    },
  },
  {
    method: 'GET',
    path: '/api/v3/executionRules',
    socket: 'executionRules',
    security: 'none',
    weight: oneOrAll(2, 40),
    run: (call) => ({
      symbolRules: chosenPairs(call).pairs.map((pair) => ({ symbol: pair.symbol, rules: call.exchange.engine.rules.of(pair) })),
    }),
  },
  { method: 'GET', path: '/api/v3/referencePrice', socket: 'referencePrice', security: 'none', weight: 2, run: referencePrice },
  {
    method: 'GET',
    path: '/api/v3/referencePrice/calculation',
    socket: 'referencePrice.calculation',
    security: 'none',
    weight: 2,
    run: referenceCalculation,
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/24hr',
    socket: 'ticker.24hr',
    security: 'none',
    weight: tickerWeight,
    run: (call) => {
      const mini = readMini(call);
      return answer(call, (pair) => dayTicker(call.exchange.view, pair, mini));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/tradingDay',
    socket: 'ticker.tradingDay',
    security: 'none',
    weight: 4,
    run: (call) => {
      const mini = readMini(call);
      const zone = readZone(call.parameters);
      const { view } = call.exchange;
      const day = findInterval('1d');
      if (!day) throw missingParameter('symbol');
      requireSymbols(call);
      const from = Math.floor((view.now() + zone) / day.length) * day.length - zone;
      return answer(call, (pair) => windowTicker(view, pair, from, from + day.length - 1, mini));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/ticker',
    socket: 'ticker',
    security: 'none',
    weight: 4,
    run: (call) => {
      const mini = readMini(call);
      const text = call.parameters.text('windowSize') ?? '1d';
      const match = /^(\d{1,2})([mhd])$/.exec(text);
      const most = { m: 59, h: 23, d: 7 };
      const unit = match?.[2] as 'm' | 'h' | 'd' | undefined;
      const count = Number(match?.[1]);
      if (!unit || count < 1 || count > most[unit]) throw new ApiError(-1130, "Data sent for parameter 'windowSize' is not valid.");
      requireSymbols(call);
      const { view } = call.exchange;
      const length = count * { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
      const now = view.now();
      const from = Math.floor(now / 60_000) * 60_000 - length + 60_000;
      return answer(call, (pair) => windowTicker(view, pair, from, now, mini));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/price',
    socket: 'ticker.price',
    security: 'none',
    weight: oneOrAll(2, 4),
    run: (call) => answer(call, (pair) => ({ symbol: pair.symbol, price: priceText(pair, call.exchange.view.last(pair).price) })),
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/bookTicker',
    socket: 'ticker.book',
    security: 'none',
    weight: oneOrAll(2, 4),
    run: (call) =>
      answer(call, (pair) => {
        const best = call.exchange.view.best(pair);
        return {
          symbol: pair.symbol,
          bidPrice: priceText(pair, best.bid),
          bidQty: quantityText(pair, best.bidQuantity),
          askPrice: priceText(pair, best.ask),
          askQty: quantityText(pair, best.askQuantity),
        };
      }),
  },
];

const noReference = (): ApiError => new ApiError(-2043, "This symbol doesn't have a reference price.");

function referencePrice(call: Call): unknown {
  const pair = pairOf(call);
  const { engine, view } = call.exchange;
  const reference = engine.rules.reference(pair);
  if (!reference) throw noReference();
  return { symbol: pair.symbol, referencePrice: reference.price, timestamp: view.now() };
}

function referenceCalculation(call: Call): unknown {
  const pair = pairOf(call);
  call.parameters.text('symbolStatus');
  const calculation = call.exchange.engine.rules.calculation(pair);
  if (!calculation) throw noReference();
  return { symbol: pair.symbol, ...calculation };
}

function requireSymbols(call: Call): void {
  if (!call.parameters.has('symbol') && !call.parameters.has('symbols')) throw missingParameter('symbol');
}

function readMini(call: Call): boolean {
  return call.parameters.choice('type', ['FULL', 'MINI'], new ApiError(-1130, "Data sent for parameter 'type' is not valid.")) === 'MINI';
}
