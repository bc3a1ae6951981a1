import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { compare, type Decimal, decimal, isNegative, isPositive } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import type { FoldedPosition } from '@pilotfish/core/positions/folded-position';
import type { PositionFigures } from '@pilotfish/core/positions/position-figures';
import { type OwnFill, type PositionOrigin, positionOrigins } from '@pilotfish/core/positions/position-origin';
import { type ClosedExit, type ClosedOrder, closedExit } from '@pilotfish/core/positions/positions-contract';
import type { Valued } from './position-view.ts';

/** What the list asks of a closed position, of the ledger or of a bot on paper. */
export type Closed = {
  readonly of: {
    readonly id: string;
    readonly position: Pick<
      FoldedPosition,
      'symbol' | 'baseAsset' | 'quoteAsset' | 'openedAt' | 'closedAt' | 'lastAt' | 'realised' | 'matchedCost'
    >;
  };
  readonly figures: Pick<PositionFigures, 'returnPct'>;
};
export type ClosedFilter = {
  readonly currency?: string | undefined;
  readonly min?: Money | undefined;
  readonly max?: Money | undefined;
  readonly onlyBroken?: boolean | undefined;
  readonly coins?: readonly string[] | undefined;
  /** Ids of bots, and `hand`. */
  readonly bots?: readonly string[] | undefined;
  readonly exits?: readonly ClosedExit[] | undefined;
  readonly result?: 'win' | 'loss' | undefined;
  /** Days on which it closed, both ends included, as `dayOf` names them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
export type OriginOf<Row> = (row: Row) => PositionOrigin;
export type ClosedLook<Row> = {
  readonly isBroken: IsBroken<Row>;
  readonly originOf: OriginOf<Row>;
  readonly dayOf: (at: number) => string;
};

/** True when the figures of a position are told as unknown, for whatever reason: then no bound and no order may use them. */
export type IsBroken<Row> = (row: Row) => boolean;

const realisedOf = <Row extends Closed>(row: Row, isBroken: IsBroken<Row>): Decimal | null =>
  isBroken(row) ? null : row.of.position.realised;

/** Bots by their ids, deleted ones too. */
export type BotNames = ReadonlyMap<string, { readonly name: string }>;

/** What an account's bots traded at the exchange, by `fillKey`, and what they are called. */
export type BotFills = (
  accountId: string,
) => Promise<{ readonly fills: Pick<ReadonlyMap<string, OwnFill>, 'values' | 'get'>; readonly bots: BotNames }>;

/** Whose each of the ledger's closed positions was, and what a reader can choose among them. */
export function closedOrigins({ fills, bots }: Awaited<ReturnType<BotFills>>, closed: readonly Valued[]) {
  const originAt = positionOrigins(fills.values());
  const origins = new Map(
    closed.map((valued) => {
      const { position } = valued.of;
      return [valued, originAt({ ...position, closedAt: position.closedAt ?? position.lastAt })];
    }),
  );
  const originOf = (valued: Valued): PositionOrigin => origins.get(valued)!;
  return { originOf, ...closedChoices(closed, originOf, bots) };
}

/** What a reader can choose among closed positions. */
export function closedChoices<Row extends Closed>(closed: readonly Row[], originOf: OriginOf<Row>, bots: BotNames) {
  const nameOf = (id: string): string => bots.get(id)?.name ?? id;
  const all = closed.map(originOf);
  const named = [...new Set(all.flatMap((origin) => origin.bots))].map((id) => ({ id, name: nameOf(id) }));
  const exits = new Set(all.map(({ exit }) => exit));
  const choices = {
    bots: named.sort((one, other) => (one.name < other.name ? -1 : 1)),
    coins: [...new Set(closed.map(({ of }) => of.position.baseAsset))].sort(),
    exits: closedExit.options.filter((exit) => exits.has(exit)),
  };
  return { nameOf, choices };
}

/** The closed positions a filter leaves. Results within [min, max] are hidden, ends included; an unknown result never is. */
export function filterClosed<Row extends Closed>(
  positions: readonly Row[],
  filter: ClosedFilter,
  { isBroken, originOf, dayOf }: ClosedLook<Row>,
): Row[] {
  const min = filter.min === undefined ? undefined : decimal(filter.min);
  const max = filter.max === undefined ? undefined : decimal(filter.max);
  const isHidden = (valued: Row): boolean => {
    if (min === undefined && max === undefined) return false;
    const realised = realisedOf(valued, isBroken);
    if (realised === null) return false;
    return (min === undefined || compare(realised, min) >= 0) && (max === undefined || compare(realised, max) <= 0);
  };
  const { coins, bots, exits, result, from, to } = filter;
  const isOf = (valued: Row): boolean => {
    if (bots === undefined && exits === undefined) return true;
    const origin = originOf(valued);
    const isOfBots = bots === undefined || (origin.byHand && bots.includes(BY_HAND)) || origin.bots.some((id) => bots.includes(id));
    return isOfBots && (exits === undefined || exits.includes(origin.exit));
  };
  const hasResult = (valued: Row): boolean => {
    if (result === undefined) return true;
    const realised = realisedOf(valued, isBroken);
    return realised !== null && (result === 'win' ? isPositive(realised) : isNegative(realised));
  };
  const isWithin = ({ of }: Row): boolean => {
    if (from === undefined && to === undefined) return true;
    const day = dayOf(of.position.closedAt ?? of.position.lastAt);
    return (from === undefined || day >= from) && (to === undefined || day <= to);
  };
  return positions.filter(
    (valued) =>
      (filter.currency === undefined || valued.of.position.quoteAsset === filter.currency) &&
      (filter.onlyBroken !== true || isBroken(valued)) &&
      (coins === undefined || coins.includes(valued.of.position.baseAsset)) &&
      isWithin(valued) &&
      hasResult(valued) &&
      isOf(valued) &&
      !isHidden(valued),
  );
}

/** Unknown figures come last, whichever way; equal ones by their close, newest first, then by id: pages never overlap. */
export function sortClosed<Row extends Closed>(positions: readonly Row[], order: ClosedOrder, isBroken: IsBroken<Row>): Row[] {
  const down = order.endsWith('-desc') ? -1 : 1;
  const closedAt = ({ of }: Row) => of.position.closedAt ?? 0;
  const heldOf = ({ of }: Row) => (of.position.closedAt ?? of.position.lastAt) - of.position.openedAt;
  const realised = new Map(positions.map((valued) => [valued, realisedOf(valued, isBroken)]));
  const returnOf = (valued: Row) => (realised.get(valued) === null ? null : valued.figures.returnPct);
  const byNumber = (one: Decimal | null, other: Decimal | null): number =>
    one === null || other === null ? Number(one === null) - Number(other === null) : compare(one, other) * down;
  const byField = (one: Row, other: Row): number => {
    if (order.startsWith('closedAt')) return (closedAt(one) - closedAt(other)) * down;
    if (order.startsWith('realised')) return byNumber(realised.get(one) ?? null, realised.get(other) ?? null);
    if (order.startsWith('returnPct')) return byNumber(returnOf(one), returnOf(other));
    if (order.startsWith('matchedCost')) return compare(one.of.position.matchedCost, other.of.position.matchedCost) * down;
    if (order.startsWith('held')) return (heldOf(one) - heldOf(other)) * down;
    const [a, b] = [one.of.position.symbol, other.of.position.symbol];
    return a === b ? 0 : (a < b ? -1 : 1) * down;
  };
  return [...positions].sort((one, other) => byField(one, other) || closedAt(other) - closedAt(one) || (one.of.id < other.of.id ? -1 : 1));
}
