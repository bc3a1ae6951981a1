import type { AutoTradePosition, PositionLevel } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import type { LevelTone } from '../../../ui/charts/price-chart.tsx';
import { type BotCoin, isHeld, isOver } from './chosen-coin.ts';

/**
 * A level of the chosen coin, in the list and on the chart. `level` is there where the position does something at it, and is
 * what can be moved; the others are only read.
 */
export type LevelRow = {
  /** Stays the same while the level moves. */
  readonly id: string;
  readonly kind: PositionLevel['kind'] | 'protectiveStop' | 'breakEven' | 'entry' | 'entryLow' | 'order';
  readonly price: Price;
  readonly tone: LevelTone;
  readonly level?: PositionLevel;
  /** A stop rests at the exchange at this price. */
  readonly isAtExchange?: boolean;
};

const TONES: Readonly<Record<PositionLevel['kind'], LevelTone>> = {
  stopLoss: 'loss',
  protectedCost: 'brand',
  arm: 'brand',
  target: 'gain',
  takeProfit: 'gain',
  rebuy: 'warning',
};

const isSame = (one: Price, other: Price): boolean => compare(decimal(one), decimal(other)) === 0;

/** The levels of a coin from the highest price to the lowest; of equal ones in the order in which they were found. */
export const levelRows = (coin: Pick<BotCoin, 'position' | 'evaluation'>): LevelRow[] =>
  found(coin).sort((a, b) => compare(decimal(b.price), decimal(a.price)));

function found({ position, evaluation }: Pick<BotCoin, 'position' | 'evaluation'>): LevelRow[] {
  if (position && isOver(position)) return [];
  return position && isHeld(position) ? heldRows(position) : entryRows(position, evaluation);
}

function heldRows({ levels = [], lines, breakEven }: AutoTradePosition): LevelRow[] {
  const resting = lines.protectiveStop;
  const rows = levels.map((level): LevelRow => {
    const isFloor = level.kind === 'stopLoss' || level.kind === 'protectedCost';
    const isAtExchange = isFloor && resting !== null && isSame(level.price, resting);
    return { id: level.id, kind: level.kind, price: level.price, tone: TONES[level.kind], level, isAtExchange };
  });
  // One that follows the protected cost a little later rests elsewhere for a moment.
  if (resting !== null && !rows.some(({ isAtExchange }) => isAtExchange))
    rows.push({ id: 'protectiveStop', kind: 'protectiveStop', price: resting, tone: 'loss', isAtExchange: true });
  if (breakEven !== null) rows.push({ id: 'breakEven', kind: 'breakEven', price: breakEven, tone: 'neutral' });
  return rows;
}

function entryRows(position: AutoTradePosition | undefined, evaluation: BotCoin['evaluation']): LevelRow[] {
  const waitsFor = evaluation?.waitsFor;
  const rows: LevelRow[] = [];
  const trigger = position?.lines.trigger ?? (waitsFor?.code === 'drop' ? waitsFor.price : null);
  if (trigger !== null) rows.push({ id: 'entry', kind: 'entry', price: trigger, tone: 'warning' });
  const low = position?.lines.entryLow ?? null;
  if (low !== null) rows.push({ id: 'entryLow', kind: 'entryLow', price: low, tone: 'neutral' });
  if (waitsFor?.code === 'order' && waitsFor.price !== null)
    rows.push({ id: 'order', kind: 'order', price: waitsFor.price, tone: 'warning' });
  return rows;
}

/** Where the present price stands among the levels: the index of the first that is below it. */
export function placeOfPrice(rows: readonly LevelRow[], price: Price): number {
  const at = rows.findIndex((row) => compare(decimal(row.price), decimal(price)) < 0);
  return at < 0 ? rows.length : at;
}

/** How much of what is held a level sells: all, a share in percent of what was bought, nothing alone, or nothing at all. */
export function saleAt(level: PositionLevel, { quantity }: Pick<AutoTradePosition, 'quantity'>): 'all' | 'share' | 'merged' | undefined {
  if (level.kind === 'takeProfit' && level.quantity === null) return 'merged';
  if (level.quantity === null) return undefined;
  return compare(decimal(level.quantity), decimal(quantity)) === 0 ? 'all' : 'share';
}
