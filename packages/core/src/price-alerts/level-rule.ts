import { compare, type Decimal, decimal, divide, fromFloat, HUNDRED, multiply, plusPercent, subtract, toFloat } from '../money/decimal.ts';
import type { Percent, Price } from '../money/figure.ts';
import type { AlertCondition } from './alert-kinds.ts';

/** Decimal places that no price of the exchange exceeds: within them a float and its text are the same number. */
const PRICE_SCALE = 8;
export const exactPrice = (price: number): Decimal => fromFloat(price, PRICE_SCALE);

export type LevelCondition =
  | { readonly kind: 'crosses'; readonly direction: 'up' | 'down' | 'either'; readonly level: Price }
  | { readonly kind: 'above' | 'below'; readonly level: Price }
  | { readonly kind: 'channel'; readonly event: 'enter' | 'exit'; readonly lower: Price; readonly upper: Price };

/** The condition as levels of the price; undefined for what is judged otherwise. */
export function levelsOf(condition: AlertCondition): LevelCondition | undefined {
  return condition.kind === 'crosses' || condition.kind === 'above' || condition.kind === 'below' || condition.kind === 'channel'
    ? condition
    : undefined;
}

type Direction = 'up' | 'down';
type Edge = { readonly direction: Direction; readonly level: Decimal; readonly at: number };

/** What a rule remembers: enough to go on after a restart as if nothing had been. */
export type LevelMemory = {
  /** `unset` before its first price; `leaving` after it fired, until the price has left the level. */
  readonly mode: 'unset' | 'armed' | 'leaving';
  /** By edge: whether the last price was on the side from which it can be crossed. */
  readonly ready: readonly boolean[];
  /** The edge that fired last. */
  readonly fired: number | null;
};
export const UNSET: LevelMemory = { mode: 'unset', ready: [], fired: null };

const view = new DataView(new ArrayBuffer(8));
/** The next float above or below a positive number: turns “at least” into “above”. */
function neighbour(value: number, step: 1n | -1n): number {
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + step);
  return view.getFloat64(0);
}
const justBelow = (value: number): number => neighbour(value, -1n);
const justAbove = (value: number): number => neighbour(value, 1n);

export type LevelRule = ReturnType<typeof levelRule>;

/**
 * The edge rule of one condition: previous ≤ level < now crosses up, previous ≥ level > now crosses down; the first
 * price only says on which side it begins. Between two wakes nothing changes, so no price in between is looked at.
 */
export function levelRule(condition: LevelCondition, hysteresisPct: Percent) {
  const edge = (direction: Direction, level: Price): Edge => ({ direction, level: decimal(level), at: Number(level) });
  const edges: readonly Edge[] = (() => {
    switch (condition.kind) {
      case 'crosses':
        if (condition.direction !== 'either') return [edge(condition.direction, condition.level)];
        return [edge('up', condition.level), edge('down', condition.level)];
      case 'above':
        return [edge('up', condition.level)];
      case 'below':
        return [edge('down', condition.level)];
      default:
        return condition.event === 'exit'
          ? [edge('up', condition.upper), edge('down', condition.lower)]
          : [edge('up', condition.lower), edge('down', condition.upper)];
    }
  })();
  const hysteresis = decimal(hysteresisPct);
  const less = (level: Decimal) => divide(multiply(level, subtract(HUNDRED, hysteresis)), HUNDRED);
  const more = (level: Decimal) => plusPercent(level, hysteresis);
  /** Prices at or beyond which it has left the level after an edge fired. */
  const leaves = (fired: number): { atMost?: Decimal; atLeast?: Decimal } => {
    const { direction, level } = edges[fired]!;
    if (condition.kind === 'crosses' && condition.direction === 'either') return { atMost: less(level), atLeast: more(level) };
    // Who came in through one end may leave through the other.
    if (condition.kind === 'channel' && condition.event === 'enter')
      return { atMost: less(decimal(condition.lower)), atLeast: more(decimal(condition.upper)) };
    return direction === 'up' ? { atMost: less(level) } : { atLeast: more(level) };
  };
  const isReady = ({ direction, level }: Edge, price: Decimal): boolean =>
    direction === 'up' ? compare(price, level) <= 0 : compare(price, level) >= 0;
  const isCrossed = ({ direction, level }: Edge, price: Decimal): boolean =>
    direction === 'up' ? compare(price, level) > 0 : compare(price, level) < 0;

  function firedEdge(ready: readonly boolean[], price: Decimal): number | undefined {
    const found = edges.findIndex((each, index) => ready[index] === true && isCrossed(each, price));
    if (found < 0) return undefined;
    if (condition.kind !== 'channel') return found;
    // A jump over the whole channel neither comes in nor goes out.
    if (condition.event === 'exit') return ready.every(Boolean) ? found : undefined;
    const inside = compare(price, decimal(condition.lower)) >= 0 && compare(price, decimal(condition.upper)) <= 0;
    return inside ? found : undefined;
  }
  const readyAt = (price: Decimal) => edges.map((each) => isReady(each, price));

  let memory: LevelMemory = UNSET;
  return {
    get memory(): LevelMemory {
      return memory;
    },
    restore: (known: LevelMemory): void => {
      memory = known;
    },
    /** Takes a price as where it begins: after creation, and after a time in which nothing was heard. */
    begin: (price: number): void => {
      if (memory.mode !== 'leaving') memory = { mode: 'armed', ready: readyAt(exactPrice(price)), fired: null };
    },
    /** Makes it able to fire again, from this price on. */
    arm: (price: number): void => {
      memory = { mode: 'armed', ready: readyAt(exactPrice(price)), fired: null };
    },
    /** True when what it waits for is already so. */
    holds: (price: number): boolean => {
      const exact = exactPrice(price);
      if (condition.kind !== 'channel') return edges.some((each) => isCrossed(each, exact));
      const inside = compare(exact, decimal(condition.lower)) >= 0 && compare(exact, decimal(condition.upper)) <= 0;
      return condition.event === 'enter' ? inside : !inside;
    },
    /** Marks it as fired without a crossing (`fireIfTrue`). */
    fire: (price: number): void => {
      const crossed = edges.findIndex((each) => isCrossed(each, exactPrice(price)));
      memory = { mode: 'leaving', ready: readyAt(exactPrice(price)), fired: Math.max(0, crossed) };
    },
    /** A price. @returns the level that it crossed and which way, or that the price has left */
    look: (price: number): { what: 'fired'; direction: Direction; level: Decimal } | { what: 'left' } | undefined => {
      const exact = exactPrice(price);
      if (memory.mode === 'armed') {
        const fired = firedEdge(memory.ready, exact);
        memory = { mode: fired === undefined ? 'armed' : 'leaving', ready: readyAt(exact), fired: fired ?? null };
        return fired === undefined ? undefined : { what: 'fired', direction: edges[fired]!.direction, level: edges[fired]!.level };
      }
      if (memory.mode !== 'leaving' || memory.fired === null) return undefined;
      const { atMost, atLeast } = leaves(memory.fired);
      const left = (atMost !== undefined && compare(exact, atMost) <= 0) || (atLeast !== undefined && compare(exact, atLeast) >= 0);
      return left ? { what: 'left' } : undefined;
    },
    /** Prices above `up` or below `down` must be looked at; none in between changes anything. */
    wakes: (): { up?: number; down?: number } => {
      let up = Number.POSITIVE_INFINITY;
      let down = Number.NEGATIVE_INFINITY;
      if (memory.mode === 'armed')
        edges.forEach(({ direction, at }, index) => {
          const ready = memory.ready[index] === true;
          if (direction === 'up' && ready) up = Math.min(up, at);
          if (direction === 'up' && !ready) down = Math.max(down, justAbove(at));
          if (direction === 'down' && ready) down = Math.max(down, at);
          if (direction === 'down' && !ready) up = Math.min(up, justBelow(at));
        });
      if (memory.mode === 'leaving' && memory.fired !== null) {
        const { atMost, atLeast } = leaves(memory.fired);
        // One float nearer: the exact comparison decides.
        if (atMost !== undefined) down = justAbove(justAbove(toFloat(atMost)));
        if (atLeast !== undefined) up = justBelow(justBelow(toFloat(atLeast)));
      }
      return { ...(up === Number.POSITIVE_INFINITY ? {} : { up }), ...(down === Number.NEGATIVE_INFINITY ? {} : { down }) };
    },
    /** In which order the ends of a bar tell no more than is certain: whether the high came before the low is not known. */
    highFirst: edges[0]!.direction === 'up',
    /** The level nearest to the price, for showing how far it is. */
    nearest: (price: number): Decimal =>
      edges.reduce((best, each) => (Math.abs(each.at - price) < Math.abs(best.at - price) ? each : best)).level,
  };
}
