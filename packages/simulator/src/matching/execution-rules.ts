import { type Decimal, decimal, greaterThan, lessThan, multiply, toFixedText } from '@pilotfish/core/money/decimal';
import { type Pair, unitsDecimal } from '../market/market-contract.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Side } from './order.ts';

export const RANGE_BOUNDS = ['bidLimitMultUp', 'bidLimitMultDown', 'askLimitMultUp', 'askLimitMultDown'] as const;
/** Multipliers of the reference price; one that is left out binds nothing. */
export type PriceRange = Readonly<Partial<Record<(typeof RANGE_BOUNDS)[number], string>>> & {
  /** Set by hand, or null for one that is not known now; the average of the last minutes where it is left out. */
  readonly referencePrice?: string | null | undefined;
};

/** Price ranges that bind executions, and the reference prices that they are about. No pair has any until a fault gives it one. */
export class ExecutionRules {
  private readonly ranges = new Map<number, PriceRange>();
  private readonly view: MarketView;

  constructor(view: MarketView) {
    this.view = view;
  }

  set(pair: Pair, range: PriceRange): void {
    this.ranges.set(pair.index, range);
  }
  clear(): void {
    this.ranges.clear();
  }

  /** `rules` of executionRules. */
  of(pair: Pair): Record<string, unknown>[] {
    const range = this.ranges.get(pair.index);
    const bounds = RANGE_BOUNDS.flatMap((name) => (range?.[name] === undefined ? [] : [[name, range[name]] as const]));
    return bounds.length === 0 ? [] : [{ ruleType: 'PRICE_RANGE', ...Object.fromEntries(bounds) }];
  }

  /** Undefined where the pair never had one. */
  reference(pair: Pair): { price: string | null } | undefined {
    const range = this.ranges.get(pair.index);
    if (!range) return undefined;
    if (range.referencePrice !== undefined) return { price: range.referencePrice };
    const average = Math.round(this.view.average(pair, AVERAGE_MINUTES).price);
    return { price: toFixedText(unitsDecimal(average, pair.tickSize), pair.pricePlaces) };
  }

  /** How the reference price is found: a person set it (0), or it follows the trades. */
  calculation(pair: Pair): Record<string, unknown> | undefined {
    const range = this.ranges.get(pair.index);
    if (!range) return undefined;
    return range.referencePrice === undefined
      ? { calculationType: 'ARITHMETIC_MEAN', bucketCount: AVERAGE_MINUTES, bucketWidthMs: 60_000 }
      : { calculationType: 'EXTERNAL', externalCalculationId: 0 };
  }

  /** Whether an order that takes now may execute at a price (ticks); found once for the whole taker phase. */
  allowed(pair: Pair, side: Side): (price: number) => boolean {
    const range = this.ranges.get(pair.index);
    const reference = this.reference(pair)?.price;
    if (!range || reference === undefined || reference === null) return () => true;
    const [up, down] = side === 'BUY' ? [range.bidLimitMultUp, range.bidLimitMultDown] : [range.askLimitMultUp, range.askLimitMultDown];
    const bound = (multiplier: string): Decimal => multiply(decimal(reference), decimal(multiplier));
    const [most, least] = [up, down].map((each) => (each === undefined ? undefined : bound(each)));
    return (price) => {
      const exact = unitsDecimal(price, pair.tickSize);
      return !(most && greaterThan(exact, most)) && !(least && lessThan(exact, least));
    };
  }
}

const AVERAGE_MINUTES = 5;
