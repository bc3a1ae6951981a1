import { type Decimal, decimal, isPositive, isZero, lessThan, toText } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import type { PositionState } from './auto-trade-position-machine.ts';
import { armPrice, breakEvenPrice, stopLossPrice, takeProfitPrice, textOf, toTick } from './position-lines.ts';
import { log, next, type Reducer } from './position-orders.ts';
import { nextSlice } from './position-slices.ts';
import type { Effect, MovedLevels, PositionContext } from './position-state.ts';

/** What an owner asks for: prices as decimal text; null puts a level back where the settings have it, absent leaves it. */
export type LevelsAsked = {
  readonly stop?: string | null | undefined;
  readonly trailingStart?: string | null | undefined;
  /** `level` counts from 1. */
  readonly takeProfit?: readonly { readonly level: number; readonly price: string | null }[] | undefined;
};
/** A field that cannot be had, by its path in what was asked, with the bound that it breaks. */
export type LevelProblem = { readonly path: string; readonly code: LevelProblemCode; readonly limit?: string };
export type LevelProblemCode =
  | 'no_trailing_start'
  | 'no_level'
  | 'level_done'
  | 'level_selling'
  | 'level_order'
  | 'too_small'
  | 'below_cost';

/** Null where nothing is moved: a position that was put back is as one that never was moved. */
export const orNone = (moved: MovedLevels): MovedLevels | null => {
  const takeProfit = moved.takeProfit.slice(0, moved.takeProfit.findLastIndex((price) => price !== null) + 1);
  return moved.stop === null && moved.trailingStart === null && takeProfit.length === 0 ? null : { ...moved, takeProfit };
};

const NONE: MovedLevels = { stop: null, trailingStart: null, takeProfit: [] };

/** The levels that an owner moved, by the names of their fields; take-profit levels count from 1. */
export const movedNames = ({ moved }: Pick<PositionContext, 'moved'>): string[] => [
  ...(moved?.stop ? ['stop'] : []),
  ...(moved?.trailingStart ? ['trailingStart'] : []),
  ...(moved?.takeProfit ?? []).flatMap((price, index) => (price === null ? [] : [`takeProfit.${index + 1}`])),
];

/**
 * What was moved, with what is asked now, each price on the tick to the side that sells later: a stop below, all else above.
 * Whether a price would sell at once is not judged here.
 */
export function movedLevels(
  state: PositionState,
  context: PositionContext,
  asked: LevelsAsked,
): { moved: MovedLevels | null; problems: LevelProblem[] } {
  const { filters, config } = context.settings;
  const before = context.moved ?? NONE;
  const problems: LevelProblem[] = [];
  const placed = (price: string | null, rounding: 'down' | 'up', path: string): string | null => {
    if (price === null) return null;
    const onTick = toTick(decimal(price), filters, rounding);
    if (isZero(onTick)) problems.push({ path, code: 'too_small', limit: digits(filters.tickSize) });
    return toText(onTick);
  };
  const stop = asked.stop === undefined ? before.stop : placed(asked.stop, 'down', 'stop');
  const trailingStart = asked.trailingStart === undefined ? before.trailingStart : placed(asked.trailingStart, 'up', 'trailingStart');
  // Where trailing is off, spent or begun there is no start that could be moved.
  if (asked.trailingStart && (!armPrice(context) || context.line !== null))
    problems.push({ path: 'trailingStart', code: 'no_trailing_start' });
  // A first line at break-even would lie above the price: drawn and spent with every price, or at once for good.
  const least = config.trailingCost.floor === 'breakEven' ? breakEvenPrice(context) : null;
  if (asked.trailingStart && trailingStart && least && !lessThan(least, decimal(trailingStart)))
    problems.push({ path: 'trailingStart', code: 'below_cost', limit: toText(least) });
  const takeProfit: (string | null)[] = config.takeProfit.levels.map((_, index) => before.takeProfit[index] ?? null);
  for (const [at, { level, price }] of (asked.takeProfit ?? []).entries()) {
    const path = `takeProfit.${at}`;
    if (level > takeProfit.length) problems.push({ path: `${path}.level`, code: 'no_level', limit: String(takeProfit.length) });
    else if (level <= context.levelsDone)
      problems.push({ path: `${path}.level`, code: 'level_done', limit: String(context.levelsDone + 1) });
    else if (level <= sellsUpTo(state, context)) problems.push({ path: `${path}.level`, code: 'level_selling', limit: String(level) });
    else takeProfit[level - 1] = placed(price, 'up', `${path}.price`);
  }
  const moved = orNone({ stop, trailingStart, takeProfit });
  return { moved, problems: [...problems, ...outOfOrder({ ...context, moved }, asked)] };
}

/**
 * The take-profit level, from 1, that is being sold: it sells where it is, whether its order is in flight or waits for the
 * stop at the exchange to make way. 0: none is.
 */
function sellsUpTo(state: PositionState, context: PositionContext): number {
  const { order } = context;
  if (order?.side === 'Sell' && order.level !== null) return order.level + 1;
  return state === 'reducing' ? (nextSlice(context)?.level ?? -1) + 1 : 0;
}

/** Levels sell in their order, so that each lies above the one before. */
function outOfOrder(context: PositionContext, { takeProfit = [] }: LevelsAsked): LevelProblem[] {
  const price = (level: number): Decimal | null => (level > context.levelsDone ? takeProfitPrice(context, level - 1) : null);
  return takeProfit.flatMap(({ level }, at): LevelProblem[] => {
    const [own, below, above] = [price(level), price(level - 1), price(level + 1)];
    const limit = own && below && !lessThan(below, own) ? below : own && above && !lessThan(own, above) ? above : null;
    return limit ? [{ path: `takeProfit.${at}.price`, code: 'level_order', limit: toText(limit) }] : [];
  });
}

/** What is written in the bot's log of each level that its owner moved, or that is no longer where its owner put it. */
export function changesOf(before: PositionContext, after: PositionContext): Effect[] {
  const said = (name: string, was: string | null, is: string | null, facts: Readonly<Record<string, number>> = {}): Effect[] =>
    was === is ? [] : [is === null ? log(`${name}_PUT_BACK`, 'info', facts) : log(`${name}_MOVED`, 'info', { ...facts, price: is })];
  const [was, is] = [before.moved ?? NONE, after.moved ?? NONE];
  return [
    ...said('STOP', was.stop, is.stop),
    ...said('TRAILING_START', was.trailingStart, is.trailingStart),
    // Settings may have fewer levels than were moved; one that has sold is nowhere any more.
    ...Array.from({ length: Math.max(was.takeProfit.length, is.takeProfit.length) }, (_, index) =>
      index < before.levelsDone
        ? []
        : said('TAKE_PROFIT', was.takeProfit[index] ?? null, is.takeProfit[index] ?? null, { level: index + 1 }),
    ).flat(),
  ];
}

/** The levels of a position where its owner put them. Its stop follows at once, and so does the one that rests at the exchange. */
export const levelsMoved: Reducer<'levels.moved'> = (context, event) => {
  const changed = { ...context, moved: event.moved };
  const stop = isPositive(decimal(context.quantity)) ? stopLossPrice(changed) : null;
  const was = context.stopPrice;
  // Else whoever moves a take profit would put off the sale of a stop whose time runs.
  const goesOn = stop !== null && was !== null && !lessThan(stop, decimal(was));
  return next(changed, { stopPrice: textOf(stop), stopSince: goesOn ? context.stopSince : null }, changesOf(context, changed));
};
