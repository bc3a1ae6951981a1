import { isDecimalText } from '../money/decimal.ts';
import type { Figure, Money, Percent, Price, Quantity } from '../money/figure.ts';
import {
  formatAverage,
  formatChange,
  formatCurrency,
  formatPercentNumber,
  formatPrice,
  formatQuantity,
  formatResult,
} from '../money/format.ts';
import { grouped } from '../money/spoken-count.ts';
import { formatDuration } from '../time/duration.ts';
import { formatMoment } from '../time/moment.ts';

/** What a fact may be, by its kind. Numbers of indicators have no unit. */
type FactValues = {
  text: string;
  /** The key of a text; the fact is named `xKey` and read as `x`. */
  key: string;
  /** Epoch ms. */
  time: number;
  count: number;
  minutes: number;
  number: number | Figure;
  /** Read with the digits of its pair, where the notification has `places`. */
  price: Price;
  /** A price that a person wrote, read as it was written. */
  level: Price;
  average: Price;
  quantity: Quantity;
  /** Traded in the quote asset of the pair that the notification is about. */
  volume: Money;
  money: Money;
  result: Money;
  percent: number | Percent;
};
export type FactKind = keyof FactValues;

/** Every fact of a notification and what it measures: the one place that says how it is read, by whatever way it is sent. */
const FACT_KINDS = {
  added: 'count',
  address: 'text',
  alertId: 'text',
  amount: 'volume',
  anchor: 'price',
  asset: 'text',
  average: 'text',
  averageCost: 'average',
  band: 'text',
  before: 'text',
  bot: 'text',
  bound: 'number',
  candles: 'count',
  change: 'percent',
  channelKey: 'key',
  close: 'number',
  cost: 'money',
  count: 'count',
  currency: 'text',
  deviations: 'number',
  device: 'text',
  direction: 'text',
  endsAt: 'time',
  entered: 'text',
  event: 'text',
  executed: 'count',
  exposed: 'count',
  fast: 'number',
  fees: 'money',
  found: 'text',
  from: 'level',
  interval: 'text',
  lateAt: 'time',
  left: 'text',
  level: 'level',
  line: 'price',
  lower: 'level',
  macd: 'number',
  megabytes: 'count',
  minutes: 'minutes',
  most: 'count',
  named: 'text',
  note: 'text',
  number: 'count',
  open: 'count',
  pairs: 'text',
  pct: 'percent',
  peak: 'price',
  period: 'number',
  places: 'count',
  price: 'price',
  priceBefore: 'price',
  quantity: 'quantity',
  quote: 'money',
  quoteAsset: 'text',
  realised: 'result',
  reason: 'text',
  reasonKey: 'key',
  recent: 'text',
  relation: 'text',
  reserved: 'money',
  rsi: 'number',
  signal: 'number',
  sinceAt: 'time',
  slow: 'number',
  slowPeriod: 'number',
  status: 'text',
  symbol: 'text',
  times: 'number',
  trades: 'count',
  untilAt: 'time',
  upper: 'level',
  value: 'number',
  volume: 'number',
  waiting: 'count',
  wallet: 'text',
  window: 'text',
} as const satisfies Record<string, FactKind>;

type Kinds = typeof FACT_KINDS;
export type FactName = keyof Kinds;
type Sum = { [Name in FactName]: Kinds[Name] extends 'money' | 'result' ? Name : never }[FactName];
type Given<Name extends FactName> = { readonly [Each in Name]?: FactValues[Kinds[Each]] | undefined };
/** Facts of a notification: a name that the table lacks, a value of another kind and a sum without its currency do not compile. */
export type Facts = Given<Exclude<FactName, Sum>> & ({ readonly [Name in Sum]?: undefined } | (Given<Sum> & { readonly currency: string }));
/** Facts as they are read from the wire or the database, where an earlier version may have written others. */
type Written = string | number | boolean | null | undefined;
type Loose = Readonly<Record<string, Written>>;

const kindOf = (name: string): FactKind | undefined => (Object.hasOwn(FACT_KINDS, name) ? FACT_KINDS[name as FactName] : undefined);
const NUMBERS: ReadonlySet<FactKind> = new Set<FactKind>(['time', 'count', 'minutes']);
const FIGURES: ReadonlySet<FactKind> = new Set<FactKind>(['number', 'percent']);

/** Of what an alert saw, the facts that notifications have, where they are of their kind. */
export const factsAmong = (seen: Loose): Facts =>
  Object.fromEntries(
    Object.entries(seen).filter(([name, value]) => {
      const kind = kindOf(name);
      if (kind === undefined) return false;
      if (typeof value === 'number') return NUMBERS.has(kind) || FIGURES.has(kind);
      return typeof value === 'string' && !NUMBERS.has(kind);
    }),
  ) as Facts;

/** Who reads: language, time zone, and the texts that facts name by key. */
export type FactReader = {
  readonly language: string;
  readonly timeZone: string;
  readonly text: (key: string) => string | undefined;
};

/** The facts that say how others are read: the currency of sums, and the decimals of prices. */
type Beside = { readonly currency?: string | undefined; readonly places?: number | undefined };

/** A figure as its kind is read; what an earlier version wrote as something else stays as it is. */
function shownFigure(kind: FactKind, figure: string, { currency, places }: Beside): string {
  if (!isDecimalText(figure)) return figure;
  switch (kind) {
    case 'price':
      return formatPrice(figure, places);
    case 'level':
      // What somebody typed, of a pair or of an indicator: it keeps the digits it was given.
      return formatPrice(figure, undefined);
    case 'average':
      return formatAverage(figure);
    case 'quantity':
    case 'number':
    case 'volume':
      return formatQuantity(figure);
    case 'percent':
      return formatPercentNumber(figure);
    case 'money':
      return currency === undefined ? formatQuantity(figure) : formatCurrency(figure, currency, 'fine');
    case 'result':
      return currency === undefined ? formatChange(figure) : formatResult(figure, currency, 'fine');
    default:
      return figure;
  }
}

/** One fact as it is read, in a sentence or beside it. */
function shownFact(kind: FactKind, value: Written, reader: FactReader, beside: Beside): string {
  switch (kind) {
    case 'key':
      return reader.text(String(value)) ?? String(value).split('.').at(-1) ?? '';
    case 'time':
      return localTime(Number(value), reader);
    case 'minutes':
      return formatDuration(Number(value) * 60_000, reader.language);
    case 'count':
      return grouped(String(value));
    default:
      return shownFigure(kind, String(value), beside);
  }
}

/**
 * Facts as a reader sees them, each by the formatter of its kind: sums with their currency, counts grouped, times in
 * the reader's zone, and a fact `xKey` as the text it names, under the name `x`.
 */
export function shownFacts(facts: Facts, reader: FactReader): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(facts as unknown as Loose)) {
    const kind = kindOf(name);
    if (value === undefined) continue;
    const as = kind === 'key' ? name.slice(0, -'Key'.length) : name;
    shown[as] = kind === undefined ? String(value) : shownFact(kind, value, reader, facts);
  }
  return { ...shown, ...recentByBothNames(facts as unknown as Loose) };
}

/** What was added lately was `added` before that became a count: stored notices say it so, and an Admin's text may. */
function recentByBothNames({ added, recent }: Loose): Record<string, string> {
  const words = recent ?? (typeof added === 'string' ? added : undefined);
  return typeof words === 'string' ? { added: words, recent: words } : {};
}

/** `22 Nov 2026 03:15`: a text that the server makes is kept, and read whenever, by whatever clock. */
export const localTime = (at: number, { language, timeZone }: Pick<FactReader, 'language' | 'timeZone'>): string =>
  formatMoment(at, { language, timeZone, clock: '24h', now: 0 }, 'dated');
