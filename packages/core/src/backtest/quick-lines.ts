import {
  armPrice,
  averageCost,
  breakEvenPrice,
  coversCost,
  gainPrice,
  lessPercent,
  stopLossPrice,
  takeProfitPrice,
  toTick as toPriceTick,
} from '../auto-trades/position-lines.ts';
import { rebuyPrice } from '../auto-trades/position-rebuy.ts';
import { nextSlice } from '../auto-trades/position-slices.ts';
import { newPosition, type PositionContext, type PositionSettings } from '../auto-trades/position-state.ts';
import { rebuyLevels } from '../auto-trades/rebuy-levels.ts';
import { type Decimal, decimal, greaterThan, lessThan, plusPercent, toText } from '../money/decimal.ts';
import type { Percent } from '../money/figure.ts';
import {
  BIG_TENS,
  COST_PLACES,
  ceilDivide,
  compareProducts,
  costText,
  floorDivide,
  NotCovered,
  roundDivideBig,
  type Scales,
  safe,
  shareOf,
  textOf,
  unitsOf,
} from './quick-scales.ts';
import type { QuickAverage } from './quick-traces.ts';

/** What is held, in the units of its scales: the quantity and what was bought in `held`, the cost at 28 places. */
export type QuickHeld = {
  quantity: number;
  bought: number;
  cost: bigint;
  /** The cost as the double nearest to it; NaN: not found yet. */
  costFloat: number;
  firstBuy: number;
  lastBuy: number;
  levelsDone: number;
  rebuysDone: number;
};

/** The next sale of the take-profit ladder. */
export type QuickSlice = { readonly level: number; readonly price: number; readonly lots: number; readonly last: boolean };

/** A level this near to a tick (in ticks) is computed exactly; the error of a double is far smaller below `MOST_TICKS`. */
const NEAR_TICK = 1e-4;
const MOST_TICKS = 1e10;
/** Two amounts that differ by more than this part are told apart by doubles. */
const APART = 1e-9;

/**
 * The prices that a position is judged by, as `position-lines.ts` says them. They are found with doubles where rounding
 * to the tick leaves no doubt, and asked of `position-lines.ts` itself where it does: the rules stand there.
 */
export function createQuickLines(scales: Scales, settings: PositionSettings) {
  const { config } = settings;
  const { trailingCost, stopLoss, takeProfit, dust, rebuys, protectiveStop } = config;
  const blank = newPosition(settings, 1, '');
  const fee = Number(settings.takerFee);
  const arm = shareOf(trailingCost.armGainPct);
  const distance = shareOf(trailingCost.distancePct);
  const stepShare = shareOf(trailingCost.stepPct);
  const stop = stopLoss.mode === 'none' ? null : shareOf(stopLoss.pct);
  const gains = takeProfit.levels.map(({ gainPct }) => shareOf(gainPct).float);
  const sold = takeProfit.levels.map(({ sellPct }) => shareOf(sellPct));
  const rungs = rebuyLevels(rebuys).map(({ dropPct }) => ({ dropPct, quote: '0', reserve: '0' }));
  const drops = rungs.map(({ dropPct }) => 1 - Number(dropPct) / 100);
  const restsBelow = shareOf(protectiveStop.limitOffsetPct);
  const restsOver = shareOf(config.exit.order.offsetPct);
  const residual = shareOf(dust.maxResidualPct);
  const kept = distance.hundred - distance.units;
  if (kept <= 0) throw new NotCovered('a line at or below zero');
  const perTick = scales.priceUnit / scales.tick;

  /** The position as the exact rules want it. */
  const exactly = (held: QuickHeld): PositionContext => ({
    ...blank,
    quantity: textOf(held.quantity, scales.held),
    bought: textOf(held.bought, scales.held),
    cost: costText(held.cost),
    firstBuyPrice: textOf(held.firstBuy, scales.price),
    lastBuyPrice: textOf(held.lastBuy, scales.price),
    levelsDone: held.levelsDone,
    ladder: rungs,
    rebuysDone: held.rebuysDone,
  });
  const asUnits = (price: Decimal | null): number => {
    if (price === null) throw new NotCovered('a level that is none');
    return unitsOf(price, scales.price);
  };
  /** A price in quote rounded to the tick; `exact` is asked where doubles cannot tell. */
  function toTick(value: number, rounding: 'down' | 'up', exact: () => Decimal | null): number {
    const ticks = value * perTick;
    const nearest = Math.round(ticks);
    if (!(Math.abs(ticks - nearest) > NEAR_TICK && ticks < MOST_TICKS)) return asUnits(exact());
    return (rounding === 'down' ? Math.floor(ticks) : Math.ceil(ticks)) * scales.tick;
  }
  const average = (held: QuickHeld): number => held.costFloat / (held.quantity / scales.heldUnit);

  /** Whole lots of a quantity, at most what one order at the market may carry. */
  const sellable = (quantity: number): number => {
    const lots = floorDivide(quantity, scales.lotInHeld * scales.step) * scales.step;
    return Math.min(lots, scales.most);
  };
  /** An order of these lots at this price would break the filters. */
  const tooSmall = (lots: number, price: number): boolean => lots === 0 || lots < scales.minQty || safe(lots * price) < scales.minNotional;
  /** The same with the margin that orders are planned with. */
  function tooSmallToPlan(lots: number, price: number): boolean {
    if (lots === 0 || lots < scales.minQty) return true;
    const sign = compareProducts(safe(lots * price), 100, scales.minNotional, 105);
    if (sign === 0 && scales.minNotional > 0) throw new NotCovered('an order of exactly the least value');
    return sign < 0;
  }
  const takeProfitAt = (held: QuickHeld, level: number): number =>
    toTick(average(held) * (1 + gains[level]!), 'up', () => takeProfitPrice(exactly(held), level));

  return {
    sellable,
    tooSmall,
    tooSmallToPlan,
    /** Average cost in quote, for bounds that are looked at twice. */
    average,
    /** NaN without a stop. */
    stop(held: QuickHeld): number {
      if (!stop || stopLoss.mode === 'none') return Number.NaN;
      const basis = stopLoss.basis === 'firstBuy' ? held.firstBuy / scales.priceUnit : average(held);
      return toTick(basis * (1 - stop.float), 'down', () => stopLossPrice(exactly(held)));
    },
    arm: (held: QuickHeld): number => toTick(average(held) * (1 + arm.float), 'up', () => armPrice(exactly(held))),
    breakEven: (held: QuickHeld): number => toTick(average(held) / (1 - fee), 'up', () => breakEvenPrice(exactly(held))),
    /** Price at or below which the next level buys; NaN when none is left. */
    rebuy(held: QuickHeld): number {
      const share = drops[held.rebuysDone];
      if (share === undefined) return Number.NaN;
      const from =
        rebuys.basis === 'avgCost' ? average(held) : (rebuys.basis === 'firstBuy' ? held.firstBuy : held.lastBuy) / scales.priceUnit;
      return toTick(from * share, 'down', () => rebuyPrice(exactly(held)));
    },
    /** The limit of a stop that rests at the exchange, before the floor of the line. */
    guardLimit: (floor: number): number =>
      toTick((floor / scales.priceUnit) * (1 - restsBelow.float), 'down', () =>
        toPriceTick(lessPercent(decimal(textOf(floor, scales.price)), decimal(protectiveStop.limitOffsetPct)), settings.filters, 'down'),
      ),
    /** The limit of a sale that rests, above this bid. */
    sellLimit: (bid: number): number =>
      toTick((bid / scales.priceUnit) * (1 + restsOver.float), 'up', () =>
        toPriceTick(plusPercent(decimal(textOf(bid, scales.price)), decimal(config.exit.order.offsetPct)), settings.filters, 'up'),
      ),
    /** The line that a peak justifies, before its floor. */
    lineBelow: (peak: number): number => floorDivide(safe(peak * kept), safe(distance.hundred * scales.tick)) * scales.tick,
    /** True when a line may rise from `line` to `next`: by its step, and by a tick. */
    raises: (line: number, next: number): boolean =>
      next - line >= scales.tick && compareProducts(Math.max(0, next - line), stepShare.hundred, line, stepShare.units) >= 0,
    /** The lowest price at which a line rises. */
    raiseAt(line: number): number {
      const step = Math.max(ceilDivide(safe(line * stepShare.units), stepShare.hundred), scales.tick);
      const target = ceilDivide(line + step, scales.tick) * scales.tick;
      return ceilDivide(safe(target * distance.hundred), safe(kept * scales.tick)) * scales.tick;
    },
    /** Selling everything at `bid` returns at least its cost after the fee. */
    covers(held: QuickHeld, bid: number): boolean {
      const proceeds = (held.quantity / scales.heldUnit) * (bid / scales.priceUnit) * (1 - fee);
      if (Math.abs(proceeds - held.costFloat) > held.costFloat * APART) return proceeds > held.costFloat;
      return coversCost(exactly(held), decimal(textOf(bid, scales.price)));
    },
    /** Price at which selling everything gains this many percent after the fee, in quote, for a bound that is looked at twice. */
    gainAt: (held: QuickHeld, percent: Percent): number => (average(held) * (1 + Number(percent) / 100)) / (1 - fee),
    /** Selling everything at `bid` gains at least this many percent after the fee. */
    gains(held: QuickHeld, bid: number, percent: Percent): boolean {
      const least = (average(held) * (1 + Number(percent) / 100)) / (1 - fee);
      const seen = bid / scales.priceUnit;
      if (Math.abs(seen - least) > Math.abs(least) * APART) return seen > least;
      const exact = gainPrice(exactly(held), percent);
      return exact === null || !lessThan(decimal(textOf(bid, scales.price)), exact);
    },
    /** A price is above the average cost by more than a percentage. */
    isAbove(held: QuickHeld, price: number, percent: Percent): boolean {
      const bound = average(held) * (1 + Number(percent) / 100);
      const seen = price / scales.priceUnit;
      if (Math.abs(seen - bound) > Math.abs(bound) * APART) return seen > bound;
      const exact = averageCost(exactly(held));
      return exact === null || greaterThan(decimal(textOf(price, scales.price)), plusPercent(exact, decimal(percent)));
    },
    /** Average cost at 34 places, as text for who reads it. */
    averageOf({ cost, quantity }: QuickHeld): QuickAverage {
      let text: string | undefined;
      return () => {
        text ??= toText({ units: roundDivideBig(cost * BIG_TENS[34 + scales.held - COST_PLACES]!, BigInt(quantity)), scale: 34 });
        return text;
      };
    },
    /** The next sale of the ladder, as `nextSlice` says it. */
    slice(held: QuickHeld): QuickSlice | null {
      const { length } = gains;
      if (held.levelsDone >= length) return null;
      if (held.levelsDone === length - 1) {
        const level = length - 1;
        return { level, price: takeProfitAt(held, level), lots: sellable(held.quantity), last: true };
      }
      const due = nextSliceOf(held);
      if (due !== undefined) return due;
      const exact = nextSlice(exactly(held));
      return (
        exact && {
          level: exact.level,
          price: asUnits(exact.price),
          lots: sellable(unitsOf(exact.quantity, scales.held)),
          last: exact.last,
        }
      );
    },
    /** What is left is too little to be a position. */
    isDust(held: QuickHeld, price: number, exitWaits: boolean): boolean {
      const lots = sellable(held.quantity);
      if (lots === 0 || lots < scales.minQty) return true;
      const small =
        (exitWaits && held.quantity < held.bought) || compareProducts(held.quantity, residual.hundred, held.bought, residual.units) <= 0;
      return small && tooSmall(lots, price);
    },
  };

  /** Undefined where a share of what was bought cannot be counted in doubles. */
  function nextSliceOf(held: QuickHeld): QuickSlice | null | undefined {
    let share = 0;
    for (let level = held.levelsDone; level < gains.length; level += 1) {
      const price = takeProfitAt(held, level);
      if (level === gains.length - 1) return { level, price, lots: sellable(held.quantity), last: true };
      const { units, hundred } = sold[level]!;
      if (hundred !== 100) return undefined;
      share += units;
      const wanted = floorDivide(safe(held.bought * share), 100);
      const lots = sellable(Math.min(wanted, held.quantity));
      if (tooSmallToPlan(lots, price)) continue;
      const rest = held.quantity - lots * scales.lotInHeld;
      const last = tooSmall(sellable(rest), price) || rest < scales.minQty * scales.lotInHeld;
      return { level, price, lots: last ? sellable(held.quantity) : lots, last };
    }
    return null;
  }
}
export type QuickLines = ReturnType<typeof createQuickLines>;
