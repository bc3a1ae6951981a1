import { compare, type Decimal, decimal } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import type { ClosedOrder } from '@pilotfish/core/positions/positions-contract';
import type { Valued } from './position-view.ts';

export type ClosedFilter = {
  readonly currency?: string | undefined;
  readonly min?: Money | undefined;
  readonly max?: Money | undefined;
  readonly onlyBroken?: boolean | undefined;
};

/** True when the figures of a position are told as unknown, for whatever reason: then no bound and no order may use them. */
export type IsBroken = (valued: Valued) => boolean;

const realisedOf = (valued: Valued, isBroken: IsBroken): Decimal | null => (isBroken(valued) ? null : valued.of.position.realised);

/** The closed positions a filter leaves. Results within [min, max] are hidden, ends included; an unknown result never is. */
export function filterClosed(positions: readonly Valued[], filter: ClosedFilter, isBroken: IsBroken): Valued[] {
  const min = filter.min === undefined ? undefined : decimal(filter.min);
  const max = filter.max === undefined ? undefined : decimal(filter.max);
  const isHidden = (valued: Valued): boolean => {
    if (min === undefined && max === undefined) return false;
    const realised = realisedOf(valued, isBroken);
    if (realised === null) return false;
    return (min === undefined || compare(realised, min) >= 0) && (max === undefined || compare(realised, max) <= 0);
  };
  return positions.filter(
    (valued) =>
      (filter.currency === undefined || valued.of.position.quoteAsset === filter.currency) &&
      (filter.onlyBroken !== true || isBroken(valued)) &&
      !isHidden(valued),
  );
}

/** Unknown figures come last, whichever way; equal ones by their close, newest first, then by id: pages never overlap. */
export function sortClosed(positions: readonly Valued[], order: ClosedOrder, isBroken: IsBroken): Valued[] {
  const down = order.endsWith('-desc') ? -1 : 1;
  const closedAt = ({ of }: Valued) => of.position.closedAt ?? 0;
  const realised = new Map(positions.map((valued) => [valued, realisedOf(valued, isBroken)]));
  const returnOf = (valued: Valued) => (realised.get(valued) === null ? null : valued.figures.returnPct);
  const byNumber = (one: Decimal | null, other: Decimal | null): number =>
    one === null || other === null ? Number(one === null) - Number(other === null) : compare(one, other) * down;
  const byField = (one: Valued, other: Valued): number => {
    if (order.startsWith('closedAt')) return (closedAt(one) - closedAt(other)) * down;
    if (order.startsWith('realised')) return byNumber(realised.get(one) ?? null, realised.get(other) ?? null);
    if (order.startsWith('returnPct')) return byNumber(returnOf(one), returnOf(other));
    const [a, b] = [one.of.position.symbol, other.of.position.symbol];
    return a === b ? 0 : (a < b ? -1 : 1) * down;
  };
  return [...positions].sort((one, other) => byField(one, other) || closedAt(other) - closedAt(one) || (one.of.id < other.of.id ? -1 : 1));
}
