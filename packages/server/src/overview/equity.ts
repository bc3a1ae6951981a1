import type { Answer } from '@pilotfish/core/http/endpoint';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { type Decimal, decimal, divide, isPositive, ONE, toText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { netChange, unitsFor, worthOf } from '@pilotfish/core/money/net-change';
import { changeSince, type EquityPoint, heldInstead, withFlows } from '@pilotfish/core/overview/equity';
import type { EquityChange, EquityRange, getEquity } from '@pilotfish/core/overview/overview-contract';
import type { Candle } from '@pilotfish/core/prices/prices-contract';
import { dayOf, monthStart } from '@pilotfish/core/time/calendar-day';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';

const CURRENCY = 'USDT';
const BENCHMARK = 'BTC';
const DAY = 86_400_000;
/** A point this close to a moment stands for it. */
const EXACT_MS = 15 * 60_000;
const RATE_SCALE = 8;
/** What readers of a language reckon in beside the primary currency. */
const SECOND: Readonly<Record<Language, string>> = { tr: 'TRY', en: 'EUR' };

export type Worth = {
  readonly total: string;
  readonly available: string;
  readonly invested: string;
  readonly unpriced: readonly string[];
  /** False while something that stored points count has no price: a change from them would be wrong. */
  readonly comparable: boolean;
};
type StoredPoint = { readonly at: number; readonly total: string };
/** Where one mode's money is valued, and what is known of it over time. */
export type EquitySource = {
  /** @throws AppError `not-connected` and what the exchange refuses with */
  readonly worthOf: (accountId: string) => Promise<Worth>;
  /** Money that came in or went out after a moment, in the primary currency, oldest first. */
  readonly flowsOf: (accountId: string, from: number) => Promise<{ at: number; value: Decimal }[]>;
  readonly history: {
    near(accountId: string, at: number, within: number): Promise<StoredPoint | undefined>;
    firstBetween(accountId: string, from: number, until: number): Promise<StoredPoint | undefined>;
    list(
      accountId: string,
      span: Exclude<EquityRange, 'today'> | { readonly since: number },
      timeZone: string,
      which: 'comparable',
    ): Promise<StoredPoint[]>;
  };
};
export type EquityParts = {
  readonly sources: Readonly<Record<TradeMode, EquitySource>>;
  readonly market: Pick<Market, 'price' | 'asOf' | 'pair'>;
  /** Candles that end now, oldest first, by the market's clock. */
  readonly candles: (symbol: string, interval: string, query: { limit: number }) => Promise<Candle[]>;
  readonly now: () => number;
};
/** The point of an answer, and when it was asked for: a point that the answer itself keeps is nothing to compare it with. */
type Moment = { readonly last: EquityPoint; readonly asked: number };
type EquityAnswer = Answer<typeof getEquity>;

const iso = (at: number): string => new Date(at).toISOString();
const pointOf = ({ at, total }: StoredPoint): EquityPoint => ({ at, equity: total });

/** How far each range reaches back, and the candles by which its points are priced. */
const RANGES: Readonly<Record<EquityRange, { readonly reach: number | null; readonly interval: string; readonly length: number }>> = {
  today: { reach: null, interval: '15m', length: DAY / 96 },
  '1d': { reach: DAY, interval: '15m', length: DAY / 96 },
  '7d': { reach: 7 * DAY, interval: '1h', length: DAY / 24 },
  '30d': { reach: 30 * DAY, interval: '4h', length: DAY / 6 },
  '90d': { reach: 90 * DAY, interval: '12h', length: DAY / 2 },
  '1y': { reach: 365 * DAY, interval: '1d', length: DAY },
  all: { reach: null, interval: '1w', length: 7 * DAY },
};
const MOST_CANDLES = 1000;

/** Equity of one mode: now, since midnight, this month and over a range, beside the same money in another coin. */
export function equityAnswers({ sources, market, candles, now }: EquityParts) {
  /** The change from a moment, by the point nearest to it, else the first after it. Null while there is none. */
  async function since(mode: TradeMode, accountId: string, at: number, { last, asked }: Moment): Promise<EquityChange | null> {
    const { history, flowsOf } = sources[mode];
    const near = await history.near(accountId, at, EXACT_MS);
    const before = near !== undefined && near.at < asked ? near : await history.firstBetween(accountId, at, asked);
    if (before === undefined) return null;
    return changeSince(pointOf(before), last, await flowsOf(accountId, before.at), before === near);
  }

  /** The price of a pair at moments of the past: the one at which the candle of that moment opened. */
  async function pricesOf(symbol: string, range: EquityRange, from: number, last: number): Promise<(at: number) => Price | undefined> {
    const { interval, length } = RANGES[range];
    // Points are kept by the server's clock, candles by the market's.
    const ahead = (market.asOf || now()) - now();
    const limit = Math.ceil((last - from) / length) + 2;
    const rows = limit > MOST_CANDLES ? [] : await candles(symbol, interval, { limit });
    const opens = rows.map(({ openTime, open }) => ({ at: Date.parse(openTime), open }));
    return (at) => {
      if (at >= last) return market.price(symbol);
      const found = opens.findLast((each) => each.at <= at + ahead);
      return found !== undefined && at + ahead < found.at + length ? found.open : undefined;
    };
  }

  async function benchmark(range: EquityRange, series: ReturnType<typeof withFlows>): Promise<EquityAnswer['benchmark']> {
    const [first, last] = [series[0], series.at(-1)];
    const symbol = `${BENCHMARK}${CURRENCY}`;
    if (first === undefined || last === undefined || series.length < 2 || !isPositive(decimal(first.equity)) || !market.pair(symbol))
      return null;
    // A chart without its second line is better than none.
    const priceAt = await pricesOf(symbol, range, first.at, last.at).catch(() => undefined);
    const held = priceAt && heldInstead(series, priceAt);
    const end = held?.at(-1);
    if (!held || end === undefined) return null;
    const flows = series.slice(1).map(({ flow }) => decimal(flow));
    return {
      asset: BENCHMARK,
      pct: netChange(first.equity, end.value, flows).pct,
      series: held.map(({ at, value }) => ({ time: iso(at), value })),
    };
  }

  /** The second currency of a language, by a pair of this market alone. */
  function secondOf(equity: string, language: Language, asOf: string): EquityAnswer['other']['currency'] {
    const currency = SECOND[language];
    const [direct, inverse] = [market.price(`${CURRENCY}${currency}`), market.price(`${currency}${CURRENCY}`)];
    if (direct !== undefined) return { currency, value: worthOf(equity, direct), rate: direct, asOf };
    const value = unitsFor(equity, inverse);
    return value === null ? null : { currency, value, rate: toText(divide(ONE, decimal(inverse!), RATE_SCALE)), asOf };
  }

  async function rangeOf(mode: TradeMode, accountId: string, range: EquityRange, { last, asked }: Moment, timeZone: string) {
    const { history, flowsOf } = sources[mode];
    const { reach, length } = RANGES[range];
    const midnight = dayOf(last.at, timeZone).start;
    // The point that stands for midnight may lie before it.
    const near = range === 'today' ? await history.near(accountId, midnight, EXACT_MS) : undefined;
    const span = range === 'today' ? { since: Math.min(midnight, near?.at ?? midnight) } : range;
    const points = [...(await history.list(accountId, span, timeZone, 'comparable')).map(pointOf).filter(({ at }) => at < asked), last];
    const [first] = points;
    const flows = first === undefined ? [] : await flowsOf(accountId, first.at);
    const series = withFlows(points, flows);
    // The first point is the latest of its step.
    const exact = first !== undefined && (reach === null || first.at - (last.at - reach) <= Math.max(EXACT_MS, length));
    return { series, change: first === undefined || points.length < 2 ? null : changeSince(first, last, flows, exact) };
  }

  return async (
    accountId: string,
    { mode, range }: { mode: TradeMode; range: EquityRange },
    { timeZone, language }: { timeZone: string; language: Language },
  ): Promise<EquityAnswer> => {
    const asked = now();
    const worth = await sources[mode].worthOf(accountId);
    const last = { at: now(), equity: worth.total };
    const moment = { last, asked };
    const asOf = iso(market.asOf || now());
    const compared = async (at: number) => (worth.comparable ? since(mode, accountId, at, moment) : null);
    const [sinceMidnight, month, known] = await Promise.all([
      compared(dayOf(last.at, timeZone).start),
      compared(monthStart(last.at, timeZone)),
      rangeOf(mode, accountId, range, moment, timeZone),
    ]);
    const series = worth.comparable ? known.series : known.series.slice(0, -1);
    const change = range === 'today' ? sinceMidnight : worth.comparable ? known.change : null;
    const btc = unitsFor(worth.total, market.price(`${BENCHMARK}${CURRENCY}`));
    return {
      mode,
      range,
      currency: CURRENCY,
      now: { equity: worth.total, free: worth.available, invested: worth.invested, unpriced: [...worth.unpriced] },
      sinceMidnight,
      month,
      series: series.map(({ at, equity, flow }) => ({ time: iso(at), equity, flow })),
      change,
      benchmark: worth.comparable ? await benchmark(range, series) : null,
      other: { btc: btc === null ? null : { quantity: btc, asOf }, currency: secondOf(worth.total, language, asOf) },
      asOf: iso(last.at),
    };
  };
}
