import { add, decimal, isDecimalText, isMultiple, isPositive, toMultiple, toText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';

export type TargetCheck =
  | { kind: 'clear' }
  | { kind: 'ok'; target: string }
  | { kind: 'not-positive' }
  /** Not a price the exchange can be given; the nearest ones that are. */
  | { kind: 'off-tick'; below: string; above: string };

/** What a typed target means, by the pair's tick (`0` allows any price). Empty clears it. */
export function checkTarget(typed: string, tickSize: Price): TargetCheck {
  if (typed === '') return { kind: 'clear' };
  if (!isDecimalText(typed)) return { kind: 'not-positive' };
  const target = decimal(typed);
  if (!isPositive(target)) return { kind: 'not-positive' };
  const tick = decimal(tickSize);
  if (!isPositive(tick) || isMultiple(target, tick)) return { kind: 'ok', target: toText(target) };
  const floor = toMultiple(target, tick);
  const above = toText(add(floor, tick));
  return { kind: 'off-tick', below: isPositive(floor) ? toText(floor) : above, above };
}
