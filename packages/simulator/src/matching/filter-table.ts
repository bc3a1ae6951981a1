import { divide, toFixedText, toMultiple } from '@pilotfish/core/money/decimal';
import type { Pair } from '../market/market-contract.ts';
import { isAssetFilter, isExchangeFilter, type SymbolFilter } from './symbol-filter.ts';

/** How far a limit price may be from the average price of the last five minutes. */
const PRICE_UP = '5';
const PRICE_DOWN = '0.2';
/** A market order may be a tenth of the largest limit order. */
const MARKET_PART = { units: 10n, scale: 0 };

const fixed = (value: Pair['tickSize']): string => toFixedText(value, 8);

/** The rules that every pair begins with, in the exchange's order. */
function standardFilters(pair: Pair): SymbolFilter[] {
  const marketMost = toMultiple(divide(pair.maxQty, MARKET_PART, 8, 'down'), pair.stepSize);
  return [
    { filterType: 'PRICE_FILTER', minPrice: fixed(pair.tickSize), maxPrice: fixed(pair.maxPrice), tickSize: fixed(pair.tickSize) },
    { filterType: 'LOT_SIZE', minQty: fixed(pair.minQty), maxQty: fixed(pair.maxQty), stepSize: fixed(pair.stepSize) },
    { filterType: 'ICEBERG_PARTS', limit: 100 },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: fixed(marketMost), stepSize: '0.00000000' },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 2000,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: PRICE_UP,
      bidMultiplierDown: PRICE_DOWN,
      askMultiplierUp: PRICE_UP,
      askMultiplierDown: PRICE_DOWN,
      avgPriceMins: 5,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: fixed(pair.minNotional),
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 200 },
    { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 20 },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 5 },
    { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 10 },
  ];
}

/** The rules in force: the standard ones until somebody asks for others, of a symbol, of the exchange or of an asset. */
export class FilterTable {
  private readonly bySymbol = new Map<string, readonly SymbolFilter[]>();
  private readonly own = new Map<string, readonly SymbolFilter[]>();
  private exchange: readonly SymbolFilter[] = [];
  private assets: readonly SymbolFilter[] = [];

  of(pair: Pair): readonly SymbolFilter[] {
    let filters = this.bySymbol.get(pair.symbol);
    if (!filters) {
      filters = this.own.get(pair.symbol) ?? standardFilters(pair);
      this.bySymbol.set(pair.symbol, filters);
    }
    return filters;
  }

  get ofExchange(): readonly SymbolFilter[] {
    return this.exchange;
  }

  /** The limits that concern the pair's two assets. */
  ofAssets(pair: Pair): readonly SymbolFilter[] {
    return this.assets.filter((filter) => 'asset' in filter && (filter.asset === pair.base || filter.asset === pair.quote));
  }

  /** Puts rules in place of those of the same type (and asset); the pair's others stay. */
  replace(pair: Pair, filters: readonly SymbolFilter[]): void {
    const own = filters.filter((filter) => !isExchangeFilter(filter) && !isAssetFilter(filter));
    const types = new Set(filters.map(({ filterType }) => filterType));
    this.bySymbol.set(pair.symbol, [...this.of(pair).filter(({ filterType }) => !types.has(filterType)), ...own]);
    this.exchange = [...this.exchange.filter(({ filterType }) => !types.has(filterType)), ...filters.filter(isExchangeFilter)];
    const assets = new Set(filters.flatMap((filter) => ('asset' in filter ? [filter.asset] : [])));
    this.assets = [...this.assets.filter((filter) => !('asset' in filter && assets.has(filter.asset))), ...filters.filter(isAssetFilter)];
  }

  /** The rules of a pair whose exchange names all of them. */
  set(pair: Pair, filters: readonly SymbolFilter[]): void {
    this.own.set(pair.symbol, filters);
    this.bySymbol.delete(pair.symbol);
  }

  /** Back to the standard rules, or those that were set. */
  reset(): void {
    this.bySymbol.clear();
    this.exchange = [];
    this.assets = [];
  }
}
