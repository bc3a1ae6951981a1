import { placesOf, toText } from '@pilotfish/core/money/decimal';
import type { Tape } from './candle-file.ts';
import { addBar } from './candles.ts';
import type { Bar, Market, Pair, PairStatus, TickBlock } from './market-contract.ts';
import { RecentMap } from './randomness.ts';
import { APART_FROM, bytesIn, readTapes, readTapesApart } from './read-tapes.ts';
import { knownPairs, pairFacts, splitSymbol } from './symbol-table.ts';
import { walkRecordedBar } from './tick-walk.ts';

const _MINUTE = 60_000;
/** Bars of history before the default start. */
const HISTORY_BARS = 1000;
const NO_TICKS = {
  count: 0,
  times: new Float64Array(0),
  prices: new Float64Array(0),
  quantities: new Float64Array(0),
  makerIsBuyer: new Uint8Array(0),
};

/** Recorded candles walked as trades (see `walkRecordedBar`), several symbols side by side. */
export class ReplayMarket implements Market {
  readonly kind = 'replay';
  readonly pairs: readonly Pair[];
  readonly grid: number;
  readonly endTime: number;
  /** 1,000 bars into the tape that has the shortest bars; its first bar when it has fewer. */
  readonly defaultStart: number;
  private readonly tapes: readonly Tape[];
  private readonly bySymbol: Map<string, Pair>;
  private readonly blocks = new RecentMap<number, TickBlock>(4096);

  constructor(tapes: readonly Tape[]) {
    this.tapes = tapes;
    const known = new Map(knownPairs().map((facts) => [facts.symbol, facts]));
    this.pairs = tapes.map((tape, index) => {
      const facts = known.get(tape.symbol);
      const pricePlaces = Math.max(tape.pricePlaces, facts ? placesOf(facts.tickSize) : 0);
      const volumePlaces = Math.max(tape.volumePlaces, facts ? placesOf(facts.stepSize) : 0);
      const { firstDay: _, ...rules } = pairFacts({
        ...splitSymbol(tape.symbol),
        // A tape can be finer than today's rules: nothing recorded may be lost by rounding.
        tickSize: smallest(pricePlaces),
        stepSize: smallest(volumePlaces),
        minQty: smallest(volumePlaces),
        maxQty: '100000000',
        maxPrice: '100000000',
        minNotional: facts ? toText(facts.minNotional) : '5',
        liquidity: facts?.liquidity ?? 6,
        firstDay: null,
      });
      return { ...rules, index, listedAt: tape.times[0] ?? 0 };
    });
    this.bySymbol = new Map(this.pairs.map((pair) => [pair.symbol, pair]));
    this.grid = tapes.reduce((least, tape) => Math.min(least, tape.length), Number.POSITIVE_INFINITY);
    const shortest = tapes.find((tape) => tape.length === this.grid)!;
    this.defaultStart = (shortest.times[shortest.count > HISTORY_BARS ? HISTORY_BARS : 0] ?? 0) + (shortest.count > HISTORY_BARS ? -1 : 0);
    this.endTime = tapes.reduce((last, tape) => Math.max(last, tape.times[tape.count - 1]! + tape.length - 1), 0);
  }

  find(symbol: string): Pair | undefined {
    return this.bySymbol.get(symbol);
  }

  barLength(pair: Pair): number {
    return this.tape(pair).length;
  }

  status(): PairStatus {
    return 'TRADING';
  }

  previousClose(pair: Pair, time: number): number {
    const tape = this.tape(pair);
    const start = Math.floor(time / tape.length) * tape.length;
    const index = lowerBound(tape.times, start) - 1;
    return index >= 0 ? toUnits(tape.close[index]!, pair.tick) : toUnits(tape.open[0]!, pair.tick);
  }

  ticks(pair: Pair, time: number): TickBlock {
    const tape = this.tape(pair);
    const start = Math.floor(time / tape.length) * tape.length;
    const index = lowerBound(tape.times, start);
    if (tape.times[index] !== start) return { start, end: start + tape.length, firstId: index * 4 + 1, ...NO_TICKS };
    const key = pair.index * 2 ** 32 + index;
    let block = this.blocks.get(key);
    if (!block) {
      block = walkRecordedBar({
        start,
        length: tape.length,
        firstId: index * 4 + 1,
        open: toUnits(tape.open[index]!, pair.tick),
        high: toUnits(tape.high[index]!, pair.tick),
        low: toUnits(tape.low[index]!, pair.tick),
        close: toUnits(tape.close[index]!, pair.tick),
        volume: toUnits(tape.volume[index]!, pair.step),
      });
      this.blocks.set(key, block);
    }
    return block;
  }

  aggregate(pair: Pair, from: number, to: number): Bar | undefined {
    const tape = this.tape(pair);
    let bar: Bar | undefined;
    for (let index = lowerBound(tape.times, from); index < tape.count && tape.times[index]! < to; index += 1) {
      const volume = toUnits(tape.volume[index]!, pair.step);
      const [open, high, low, close] = [tape.open[index]!, tape.high[index]!, tape.low[index]!, tape.close[index]!];
      const rising = close >= open;
      const quoteVolume = tape.volume[index]! * ((open + high + low + close) / 4);
      // Of the four trades of a bar, three have a buyer as taker when it rises and one when it falls.
      const share = rising ? 0.75 : 0.25;
      bar = addBar(bar, {
        open: toUnits(open, pair.tick),
        high: toUnits(high, pair.tick),
        low: toUnits(low, pair.tick),
        close: toUnits(close, pair.tick),
        volume,
        quoteVolume,
        trades: volume > 0 ? 4 : 0,
        takerVolume: Math.floor(volume * share),
        takerQuoteVolume: quoteVolume * share,
        firstId: index * 4 + 1,
        lastId: index * 4 + 4,
      });
    }
    return bar;
  }

  private tape(pair: Pair): Tape {
    return this.tapes[pair.index]!;
  }
}

/**
 * Loads every `.csv` and `.csv.gz` of a folder; of a symbol recorded at several intervals, the shortest one is walked.
 * @param options.apartFrom bytes from which on a thread of their own reads them
 * @throws the reason of the signal, which ends the thread at once
 */
export async function openReplay(
  folder: string,
  { signal, apartFrom = APART_FROM }: { signal?: AbortSignal | undefined; apartFrom?: number } = {},
): Promise<ReplayMarket> {
  const isLong = (await bytesIn(folder)) >= apartFrom;
  return new ReplayMarket(await (isLong ? readTapesApart(folder, signal) : readTapes(folder)));
}

const smallest = (places: number): string => (places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`);
const toUnits = (value: number, size: number): number => Math.round(value / size);

/** Index of the first time that is not before `time`. */
function lowerBound(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
