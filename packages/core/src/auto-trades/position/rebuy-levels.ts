import { add, type Decimal, decimal, divide, isPositive, lessThan, multiply, ONE, toText, ZERO } from '../../money/decimal.ts';
import type { Percent, Ratio } from '../../money/figure.ts';
import type { PairFilters } from '../../prices/prices-contract.ts';
import type { AutoTradeConfig, Rebuys } from '../config/auto-trade-config.ts';
import { lessPercent, lotsWithin, toTick, worstCost } from './position-lines.ts';

/** One rebuy: how far below its basis (percent), and its amount as a multiple of the entry's. Decimal text. */
export type RebuyLevel = { readonly dropPct: Percent; readonly sizeMultiplier: Ratio };

const rounded = (value: Decimal): string => toText(divide(value, ONE, 8));

/**
 * The levels of a bot's rebuys, written out. A generator's drops add up when they are measured from the first buy or
 * the average; measured from the last buy each is a step of its own. Rounded to 8 decimals.
 */
export function rebuyLevels({ levels, generator, basis }: Rebuys): readonly RebuyLevel[] {
  if (!generator) return levels;
  const made: RebuyLevel[] = [];
  let step = decimal(generator.stepPct);
  let size = decimal(generator.sizeScale);
  let drop = ZERO;
  for (let level = 0; level < generator.count; level += 1) {
    drop = basis === 'lastBuy' ? step : add(drop, step);
    made.push({ dropPct: rounded(drop), sizeMultiplier: rounded(size) });
    step = decimal(rounded(multiply(step, decimal(generator.stepScale))));
    size = decimal(rounded(multiply(size, decimal(generator.sizeScale))));
  }
  return made;
}

/** One rung of a planned ladder; level 0 is the entry. `worst` is the most it can cost, slippage and fee on top. */
export type PlannedRung = {
  readonly level: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly quote: Decimal;
  readonly worst: Decimal;
};

/**
 * The whole ladder of an entry at `price` for `quote`: what each level would buy where, if every level filled at its
 * price. Prices on the tick, quantities in whole lots, both rounded down. Ends at a level whose price is no tick.
 */
export function planLadder(
  { config, filters, takerFee }: { readonly config: AutoTradeConfig; readonly filters: PairFilters; readonly takerFee: string },
  price: Decimal,
  quote: Decimal,
): readonly PlannedRung[] {
  const slippage = config.entry.order.type === 'Market' ? config.entry.order.maxSlippagePct : '0';
  const rungs: PlannedRung[] = [];
  const rung = (level: number, at: Decimal, amount: Decimal): void => {
    const quantity = lotsWithin(divide(amount, at, 28, 'down'), filters, config.entry.order.type, at);
    rungs.push({
      level,
      price: at,
      quantity,
      quote: multiply(quantity, at),
      worst: worstCost({ takerFee }, quantity, at, slippage),
    });
  };
  const first = toTick(price, filters, 'down');
  if (!isPositive(first)) return rungs;
  rung(0, first, quote);
  let last = first;
  const { basis } = config.rebuys;
  for (const [index, level] of rebuyLevels(config.rebuys).entries()) {
    const from = basis === 'firstBuy' ? first : basis === 'lastBuy' ? last : averagePaid(rungs);
    const at = toTick(lessPercent(from, decimal(level.dropPct)), filters, 'down');
    if (!isPositive(at) || !lessThan(at, last)) break;
    rung(index + 1, at, multiply(quote, decimal(level.sizeMultiplier)));
    last = at;
  }
  return rungs;
}

function averagePaid(rungs: readonly PlannedRung[]): Decimal {
  const quantity = rungs.reduce((total, rung) => add(total, rung.quantity), ZERO);
  const quote = rungs.reduce((total, rung) => add(total, rung.quote), ZERO);
  return isPositive(quantity) ? divide(quote, quantity) : rungs[0]!.price;
}

/** The most a ladder can cost. */
export const ladderTotal = (rungs: readonly PlannedRung[]): Decimal => rungs.reduce((total, rung) => add(total, rung.worst), ZERO);
