import { add, type Decimal, divide, HUNDRED, isPositive, isZero, multiply, subtract, ZERO } from '../money/decimal.ts';
import type { FoldedPosition } from './folded-position.ts';

/** The price a day ended with; `interpolated` when nobody traded or the close is not known. */
export type DayClose = { readonly price: Decimal; readonly interpolated: boolean };

export type DayPerformance = {
  /** `2026-11-21`, a day of the person's zone. */
  readonly day: string;
  /** V_d − V_{d−1} − flow_d, quote units. The days add up to the total result. */
  readonly pnl: Decimal;
  /** Percent of what was held the day before plus what was bought on the day; 0 when that is nothing. */
  readonly returnPct: Decimal;
  /** Value at the end of the day. */
  readonly value: Decimal;
  readonly interpolated: boolean;
};

/**
 * The result of each day a position was open, gross of the exit fee. `days` are all days from its opening to today
 * (or to its close), oldest first; `dayOf` says which of them a time belongs to. Needs the position's lines.
 */
export function dailyPerformance(
  position: FoldedPosition,
  days: readonly string[],
  dayOf: (at: number) => string,
  closeOf: (day: string) => DayClose,
): DayPerformance[] {
  const flows = new Map<string, { in: Decimal; out: Decimal; quantity: Decimal }>();
  let costBefore = ZERO;
  for (const line of position.lines) {
    const day = dayOf(line.at);
    const flow = flows.get(day) ?? { in: ZERO, out: ZERO, quantity: ZERO };
    if (isPositive(line.change)) flow.in = add(flow.in, line.amount ?? ZERO);
    // Units nobody paid for take their cost along.
    else flow.out = add(flow.out, line.amount ?? subtract(costBefore, line.costAfter));
    flow.quantity = line.quantityAfter;
    costBefore = line.costAfter;
    flows.set(day, flow);
  }
  // Dust leaves with its cost when a position closes: it is in no result.
  if (position.closedAt !== null) {
    const day = dayOf(position.closedAt);
    const flow = flows.get(day);
    if (flow !== undefined) {
      flow.out = add(flow.out, position.dust.cost);
      flow.quantity = ZERO;
    }
  }
  let value = ZERO;
  let quantity = ZERO;
  return days.map((day) => {
    const flow = flows.get(day);
    quantity = flow?.quantity ?? quantity;
    const close = closeOf(day);
    const before = value;
    value = multiply(quantity, close.price);
    const pnl = subtract(subtract(value, before), subtract(flow?.in ?? ZERO, flow?.out ?? ZERO));
    const base = add(before, flow?.in ?? ZERO);
    return {
      day,
      pnl,
      value,
      returnPct: isZero(base) ? ZERO : divide(multiply(pnl, HUNDRED), base),
      interpolated: close.interpolated && isPositive(quantity),
    };
  });
}
