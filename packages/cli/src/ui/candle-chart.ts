import { formatCompact, formatPrice } from '@pilotfish/core/money/format';
import type { Colours } from './colour.ts';
import { localTime } from './times.ts';

/** Plain numbers: a drawing needs no exact ones. `openTime` in epoch ms. */
export type DrawnCandle = { openTime: number; open: number; high: number; low: number; close: number; volume: number; filled?: boolean };

export type ChartOptions = {
  /** Columns and rows to draw on, axes included. */
  readonly width: number;
  readonly height: number;
  readonly unicode: boolean;
  readonly paint: Colours;
  /** Without colour a falling candle is drawn with gaps. */
  readonly coloured: boolean;
  /** Digits after the point of prices. */
  readonly places: number;
  /** Length of a candle in milliseconds: decides what the time axis says. */
  readonly intervalMs: number;
};

const LEFT = [0x01, 0x02, 0x04, 0x40];
const RIGHT = [0x08, 0x10, 0x20, 0x80];
const BLOCKS = Array.from('▁▂▃▄▅▆▇█');
const LETTERS = Array.from('.:-=+*%#');
const DOTS = 4;
const VOLUME_ROWS = 2;
const DAY = 86_400_000;

/** How many columns the prices of these candles take on the right. */
const axisWidth = (low: number, high: number, places: number): number =>
  Math.max(formatPrice(low.toFixed(places), places).length, formatPrice(high.toFixed(places), places).length) + 2;

/** How many candles fit beside prices of about that size. */
export const candlesThatFit = (width: number, price: number, places: number): number =>
  Math.max(1, width - axisWidth(price, price * 1.2, places));

/** 1, 2 or 5 times a power of ten, at least as large as asked. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least * 0.999_999) ?? 10 * power;
}

/**
 * Candles as lines of text: one column of Braille dots each (four dots to a row), prices on the right, volume and time
 * below. The newest that fit are drawn. No candle, no line.
 */
export function candleChart(candles: readonly DrawnCandle[], options: ChartOptions): string[] {
  if (candles.length === 0) return [];
  const { width, height, paint, places } = options;
  const roughly = candlesThatFit(width, candles.at(-1)!.high, places);
  const sample = candles.slice(-roughly);
  const axis = axisWidth(Math.min(...sample.map(({ low }) => low)), Math.max(...sample.map(({ high }) => high)), places);
  const columns = Math.max(1, width - axis);
  const drawn = sample.slice(-columns);
  const step = Math.min(3, Math.max(1, Math.floor(columns / drawn.length)));
  const rows = Math.max(3, height - 1 - (height >= 9 ? VOLUME_ROWS : 0));
  const low = Math.min(...drawn.map((candle) => candle.low));
  const high = Math.max(...drawn.map((candle) => candle.high));
  const span = high - low || Math.abs(high) * 0.001 || 1;
  const [bottom, dots] = [high === low ? low - span / 2 : low, rows * DOTS];
  const dotOf = (price: number) => Math.round((1 - (price - bottom) / span) * (dots - 1));
  const tone = (candle: DrawnCandle, text: string) =>
    candle.filled ? paint.dim(text) : candle.close >= candle.open ? paint.green(text) : paint.red(text);
  const gap = ' '.repeat(step - 1);
  const labels = priceLabels({ low: bottom, span, rows, dotOf, places, last: drawn.at(-1)!.close });
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = drawn.map((candle) => {
      const cell = candleCell(candle, row, dotOf, options);
      return cell === ' ' ? ` ${gap}` : tone(candle, cell) + gap;
    });
    const label = labels.get(row);
    const [tick, mark] = options.unicode ? ['┤', '◄'] : ['|', '<'];
    const shown = label === undefined ? '' : label.isLast ? paint.bold(`${mark} ${label.text}`) : paint.dim(`${tick} ${label.text}`);
    const blank = ' '.repeat(Math.max(0, columns - drawn.length * step));
    return `${cells.join('')}${blank}${shown}`.trimEnd();
  });
  if (height >= 9) lines.push(...volumeLines(drawn, gap, columns, step, tone, options));
  lines.push(paint.dim(timeLine(drawn, step, columns, options.intervalMs)).trimEnd());
  return lines;
}

/** What one candle draws in one row. */
function candleCell(candle: DrawnCandle, row: number, dotOf: (price: number) => number, { unicode, coloured }: ChartOptions): string {
  const [top, end] = [dotOf(candle.high), dotOf(candle.low)];
  const [bodyTop, bodyEnd] = [dotOf(Math.max(candle.open, candle.close)), dotOf(Math.min(candle.open, candle.close))];
  const falls = candle.close < candle.open;
  let [bits, hasBody] = [0, false];
  for (let dot = 0; dot < DOTS; dot += 1) {
    const at = row * DOTS + dot;
    if (at < top || at > end) continue;
    bits |= LEFT[dot]!;
    if (at < bodyTop || at > bodyEnd) continue;
    hasBody = true;
    if (coloured || !falls || at % 2 === 0) bits |= RIGHT[dot]!;
  }
  if (bits === 0) return ' ';
  if (unicode) return String.fromCodePoint(0x2800 + bits);
  return !hasBody ? '|' : falls ? 'o' : '#';
}

type LabelOptions = { low: number; span: number; rows: number; dotOf: (price: number) => number; places: number; last: number };

/** Round prices at least three rows apart, and the last price at its own row. */
function priceLabels({ low, span, rows, dotOf, places, last }: LabelOptions): Map<number, { text: string; isLast: boolean }> {
  const labels = new Map<number, { text: string; isLast: boolean }>();
  const rowOf = (price: number) => Math.min(rows - 1, Math.max(0, Math.floor(dotOf(price) / DOTS)));
  const text = (price: number) => formatPrice(price.toFixed(places), places);
  const least = 10 ** -places;
  const step = Math.max(niceStep((span / rows) * 3), least);
  for (let n = Math.ceil(low / step); n * step <= low + span; n += 1) labels.set(rowOf(n * step), { text: text(n * step), isLast: false });
  const lastRow = rowOf(last);
  labels.set(lastRow, { text: text(last), isLast: true });
  return labels;
}

function volumeLines(
  drawn: readonly DrawnCandle[],
  gap: string,
  columns: number,
  step: number,
  tone: (candle: DrawnCandle, text: string) => string,
  { unicode, paint }: ChartOptions,
): string[] {
  const marks = unicode ? BLOCKS : LETTERS;
  const most = Math.max(...drawn.map(({ volume }) => volume));
  const levels = VOLUME_ROWS * marks.length;
  return Array.from({ length: VOLUME_ROWS }, (_, row) => {
    const below = (VOLUME_ROWS - 1 - row) * marks.length;
    const cells = drawn.map((candle) => {
      const level = most > 0 && candle.volume > 0 ? Math.max(1, Math.round((candle.volume / most) * levels)) : 0;
      const mark = marks[Math.min(marks.length, level - below) - 1];
      return (mark === undefined ? ' ' : tone(candle, mark)) + gap;
    });
    const label = row === 0 && most > 0 ? paint.dim(`${unicode ? '┤' : '|'} ${formatCompact(most.toFixed(8))}`) : '';
    return `${cells.join('')}${' '.repeat(Math.max(0, columns - drawn.length * step))}${label}`.trimEnd();
  });
}

/** In the account's time zone: the hour, the day where a day begins and for long candles. */
function timeText(at: number, before: number | undefined, intervalMs: number): string {
  const day = localTime(at, 'day');
  if (intervalMs >= DAY) return day;
  const isNewDay = before === undefined || localTime(before, 'day') !== day;
  return isNewDay ? day : localTime(at, 'clock');
}

function timeLine(drawn: readonly DrawnCandle[], step: number, columns: number, intervalMs: number): string {
  let line = '';
  let before: number | undefined;
  drawn.forEach(({ openTime }, index) => {
    const at = index * step;
    if (line !== '' && at < line.length + 5) return;
    const text = timeText(openTime, before, intervalMs);
    if (at + text.length > columns) return;
    line = line.padEnd(at) + text;
    before = openTime;
  });
  return line;
}
