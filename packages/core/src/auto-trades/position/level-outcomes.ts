import { type Decimal, decimal, divide, greaterThan, isPositive, multiply, ONE, subtract, toText } from '../../money/decimal.ts';
import { openResult } from '../../positions/position-figures.ts';
import type { PositionLevel } from '../auto-trades-contract.ts';
import { armPrice, averageCost, stopLossPrice, takeProfitPrice } from './position-lines.ts';
import { rebuyPrice } from './position-rebuy.ts';
import { nextSlice, type Slice } from './position-slices.ts';
import type { PositionContext } from './position-state.ts';

/** Decimals of results: those of what is written. */
const PLACES = 8;
const NOTHING = { number: null, quantity: null, sellPct: null, quote: null, result: null, distancePct: null } as const;

/**
 * Every price at which a held position sells, buys or begins to protect, with what that does: quantities, results after the
 * exit fee, sums of rebuys, all in the quote asset. Take profits are sold in their order, each its own slice; one too small to
 * be sold alone has no quantity, since the next sells its share along.
 */
export function levelOutcomes(context: PositionContext): PositionLevel[] {
  const average = averageCost(context);
  if (!average) return [];
  const { config, takerFee } = context.settings;
  const sale = (quantity: string, price: Decimal) => {
    const units = decimal(quantity);
    const result = openResult({ quantity: units, cost: multiply(units, average) }, price, decimal(takerFee));
    return { price: toText(price), quantity, result: toText(divide(result, ONE, PLACES)) };
  };
  const all = (price: Decimal) => sale(context.quantity, price);
  const found: PositionLevel[] = [];
  const stop = context.stopPrice === null ? stopLossPrice(context) : decimal(context.stopPrice);
  if (stop) found.push({ ...NOTHING, id: 'stopLoss', kind: 'stopLoss', ...all(stop) });
  if (context.line !== null) found.push({ ...NOTHING, id: 'protectedCost', kind: 'protectedCost', ...all(decimal(context.line)) });
  const arm = context.line === null ? armPrice(context) : null;
  if (arm) found.push({ ...NOTHING, id: 'arm', kind: 'arm', price: toText(arm), distancePct: config.trailingCost.distancePct });
  if (context.targetPrice !== null) found.push({ ...NOTHING, id: 'target', kind: 'target', ...all(decimal(context.targetPrice)) });
  const slices = slicesOf(context);
  for (let level = context.levelsDone; level < config.takeProfit.levels.length; level += 1) {
    const price = takeProfitPrice(context, level);
    if (!price) continue;
    const slice = slices.find((each) => each.level === level);
    const own = { id: `takeProfit-${level + 1}`, kind: 'takeProfit', number: level + 1 } as const;
    const { sellPct } = config.takeProfit.levels[level]!;
    found.push({ ...NOTHING, ...own, sellPct, price: toText(price), ...(slice && sale(slice.quantity, price)) });
  }
  for (let level = context.rebuysDone; level < context.ladder.length; level += 1) {
    const price = rebuyPrice(context, level);
    if (!price) continue;
    const own = { id: `rebuy-${level + 1}`, kind: 'rebuy', number: level + 1 } as const;
    found.push({ ...NOTHING, ...own, price: toText(price), quote: context.ladder[level]!.quote });
  }
  return found;
}

/** The sales of the take-profit ladder still to come, each after those before it. */
function slicesOf(context: PositionContext): Slice[] {
  const found: Slice[] = [];
  let left = context;
  for (;;) {
    const slice = nextSlice(left);
    if (!slice) return found;
    found.push(slice);
    const [before, sold] = [decimal(left.quantity), decimal(slice.quantity)];
    if (slice.last || !greaterThan(before, sold)) return found;
    const quantity = subtract(before, sold);
    if (!isPositive(quantity)) return found;
    const cost = divide(multiply(decimal(left.cost), quantity), before);
    left = { ...left, quantity: toText(quantity), cost: toText(cost), levelsDone: slice.level + 1 };
  }
}
