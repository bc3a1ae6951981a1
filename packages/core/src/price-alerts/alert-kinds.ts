import * as z from 'zod';
import {
  asset,
  decimalText,
  money as moneyText,
  percent as percentText,
  positiveText,
  price as priceText,
  ratio as ratioText,
} from '../http/wire.ts';
import { compare, decimal } from '../money/decimal.ts';
import { digits } from '../money/figure.ts';

/** What an alert is about: a pair, the coins of a filter, the open position of a pair, a bot, or the whole market. */
export type AlertSubject = 'symbol' | 'coinFilter' | 'position' | 'bot' | 'market';

/** What must be known before the alert can be judged: nothing, minutes of the past, or closed candles. */
export type AlertHistory = 'none' | 'minutes' | 'candles';

/** How a parameter is asked for: forms, the terminal and the one-line grammar are made from this. */
export type AlertParameter<Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema;
  readonly type: 'price' | 'amount' | 'percent' | 'number' | 'integer' | 'choice';
  readonly min?: string;
  readonly max?: string;
  readonly choices?: readonly string[];
  /** What is meant when it is left out. */
  readonly default?: string | number;
  /** May be left out, and then means nothing. */
  readonly optional?: true;
};

const inRange = (min: string, max: string) =>
  decimalText.refine((text) => compare(decimal(text), decimal(min)) >= 0 && compare(decimal(text), decimal(max)) <= 0, {
    params: { code: 'out_of_range', limit: `${min} – ${max}` },
  });
const price = () => ({ schema: priceText(positiveText), type: 'price' }) as const;
const amount = () => ({ schema: moneyText(positiveText), type: 'amount' }) as const;
const percent = (min: string, max: string) => ({ schema: percentText(inRange(min, max)), type: 'percent', min, max }) as const;
const number = (min: string, max: string) => ({ schema: ratioText(inRange(min, max)), type: 'number', min, max }) as const;
const numberOr = (min: string, max: string, fallback: string) =>
  ({ schema: ratioText(inRange(min, max)).default(fallback), type: 'number', min, max, default: fallback }) as const;
const count = (min: number, max: number, fallback: number) =>
  ({
    schema: z.int().min(min).max(max).default(fallback),
    type: 'integer',
    min: String(min),
    max: String(max),
    default: fallback,
  }) as const;
const choice = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  ({ schema: z.enum(names), type: 'choice', choices: names }) as const;
const choiceOr = <const Names extends readonly [string, ...string[]], Name extends Names[number]>(names: Names, fallback: Name) =>
  ({ schema: z.enum(names).default(fallback as never), type: 'choice', choices: names, default: fallback }) as const;
const maybe = <Schema extends z.ZodType, Type extends AlertParameter['type']>(parameter: {
  readonly schema: Schema;
  readonly type: Type;
  readonly choices?: readonly string[];
}) => ({ ...parameter, schema: parameter.schema.optional(), optional: true }) as const;

/** Candles that indicators of an alert may be told of. */
export const ALERT_INTERVALS = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d', '3d', '1w'] as const;
/** How far back a change is measured, in minutes. */
export const CHANGE_WINDOWS = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240, '24h': 1440, '7d': 10_080 } as const;
export type ChangeWindow = keyof typeof CHANGE_WINDOWS;
/** What happens to a bot that an alert can wait for; the last four are states it came into. */
export const BOT_EVENTS = [
  'any',
  'Entry',
  'Buy',
  'CostMovedUp',
  'TrailingCostExpired',
  'Sell',
  'Exit',
  'Paused',
  'Blocked',
  'Halted',
  'Disabled',
] as const;
const PAIR_STATUSES = ['TRADING', 'END_OF_DAY', 'HALT', 'BREAK', 'CANCEL_ONLY', 'DELISTED'] as const;

const relation = () => choice(['above', 'below']);
const candles = () => choiceOr(ALERT_INTERVALS, '1h');

/**
 * Every kind of condition: the one place that says what it needs. Validation, forms, the grammar and the engine are
 * made from it. Texts: `alerts.kind.<kind>` names it, `alerts.parameter.<name>` each parameter,
 * `alerts.choice.<name>` each choice, `alerts.say.<kind>` says it in a sentence.
 */
export const ALERT_KINDS = {
  /** The price passes a level: previous ≤ level < now is up, previous ≥ level > now is down. */
  crosses: {
    subject: 'symbol',
    history: 'none',
    oneLine: true,
    parameters: { direction: choiceOr(['up', 'down', 'either'], 'either'), level: price() },
  },
  /** The price comes to be above a level; with `fireIfTrue` also when it is already. */
  above: { subject: 'symbol', history: 'none', oneLine: true, parameters: { level: price() } },
  below: { subject: 'symbol', history: 'none', oneLine: true, parameters: { level: price() } },
  /** The price comes into lower…upper, or leaves it. */
  channel: {
    subject: 'symbol',
    history: 'none',
    oneLine: true,
    parameters: { event: choice(['enter', 'exit']), lower: price(), upper: price() },
  },
  /** The price against that of a while ago. */
  change: {
    subject: 'symbol',
    history: 'minutes',
    oneLine: true,
    parameters: {
      direction: choiceOr(['up', 'down', 'either'], 'either'),
      pct: percent('0.01', '10000'),
      window: choice(Object.keys(CHANGE_WINDOWS) as [ChangeWindow, ...ChangeWindow[]]),
    },
  },
  /** Every so many percent from the anchor, which moves to the price of each firing. Without one it is the first price. */
  step: { subject: 'symbol', history: 'none', oneLine: true, parameters: { pct: percent('0.01', '1000'), anchor: maybe(price()) } },
  /** Traded in 24 h, in the quote asset. */
  volume: { subject: 'symbol', history: 'none', oneLine: true, parameters: { amount: amount() } },
  /** A closed candle's volume against the average of those before it. */
  volumeSpike: {
    subject: 'symbol',
    history: 'candles',
    oneLine: true,
    parameters: { times: number('1.1', '1000'), interval: candles(), candles: count(5, 200, 20) },
  },
  rsi: {
    subject: 'symbol',
    history: 'candles',
    oneLine: true,
    parameters: { relation: relation(), value: number('0', '100'), period: count(2, 200, 14), interval: candles() },
  },
  /** The close against its average; with `slowPeriod` the faster average against the slower. */
  ema: {
    subject: 'symbol',
    history: 'candles',
    oneLine: true,
    parameters: {
      relation: relation(),
      period: count(2, 400, 20),
      slowPeriod: maybe({ schema: z.int().min(3).max(400), type: 'integer' }),
      interval: candles(),
    },
  },
  sma: {
    subject: 'symbol',
    history: 'candles',
    oneLine: true,
    parameters: {
      relation: relation(),
      period: count(2, 400, 20),
      slowPeriod: maybe({ schema: z.int().min(3).max(400), type: 'integer' }),
      interval: candles(),
    },
  },
  /** The line against its signal. */
  macd: {
    subject: 'symbol',
    history: 'candles',
    oneLine: true,
    parameters: { relation: relation(), fast: count(2, 100, 12), slow: count(3, 200, 26), signal: count(2, 100, 9), interval: candles() },
  },
  /** The close against a band. */
  bollinger: {
    subject: 'symbol',
    history: 'candles',
    oneLine: true,
    parameters: {
      band: choice(['upper', 'middle', 'lower']),
      relation: relation(),
      period: count(2, 200, 20),
      deviations: numberOr('0.1', '10', '2'),
      interval: candles(),
    },
  },
  /** A pair that was not there before. */
  newListing: {
    subject: 'market',
    history: 'none',
    oneLine: true,
    parameters: { quoteAsset: maybe({ schema: asset, type: 'choice' }) },
  },
  /** A pair's trading status becomes another. */
  statusChange: {
    subject: 'symbol',
    history: 'none',
    oneLine: true,
    parameters: { status: maybe({ schema: z.enum(PAIR_STATUSES), type: 'choice', choices: PAIR_STATUSES }) },
  },
  /** The open position of the pair: its return in percent. */
  positionPnl: {
    subject: 'position',
    history: 'none',
    oneLine: true,
    parameters: { relation: choiceOr(['above', 'below'], 'above'), pct: percent('-100', '1000000') },
  },
  /** The price comes within so many percent of the target price of the open position. */
  positionTarget: { subject: 'position', history: 'none', oneLine: true, parameters: { pct: percent('0.01', '100') } },
  /** A coin comes into the filter, or leaves it. */
  screener: {
    subject: 'coinFilter',
    history: 'none',
    oneLine: false,
    parameters: { event: choiceOr(['enter', 'exit', 'either'], 'enter') },
  },
  botEvent: { subject: 'bot', history: 'none', oneLine: false, parameters: { event: choiceOr(BOT_EVENTS, 'any') } },
} as const satisfies Record<
  string,
  {
    readonly subject: AlertSubject;
    readonly history: AlertHistory;
    /** Whether the one-line grammar can say it. */
    readonly oneLine: boolean;
    readonly parameters: Readonly<Record<string, AlertParameter>>;
  }
>;

type Kinds = typeof ALERT_KINDS;
export type AlertKind = keyof Kinds;
type Schemas<Kind extends AlertKind> = { [Name in keyof Kinds[Kind]['parameters']]: Kinds[Kind]['parameters'][Name] };
type Shape<Kind extends AlertKind> = {
  [Name in keyof Schemas<Kind>]: Schemas<Kind>[Name] extends { schema: infer Schema extends z.ZodType } ? Schema : never;
};
type Member<Kind extends AlertKind> = Kind extends AlertKind
  ? z.ZodObject<{ kind: z.ZodLiteral<Kind> } & Shape<Kind>, z.core.$strict>
  : never;
export type AlertCondition = z.output<Member<AlertKind>>;
export type AlertConditionInput = z.input<Member<AlertKind>>;
export type ConditionOf<Kind extends AlertKind> = Extract<AlertCondition, { kind: Kind }>;

const members = (Object.keys(ALERT_KINDS) as AlertKind[]).map((kind) =>
  z.strictObject({
    kind: z.literal(kind),
    ...Object.fromEntries(Object.entries<AlertParameter>(ALERT_KINDS[kind].parameters).map(([name, { schema }]) => [name, schema])),
  }),
);

/** A condition with exactly the parameters of its kind. */
export const alertConditionSchema = z.discriminatedUnion('kind', members as never) as unknown as z.ZodType<
  AlertCondition,
  AlertConditionInput
>;

export type ConditionProblem = { readonly path: string; readonly code: string; readonly limit?: string };

/** Rules between the parameters of a condition, which no single one can break. */
export function conditionProblems(condition: AlertCondition): ConditionProblem[] {
  switch (condition.kind) {
    case 'channel':
      return compare(decimal(condition.lower), decimal(condition.upper)) < 0
        ? []
        : [{ path: 'upper', code: 'above_other', limit: digits(condition.lower) }];
    case 'ema':
    case 'sma':
      return condition.slowPeriod === undefined || condition.slowPeriod > condition.period
        ? []
        : [{ path: 'slowPeriod', code: 'above_other', limit: String(condition.period) }];
    case 'macd':
      return condition.slow > condition.fast ? [] : [{ path: 'slow', code: 'above_other', limit: String(condition.fast) }];
    case 'change':
      // Nothing is left of a price that has fallen by all of it.
      return condition.direction !== 'down' || compare(decimal(condition.pct), decimal('100')) < 0
        ? []
        : [{ path: 'pct', code: 'out_of_range', limit: '0.01 – 99.99' }];
    default:
      return [];
  }
}
