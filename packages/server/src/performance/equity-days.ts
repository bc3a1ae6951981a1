import { AppError } from '@pilotfish/core/http/problem';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { type Decimal, isPositive, toText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import type { PerformanceInput } from '@pilotfish/core/performance/performance';
import { clockNames, dayAfter, dayOf, startOfDay } from '@pilotfish/core/time/calendar-day';

const BENCHMARK = 'BTC';
/** For so long a worth stands for now: somebody who goes through ranges asks the exchange once. */
const WORTH_MS = 15_000;
/** Accounts of which worth and points are held, and zones whose closes are. */
const KEPT = 100;

type Day = { readonly day: string; readonly start: number; readonly end: number };
type StoredPoint = { readonly at: number; readonly total: string };
type Close = { readonly price: Decimal; readonly interpolated: boolean };
/** Where one mode's money is valued, and what is known of it over time (`overview/equity.ts`). */
export type DailyEquitySource = {
  /** @throws AppError `not-connected` and what the exchange refuses with */
  readonly worthOf: (accountId: string) => Promise<{ readonly total: string; readonly comparable: boolean }>;
  readonly flowsOf: (accountId: string, from: number) => Promise<{ at: number; value: Decimal }[]>;
  readonly history: {
    list(
      accountId: string,
      span: { readonly since: number; readonly daily: true },
      timeZone: string,
      which: 'comparable',
    ): Promise<StoredPoint[]>;
  };
};
export type EquityDaysParts = {
  readonly sources: Readonly<Record<TradeMode, DailyEquitySource>>;
  readonly market: { price(symbol: string): Price | undefined; pair(symbol: string): unknown; readonly asOf: number };
  /** Of each day that is over its close; marked where it is another one's, zero where none is known. */
  readonly closesOf: (symbol: string, days: readonly Day[]) => Promise<(day: string) => Close>;
  readonly now: () => number;
};
type Range = PerformanceInput['range'];

/** Equity by the days of a zone, what was paid in and out, and what BTC cost at the end of each. */
export function equityDays({ sources, market, closesOf, now }: EquityDaysParts) {
  const symbol = `${BENCHMARK}USDT`;
  const worths = new Map<string, { readonly at: number; readonly total: string | undefined }>();
  /** Points of days that are over stay as they are: of a range that was read only the last day is read again. */
  const kept = new Map<string, { readonly timeZone: string; readonly since: number; readonly points: readonly StoredPoint[] }>();
  /** By zone and day, for the same reason. */
  const closes = new Map<string, Map<string, string>>();

  /** Undefined where it cannot be told, or counts something else than stored points do. */
  async function worthNow(mode: TradeMode, accountId: string): Promise<string | undefined> {
    const key = `${mode} ${accountId}`;
    const known = worths.get(key);
    if (known !== undefined && now() - known.at < WORTH_MS) return known.total;
    const total = await sources[mode].worthOf(accountId).then(
      (worth) => (worth.comparable ? worth.total : undefined),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return undefined;
      },
    );
    worths.delete(key);
    if (worths.size >= KEPT) worths.delete(worths.keys().next().value!);
    worths.set(key, { at: now(), total });
    return total;
  }

  /** The last point of each day of the zone, by the server's clock. */
  async function storedPoints(mode: TradeMode, accountId: string, since: number, timeZone: string): Promise<readonly StoredPoint[]> {
    const key = `${mode} ${accountId}`;
    const found = kept.get(key);
    const known = found !== undefined && found.timeZone === timeZone && found.since <= since ? found : { timeZone, since, points: [] };
    const last = known.points.at(-1);
    const from = last === undefined ? known.since : dayOf(last.at, timeZone).start;
    const read = await sources[mode].history.list(accountId, { since: from, daily: true }, timeZone, 'comparable');
    const points = [...known.points.filter(({ at }) => at < from), ...read];
    kept.delete(key);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(key, { ...known, points });
    return points.filter(({ at }) => at >= since);
  }

  async function points(mode: TradeMode, accountId: string, { from, to, today }: Range, timeZone: string) {
    // Points are kept by the server's clock, exits by the market's.
    const ahead = (market.asOf || now()) - now();
    const dayNamed = clockNames(timeZone);
    const since = startOfDay(dayAfter(from, -1), timeZone) - ahead;
    const stored = await storedPoints(mode, accountId, since, timeZone);
    const byDay = new Map<string, PerformanceInput['equity']['points'][number]>();
    for (const { at, total } of stored) {
      const { day } = dayNamed(at + ahead);
      if (day <= to) byDay.set(day, { day, at, equity: total });
    }
    const worth = to < today ? undefined : await worthNow(mode, accountId);
    if (worth !== undefined) byDay.set(today, { day: today, at: now(), equity: worth });
    return [...byDay.values()];
  }

  /** What BTC cost at each point; nothing where that is not known. */
  async function pricesAt(
    points: PerformanceInput['equity']['points'],
    today: string,
    timeZone: string,
  ): Promise<(at: number) => Price | undefined> {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || points.length < 2 || !market.pair(symbol)) return () => undefined;
    const known = closes.get(timeZone) ?? new Map<string, string>();
    closes.delete(timeZone);
    if (closes.size >= KEPT) closes.delete(closes.keys().next().value!);
    closes.set(timeZone, known);
    const missing = points.filter(({ day }) => day < today && !known.has(day));
    const found = new Map<string, string>();
    if (missing.length > 0) {
      const days = daysFrom(missing[0]!.day, missing.at(-1)!.day, timeZone);
      const closeOf = await closesOf(symbol, days);
      for (const { day } of days) {
        const { price, interpolated } = closeOf(day);
        if (!isPositive(price)) continue;
        (interpolated ? found : known).set(day, toText(price));
      }
    }
    const dayAt = new Map(points.map(({ at, day }) => [at, day]));
    return (at) => {
      const day = dayAt.get(at);
      return day === undefined ? undefined : day >= today ? market.price(symbol) : (known.get(day) ?? found.get(day));
    };
  }

  return {
    /** @param isNarrow equity is left out then, what was paid in is not */
    of: async (
      mode: TradeMode,
      accountId: string,
      range: Range,
      timeZone: string,
      isNarrow: boolean,
    ): Promise<PerformanceInput['equity']> => {
      const found = isNarrow || range.from > range.today ? [] : await points(mode, accountId, range, timeZone);
      const begin = Math.min(startOfDay(range.from, timeZone) - 1, found[0]?.at ?? Number.POSITIVE_INFINITY);
      const dayNamed = clockNames(timeZone);
      const flows = (await sources[mode].flowsOf(accountId, begin)).map((flow) => ({ ...flow, day: dayNamed(flow.at).day }));
      return { points: found, flows, benchmark: { asset: BENCHMARK, priceAt: await pricesAt(found, range.today, timeZone) } };
    },
  };
}

function daysFrom(from: string, to: string, timeZone: string): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) days.push({ day, ...dayOf(startOfDay(day, timeZone), timeZone) });
  return days;
}
