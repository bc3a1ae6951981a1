import { intervalLength } from '../../prices/candle-gaps.ts';
import { figureNeed, isIndicator } from '../../prices/figure-needs.ts';
import type { FilterFieldRef, FilterGroup, FilterRule } from '../../prices/screener-contract.ts';
import { CANDLE_TIMEFRAMES, type CandleTimeframe, columnId } from '../../prices/screener-fields.ts';
import { isGroup } from '../../prices/screener-rules.ts';
import type { ScreenerTable } from '../../prices/screener-table.ts';
import type { BOT_TIMEFRAMES } from '../config/auto-trade-config.ts';

/** What the conditions of a bot say of one coin at one close; null where something they need is not known. */
export type ConditionVerdict = {
  /** Venue time of the judgement, ms. */
  readonly at: number;
  readonly entry: boolean | null;
  readonly exit: boolean | null;
  /** Every value the conditions looked at, by the id of its column: for traces and for the question why. */
  readonly observed: Readonly<Record<string, string>>;
  /** After this nothing may be decided by it, ms. */
  readonly validUntil: number;
};

/** How much later than its close a judgement may come before the one before it is too old to act on. */
const LATENESS = 120_000;

/** Length of a bot's timeframe in ms. */
export const timeframeMs = (timeframe: (typeof BOT_TIMEFRAMES)[number]): number => intervalLength(timeframe)!;

/** Until when a judgement of the candle that closed at `close` may be acted on. */
export const verdictValidUntil = (close: number, timeframe: (typeof BOT_TIMEFRAMES)[number]): number =>
  close + timeframeMs(timeframe) + LATENESS;

/** Every rule of a filter, groups opened. */
export function rulesOf(filter: FilterGroup): FilterRule[] {
  return filter.rules.flatMap((rule) => (isGroup(rule) ? rulesOf(rule) : [rule]));
}

/** The timeframes of closed candles that the figures of a filter are made of. */
export function candleTimeframesOf(filter: FilterGroup): CandleTimeframe[] {
  const made = new Set(rulesOf(filter).flatMap((rule) => [madeOf(rule), rule.of && madeOf(rule.of)]));
  return CANDLE_TIMEFRAMES.filter((timeframe) => made.has(timeframe));
}

/** A change over an hour follows the price and waits for no close; an hour's RSI and a change over a week do. */
const madeOf = ({ key, timeframe }: FilterFieldRef): string | undefined =>
  isIndicator(key) ? timeframe : figureNeed({ key, ...(timeframe === undefined ? {} : { timeframe }) })?.candles?.[0];

const SHOWN_DIGITS = 8;

/** The values of one pair that a filter looks at. Numbers in plain text, unknown ones as an empty text. */
export function observedOf(table: ScreenerTable, row: number, filter: FilterGroup): Record<string, string> {
  const observed: Record<string, string> = {};
  const note = (ref: FilterFieldRef): void => {
    const id = columnId(ref);
    const number = table.numbers.get(id)?.[row];
    if (ref.key === 'symbol') observed[id] = table.symbols[row] ?? '';
    else if (ref.key === 'tags') observed[id] = (table.tags[row] ?? []).join(' ');
    else if (number !== undefined) observed[id] = Number.isNaN(number) ? '' : plain(number);
    else observed[id] = table.words.get(id)?.[row] ?? '';
  };
  for (const rule of rulesOf(filter)) {
    note(rule);
    if (rule.of) note(rule.of);
  }
  return observed;
}

/** A number as people write it: no exponent, at most eight digits that count. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(SHOWN_DIGITS));
  if (Math.abs(rounded) >= 1e-6 && Math.abs(rounded) < 1e21) return String(rounded);
  return rounded.toFixed(12).replace(/\.?0+$/, '') || '0';
}
