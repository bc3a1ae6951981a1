import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createBacktestFigures, type FigureSource } from '@pilotfish/core/backtest/backtest-figures';
import { add, decimal, multiply, toFixedText, toText, ZERO } from '@pilotfish/core/money/decimal';
import { aggregateCandles, type ExactCandle, fillGaps, intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import { figureNeed } from '@pilotfish/core/prices/figure-needs';
import {
  dayFigures,
  FIGURE_HISTORY,
  type FigureCandles,
  figureCandles,
  fourHours,
  hourFigures,
  indicatorFigures,
} from '@pilotfish/core/prices/pair-figures';
import { columnId, columnRef, NUMBER_COLUMNS } from '@pilotfish/core/prices/screener-fields';
import { ownCandleFile } from '@pilotfish/core/testing/own-market';
import { deepTest } from '@pilotfish/core/testing/tiers';
import { expect, test } from 'vitest';
import { minuteCloses } from '../market/minute-closes.ts';
import { tickerBoard } from '../market/ticker-board.ts';
import { figureTable } from './figure-table.ts';
import { marketFixture } from './market-fixture.ts';

// What the server's own table says of a market at a close, ours or a recorded one, beside what a backtest says of the
// same candles.

const folder = resolve(import.meta.dirname, '../../../../../shared/data/klines');
const hasData = existsSync(folder);
if (!hasData)
  console.warn(`No recorded candles in ${folder}: the figures of backtests are held against the server's over a market of our own only.`);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BASES = ['15m', '1h', '1d'] as const;
const { pairs } = marketFixture([{ base: 'ETH', price: '1' }], 0).market;
const pair = pairs()[0]!;
/** Every column that candles tell. */
const REFS = [...NUMBER_COLUMNS, ...BASES.map((timeframe) => `macdSign.${timeframe}`)].map(columnRef).filter((ref) => figureNeed(ref));

/** The candles of a file, gaps filled as the server does; with money and trades of their own where the file has none. */
function candlesOf(file: string, interval: string): ExactCandle[] {
  const lines = file.trim().split('\n');
  const header = lines[0]!.split(',');
  const rows = lines.slice(1).map((line, row): ExactCandle => {
    const cells = line.split(',');
    const cell = (name: string) => cells[header.indexOf(name)];
    const text = (name: string) => toText(decimal(cell(name)!));
    return {
      openTime: Number(cell('open_time')),
      open: text('open'),
      high: text('high'),
      low: text('low'),
      close: text('close'),
      volume: text('volume'),
      quoteVolume: cell('quote_volume') ? text('quote_volume') : toFixedText(multiply(decimal(text('volume')), decimal(text('close'))), 8),
      trades: Number(cell('trades') ?? 1 + (row % 97)),
    };
  });
  return fillGaps(rows, interval);
}

function recorded(name: string, interval: string): ExactCandle[] {
  const bytes = readFileSync(resolve(folder, name));
  return candlesOf((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString(), interval);
}

const series = (candles: readonly ExactCandle[], intervalMs: number): CandleSeries => {
  const column = (pick: (candle: ExactCandle) => string | number) => Float64Array.from(candles, (candle) => Number(pick(candle)));
  return {
    symbol: pair.symbol,
    intervalMs,
    openTime: column(({ openTime }) => openTime),
    open: column(({ open }) => open),
    high: column(({ high }) => high),
    low: column(({ low }) => low),
    close: column(({ close }) => close),
    volume: column(({ volume }) => volume),
    quoteVolume: column(({ quoteVolume }) => quoteVolume),
    trades: column(({ trades }) => trades),
  };
};

type Parts = Readonly<Record<(typeof BASES)[number], readonly ExactCandle[]>>;
const partsOf = (candles: readonly ExactCandle[], interval: string): Parts => ({
  '15m': interval === '1h' ? [] : aggregateCandles(candles, interval, '15m'),
  '1h': interval === '1h' ? candles : aggregateCandles(candles, interval, '1h'),
  '1d': aggregateCandles(candles, interval, '1d'),
});

/** The server's table at a close: its candles, the ticker of the last 24 hours as the exchange writes it, its minutes. */
function liveTable(candles: readonly ExactCandle[], parts: Parts, reference: Parts | undefined, at: number, listedAt: number) {
  const board = tickerBoard();
  const minutes = minuteCloses();
  const figures = figureTable({ pairs, board, minutes }, () => []);
  const closed = (of: Parts, interval: (typeof BASES)[number]): FigureCandles =>
    figureCandles(of[interval].filter(({ openTime }) => openTime + intervalLength(interval)! <= at).slice(-FIGURE_HISTORY[interval]));
  const past = candles.filter(({ openTime }) => openTime < at);
  const day = past.filter(({ openTime, volume }) => openTime >= at - DAY && volume !== '0');
  const sum = (pick: (candle: ExactCandle) => string) => toText(day.reduce((total, candle) => add(total, decimal(pick(candle))), ZERO));
  const last = past.at(-1)!;
  board.apply([
    {
      s: pair.symbol,
      E: at,
      c: last.close,
      o: day[0]!.open,
      h: String(Math.max(...day.map(({ high }) => Number(high)))),
      l: String(Math.min(...day.map(({ low }) => Number(low)))),
      v: sum(({ volume }) => volume),
      q: sum(({ quoteVolume }) => quoteVolume),
    },
  ]);
  board.set(
    pair.symbol,
    'trades',
    day.reduce((total, { trades }) => total + trades, 0),
  );
  minutes.seed(
    0,
    past.slice(-242).map(({ openTime, close }) => [openTime, Number(close)] as const),
  );
  figures.refresh();
  const hours = closed(parts, '1h');
  for (const interval of BASES) {
    const columns = closed(parts, interval);
    if (columns.openTime.length > 0) figures.setIndicators(pair.symbol, interval, indicatorFigures(columns), columns.openTime.at(-1)!);
  }
  const four = fourHours(hours);
  if (four.openTime.length > 0) figures.setIndicators(pair.symbol, '4h', indicatorFigures(four), four.openTime.at(-1)!);
  figures.setHours(pair.symbol, hourFigures(hours, reference && closed(reference, '1h')));
  figures.setDays(pair.symbol, dayFigures(closed(parts, '1d')));
  figures.setListing(pair.symbol, listedAt);
  figures.refresh();
  return figures.table;
}

/** Compares at moments of a run; answers the columns that were known at the last of them. */
function compare(
  run: { candles: readonly ExactCandle[]; interval: '1m' | '1h'; parts: Parts; reference?: Parts },
  source: FigureSource,
  reference: CandleSeries | undefined,
  moments: readonly number[],
): Set<string> {
  const refs =
    run.interval === '1h'
      ? REFS.filter(({ key, timeframe }) => timeframe !== '15m' && !(key === 'change' && timeframe?.endsWith('m')))
      : REFS;
  const figures = createBacktestFigures(refs, source, reference && { candles: reference });
  const known = new Set<string>();
  const wanted = new Set(moments);
  for (let bar = 0; bar < source.candles.openTime.length; bar += 1) {
    figures.close(bar, wanted.has(bar));
    if (!wanted.has(bar)) continue;
    const at = source.candles.openTime[bar]! + source.candles.intervalMs;
    const live = liveTable(run.candles, run.parts, run.reference, at, source.listedAt ?? Number.NaN);
    known.clear();
    for (const id of refs.map(columnId)) {
      // The server tells changes over hours from minutes, which a run over hours does not have: those are of the same closes.
      if (run.interval === '1h' && /^change\.(1|4)h$/.test(id)) continue;
      const isWord = id.startsWith('macdSign');
      const value = (isWord ? figures.table.words : figures.table.numbers).get(id)?.[0] ?? (isWord ? null : Number.NaN);
      expect(value, `${id} at ${new Date(at).toISOString()}`).toBe((isWord ? live.words : live.numbers).get(id)![0]);
      if (value !== null && !Number.isNaN(value)) known.add(id);
    }
  }
  return known;
}

/** When a run of minutes is compared: from its own bars, as it goes on from `begin`, and as a part that was cut there. */
type Moments = {
  readonly own: readonly number[];
  readonly begin: number;
  readonly warm: readonly number[];
  readonly cut: readonly number[];
};

/** Minutes from their own bars, and with what came before them; answers the columns that were known. */
function compareMinutes(eth: readonly ExactCandle[], btc: readonly ExactCandle[], { own, begin, warm, cut }: Moments): Set<string> {
  const [parts, hoursOfBtc] = [partsOf(eth, '1m'), partsOf(btc, '1m')];
  const run = { candles: eth, interval: '1m', parts, reference: hoursOfBtc } as const;
  const reference = series(btc, 60_000);
  const listedAt = eth[0]!.openTime - 3.4 * DAY;
  const all = compare(run, { pair, candles: series(eth, 60_000), listedAt }, reference, own);

  // From the middle of an hour and of a day: the candle in which the run begins is of the history, when it closes.
  const start = eth[begin]!.openTime;
  const before = (interval: (typeof BASES)[number]) => {
    const length = intervalLength(interval)!;
    const end = Math.ceil(start / length) * length;
    return series(
      parts[interval].filter(({ openTime }) => openTime + length <= end),
      length,
    );
  };
  const history = [...BASES.map(before), series(eth.slice(begin - 1440, begin), 60_000)];
  const candles = series(eth.slice(begin), 60_000);
  expect(compare(run, { pair, candles, history, listedAt }, series(hoursOfBtc['1h'], HOUR), warm)).toEqual(all);
  // What is cut from a longer run, as the held-out part of a sweep is.
  const part = { pair, candles, listedAt, before: { candles: series(eth.slice(0, begin), 60_000) } };
  expect(compare(run, part, reference, cut)).toEqual(all);
  return all;
}
const missingOf = (known: ReadonlySet<string>) => REFS.map(columnId).filter((id) => !known.has(id));

test('every figure of minutes of our own is the server’s, bit for bit: from their own bars, and with what came before them', () => {
  const own = { bars: 13_200, intervalMs: 60_000 };
  // In the hole begins the day before the last moment: its first price is that of the first trade after.
  const eth = candlesOf(ownCandleFile({ ...own, seed: 41, openCents: 200_000, hole: { from: 11_750, bars: 45 } }), '1m');
  const btc = candlesOf(ownCandleFile({ ...own, seed: 42, openCents: 3_000_000 }), '1m');
  const moments = { own: [1499, 13_199], begin: 12_427, warm: [0, 1, 14, 33, 500, 700], cut: [0, 14, 600] };
  const missing = missingOf(compareMinutes(eth, btc, moments));
  // Nine days are too few for what takes fifteen or more.
  expect(missing).toEqual(expect.arrayContaining(['rsi.1d', 'change.30d']));
  expect(missing.filter((id) => !/30d|20d|52w|\.1d$|200Distance\.4h/.test(id))).toEqual([]);
});

(hasData ? deepTest : test.skip)(
  'every figure of minutes is the server’s, bit for bit: from its own bars, and with what came before them',
  () => {
    const eth = recorded('ETHUSDT-1m-20250520-20250818.csv.gz', '1m');
    const btc = recorded('BTCUSDT-1m-20250520-20250818.csv.gz', '1m');
    const own = [1500, 20_114, 64_379, 130_004].map((bar) => bar - 1);
    const moments = { own, begin: 100_027, warm: [0, 1, 14, 32, 33, 700, 2000, 20_000], cut: [0, 14, 33, 2000] };
    const missing = missingOf(compareMinutes(eth, btc, moments));
    // Three months are too few for a year and for two hundred days.
    expect(missing).toEqual(expect.arrayContaining(['range.52w', 'sma200Distance.1d']));
    expect(missing.filter((id) => !/52w|200Distance\.1d|macdSign/.test(id))).toEqual([]);
  },
);

/** Hours with their money and trades. */
function compareHours(candles: readonly ExactCandle[], moments: readonly number[]): void {
  const run = { candles, interval: '1h', parts: partsOf(candles, '1h') } as const;
  const known = compare(run, { pair, candles: series(candles, HOUR) }, undefined, moments);
  for (const id of ['quoteVolume', 'trades24h', 'volumeChange', 'volumeVs20dAvg', 'range.24h', 'highDistance.7d', 'volatility7d'])
    expect(known).toContain(id);
}

test('money and trades of hours of our own', () => {
  const file = ownCandleFile({ seed: 43, bars: 1000, intervalMs: HOUR, openCents: 90_000, hole: { from: 974, bars: 5 }, whole: true });
  compareHours(candlesOf(file, '1h'), [30, 500, 999]);
});

test.runIf(hasData)('money and trades of recorded hours', () => {
  compareHours(recorded('BNBUSDT-1h-to20260726-full12.csv', '1h'), [30, 500, 1999, 4000]);
});

(hasData ? deepTest : test.skip)('a year of recorded hours', () => {
  const btc = recorded('BTCUSDT-1h-20170817-20240421.csv.gz', '1h').slice(0, 9500);
  const parts = partsOf(btc, '1h');
  const run = { candles: btc, interval: '1h', parts, reference: parts } as const;
  const candles = series(btc, HOUR);
  const known = compare(run, { pair, candles, listedAt: btc[0]!.openTime }, candles, [25, 8000, 8800, 9499]);
  const refs = REFS.map(columnId).filter((id) => !/15m|\.1m|\.5m|^macdSign|^change\.(1|4)h/.test(id));
  expect(refs.filter((id) => !known.has(id))).toEqual([]);
});
