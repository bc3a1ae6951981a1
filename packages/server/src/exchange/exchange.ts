import { type Decimal, decimal, maximum, placesOf, subtract, sum, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Pair, PairFilters } from '@pilotfish/core/prices/prices-contract';
import type { Timers } from '@pilotfish/core/time/timers';
import type * as z from 'zod';
import { type AccountLanes, accountLanes } from './account-lanes.ts';
import { connectionBudget } from './connection-budget.ts';
import { isNotPermitted } from './exchange-error.ts';
import type { ExchangeOrigins } from './exchange-origins.ts';
import { type ExchangeRest, exchangeRest } from './exchange-rest.ts';
import { idAfter, type Rows, requireRead, sentIn, textOfUnread, type UnreadRow, unreadOf, withUnread } from './exchange-rows.ts';
import { type MarketStream, marketStream } from './market-stream.ts';
import {
  accountPayload,
  allocationsPayload,
  commissionPayload,
  depositedPayload,
  depthPayload,
  exchangeInfoPayload,
  isOfSpot,
  klinesPayload,
  type MyTradesPayload,
  myTradesPayload,
  ORDER_TYPES,
  type OrderPayload,
  orderPayload,
  ordersPayload,
  placedOrderPayload,
  restrictionsPayload,
  tickerPayload,
  tickersPayload,
  withdrawnPayload,
} from './payloads.ts';
import type { Parameters, Signer } from './signing.ts';
import { weightBudget } from './weight-budget.ts';

/** Weight a minute until the exchange has said its own; what it allows in 2026 (`rateLimits` of exchangeInfo). */
const WEIGHT_LIMIT = 6000;
export const TRADES_PER_PAGE = 1000;
export const MY_TRADES_WEIGHT = 20;

/** One exchange as the rest of the server sees it: public data, one market stream, and calls signed by a key. */
export type Exchange = ReturnType<typeof openExchange>;

/** Where accounts on paper trade beside an exchange that has none. */
export type PaperVenue = { readonly origins: ExchangeOrigins; readonly rest: ExchangeRest };

export function openExchange(options: {
  origins: ExchangeOrigins;
  /** Where accounts on paper are, if not at this exchange itself. Asked at their first request. */
  paper?: () => PaperVenue;
  /** False where the exchange has no wallet paths (`/sapi`); see `hasWallet` of core. */
  hasWallet?: boolean;
  now: () => number;
  timers: Timers;
  random: () => number;
  fetch?: typeof globalThis.fetch;
  /** False keeps back whatever would change something at the exchange. */
  maySign?: () => boolean;
  /** An order was refused for a pair that its account may not trade. */
  onNotPermitted?: (signer: Signer) => void;
  /** Our clock and the exchange's have moved against each other. */
  onClockJump?: () => void;
  /** How old signed requests may be on arrival, ms: for the test which shows what a longer window lets happen. */
  recvWindowMs?: number;
  onGap?: (gapMs: number) => void;
  onDown?: (reason: string) => void;
  onRefused?: (reason: string) => void;
  /** Rows of lists that could not be read and are missing in an answer. */
  onUnread?: (rows: readonly UnreadRow[]) => void;
}) {
  const { origins, now, timers, hasWallet = true } = options;
  const paperOf = (): Omit<PaperVenue, 'rest'> & { readonly rest: Pick<ExchangeRest, 'request'> } => options.paper?.() ?? { origins, rest };
  const rest: ExchangeRest = exchangeRest({
    origin: origins.rest,
    others: origins,
    now,
    timers,
    budget: weightBudget({ limit: WEIGHT_LIMIT, now, timers }),
    ...(options.fetch ? { fetch: options.fetch } : {}),
    ...(options.maySign ? { maySign: options.maySign } : {}),
    ...(options.paper ? { paper: () => paperOf().rest } : {}),
    ...(options.onClockJump ? { onClockJump: options.onClockJump } : {}),
    ...(options.onUnread ? { onUnread: options.onUnread } : {}),
    ...(options.recvWindowMs === undefined ? {} : { recvWindowMs: options.recvWindowMs }),
  });
  const { random } = options;
  const connectionsTo = (venue: Pick<ExchangeRest, 'connections'>) => connectionBudget({ now, timers, random, gate: venue.connections });
  const budget = connectionsTo(rest);
  let stream: MarketStream | undefined;
  /** Connections that carry accounts: those of the exchange, and those of paper where it is elsewhere. */
  const lanes: { own?: AccountLanes; paper?: AccountLanes } = {};
  const openLanes = (
    venue: { origins: ExchangeOrigins; rest: Pick<ExchangeRest, 'spendWeight' | 'limited' | 'connections'> },
    isOwn: boolean,
  ): AccountLanes =>
    accountLanes({
      origin: venue.origins.api,
      budget: isOwn ? budget : connectionsTo(venue.rest),
      spend: venue.rest.spendWeight,
      limited: venue.rest.limited,
      time: () => rest.time(),
      now,
      timers,
      random,
    });
  /** By symbol, as the pairs were read last. Real lists have a few different ones of 200 names each: equal ones are kept once. */
  /** Pairs of which orders may have been filled by smart order routing, since we run. */
  const routed = new Set<string>();
  let permissionSets = new Map<string, PermissionSets>();
  /** A page of an account's allocations in a pair as trades, oldest first, from an allocation id on; of one order where it is named. */
  const allocationsFrom = (signer: Signer, symbol: string, fromAllocationId: string, orderId?: string) =>
    rest.request({
      method: 'GET',
      path: '/api/v3/myAllocations',
      weight: MY_TRADES_WEIGHT,
      signer,
      parameters: { symbol, orderId, fromAllocationId, limit: TRADES_PER_PAGE },
      answer: allocationsPayload,
    });
  /** Every allocation of one order. @throws what the exchange answers instead */
  async function allocationsOfOrder(signer: Signer, symbol: string, orderId: string): Promise<MyTradesPayload> {
    const all: z.infer<typeof allocationsPayload> = [];
    const unread: UnreadRow[] = [];
    for (let from: string | undefined = '0'; from !== undefined; ) {
      const page: z.infer<typeof allocationsPayload> = await allocationsFrom(signer, symbol, from, orderId);
      all.push(...page);
      unread.push(...unreadOf(page));
      from = sentIn(page) < TRADES_PER_PAGE ? undefined : idAfterAllocations(page);
    }
    return withUnread(all, unread);
  }
  const account = (signer: Signer) =>
    rest.request({
      method: 'GET',
      path: '/api/v3/account',
      weight: 20,
      signer,
      parameters: { omitZeroBalances: true },
      answer: accountPayload,
    });

  return {
    origins,
    rest,
    /** Where accounts on paper are opened and listened to. */
    get paperOrigins(): ExchangeOrigins {
      return paperOf().origins;
    },
    /** Whether it answers about the wallet: rights of keys, deposits, withdrawals, conversions, dust. */
    hasWallet,
    /** Accounts on paper trade elsewhere than at this exchange. */
    hasPaperVenue: options.paper !== undefined,
    /** The permissions that accounts need for a pair: one of each of the sets. Empty where the exchange says none. */
    permissionSets: (symbol: string): PermissionSets => permissionSets.get(symbol) ?? [],
    /** Rows of streams that could not be read. */
    unread: (rows: readonly UnreadRow[]): void => options.onUnread?.(rows),
    /** The shared market stream; opened at first use. */
    get stream(): MarketStream {
      stream ??= marketStream({
        ...(origins.dataStream === undefined ? { origin: origins.stream } : { origin: origins.dataStream, others: [origins.stream] }),
        now,
        timers,
        random,
        budget,
        ...(options.onGap ? { onGap: options.onGap } : {}),
        ...(options.onDown ? { onDown: options.onDown } : {}),
        ...(options.onRefused ? { onRefused: options.onRefused } : {}),
      });
      return stream;
    },
    /** Where accounts are listened to; opened at first use. */
    lanesOf: ({ isPaper }: Pick<Signer, 'isPaper'>): AccountLanes => {
      if (isPaper && options.paper) lanes.paper ??= openLanes(options.paper(), false);
      else lanes.own ??= openLanes({ origins, rest }, true);
      return (isPaper && lanes.paper) || lanes.own!;
    },
    close: async () => {
      await Promise.all([stream?.close(), lanes.own?.close(), lanes.paper?.close()]);
    },
    /** What of the list could not be read stands beside the pairs: such a one has not left. */
    pairs: async (): Promise<Rows<Pair>> => {
      const info = await rest.request({ method: 'GET', path: '/api/v3/exchangeInfo', weight: 20, answer: exchangeInfoPayload });
      const weight = info.rateLimits.find(
        (each) => each.rateLimitType === 'REQUEST_WEIGHT' && each.interval === 'MINUTE' && each.intervalNum === 1,
      );
      if (weight && weight.limit > 0) rest.allowWeight(weight.limit);
      const pairs = info.symbols.filter((row) => row.isSpotTradingAllowed !== false).flatMap((row) => toPair(row) ?? []);
      permissionSets = setsBySymbol(info.symbols);
      for (const { symbols } of info.sors ?? []) for (const symbol of symbols) routed.add(symbol);
      // None at all that can be read: another shape, and no odd row.
      if (info.symbols.length === 0) requireRead(info.symbols);
      return withUnread(pairs, unreadOf(info.symbols));
    },
    tickers: async () => {
      const rows = await rest.request({ method: 'GET', path: '/api/v3/ticker/24hr', weight: 80, answer: tickersPayload });
      if (rows.length === 0) requireRead(rows);
      return rows;
    },
    /** Last price, best prices and market time of one symbol. */
    moment: async (symbol: string) => {
      const row = await rest.request({
        method: 'GET',
        path: '/api/v3/ticker/24hr',
        weight: 2,
        parameters: { symbol },
        answer: tickerPayload,
      });
      const price = Number(row.lastPrice);
      return { at: row.closeTime, price, bid: Number(row.bidPrice ?? price) || price, ask: Number(row.askPrice ?? price) || price };
    },
    candles: (symbol: string, interval: string, query: { limit: number; startTime?: number; endTime?: number }) =>
      rest.request({ method: 'GET', path: '/api/v3/klines', weight: 2, parameters: { symbol, interval, ...query }, answer: klinesPayload }),
    /**
     * What a key may do. Without a wallet only that it reads, and whether its account trades: `canWithdraw` there is the
     * account's, so it says nothing of the key.
     */
    restrictions: async (signer: Signer): Promise<z.infer<typeof restrictionsPayload>> => {
      if (!hasWallet) return { enableReading: true, enableSpotAndMarginTrading: (await account(signer)).canTrade };
      return rest.request({ method: 'GET', path: '/sapi/v1/account/apiRestrictions', weight: 1, signer, answer: restrictionsPayload });
    },
    account,
    /** What came in less what went out of an asset since a venue time: a thousand rows of each at most. */
    transferred: async (signer: Signer, coin: string, startTime: number): Promise<Decimal> => {
      // Unknown explains nothing: a balance that was reset in demo mode is asked about.
      if (!hasWallet) return ZERO;
      const parameters = { coin, startTime, limit: 1000 };
      const lists = { method: 'GET', weight: 1, signer, parameters } as const;
      const [came, went] = await Promise.all([
        rest.request({ ...lists, path: '/sapi/v1/capital/deposit/hisrec', answer: depositedPayload }),
        rest.request({ ...lists, path: '/sapi/v1/capital/withdraw/history', answer: withdrawnPayload }),
      ]);
      // A sum without a row is another sum.
      requireRead(came);
      requireRead(went);
      const credited = came.filter((row) => isOfSpot(row) && (row.status === 1 || row.status === 6)).map(({ amount }) => decimal(amount));
      // Whatever was not refused or cancelled is out of the balance.
      const gone = went.filter(isOfSpot).filter(({ status }) => status !== 1 && status !== 3 && status !== 5);
      return subtract(sum(credited), sum(gone.flatMap(({ amount, transactionFee }) => [decimal(amount), decimal(transactionFee)])));
    },
    commission: (signer: Signer, symbol: string) =>
      rest.request({
        method: 'GET',
        path: '/api/v3/account/commission',
        weight: 20,
        signer,
        parameters: { symbol },
        answer: commissionPayload,
      }),
    placeOrder: (signer: Signer, parameters: Parameters, more: { urgent: boolean; beforeSigning: (timestamp: number) => void }) =>
      rest
        .request({
          method: 'POST',
          path: '/api/v3/order',
          weight: 1,
          signer,
          parameters: { ...parameters, newOrderRespType: 'FULL' },
          answer: placedOrderPayload,
          ...more,
        })
        .catch((error: unknown) => {
          if (isNotPermitted(error)) options.onNotPermitted?.(signer);
          throw error;
        }),
    depth: (symbol: string) =>
      rest.request({ method: 'GET', path: '/api/v3/depth', weight: 5, parameters: { symbol, limit: 100 }, answer: depthPayload }),
    cancelOrder: (signer: Signer, parameters: Parameters) =>
      rest.request({ method: 'DELETE', path: '/api/v3/order', weight: 1, signer, parameters, answer: orderPayload, urgent: true }),
    order: (signer: Signer, parameters: Parameters) =>
      rest.request({ method: 'GET', path: '/api/v3/order', weight: 4, signer, parameters, answer: orderPayload, urgent: true }),
    openOrders: (signer: Signer, symbol: string | undefined) =>
      rest.request({
        method: 'GET',
        path: '/api/v3/openOrders',
        weight: symbol ? 6 : 80,
        signer,
        parameters: { symbol },
        answer: ordersPayload,
      }),
    /** The newest orders of an account in a pair, up to a thousand, whatever became of them. */
    ordersOf: (signer: Signer, symbol: string) =>
      rest.request({
        method: 'GET',
        path: '/api/v3/allOrders',
        weight: 20,
        signer,
        parameters: { symbol, limit: 1000 },
        answer: ordersPayload,
      }),
    /** A page of an account's trades of a pair, oldest first, from a trade id on (0: from the first). */
    tradesFrom: (signer: Signer, symbol: string, fromId: string) =>
      rest.request({
        method: 'GET',
        path: '/api/v3/myTrades',
        weight: MY_TRADES_WEIGHT,
        signer,
        parameters: { symbol, fromId, limit: TRADES_PER_PAGE },
        answer: myTradesPayload,
      }),
    allocationsFrom,
    /** Whether orders of a pair may have been filled by smart order routing: only then allocations have to be asked for. */
    mayBeRouted: (symbol: string): boolean => routed.has(symbol),
    /** Every execution of an order, however many pages they fill. */
    tradesOfOrder: async (signer: Signer, { symbol, orderId, usedSor }: Pick<OrderPayload, 'symbol' | 'orderId' | 'usedSor'>) => {
      const all: MyTradesPayload = usedSor ? await allocationsOfOrder(signer, symbol, orderId) : [];
      for (let fromId: string | undefined; ; ) {
        const page = await rest.request({
          method: 'GET',
          path: '/api/v3/myTrades',
          weight: 5,
          signer,
          parameters: { symbol, orderId, limit: TRADES_PER_PAGE, ...(fromId === undefined ? {} : { fromId }) },
          answer: myTradesPayload,
          urgent: true,
        });
        all.push(...page);
        const next = idAfterTrades(page);
        // Whoever asks counts what is missing against what the order has executed.
        if (sentIn(page) < TRADES_PER_PAGE || next === undefined) return all;
        fromId = next;
      }
    },
  };
}

/** Where the page after one of trades begins, by those too that could not be read; undefined where none has an id. */
export const idAfterTrades = (page: Rows<{ readonly id: string }>): string | undefined =>
  idAfter([...page.map(({ id }) => id), ...unreadOf(page).flatMap((row) => textOfUnread(row, 'id') ?? [])]);

/** The same for a page of allocations. */
export const idAfterAllocations = (page: Rows<{ readonly allocationId: string }>): string | undefined =>
  idAfter([...page.map((row) => row.allocationId), ...unreadOf(page).flatMap((row) => textOfUnread(row, 'allocationId') ?? [])]);

type Row = z.infer<typeof exchangeInfoPayload>['symbols'][number];

type Filter = Row['filters'][number] | undefined;

/** What an order must be worth, and may be worth: a pair can have either filter, or both. */
function worthOf(notional: Filter, least: Filter) {
  const min = [canonical(notional?.minNotional), canonical(least?.minNotional)].map((each) => decimal(each));
  const ofMarket = [notional?.applyMinToMarket, least?.applyToMarket].map((applies, index) => (applies === false ? ZERO : min[index]!));
  const maxNotional = canonical(notional?.maxNotional);
  const minutes = [notional, least].flatMap((each) => (typeof each?.avgPriceMins === 'number' ? [each.avgPriceMins] : []));
  return {
    minNotional: toText(min.reduce(maximum)),
    maxNotional,
    marketMinNotional: toText(ofMarket.reduce(maximum)),
    marketMaxNotional: notional?.applyMaxToMarket === false ? '0' : maxNotional,
    ...(minutes.length > 0 ? { averageMinutes: Math.max(...minutes) } : {}),
  };
}

type PermissionSets = readonly (readonly string[])[];

function setsBySymbol(rows: readonly Row[]): Map<string, PermissionSets> {
  const once = new Map<string, PermissionSets>();
  const bySymbol = new Map<string, PermissionSets>();
  for (const { symbol, permissionSets: sets } of rows) {
    if (!sets) continue;
    const text = JSON.stringify(sets);
    if (!once.has(text)) once.set(text, sets);
    bySymbol.set(symbol, once.get(text)!);
  }
  return bySymbol;
}

const STATUS = new Set(['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY']);
const canonical = (value: unknown, fallback = '0'): string =>
  typeof value === 'string' || typeof value === 'number' ? toText(decimal(String(value))) : fallback;

/** The orders of ours that a pair does not take; one whose list is empty or not there says nothing. */
function untaken(types: readonly string[] = []): Pick<PairFilters, 'withoutOrders'> {
  const lacking = (['Limit', 'Market', 'StopLimit'] as const).filter((each) => !types.includes(ORDER_TYPES[each]));
  return types.length > 0 && lacking.length > 0 ? { withoutOrders: lacking } : {};
}

/** A row of exchangeInfo as a pair of the product; undefined when it lacks the filters an order needs. */
export function toPair(row: Row): Pair | undefined {
  const filter = (type: string) => row.filters.find((entry) => entry.filterType === type);
  const price = filter('PRICE_FILTER');
  const lot = filter('LOT_SIZE');
  if (!price || !lot) return undefined;
  const market = filter('MARKET_LOT_SIZE');
  const percent = filter('PERCENT_PRICE_BY_SIDE');
  const both = filter('PERCENT_PRICE');
  const filters: PairFilters = {
    tickSize: canonical(price.tickSize),
    minPrice: canonical(price.minPrice),
    maxPrice: canonical(price.maxPrice),
    stepSize: canonical(lot.stepSize),
    minQty: canonical(lot.minQty),
    maxQty: canonical(lot.maxQty),
    marketMaxQty: canonical(market?.maxQty),
    marketMinQty: canonical(market?.minQty),
    marketStepSize: canonical(market?.stepSize),
    ...worthOf(filter('NOTIONAL'), filter('MIN_NOTIONAL')),
    bidMultiplierUp: canonical(percent?.bidMultiplierUp ?? both?.multiplierUp),
    bidMultiplierDown: canonical(percent?.bidMultiplierDown ?? both?.multiplierDown),
    askMultiplierUp: canonical(percent?.askMultiplierUp ?? both?.multiplierUp),
    askMultiplierDown: canonical(percent?.askMultiplierDown ?? both?.multiplierDown),
    maxNumOrders: Number(filter('MAX_NUM_ORDERS')?.maxNumOrders ?? filter('MAX_NUM_ORDERS')?.limit ?? 200),
    maxNumAlgoOrders: Number(filter('MAX_NUM_ALGO_ORDERS')?.maxNumAlgoOrders ?? 5),
    ...untaken(row.orderTypes),
  };
  return {
    symbol: row.symbol,
    baseAsset: row.baseAsset,
    quoteAsset: row.quoteAsset,
    baseAssetPrecision: row.baseAssetPrecision,
    quoteAssetPrecision: row.quoteAssetPrecision,
    pricePrecision: placesOf(decimal(filters.tickSize)),
    quantityPrecision: placesOf(decimal(filters.stepSize)),
    status: STATUS.has(row.status) ? (row.status as Pair['status']) : 'BREAK',
    filters,
  };
}
