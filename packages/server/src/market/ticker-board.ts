import type { TickerRow } from '@pilotfish/core/http/stream-contract';
import { decimal, divide, multiply, subtract, toFixedText } from '@pilotfish/core/money/decimal';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import type { UnreadRow } from '../exchange/exchange-rows.ts';

/** Figures of the exchange as it wrote them; what is answered is cut from these, never printed from a float. */
const TEXTS = ['price', 'open', 'high', 'low', 'volume', 'quoteVolume'] as const;
type TextName = (typeof TEXTS)[number];
/** Numbers for the screener and for whoever reads thousands of them a second; NaN is unknown. */
const NUMBERS = [...TEXTS, 'at', 'bid', 'ask', 'trades', 'depth'] as const;
export type BoardColumn = (typeof NUMBERS)[number];

/** Plain decimals as the exchange writes them. Anything else is not a price. */
/** By so much an event may be behind a newer one of its pair; one that is further back is of a market that went back. */
const OVERTAKEN_MS = 5_000;
const PLAIN = /^(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/;

/** `1.500` as `1.5`: the canonical text of a plain decimal. */
function trimmed(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end -= 1;
  if (text.charCodeAt(end - 1) === 46) end -= 1;
  return text.slice(0, end);
}

/** Percent change of two prices, two decimals; 0 without an opening price. Exact also where floats cannot tell which way to round. */
export function changePct(open: string, close: string): string {
  const from = Number(open);
  if (!(from > 0)) return '0';
  const hundredths = ((Number(close) - from) / from) * 10_000;
  const size = Math.abs(hundredths);
  if (size < 1e9 && Math.abs(size - Math.floor(size) - 0.5) > 1e-5) {
    const whole = Math.round(size);
    return `${hundredths < 0 && whole > 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
  }
  return toFixedText(divide(multiply(subtract(decimal(close), decimal(open)), decimal('100')), decimal(open), 12), 2);
}

/**
 * The newest 24 h figures of every pair, in columns by the index a symbol got when it was first seen, and which of
 * them changed since they were last taken.
 */
export function tickerBoard() {
  const indexes = new Map<string, number>();
  const symbols: string[] = [];
  const texts = Object.fromEntries(TEXTS.map((name) => [name, [] as string[]])) as Record<TextName, string[]>;
  let capacity = 1024;
  const column = () => new Float64Array(capacity).fill(Number.NaN);
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, column()])) as Record<BoardColumn, Float64Array>;
  let dirty = new Uint8Array(capacity);
  let changed: number[] = [];
  let asOf = 0;

  function indexOf(symbol: string): number {
    const known = indexes.get(symbol);
    if (known !== undefined) return known;
    const index = symbols.length;
    if (index === capacity) {
      capacity *= 2;
      for (const name of NUMBERS) {
        const wider = column();
        wider.set(numbers[name]);
        numbers[name] = wider;
      }
      const wider = new Uint8Array(capacity);
      wider.set(dirty);
      dirty = wider;
    }
    indexes.set(symbol, index);
    symbols.push(symbol);
    for (const name of TEXTS) texts[name].push('0');
    return index;
  }

  /** Most figures of a pair stay as they were from one second to the next: only new texts are looked at. */
  const setText = (name: TextName, index: number, text: unknown): void => {
    if (typeof text !== 'string' || texts[name][index] === text || !PLAIN.test(text)) return;
    texts[name][index] = text;
    numbers[name][index] = Number(text);
  };

  /** Answers the name of the field for which nothing can be taken over. */
  function put(
    symbol: unknown,
    at: unknown,
    price: unknown,
    figures: readonly [unknown, unknown, unknown, unknown, unknown],
  ): string | undefined {
    if (typeof symbol !== 'string') return 's';
    if (typeof at !== 'number' || !Number.isFinite(at)) return 'E';
    if (typeof price !== 'string' || !PLAIN.test(price)) return 'c';
    if (Number(price) === 0) return undefined;
    const index = indexOf(symbol);
    setText('price', index, price);
    setText('open', index, figures[0]);
    setText('high', index, figures[1]);
    setText('low', index, figures[2]);
    setText('volume', index, figures[3]);
    setText('quoteVolume', index, figures[4]);
    numbers.at[index] = at;
    if (at > asOf) asOf = at;
    if (dirty[index] === 0) {
      dirty[index] = 1;
      changed.push(index);
    }
    return undefined;
  }

  /** The slower of two connections, while one moves over to the other, tells what is known newer already. */
  const isOvertaken = (symbol: unknown, at: unknown): boolean => {
    const index = typeof symbol === 'string' ? indexes.get(symbol) : undefined;
    if (index === undefined || typeof at !== 'number') return false;
    const newer = numbers.at[index]! - at;
    return newer > 0 && newer < OVERTAKEN_MS;
  };

  const isSet = (symbol: string): number | undefined => {
    const index = indexes.get(symbol);
    return index === undefined || Number.isNaN(numbers.at[index]!) ? undefined : index;
  };
  const rowAt = (index: number) => ({
    symbol: symbols[index]!,
    price: trimmed(texts.price[index]!),
    open: trimmed(texts.open[index]!),
    high: trimmed(texts.high[index]!),
    low: trimmed(texts.low[index]!),
    volume: trimmed(texts.volume[index]!),
    quoteVolume: trimmed(texts.quoteVolume[index]!),
    changePct: changePct(texts.open[index]!, texts.price[index]!),
    at: numbers.at[index]!,
  });

  const streamRow = (index: number): TickerRow => [
    symbols[index]!,
    trimmed(texts.price[index]!),
    changePct(texts.open[index]!, texts.price[index]!),
    trimmed(texts.quoteVolume[index]!),
    trimmed(texts.high[index]!),
    trimmed(texts.low[index]!),
  ];

  return {
    /** A row of the REST answer. */
    load(row: {
      symbol: string;
      lastPrice: string;
      openPrice: string;
      highPrice: string;
      lowPrice: string;
      volume: string;
      quoteVolume: string;
      closeTime: number;
      count?: number | undefined;
    }): void {
      put(row.symbol, row.closeTime, row.lastPrice, [row.openPrice, row.highPrice, row.lowPrice, row.volume, row.quoteVolume]);
      if (row.count !== undefined) this.set(row.symbol, 'trades', row.count);
    },
    /** `24hrMiniTicker` events of the stream; anything else is passed over. */
    apply(events: unknown, onUnread?: (rows: readonly UnreadRow[]) => void): void {
      if (!Array.isArray(events)) return;
      let unread: UnreadRow[] | undefined;
      for (const event of events as readonly unknown[]) {
        const { s, E, c, o, h, l, v, q } = (event ?? {}) as Record<string, unknown>;
        if (isOvertaken(s, E)) continue;
        const odd = put(s, E, c, [o, h, l, v, q]);
        if (odd === undefined) continue;
        unread ??= [];
        unread.push({ list: 'miniTickers', name: typeof s === 'string' ? s.slice(0, 40) : '?', field: odd, given: event });
      }
      if (unread) onUnread?.(unread);
    },
    /** A figure that the stream does not carry, for a pair the board knows. */
    set(symbol: string, name: 'bid' | 'ask' | 'trades' | 'depth', value: number): void {
      const index = indexes.get(symbol);
      if (index !== undefined) numbers[name][index] = value;
    },
    /** The column of a figure, by `index`; a wider one replaces it when pairs are added, so do not keep it. */
    column: (name: BoardColumn): Float64Array => numbers[name],
    /** Place of a symbol in the columns; it never changes. */
    index: (symbol: string): number | undefined => indexes.get(symbol),
    symbolAt: (index: number): string | undefined => symbols[index],
    get size(): number {
      return symbols.length;
    },
    price: (symbol: string): string | undefined => {
      const index = isSet(symbol);
      return index === undefined ? undefined : trimmed(texts.price[index]!);
    },
    row: (symbol: string) => {
      const index = isSet(symbol);
      return index === undefined ? undefined : rowAt(index);
    },
    all: (): Ticker[] =>
      symbols.flatMap((symbol) => {
        const index = isSet(symbol);
        if (index === undefined) return [];
        const row = rowAt(index);
        return [{ ...row, at: new Date(row.at).toISOString() }];
      }),
    /** Places of the pairs whose figures came since `takeChanged`. */
    changedIndexes: (): readonly number[] => changed,
    /** Every row in the compact form of the stream. */
    allRows: (): TickerRow[] => symbols.flatMap((symbol) => (isSet(symbol) === undefined ? [] : [streamRow(indexes.get(symbol)!)])),
    /** Rows that changed since the last call, in the compact form of the stream. */
    takeChanged(): TickerRow[] {
      const taken = changed.map((index) => {
        dirty[index] = 0;
        return streamRow(index);
      });
      changed = [];
      return taken;
    },
    /** Market time of the newest figure, ms. */
    get asOf(): number {
      return asOf;
    },
  };
}
export type TickerBoard = ReturnType<typeof tickerBoard>;
