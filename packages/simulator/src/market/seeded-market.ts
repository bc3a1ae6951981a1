import { AssetWalk, DAY, GENESIS, MINUTE, MINUTES } from './asset-walk.ts';
import { addBar } from './candles.ts';
import type { Bar, Market, Pair, PairStatus, TickBlock } from './market-contract.ts';
import { hash, hashText, normal, RecentMap, uniform } from './randomness.ts';
import { anchorOf, knownPairs, type PairFacts } from './symbol-table.ts';
import { walkMinute } from './tick-walk.ts';

/** Minute bars of one pair and one UTC day, in columns. */
type Day = { open: Int32Array; high: Int32Array; low: Int32Array; close: Int32Array; volume: Float32Array };

const HOUR = 60 * MINUTE;

/** Pairs that are listed one by one between these two moments; all others trade from the start. */
const LISTINGS_FROM = Date.UTC(2024, 0, 1);
const LISTINGS_TO = Date.UTC(2030, 0, 1);

/** How much more or less than usual trades in a minute: lognormal, drawn by ten bits. */
const BURSTS = Float64Array.from({ length: 1024 }, (_, draw) => Math.exp(0.7 * normal(0xb0b, draw)));

/** Trades a minute by liquidity class. */
const PACE = [6, 6, 6, 6, 6, 12, 20, 30, 60, 60];

/**
 * An invented market: some hundred correlated pairs with regimes, listings and halts. Everything is a pure function of
 * (seed, pair, moment), so the same seed is the same market whatever the speed, the start or the order of questions,
 * and nothing has to be generated in advance.
 */
export class SeededMarket implements Market {
  readonly kind = 'seeded';
  readonly grid = MINUTE;
  readonly endTime = null;
  readonly pairs: readonly Pair[];
  private readonly seed: number;
  private readonly walk: AssetWalk;
  private readonly bySymbol: Map<string, Pair>;
  /** Place of each pair in the whole table: a market of a few pairs has the very prices of the whole one. */
  private readonly places: readonly number[];
  private readonly days: RecentMap<number, Day>;
  private readonly scratch = emptyDay();
  private readonly dayBars = new RecentMap<number, Bar>(50_000);
  private readonly hourBars: RecentMap<number, Bar>;
  private readonly blocks: RecentMap<number, TickBlock>;

  /**
   * @param symbols the only pairs it lists, instead of all of the table
   * @throws RangeError that names a symbol the table does not have
   */
  constructor(seed: string | number, symbols?: readonly string[]) {
    this.seed = hashText(String(seed));
    this.walk = new AssetWalk(this.seed);
    const known = knownPairs();
    const majors = new Set(known.filter((facts) => facts.liquidity >= 8).map((facts) => facts.base));
    this.places = placesOf(known, symbols);
    this.pairs = this.places.map((place, index) => {
      const { firstDay: _, ...rules } = known[place]!;
      return { ...rules, index, listedAt: this.listing(known[place]!, majors.has(rules.base)) };
    });
    this.bySymbol = new Map(this.pairs.map((pair) => [pair.symbol, pair]));
    this.days = new RecentMap(2 * this.pairs.length + 100);
    this.hourBars = new RecentMap(26 * this.pairs.length + 100);
    this.blocks = new RecentMap(2 * this.pairs.length + 100);
  }

  find(symbol: string): Pair | undefined {
    return this.bySymbol.get(symbol);
  }

  barLength(): number {
    return MINUTE;
  }

  status(pair: Pair, time: number): PairStatus {
    const halt = this.halt(pair, Math.floor(time / DAY));
    const minute = Math.floor((time % DAY) / MINUTE);
    return halt && minute >= halt.from && minute < halt.to ? 'BREAK' : 'TRADING';
  }

  previousClose(pair: Pair, time: number): number {
    const start = Math.floor(time / MINUTE) * MINUTE;
    const before = Math.max(start - MINUTE, pair.listedAt);
    return this.day(pair, Math.floor(before / DAY)).close[minuteOf(before)]!;
  }

  ticks(pair: Pair, time: number): TickBlock {
    const minute = Math.floor(time / MINUTE);
    const key = pair.index * 2 ** 26 + minute;
    const known = this.blocks.get(key);
    if (known) return known;
    const start = minute * MINUTE;
    const pace = PACE[pair.liquidity] ?? 6;
    const firstId = Math.max(0, (start - pair.listedAt) / MINUTE) * pace + 1;
    const day = this.day(pair, Math.floor(start / DAY));
    const m = minuteOf(start);
    const volume = start < pair.listedAt ? 0 : day.volume[m]!;
    const block = walkMinute({
      key: hash(this.key(pair), minute),
      start,
      length: MINUTE,
      firstId,
      count: volume > 0 ? pace : 0,
      open: day.open[m]!,
      high: day.high[m]!,
      low: day.low[m]!,
      close: day.close[m]!,
      volume,
    });
    this.blocks.set(key, block);
    return block;
  }

  aggregate(pair: Pair, from: number, to: number): Bar | undefined {
    let at = Math.max(from, pair.listedAt, GENESIS);
    let bar: Bar | undefined;
    while (at < to) {
      const day = Math.floor(at / DAY);
      const dayEnd = (day + 1) * DAY;
      const next =
        at === day * DAY && dayEnd <= to ? this.dayBar(pair, day) : this.partOfDay(pair, this.day(pair, day), at, Math.min(dayEnd, to));
      if (next) bar = addBar(bar, next);
      at = dayEnd;
    }
    return bar;
  }

  private dayBar(pair: Pair, day: number): Bar | undefined {
    const key = pair.index * 2 ** 16 + day;
    const known = this.dayBars.get(key);
    if (known) return known;
    // A sweep over years must not push the current days out of the cache, so a missing day is built and dropped.
    const bar = this.partOfDay(pair, this.days.get(key) ?? this.build(pair, day, this.scratch), day * DAY, (day + 1) * DAY);
    if (bar) this.dayBars.set(key, bar);
    return bar;
  }

  /** Whole hours are added up once: the last 24 hours of every pair are asked for every minute. */
  private partOfDay(pair: Pair, day: Day, from: number, to: number): Bar | undefined {
    let bar: Bar | undefined;
    let at = from;
    while (at < to) {
      const end = Math.min(to, (Math.floor(at / HOUR) + 1) * HOUR);
      const next = end - at === HOUR ? this.hourBar(pair, day, at) : this.partOfHour(pair, day, at, end);
      if (next) bar = addBar(bar, next);
      at = end;
    }
    return bar;
  }

  private hourBar(pair: Pair, day: Day, start: number): Bar | undefined {
    const key = pair.index * 2 ** 22 + start / HOUR;
    const known = this.hourBars.get(key);
    if (known) return known;
    const bar = this.partOfHour(pair, day, start, start + HOUR);
    // A sweep over years goes day by day and must not push out the hours of now: see dayBar.
    if (bar && day !== this.scratch) this.hourBars.set(key, bar);
    return bar;
  }

  private partOfHour(pair: Pair, day: Day, from: number, to: number): Bar | undefined {
    const first = minuteOf(from);
    const last = first + (to - from) / MINUTE;
    const pace = PACE[pair.liquidity] ?? 6;
    const idBase = (from - pair.listedAt) / MINUTE - first;
    const taker = hash(this.key(pair), Math.floor(from / DAY));
    let bar: Bar | undefined;
    for (let m = first; m < last; m += 1) {
      const volume = day.volume[m]!;
      const open = day.open[m]!;
      const high = day.high[m]!;
      const low = day.low[m]!;
      const close = day.close[m]!;
      const quote = volume * pair.step * ((open + high + low + close) / 4) * pair.tick;
      const share = 0.35 + (0.3 * ((Math.imul(m, 0x9e3779b1) ^ taker) >>> 0)) / 4294967296;
      const takerVolume = Math.floor(volume * share);
      const takerQuote = volume > 0 ? (quote * takerVolume) / volume : 0;
      const trades = volume > 0 ? pace : 0;
      const firstId = (idBase + m) * pace + 1;
      if (!bar) {
        bar = {
          open,
          high,
          low,
          close,
          volume,
          quoteVolume: quote,
          trades,
          takerVolume,
          takerQuoteVolume: takerQuote,
          firstId,
          lastId: firstId + pace - 1,
        };
        continue;
      }
      if (high > bar.high) bar.high = high;
      if (low < bar.low) bar.low = low;
      bar.close = close;
      bar.volume += volume;
      bar.quoteVolume += quote;
      bar.trades += trades;
      bar.takerVolume += takerVolume;
      bar.takerQuoteVolume += takerQuote;
      bar.lastId = firstId + pace - 1;
    }
    return bar;
  }

  private day(pair: Pair, day: number): Day {
    const key = pair.index * 2 ** 16 + day;
    let values = this.days.get(key);
    if (!values) {
      values = this.build(pair, day);
      this.days.set(key, values);
    }
    return values;
  }

  private build(pair: Pair, day: number, values = emptyDay()): Day {
    const base = this.walk.minutes(pair.base, day);
    const quote = pair.quote === 'USDT' ? undefined : this.walk.minutes(pair.quote, day);
    const { open: opens, high: highs, low: lows, close: closes, volume: volumes } = values;
    const key = hash(this.key(pair), day ^ 0xd47);
    const halt = this.halt(pair, day);
    const haltFrom = halt?.from ?? MINUTES;
    const haltTo = halt?.to ?? MINUTES;
    const wick = this.walk.minuteVolatility(pair.base, day) + (quote ? this.walk.minuteVolatility(pair.quote, day) : 0) + 1e-9;
    const pace = PACE[pair.liquidity] ?? 6;
    // This loop makes every candle of the market: it multiplies where it could divide.
    const reach = (1.6 * wick) / 65_025;
    const pull = 0.6 / wick;
    const minuteValue = (10 ** (pair.liquidity + 0.4) / MINUTES / anchorOf(pair.quote)) * (0.5 + uniform(key, 7));
    const minuteLots = minuteValue / (pair.tick * pair.step);
    const inverseTick = 1 / pair.tick;
    let open = Math.max(2, Math.round(Math.exp(quote ? base[0]! - quote[0]! : base[0]!) * inverseTick));
    for (let m = 0; m < MINUTES; m += 1) {
      opens[m] = open;
      if (m >= haltFrom && m < haltTo) {
        closes[m] = open;
        highs[m] = open;
        lows[m] = open;
        volumes[m] = 0;
        continue;
      }
      const close = Math.max(2, Math.round(Math.exp(quote ? base[m + 1]! - quote[m + 1]! : base[m + 1]!) * inverseTick));
      const rises = close > open;
      const top = rises ? close : open;
      const bottom = rises ? open : close;
      const draw = hash(key, 20_000 + m);
      const scale = reach * top;
      highs[m] = top + ((scale * (draw & 255) * ((draw >>> 8) & 255) + 0.5) | 0);
      lows[m] = Math.max(1, bottom - ((scale * ((draw >>> 16) & 255) * (draw >>> 24) + 0.5) | 0));
      closes[m] = close;
      const inverse = 1 / close;
      const burst = BURSTS[hash(key, 60_000 + m) >>> 22]!;
      // A column of whole lots: the trades of the minute add up to exactly what it stores.
      volumes[m] = Math.max(pace, Math.round(minuteLots * (0.5 + pull * (top - bottom) * inverse) * burst * inverse));
      open = close;
    }
    return values;
  }

  /** Minutes of the day in which the pair does not trade, on about one day in 150; the most traded pairs never stop. */
  private halt(pair: Pair, day: number): { from: number; to: number } | undefined {
    if (pair.liquidity >= 8) return undefined;
    const draw = hash(this.key(pair) ^ 0x4a17, day);
    if (draw % 150 !== 0) return undefined;
    const from = (draw >>> 8) % (MINUTES - 60);
    return { from, to: from + 5 + ((draw >>> 20) % 25) };
  }

  /** Little-traded pairs of some assets come late, all of one asset at once; an asset with a much-traded pair is never late. */
  private listing(facts: PairFacts, major: boolean): number {
    const draw = uniform(hash(this.seed, hashText(facts.base)), 0x115);
    const late = !major && facts.liquidity < 7 && uniform(hash(this.seed, hashText(facts.base)), 0x116) < 0.28;
    if (!late) return Math.max(GENESIS, facts.firstDay ?? GENESIS);
    const hours = Math.floor((draw * (LISTINGS_TO - LISTINGS_FROM)) / 3_600_000);
    return LISTINGS_FROM + hours * 3_600_000;
  }

  private key(pair: Pair): number {
    return hash(this.seed, this.places[pair.index]! + 1);
  }
}

function placesOf(known: readonly PairFacts[], symbols: readonly string[] | undefined): number[] {
  const unknown = symbols?.find((symbol) => !known.some((facts) => facts.symbol === symbol));
  if (unknown !== undefined) throw new RangeError(`market.symbols: the invented market has no ${unknown}`);
  return known.flatMap((facts, place) => (symbols === undefined || symbols.includes(facts.symbol) ? [place] : []));
}

const emptyDay = (): Day => ({
  open: new Int32Array(MINUTES),
  high: new Int32Array(MINUTES),
  low: new Int32Array(MINUTES),
  close: new Int32Array(MINUTES),
  volume: new Float32Array(MINUTES),
});

const minuteOf = (time: number): number => Math.floor((time % DAY) / MINUTE);
