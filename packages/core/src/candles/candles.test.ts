import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../http/problem.ts';
import { interval } from '../http/wire.ts';
import { CandleFileError } from '../prices/candle-columns.ts';
import { type ExactCandle, fillGaps } from '../prices/candle-gaps.ts';
import { seriesOfCandles } from '../prices/candle-pages.ts';
import type { Candle } from '../prices/prices-contract.ts';
import { archiveReader, checksumOf } from './candle-archive.ts';
import { candleLines, candlesOfLines } from './candle-lines.ts';
import { candleLoader, isStoredInterval } from './candle-loader.ts';
import { gapsWithin, monthEnd, monthStart, monthsBetween } from './candle-month.ts';
import { month, storedInterval } from './candles-contract.ts';

const HOUR = 3_600_000;
const START = monthStart('2024-02');

const figure = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: 18 }))
  .map(([whole, places]) => (places === 0 ? String(whole) : `${whole}.${String(places).repeat(places)}`));
const stored = fc
  .uniqueArray(fc.integer({ min: 0, max: 695 }), { maxLength: 40 })
  .chain((places) =>
    fc.tuple(
      ...places
        .sort((a, b) => a - b)
        .map((place) => fc.tuple(fc.constant(place), fc.tuple(figure, figure, figure, figure, figure, figure), fc.nat())),
    ),
  )
  .map((rows) =>
    rows.map(
      ([place, [open, high, low, close, volume, quoteVolume], trades]): ExactCandle => ({
        openTime: START + place * HOUR,
        open,
        high,
        low,
        close,
        volume,
        quoteVolume,
        trades,
      }),
    ),
  );

test('lines give back every figure exactly, and every gap', () => {
  fc.assert(
    fc.property(stored, (candles) => {
      const filled = candles.length > 0 ? fillGaps(candles, '1h') : [];
      expect(candlesOfLines(candleLines(filled, '1h', START), '1h', START)).toEqual(candles);
    }),
  );
});

test.each(['0,1,1,1,1,1,1', '0,1,1,1,x,1,1,1', '1,1,1,1,1,1,1,1\n1,1,1,1,1,1,1,1', '0.5,1,1,1,1,1,1,1'])(
  'lines that are broken are refused: %j',
  (text) => {
    expect(() => candlesOfLines(text, '1h', START)).toThrow();
  },
);

test('the loader asks for months of the intervals that are stored', () => {
  expect(interval.options.filter(isStoredInterval)).toEqual(storedInterval.options);
});

test('months follow the calendar of UTC', () => {
  expect(monthsBetween('2023-11', '2024-02')).toEqual(['2023-11', '2023-12', '2024-01', '2024-02']);
  expect(monthsBetween('2024-02', '2024-01')).toEqual([]);
  expect(monthEnd('2024-02') - START).toBe(29 * 24 * HOUR);
  expect(gapsWithin([{ openTime: START }, { openTime: START + 3 * HOUR }], '1h', START + 5 * HOUR)).toBe(3);
});

const row = (time: number, rest = '1.50,2.00,1.00,1.75,10.0,0,17.5,3,0,0,0') => `${time},${rest}`;
const read = (lines: readonly string[], month = '2024-02') => {
  const reader = archiveReader('1h', month);
  for (const line of lines) reader.add(line);
  return reader.candles();
};

test('a file of the archive is read in milliseconds and in microseconds, with a header or without', () => {
  const candle = { openTime: START, open: '1.5', high: '2', low: '1', close: '1.75', volume: '10', quoteVolume: '17.5', trades: 3 };
  const header = 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
  expect(read([row(START), ''])).toEqual([candle]);
  expect(read([header, row(START)])).toEqual([candle]);
  const later = monthStart('2025-01');
  const closes = (later + HOUR) * 1000 - 1;
  expect(read([row(later * 1000, `1.5,2,1,1.75,10,${closes},17.5,3,0,0,0`)], '2025-01')).toEqual([{ ...candle, openTime: later }]);
  expect(read([row(later * 1000)], '2025-01')).toEqual([{ ...candle, openTime: later }]);
});

test.each([
  ['OFF_GRID', [row(START), row(START + 1)], 2],
  ['OFF_GRID', [row(START), row(START + HOUR, `1,1,1,1,1,${START + 5 * HOUR - 1},1,1,0,0,0`)], 2],
  ['OFF_GRID', ['open_time,open,high,low,close,volume,close_time,quote_volume,count', `${START},1,1,1,1,1,${START + 4 * HOUR - 1},1,1`], 2],
  ['OTHER_MONTH', [row(START - HOUR)], 1],
  ['OTHER_MONTH', [row(monthEnd('2024-02'))], 1],
  ['NOT_ASCENDING', [row(START + HOUR), row(START)], 2],
  ['BAD_BAR', [row(START, '1,0.5,1,1,1,0,1,1,0,0,0')], 1],
  ['BAD_BAR', [row(START, '0,0,0,0,1,0,1,1,0,0,0')], 1],
  ['BAD_NUMBER', [row(START), row(START + HOUR, '1,1,1,1,-1,0,1,1,0,0,0')], 2],
  ['BAD_NUMBER', [`${START},1,1,1,1,1`], 1],
  ['BAD_NUMBER', [row(START, '1,1,1,1,1,0,1,1000000000000000,0,0,0')], 1],
  ['EMPTY', [''], 1],
] as const)('%s: a wrong file is refused with its line', (code, lines, line) => {
  let refused: unknown;
  try {
    read(lines);
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(CandleFileError);
  expect(refused).toMatchObject({ code, line });
});

test('a checksum counts only for the file that it names', () => {
  const sum = 'AB'.repeat(32);
  expect(checksumOf(`${sum}  a.zip\n`, 'a.zip')).toBe(sum.toLowerCase());
  expect(checksumOf(`${sum}  a.zip\n`, 'b.zip')).toBeUndefined();
  expect(checksumOf('<html>', 'a.zip')).toBeUndefined();
});

// A quarter of hours with a gap, as a server has them by pages and by months.
const market: ExactCandle[] = Array.from({ length: 80 * 24 }, (_, hour) => hour)
  .filter((hour) => hour < 1000 || hour >= 1010)
  .map((hour) => {
    const price = String(100 + (hour % 7) / 10);
    return {
      openTime: START + hour * HOUR,
      open: price,
      high: '101',
      low: '99',
      close: price,
      volume: '3',
      quoteVolume: '300.3',
      trades: hour,
    };
  });
const wire = fillGaps(market, '1h').map(
  ({ openTime, ...rest }) => ({ ...rest, openTime: new Date(openTime).toISOString(), closed: true }) as unknown as Candle,
);
const linesOf = (month: string) =>
  candleLines(
    market.filter(({ openTime }) => openTime >= monthStart(month) && openTime < monthEnd(month)),
    '1h',
    monthStart(month),
  );

function loading(months: readonly { month: string; coveredTo: number }[], lost = '') {
  const asked: string[] = [];
  const load = candleLoader({
    page: async (_symbol, _interval, endTime) => {
      asked.push(endTime);
      return wire.filter(({ openTime }) => openTime <= endTime).slice(-400);
    },
    months: async () => months.map(({ month, coveredTo }) => ({ month, coveredTo: new Date(coveredTo).toISOString() })),
    read: async ({ month }) => {
      if (month === lost) throw new AppError('not-found');
      return linesOf(month);
    },
  });
  return { asked, load: () => load({ symbol: 'BTCUSDT', interval: '1h', from: START + 30 * HOUR, to: START + 80 * 24 * HOUR }) };
}
const [february, march, april] = ['2024-02', '2024-03', '2024-04'].map((month) => ({ month, coveredTo: monthEnd(month) })) as [
  { month: string; coveredTo: number },
  { month: string; coveredTo: number },
  { month: string; coveredTo: number },
];

test('candles of stored months, of pages and of both are the same series', async () => {
  const pages = await loading([]).load();
  expect(pages).toEqual(seriesOfCandles('BTCUSDT', HOUR, wire.slice(30)));
  const whole = loading([february, march, april]);
  expect(await whole.load()).toEqual(pages);
  expect(whole.asked).toEqual([]);
  for (const months of [[march], [february, { ...march, coveredTo: START + 1005 * HOUR }], [april]]) {
    const part = loading(months);
    expect(await part.load()).toEqual(pages);
    expect(part.asked.length).toBeGreaterThan(0);
  }
});

test('a month that is gone since it was listed is asked of the exchange', async () => {
  const { asked, load } = loading([february, march, april], '2024-03');
  expect(await load()).toEqual(await loading([]).load());
  expect(asked.length).toBeGreaterThan(0);
});

test('a span that begins before the exchange did asks for no month from before', async () => {
  const asked: string[] = [];
  const load = candleLoader({
    page: async () => [],
    months: async ({ from, to }) => {
      asked.push(from, to);
      for (const each of [from, to]) month.parse(each);
      return [];
    },
    read: async () => '',
  });
  const ago = monthStart('2016-11');
  await load({ symbol: 'BTCUSDT', interval: '1d', from: ago, to: START });
  await load({ symbol: 'BTCUSDT', interval: '1d', from: ago, to: monthStart('2016-12') });
  expect(asked).toEqual(['2017-01', '2024-01']);
});
