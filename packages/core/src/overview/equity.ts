import { add, type Decimal, decimal, divide, isPositive, multiply, rescale, toText } from '../money/decimal.ts';
import type { Money, Price } from '../money/figure.ts';
import { netChange } from '../money/net-change.ts';
import type { EquityChange } from './overview-contract.ts';

const MONEY_SCALE = 8;
/** Digits of the units of a benchmark: more than any coin has, so that its value is exact to those of money. */
const UNIT_SCALE = 20;

export type EquityPoint = { readonly at: number; readonly equity: Money };
/** What came in (above zero) or went out at a moment, epoch ms. */
export type EquityFlow = { readonly at: number; readonly value: Decimal };

/** Each point with what came in less what went out since the point before; what came before the first is in it. */
export function withFlows<Point extends EquityPoint>(
  points: readonly Point[],
  flows: readonly EquityFlow[],
): (Point & { readonly flow: Money })[] {
  const sorted = [...flows].sort((a, b) => a.at - b.at);
  let next = 0;
  return points.map((point, index) => {
    let flow = decimal('0');
    for (; next < sorted.length && sorted[next]!.at <= point.at; next += 1) if (index > 0) flow = add(flow, sorted[next]!.value);
    return { ...point, flow: toText(flow) };
  });
}

/** The change from a point to now, net of what came and went after it. */
export const changeSince = (before: EquityPoint, now: EquityPoint, flows: readonly EquityFlow[], exact: boolean): EquityChange => ({
  ...netChange(
    before.equity,
    now.equity,
    flows.flatMap(({ at, value }) => (at > before.at && at <= now.at ? [value] : [])),
  ),
  since: new Date(before.at).toISOString(),
  exact,
});

/**
 * What the first point's equity would be worth, had it been put into one coin then, with the same flows bought and sold at
 * their points. Null where the price of a point is not known.
 */
export function heldInstead(
  points: readonly (EquityPoint & { readonly flow: Money })[],
  priceAt: (at: number) => Price | undefined,
): { readonly at: number; readonly value: Money }[] | null {
  const held: { at: number; value: Money }[] = [];
  let units = decimal('0');
  for (const [index, { at, equity, flow }] of points.entries()) {
    const known = priceAt(at);
    const price = known === undefined ? undefined : decimal(known);
    if (price === undefined || !isPositive(price)) return null;
    units = add(units, divide(decimal(index === 0 ? equity : flow), price, UNIT_SCALE));
    held.push({ at, value: toText(rescale(multiply(units, price), MONEY_SCALE, 'half-even')) });
  }
  return held;
}
