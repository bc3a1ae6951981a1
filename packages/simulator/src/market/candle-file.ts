import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CANDLE_ROOM, type CandleRoom, CandleRoomError, requireCandleRoom } from '@pilotfish/core/prices/candle-room';
import { findInterval } from './candles.ts';

/** Recorded candles of one symbol in columns, in time order. */
export type Tape = {
  readonly symbol: string;
  /** Bar length, ms. */
  readonly length: number;
  readonly count: number;
  readonly times: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Most digits after the point that were seen. */
  readonly pricePlaces: number;
  readonly volumePlaces: number;
};

type Columns = { time: number; open: number; high: number; low: number; close: number; volume: number; symbol: number };
type Rows = { times: number[]; prices: number[][]; volumes: number[]; pricePlaces: number; volumePlaces: number };

/** Times at or above this are microseconds (data.binance.vision since 2025). */
const MICROSECONDS = 1e14;
const STANDARD: Columns = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5, symbol: -1 };
const TIME_NAMES = ['open_time', 'opentime', 'date', 'datetime', 'timestamp', 'time'];

/**
 * Reads a candle file (`BTCUSDT-1m-….csv`, plain or `.gz`). Accepted: the exchange's own files (no header, ms or µs)
 * and files with a header that names open_time (or date, datetime), open, high, low, close, volume, in any order, and
 * optionally symbol or ticker (several symbols in one file). Dates are UTC.
 * @param room looked at before anything is made of the file; more throws with the name of the file
 */
export async function readCandleFile(path: string, room: CandleRoom = CANDLE_ROOM): Promise<Tape[]> {
  const name = basename(path);
  const interval = /-(\d{1,2}[smhdwM])(?:[-.]|$)/.exec(name)?.[1];
  const length = interval === undefined ? undefined : findInterval(interval)?.length;
  if (!length) throw new Error(`${name}: the file name must begin with the symbol and the interval, as in BTCUSDT-1m-2025.csv`);
  const fileSymbol = name.slice(0, name.indexOf('-')).toUpperCase();
  const text = (await bytesOf(path, room)).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  const bySymbol = new Map<string, Rows>();
  let columns = STANDARD;
  let line = 0;
  for (let from = 0; from < text.length; line += 1) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    const row = text.slice(from, text.charCodeAt(to - 1) === 13 ? to - 1 : to);
    from = to + 1;
    if (row === '') continue;
    const cells = row.split(',');
    if (line === 0 && !/^\d/.test(row)) {
      columns = readHeader(cells, name);
      if (columns !== STANDARD) continue;
    }
    addRow(bySymbol, cells, columns, fileSymbol, `${name}:${line + 1}`);
  }
  return [...bySymbol].map(([symbol, rows]) => toTape(symbol, length, rows));
}

/** The unpacked bytes of a file. @throws RangeError naming it, where it holds more than there is room for */
async function bytesOf(path: string, room: CandleRoom): Promise<Buffer> {
  try {
    if ((await stat(path)).size > room.bytes) throw new CandleRoomError('TOO_LARGE', room.bytes);
    const raw = await readFile(path);
    const bytes = path.endsWith('.gz') ? gunzipSync(raw, { maxOutputLength: room.bytes }) : raw;
    requireCandleRoom(bytes, room);
    return bytes;
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const found = isBomb ? new CandleRoomError('TOO_LARGE', room.bytes) : error;
    throw found instanceof CandleRoomError ? new RangeError(`${basename(path)}: ${found.message}`, { cause: error }) : error;
  }
}

function readHeader(cells: string[], name: string): Columns {
  const names = cells.map((cell) => cell.trim().toLowerCase().replaceAll('"', ''));
  const at = (...wanted: string[]): number => names.findIndex((cell) => wanted.includes(cell));
  const columns = {
    time: TIME_NAMES.map((wanted) => at(wanted)).find((index) => index >= 0) ?? -1,
    open: at('open'),
    high: at('high'),
    low: at('low'),
    close: at('close'),
    volume: at('volume'),
    symbol: at('symbol', 'ticker'),
  };
  for (const [column, index] of Object.entries(columns)) {
    if (index < 0 && column !== 'symbol') throw new Error(`${name}: the header has no column for ${column}`);
  }
  return columns;
}

function addRow(bySymbol: Map<string, Rows>, cells: string[], columns: Columns, fileSymbol: string, place: string): void {
  // The file was taken byte by byte, which is fast and right for numbers: names may be of any letters.
  const cell = columns.symbol < 0 ? undefined : cells[columns.symbol];
  const symbol = cell === undefined ? fileSymbol : Buffer.from(cell, 'latin1').toString('utf8');
  let rows = bySymbol.get(symbol);
  if (!rows) {
    rows = { times: [], prices: [], volumes: [], pricePlaces: 0, volumePlaces: 0 };
    bySymbol.set(symbol, rows);
  }
  const time = readTime(cells[columns.time] ?? '');
  const texts = [cells[columns.open], cells[columns.high], cells[columns.low], cells[columns.close]];
  const prices = texts.map(Number);
  const volume = Number(cells[columns.volume]);
  if (!Number.isFinite(time) || !prices.every((price) => price > 0) || !(volume >= 0)) throw new Error(`${place}: not a candle`);
  rows.times.push(time);
  rows.prices.push(prices);
  rows.volumes.push(volume);
  for (const text of texts) rows.pricePlaces = Math.max(rows.pricePlaces, placesIn(text ?? ''));
  rows.volumePlaces = Math.max(rows.volumePlaces, placesIn(cells[columns.volume] ?? ''));
}

function readTime(text: string): number {
  if (/^\d{9,}$/.test(text)) {
    const time = Number(text);
    return time >= MICROSECONDS ? Math.floor(time / 1000) : time;
  }
  const iso = text.trim().replace(' ', 'T');
  return Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : /[Zz]|[+-]\d\d:?\d\d$/.test(iso) ? iso : `${iso}Z`);
}

/** Digits after the point that matter, at most eight. */
function placesIn(text: string): number {
  const point = text.indexOf('.');
  if (point < 0) return 0;
  let end = text.length;
  while (end > point + 1 && text.charCodeAt(end - 1) === 48) end -= 1;
  return Math.min(8, end - point - 1);
}

function toTape(symbol: string, length: number, rows: Rows): Tape {
  const order = rows.times.map((_, index) => index);
  if (rows.times.some((time, index) => index > 0 && time < rows.times[index - 1]!)) order.sort((a, b) => rows.times[a]! - rows.times[b]!);
  // A candle recorded twice counts once: the later row is the more complete one.
  const kept = order.filter((row, index) => index === order.length - 1 || rows.times[order[index + 1]!] !== rows.times[row]);
  const column = (pick: (row: number) => number): Float64Array => Float64Array.from(kept, pick);
  return {
    symbol,
    length,
    count: kept.length,
    times: column((row) => Math.floor(rows.times[row]! / length) * length),
    open: column((row) => rows.prices[row]![0]!),
    high: column((row) => rows.prices[row]![1]!),
    low: column((row) => rows.prices[row]![2]!),
    close: column((row) => rows.prices[row]![3]!),
    volume: column((row) => rows.volumes[row]!),
    pricePlaces: rows.pricePlaces,
    volumePlaces: rows.volumePlaces,
  };
}
