import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import type { DayClose } from '@pilotfish/core/positions/daily-performance';
import type { CandleReader } from '../prices/candle-reader.ts';

const DAY = 86_400_000;
const ROWS = 1000;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** All days (UTC) from one moment to another, both included. */
export function daysBetween(from: number, to: number): string[] {
  const days: string[] = [];
  for (let day = Math.floor(from / DAY) * DAY; day <= to; day += DAY) days.push(dayOf(day));
  return days;
}

/**
 * The close of each day. One that nobody knows is that of the day before, or of the first day known after it, and
 * marked so; `last` is the price the newest day stands at now.
 */
export async function dayCloses(
  reader: Pick<CandleReader, 'candles'>,
  symbol: string,
  days: readonly string[],
  last: Decimal | null,
  fallback: Decimal,
): Promise<(day: string) => DayClose> {
  const known = new Map<string, Decimal>();
  const [first, newest] = [days[0], days.at(-1)];
  if (first !== undefined && newest !== undefined) {
    const oldest = Date.parse(first);
    for (let end = Date.parse(newest) + DAY - 1; end >= oldest; ) {
      const limit = Math.min(ROWS, Math.ceil((end - oldest) / DAY) + 1);
      // A pair that is gone has no candles any more: every day is told from its trades alone, and marked.
      const rows = await reader.candles(symbol, '1d', { limit, endTime: end }).catch(() => []);
      for (const { openTime, close, filled } of rows) if (filled !== true) known.set(openTime.slice(0, 10), decimal(close));
      const reached = rows[0] === undefined ? oldest : Date.parse(rows[0].openTime);
      if (rows.length < limit) break;
      end = reached - 1;
    }
    if (last !== null) known.set(newest, last);
  }
  const closes = new Map<string, DayClose>();
  let before: Decimal | undefined;
  const waiting: string[] = [];
  for (const day of days) {
    const price = known.get(day);
    if (price === undefined && before === undefined) waiting.push(day);
    else if (price === undefined) closes.set(day, { price: before!, interpolated: true });
    else {
      for (const earlier of waiting.splice(0)) closes.set(earlier, { price, interpolated: true });
      closes.set(day, { price, interpolated: false });
      before = price;
    }
  }
  for (const day of waiting) closes.set(day, { price: fallback, interpolated: true });
  return (day) => closes.get(day) ?? { price: fallback, interpolated: true };
}
