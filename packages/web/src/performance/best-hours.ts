import { add, type Decimal, decimal, isNegative, isPositive, ZERO } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';

/** A span of a day by its hours: from the first one to before the last one; 24 is midnight. */
export type HourSpan = { readonly from: number; readonly to: number; readonly net: Decimal };

/** The longest span worth naming: a longer one is most of a day. */
const MOST_HOURS = 5;

function edges(hours: readonly { readonly exits: number }[], from: number, to: number): boolean {
  return (hours[from]?.exits ?? 0) > 0 && (hours[to - 1]?.exits ?? 0) > 0;
}

/**
 * The span of at most five hours that earned most, and the one that lost most; undefined where none earned, or lost. Each
 * begins and ends with an hour that has an exit; of equal ones the shorter.
 * @param hours all 24, from midnight
 */
export function bestHours(hours: readonly { readonly exits: number; readonly net: Money }[]): { best?: HourSpan; worst?: HourSpan } {
  let best: HourSpan | undefined;
  let worst: HourSpan | undefined;
  const isMore = (one: Decimal, other: Decimal) => isPositive(add(one, { units: -other.units, scale: other.scale }));
  const room = (span: HourSpan) => span.to - span.from;
  for (let from = 0; from < hours.length; from += 1) {
    let net = ZERO;
    for (let to = from + 1; to <= Math.min(hours.length, from + MOST_HOURS); to += 1) {
      net = add(net, decimal(hours[to - 1]!.net));
      if (!edges(hours, from, to)) continue;
      const span = { from, to, net };
      const isEqual = (other: HourSpan) => !isMore(net, other.net) && !isMore(other.net, net);
      if (isPositive(net) && (!best || isMore(net, best.net) || (isEqual(best) && room(span) < room(best)))) best = span;
      if (isNegative(net) && (!worst || isMore(worst.net, net) || (isEqual(worst) && room(span) < room(worst)))) worst = span;
    }
  }
  return { ...(best && { best }), ...(worst && { worst }) };
}

/** Which text says a span: to midnight it needs no end. */
export const spanWords = ({ from, to }: HourSpan): 'whole' | 'toMidnight' | 'between' =>
  from === 0 && to === 24 ? 'whole' : to === 24 ? 'toMidnight' : 'between';
