import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { AppContext } from '../app/context.ts';
import type { Market } from '../market/market.ts';
import { minuteCloses } from '../market/minute-closes.ts';
import { tickerBoard } from '../market/ticker-board.ts';
import { openPrices, type Prices } from './prices.ts';

/** One pair of an invented market and its figures now. */
export type FixturePair = {
  readonly base: string;
  readonly quote?: string;
  readonly price: string;
  readonly open?: string;
  readonly quoteVolume?: string;
  readonly bid?: number;
  readonly ask?: number;
  readonly status?: Pair['status'];
};

/** For tests: a market that stands still until it is told something, and the prices side on top of it. */
export function marketFixture(rows: readonly FixturePair[], at: number) {
  const board = tickerBoard();
  const state = { loaded: true, stale: false, at };
  const pairs = rows.map(
    ({ base, quote = 'USDT', status = 'TRADING' }): Pair => ({
      symbol: `${base}${quote}`,
      baseAsset: base,
      quoteAsset: quote,
      baseAssetPrecision: 8,
      quoteAssetPrecision: 8,
      pricePrecision: 2,
      quantityPrecision: 5,
      status,
      filters: {
        tickSize: '0.01',
        minPrice: '0.01',
        maxPrice: '1000000',
        stepSize: '0.00001',
        minQty: '0.00001',
        maxQty: '9000',
        marketMaxQty: '100',
        minNotional: '5',
        maxNotional: '9000000',
        bidMultiplierUp: '5',
        bidMultiplierDown: '0.2',
        askMultiplierUp: '5',
        askMultiplierDown: '0.2',
        maxNumOrders: 200,
        maxNumAlgoOrders: 5,
      },
    }),
  );
  const tell = (figures: readonly FixturePair[]): void => {
    board.apply(
      figures.map(({ base, quote = 'USDT', price, open = price, quoteVolume = '5000000' }) => ({
        s: `${base}${quote}`,
        E: state.at,
        c: price,
        o: open,
        h: price,
        l: open,
        v: '1',
        q: quoteVolume,
      })),
    );
    for (const { base, quote = 'USDT', bid, ask } of figures) {
      if (bid !== undefined) board.set(`${base}${quote}`, 'bid', bid);
      if (ask !== undefined) board.set(`${base}${quote}`, 'ask', ask);
    }
  };
  tell(rows);
  const bySymbol = new Map(pairs.map((pair) => [pair.symbol, pair]));
  const market = {
    board,
    minutes: minuteCloses(),
    get loaded() {
      return state.loaded;
    },
    stale: () => state.stale,
    pairs: () => pairs,
    pair: (symbol: string) => bySymbol.get(symbol),
    ticker: (symbol: string) => board.row(symbol),
  } as unknown as Market;
  const exchange = {
    rest: { weightUsed: 0 },
    candles: async () => [],
  } as never;
  return {
    market,
    state,
    tell,
    open: (context: AppContext, more: Partial<Parameters<typeof openPrices>[1]> = {}): Prices =>
      openPrices(context, {
        exchange,
        market,
        heldAssets: async () => undefined,
        isConnected: async () => false,
        paysFeesInBnb: async () => undefined,
        ...more,
      }),
  };
}
