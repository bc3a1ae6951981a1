import type { Decimal } from '@pilotfish/core/money/decimal';

/**
 * One trading pair and its rules. Inside the market, prices are whole **ticks** and quantities whole **lots**
 * (integers, so comparing and adding them is exact); `tickSize` and `stepSize` turn them into money.
 */
export type Pair = {
  readonly index: number;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly tickSize: Decimal;
  readonly stepSize: Decimal;
  readonly minQty: Decimal;
  readonly maxQty: Decimal;
  readonly maxPrice: Decimal;
  readonly minNotional: Decimal;
  /** Digits after the point of a tick and of a lot. */
  readonly pricePlaces: number;
  readonly quantityPlaces: number;
  /** The tick and the lot as doubles: sizes and averages only, never money. */
  readonly tick: number;
  readonly step: number;
  /** Order of magnitude of the traded USD a day (3 to 9). */
  readonly liquidity: number;
  /** Market time at which it starts to trade. */
  readonly listedAt: number;
};

/** One trade of the market. `price` in ticks, `quantity` in lots, `time` in ms. `makerIsBuyer`: a seller hit the bid. */
export type Tick = {
  readonly pair: Pair;
  readonly id: number;
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
  readonly makerIsBuyer: boolean;
};

/** All trades of one base bar, in columns and in time order. */
export type TickBlock = {
  readonly start: number;
  readonly end: number;
  readonly firstId: number;
  readonly count: number;
  readonly times: Float64Array;
  readonly prices: Float64Array;
  readonly quantities: Float64Array;
  readonly makerIsBuyer: Uint8Array;
};

/** Open, high, low, close in ticks; volumes in lots; quote volumes in the quote asset. */
export type Bar = {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  quoteVolume: number;
  trades: number;
  takerVolume: number;
  takerQuoteVolume: number;
  firstId: number;
  lastId: number;
};

export const PAIR_STATUSES = ['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY'] as const;
export type PairStatus = (typeof PAIR_STATUSES)[number];

/** A source of trades: a tape or an invention. Every answer is a pure function of its arguments. */
export type Market = {
  readonly kind: 'seeded' | 'replay' | 'mirror';
  /** Every pair the market ever lists; `pairs[i].index === i`. */
  readonly pairs: readonly Pair[];
  /** Grid of the walk, in ms: a step never crosses a multiple of it. */
  readonly grid: number;
  /** After this moment nothing moves any more; null for a market without end. */
  readonly endTime: number | null;
  find(symbol: string): Pair | undefined;
  /** Length of the pair's own bars in ms: the smallest interval its candles can have. */
  barLength(pair: Pair): number;
  status(pair: Pair, time: number): PairStatus;
  /** The trades of the bar that contains `time`. */
  ticks(pair: Pair, time: number): TickBlock;
  /** The last closed bar that ends at or before `time` and traded, for a price where the running bar has none yet. */
  previousClose(pair: Pair, time: number): number;
  /** Whole bars in [from, to), both on the pair's bar grid, added into one; undefined where nothing exists. */
  aggregate(pair: Pair, from: number, to: number): Bar | undefined;
};

/** `units` of a size with `places` digits as text with exactly eight digits after the point, as the exchange prints money. */
export function unitsText(units: number, size: Decimal): string {
  const scaled = BigInt(units) * size.units;
  const digits = scaled.toString().padStart(size.scale + 1, '0');
  const point = digits.length - size.scale;
  return `${digits.slice(0, point)}.${digits.slice(point).padEnd(8, '0')}`;
}

/** `units` of a size as an exact decimal. */
export const unitsDecimal = (units: number, size: Decimal): Decimal => ({ units: BigInt(units) * size.units, scale: size.scale });
