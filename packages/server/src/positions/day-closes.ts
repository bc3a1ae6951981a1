import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import type { DayClose } from '@pilotfish/core/positions/daily-performance';
import { intervalLength } from '@pilotfish/core/prices/candle-gaps';
import { dayNames, dayOf } from '@pilotfish/core/time/calendar-day';
import type { CandleReader } from '../prices/candle-reader.ts';

const DAY = 86_400_000;
const ROWS = 1000;
/** Rows asked for one position at most: everybody's charts share the questions that the exchange answers. */
const MOST_ROWS = 20 * ROWS;
/** Longest first. */
const INTERVALS = ['1d', '12h', '6h', '4h', '2h', '1h', '30m', '15m'] as const;

/** A day of somebody's zone: its first ms and the first of the next. */
export type Day = { readonly day: string; readonly start: number; readonly end: number };

/** All days of a zone from one moment to another, both included. */
export function daysBetween(from: number, to: number, timeZone: string): Day[] {
  const nameOf = dayNames(timeZone);
  const days: Day[] = [];
  for (let at = from; at <= to; at = days.at(-1)!.end) days.push({ day: nameOf(at), ...dayOf(at, timeZone) });
  return days;
}

/**
 * The longest candles that end where these days end. Of very many days those of UTC, whose end is the nearest to the
 * day's own: `near` says that a close is not that of the day itself.
 */
function candlesOf(days: readonly Day[]): { interval: (typeof INTERVALS)[number]; length: number; near: boolean } {
  const fitting = INTERVALS.map((interval) => ({ interval, length: intervalLength(interval)! })).find(({ length }) =>
    days.every(({ start, end }) => start % length === 0 && end % length === 0),
  );
  const isFew = fitting !== undefined && (days.length * DAY) / fitting.length <= MOST_ROWS;
  return fitting !== undefined && (isFew || fitting.length === DAY)
    ? { ...fitting, near: false }
    : { interval: '1d', length: DAY, near: true };
}

/**
 * The close of each day. One that nobody knows is that of the day before, or of the first day known after it, and
 * marked so; `last` is the price the newest day stands at now.
 */
export async function dayCloses(
  reader: Pick<CandleReader, 'candles'>,
  symbol: string,
  days: readonly Day[],
  last: Decimal | null,
  fallback: Decimal,
): Promise<(day: string) => DayClose> {
  const known = new Map<string, Decimal>();
  const [first, newest] = [days[0], days.at(-1)];
  const { interval, length, near } = candlesOf(days);
  if (first !== undefined && newest !== undefined) {
    const oldest = first.start;
    let index = days.length - 1;
    for (let end = newest.end - 1; end >= oldest; ) {
      const limit = Math.min(ROWS, Math.ceil((end - oldest) / length) + 1);
      // A pair that is gone has no candles any more: every day is told from its trades alone, and marked.
      const rows = await reader.candles(symbol, interval, { limit, endTime: end }).catch(() => []);
      for (const { openTime, close, filled } of rows.toReversed()) {
        const at = Date.parse(openTime) + (near ? length / 2 : 0);
        while (index > 0 && days[index]!.start > at) index -= 1;
        const { day, start, end: dayEnd } = days[index]!;
        if (filled !== true && start <= at && at < dayEnd && !known.has(day)) known.set(day, decimal(close));
      }
      const reached = rows[0] === undefined ? oldest : Date.parse(rows[0].openTime);
      if (rows.length < limit) break;
      end = reached - 1;
    }
    if (last !== null) known.set(newest.day, last);
  }
  const closes = new Map<string, DayClose>();
  let before: Decimal | undefined;
  const waiting: string[] = [];
  for (const { day } of days) {
    const price = known.get(day);
    if (price === undefined && before === undefined) waiting.push(day);
    else if (price === undefined) closes.set(day, { price: before!, interpolated: true });
    else {
      for (const earlier of waiting.splice(0)) closes.set(earlier, { price, interpolated: true });
      closes.set(day, { price, interpolated: near });
      before = price;
    }
  }
  for (const day of waiting) closes.set(day, { price: fallback, interpolated: true });
  return (day) => closes.get(day) ?? { price: fallback, interpolated: true };
}
