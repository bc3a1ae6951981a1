import type * as z from 'zod';
import { type AutoTradeConfig, autoTradeConfigSchema } from '../auto-trades/config/auto-trade-config.ts';
import { add, compare, decimal, isDecimalText, isPositive, toText, ZERO } from '../money/decimal.ts';

/** One setting of a bot and the values it takes, as decimal text. `path` is that of the config: `takeProfit.levels.0.gainPct`. */
export type SweepAxis = { readonly path: string; readonly values: readonly string[] };
/** One value per axis, in the order of the axes. */
export type SweepSet = { readonly index: number; readonly values: readonly string[] };

/** Most values of one axis, and most sets of a grid. */
const MOST_VALUES = 10_000;
export const MOST_SETS = 1_000_000;

export class SweepError extends Error {
  readonly code: 'BAD_AXIS' | 'NO_SUCH_PATH' | 'NOT_A_NUMBER' | 'TOO_MANY' | 'REFUSED';
  constructor(code: SweepError['code'], message: string) {
    super(message);
    this.name = 'SweepError';
    this.code = code;
  }
}

/** `stopLoss.pct=1:5:0.5` (from, to, step; both ends) or `stopLoss.pct=1,2,5`. @throws SweepError */
export function parseAxis(text: string): SweepAxis {
  const [path = '', range = '', ...rest] = text.split('=');
  const bad = () => new SweepError('BAD_AXIS', `${text} is not path=from:to:step or path=a,b,c`);
  if (path === '' || range === '' || rest.length > 0) throw bad();
  if (!range.includes(':')) {
    const values = range.split(',');
    if (!values.every(isDecimalText)) throw bad();
    return { path, values };
  }
  const ends = range.split(':');
  if (ends.length !== 3 || !ends.every(isDecimalText)) throw bad();
  const [from = ZERO, to = ZERO, step = ZERO] = ends.map((end) => decimal(end));
  if (!isPositive(step) || compare(from, to) > 0) throw bad();
  const values: string[] = [];
  for (let value = from; compare(value, to) <= 0; value = add(value, step)) {
    if (values.length >= MOST_VALUES) throw new SweepError('TOO_MANY', `${path} takes more than ${MOST_VALUES} values`);
    values.push(toText(value));
  }
  return { path, values };
}

type Tree = Record<string, unknown>;

/** The same config with some settings changed, checked as one that is saved. @throws SweepError naming the setting */
export function withSettings(config: AutoTradeConfig, axes: readonly SweepAxis[], values: readonly string[]): AutoTradeConfig {
  const copy = { ...config } as unknown as Tree;
  const changed = new Set<string>();
  axes.forEach(({ path }, axis) => {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const [section = ''] = keys;
    if (section !== '' && !changed.has(section) && Object.hasOwn(copy, section)) copy[section] = structuredClone(copy[section]);
    changed.add(keys.length > 0 ? section : last);
    let place: unknown = copy;
    for (const key of keys) place = typeof place === 'object' && place !== null ? (place as Tree)[key] : undefined;
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, last))
      throw new SweepError('NO_SUCH_PATH', `the bot has no setting ${path}`);
    const before = (place as Tree)[last];
    const value = values[axis]!;
    if (typeof before === 'number') (place as Tree)[last] = Number(value);
    else if (typeof before === 'string' && isDecimalText(before)) (place as Tree)[last] = value;
    else throw new SweepError('NOT_A_NUMBER', `${path} is not a number`);
  });
  // No rule of the contract reaches from one section into another: what was not changed is valid as it was.
  for (const section of changed) {
    const parsed = (autoTradeConfigSchema.shape as Record<string, z.ZodType>)[section]!.safeParse(copy[section]);
    if (parsed.success) copy[section] = parsed.data;
    else {
      const [issue] = parsed.error.issues;
      throw new SweepError('REFUSED', `${[section, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? ''}`);
    }
  }
  return copy as unknown as AutoTradeConfig;
}

/** How many sets a grid over the axes has. */
export const gridSize = (axes: readonly SweepAxis[]): number => axes.reduce((product, { values }) => product * values.length, 1);

/** The set of a grid by its number, the last axis the fastest. */
export function gridSet(axes: readonly SweepAxis[], index: number): SweepSet {
  const values: string[] = [];
  let rest = index;
  for (let axis = axes.length - 1; axis >= 0; axis -= 1) {
    const { values: all } = axes[axis]!;
    values.unshift(all[rest % all.length]!);
    rest = Math.floor(rest / all.length);
  }
  return { index, values };
}

/** mulberry32. */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Every set of the grid, or `count` different ones drawn from it; the same seed draws the same. @throws SweepError */
export function sweepSets(axes: readonly SweepAxis[], random?: { readonly count: number; readonly seed: number }): SweepSet[] {
  const size = gridSize(axes);
  if (!random || random.count >= size) {
    if (size > MOST_SETS) throw new SweepError('TOO_MANY', `the grid has ${size} sets; draw some of them at random`);
    return Array.from({ length: size }, (_, index) => gridSet(axes, index));
  }
  if (random.count > MOST_SETS) throw new SweepError('TOO_MANY', `at most ${MOST_SETS} sets`);
  const draw = drawer(random.seed);
  const chosen = new Set<number>();
  while (chosen.size < random.count) chosen.add(Math.floor(draw() * size));
  return [...chosen].map((index) => gridSet(axes, index));
}
