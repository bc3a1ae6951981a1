import { BY_HAND } from '../auto-trades/exit-reason-contract.ts';
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isNegative,
  isPositive,
  multiply,
  sum,
  toText,
  ZERO,
} from '../money/decimal.ts';
import type { EquityFlow } from '../overview/equity.ts';
import { dayAfter, latestDay } from '../time/calendar-day.ts';
import type { Performance, PerformanceReason } from './performance-contract.ts';
import { type DayPoint, equityFigures, NO_EQUITY } from './performance-equity.ts';
import {
  type CountedExit,
  ExitSums,
  type InSteps,
  narrows,
  type PerformanceFilter,
  passes,
  sumsBy,
  sumsOf,
  type UncountedExit,
} from './performance-exits.ts';

/** Most days of one answer. */
export const MOST_DAYS = 3660;
const MONEY_PLACES = 8;
const PERCENT_PLACES = 4;

export type PerformanceInput = {
  /** Of all time, oldest first. */
  readonly exits: readonly CountedExit[];
  readonly uncounted: readonly UncountedExit[];
  /** Both ends included; days after today are not listed. */
  readonly range: { readonly from: string; readonly to: string; readonly today: string };
  readonly filter: PerformanceFilter;
  /** What can be chosen although nothing of it was sold yet. */
  readonly held: readonly { readonly whose: string; readonly coin: string }[];
  /** Names of bots and wallets, by their ids. */
  readonly names: { readonly bots: ReadonlyMap<string, string>; readonly wallets: ReadonlyMap<string, string> };
  readonly equity: {
    /** Oldest first, at most one of each day; one before the range is how it began. */
    readonly points: readonly DayPoint[];
    readonly flows: readonly (EquityFlow & { readonly day: string })[];
    readonly benchmark: Parameters<typeof equityFigures>[3];
  };
};
export type PerformanceFigures = Omit<Performance, 'mode' | 'currency' | 'timeZone' | 'open' | 'asOf'>;

/**
 * The range that is answered: since the first exit and until today where it is not said, and not longer than an answer may be.
 * @param first day of the first exit
 */
export function rangeOf(asked: { from?: string | undefined; to?: string | undefined }, first: string | null, today: string) {
  const to = asked.to ?? (asked.from !== undefined && asked.from > today ? asked.from : today);
  const from = asked.from ?? (first !== null && first < to ? first : to);
  const earliest = dayAfter(to < today ? to : today, 1 - MOST_DAYS);
  return { from: latestDay(from, earliest), to, today };
}

/**
 * Every figure and every list of the page, from the same exits: each list adds up to `net`, to its last digit. In steps, so
 * that a caller with other work can pause between two.
 */
export function* performanceOf(input: PerformanceInput): InSteps<PerformanceFigures> {
  const { range, filter, names } = input;
  const isWanted = passes(filter);
  // No day after today is listed: by the clock of the exchange, which a file may be ahead of.
  const inRange = ({ day }: { readonly day: string }): boolean => day >= range.from && day <= range.to && day <= range.today;
  const wanted = input.exits.filter(isWanted);
  const exits = wanted.filter(inRange);
  const all = yield* sumsOf(exits);
  const orders = exits.filter(({ isExit }) => isExit);
  const equity = narrows(filter) ? NO_EQUITY : equityFigures(input.equity.points, input.equity.flows, range.from, input.equity.benchmark);
  const byDay = yield* sumsBy(exits, ({ day }) => day);
  // What was earned before equity is known was earned with money that is not known.
  const known = input.equity.points[0]?.day;
  const isBaseKnown = known !== undefined && exits.every(({ day }) => day >= known);
  return {
    from: range.from,
    to: range.to,
    ...all.tally(),
    returnPct: equity.base && isBaseKnown ? percentText(all.net, equity.base) : null,
    ...averagesOf(exits, orders, all, yield* sumsOf(orders)),
    benchmark: equity.benchmark,
    drawdown: equity.drawdown,
    sharpe: equity.sharpe,
    sortino: equity.sortino,
    days: daysOf(range, byDay, input.equity.flows, equity),
    year: yield* yearOf(range, wanted),
    bots: ranked(yield* sumsBy(exits, ({ whose }) => whose)).map(([id, sums]) => ({ id, name: botName(names, id), ...sums.tally() })),
    wallets: ranked(yield* sumsBy(exits, ({ walletId }) => walletId)).map(([id, sums]) => ({
      id,
      name: id === null ? null : (names.wallets.get(id) ?? null),
      ...sums.tally(),
    })),
    coins: ranked(yield* sumsBy(exits, ({ coin }) => coin)).map(([asset, sums]) => ({ asset, ...sums.tally() })),
    reasons: ranked(yield* sumsBy(exits, ({ reason }) => reason)).map(([reason, sums]) => ({ reason, ...sums.tally() })),
    hours: hoursOf(yield* sumsBy(exits, ({ hour }) => hour)),
    more: moreOf(orders, byDay),
    leftOut: leftOutOf(input.uncounted.filter((exit) => inRange(exit) && isWanted(exit))),
    choices: choicesOf(input),
  };
}

const percentText = (part: Decimal, whole: Decimal): string | null =>
  isPositive(whole) ? toText(divide(multiply(part, HUNDRED), whole, PERCENT_PLACES)) : null;
const averageText = (total: Decimal, count: number): string | null =>
  count === 0 ? null : toText(divide(total, decimal(count), MONEY_PLACES));
const botName = ({ bots }: PerformanceInput['names'], id: string): string | null => (id === BY_HAND ? null : (bots.get(id) ?? null));

/** Largest result first; of equal ones by their keys, so that the order stays. */
const ranked = <Key extends string | null>(groups: ReadonlyMap<Key, ExitSums>): [Key, ExitSums][] =>
  [...groups].sort(([one, a], [other, b]) => compare(b.net, a.net) || ((one ?? '') < (other ?? '') ? -1 : 1));

/** @param own sums of the orders alone */
function averagesOf(exits: readonly CountedExit[], orders: readonly CountedExit[], all: ExitSums, own: ExitSums) {
  const losses = orders.filter(({ net }) => isNegative(net)).length;
  let before = ZERO;
  for (const { net, fees } of exits) {
    const gross = add(net, fees);
    if (isPositive(gross)) before = add(before, gross);
  }
  return {
    losses,
    won: toText(all.won),
    lost: toText(all.lostSize),
    averageExit: averageText(own.net, own.exits),
    averageWin: averageText(own.won, own.wins),
    averageLoss: averageText(own.lost, losses),
    fees: toText(all.fees),
    feesPct: percentText(all.fees, before),
  };
}

function daysOf(
  { from, to, today }: PerformanceInput['range'],
  byDay: ReadonlyMap<string, ExitSums>,
  flows: PerformanceInput['equity']['flows'],
  equity: typeof NO_EQUITY,
): Performance['days'] {
  const flowOf = new Map<string, Decimal>();
  for (const { day, value } of flows) flowOf.set(day, add(flowOf.get(day) ?? ZERO, value));
  const none = new ExitSums();
  const days: Performance['days'] = [];
  for (let day = from; day <= to && day <= today; day = dayAfter(day)) {
    const sums = byDay.get(day) ?? none;
    const known = equity.byDay.get(day);
    days.push({
      day,
      ...sums.tally(),
      fees: toText(sums.fees),
      equity: known?.equity ?? null,
      flow: toText(flowOf.get(day) ?? ZERO),
      drawdownPct: known?.drawdownPct ?? null,
      benchmark: known?.benchmark ?? null,
    });
  }
  return days;
}

function* yearOf({ to, today }: PerformanceInput['range'], wanted: readonly CountedExit[]): InSteps<Performance['year']> {
  const year = to.slice(0, 4);
  const own = wanted.filter(({ day }) => day.startsWith(year) && day <= today);
  const december = `${year}-12`;
  const months = yield* monthsOf(own, `${year}-01`, today < december ? today.slice(0, 7) : december);
  return { year: Number(year), net: toText(sum(months.map(({ net }) => decimal(net)))), months };
}

/** What exits came to by their months, every month from one (`2026-01`) to another. */
export function* monthsOf(exits: readonly CountedExit[], first: string, last: string): InSteps<Performance['year']['months']> {
  const byMonth = yield* sumsBy(exits, ({ day }) => day.slice(0, 7));
  const months: Performance['year']['months'] = [];
  for (let month = first; month <= last; month = dayAfter(`${month}-01`, 31).slice(0, 7)) {
    const sums = byMonth.get(month);
    months.push({ month, exits: sums?.exits ?? 0, net: toText(sums?.net ?? ZERO) });
  }
  return months;
}

function hoursOf(byHour: ReadonlyMap<number, ExitSums>): Performance['hours'] {
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...(byHour.get(hour) ?? new ExitSums()).tally() }));
}

function moreOf(orders: readonly CountedExit[], byDay: ReadonlyMap<string, ExitSums>): Performance['more'] {
  const held = orders.flatMap(({ heldMs }) => heldMs ?? []);
  let [run, longest] = [0, 0];
  for (const { net } of orders) {
    run = isNegative(net) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const days = [...byDay].filter(([, { exits }]) => exits > 0).sort(([, a], [, b]) => compare(b.net, a.net));
  const dayNet = (of: (typeof days)[number] | undefined) => (of === undefined ? null : { day: of[0], net: toText(of[1].net) });
  return {
    averageHoldMs: held.length === 0 ? null : Math.round(held.reduce((total, each) => total + each, 0) / held.length),
    longestLosingRun: longest,
    daysWithGain: days.filter(([, { net }]) => isPositive(net)).length,
    daysWithExit: days.length,
    best: dayNet(days[0]),
    worst: dayNet(days.at(-1)),
  };
}

function leftOutOf(uncounted: readonly UncountedExit[]): Performance['leftOut'] {
  const counts = new Map<UncountedExit['cause'], number>();
  for (const { cause } of uncounted) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([cause, count]) => ({ cause, count }));
}

function choicesOf({ exits, held, names }: PerformanceInput): Performance['choices'] {
  const ids = new Set([...exits, ...held].map(({ whose }) => whose));
  const bots = [...ids].map((id) => ({ id, name: botName(names, id) }));
  const rank = ({ name }: { readonly name: string | null }): string => name?.toLowerCase() ?? '\uffff';
  const reasons: readonly PerformanceReason[] = [...new Set(exits.map(({ reason }) => reason))];
  return {
    bots: bots.sort((one, other) => (rank(one) < rank(other) ? -1 : 1)),
    coins: [...new Set([...exits, ...held].map(({ coin }) => coin))].sort(),
    reasons: [...reasons].sort(),
    first: exits.find(({ isExit }) => isExit)?.day ?? null,
  };
}
