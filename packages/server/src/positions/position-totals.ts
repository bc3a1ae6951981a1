import { add, type Decimal, isNegative, isPositive, ZERO } from '@pilotfish/core/money/decimal';
import type { FoldedPosition } from '@pilotfish/core/positions/folded-position';
import type { PositionFigures } from '@pilotfish/core/positions/position-figures';
import type { PositionTotals } from '@pilotfish/core/positions/positions-contract';
import { amount } from './wire-amount.ts';

type Sums = {
  invested: Decimal;
  value: Decimal;
  realised: Decimal;
  unrealised: Decimal;
  fees: Decimal;
  count: number;
  wins: number;
  losses: number;
  broken: number;
  excluded: number;
};

/** What the sums ask of a position, of the ledger or of a bot on paper. */
export type Summed = {
  readonly of: { readonly position: Pick<FoldedPosition, 'quoteAsset' | 'closedAt' | 'realised' | 'fees' | 'cost'> };
  readonly figures: Pick<PositionFigures, 'value' | 'unrealised'>;
};
/** Why a position is in no sum; undefined when it counts. What its owner left out is told as that, broken or not. */
export type Standing<Row> = (row: Row) => 'excluded' | 'broken' | undefined;

/** Sums of each quote currency, by name. What is broken or left out is counted and in no sum. */
export function totalsOf<Row extends Summed>(positions: readonly Row[], standing: Standing<Row>): PositionTotals[] {
  const byCurrency = new Map<string, Sums>();
  for (const valued of positions) {
    const { position } = valued.of;
    const sums = byCurrency.get(position.quoteAsset) ?? {
      invested: ZERO,
      value: ZERO,
      realised: ZERO,
      unrealised: ZERO,
      fees: ZERO,
      count: 0,
      wins: 0,
      losses: 0,
      broken: 0,
      excluded: 0,
    };
    byCurrency.set(position.quoteAsset, sums);
    sums.count += 1;
    const why = standing(valued);
    if (why !== undefined) {
      sums[why] += 1;
      continue;
    }
    sums.realised = add(sums.realised, position.realised);
    sums.fees = add(sums.fees, position.fees);
    if (position.closedAt !== null) {
      if (isPositive(position.realised)) sums.wins += 1;
      if (isNegative(position.realised)) sums.losses += 1;
      continue;
    }
    sums.invested = add(sums.invested, position.cost);
    sums.value = add(sums.value, valued.figures.value ?? ZERO);
    sums.unrealised = add(sums.unrealised, valued.figures.unrealised ?? ZERO);
  }
  return [...byCurrency]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sums]) => ({
      currency,
      invested: amount(sums.invested),
      value: amount(sums.value),
      realised: amount(sums.realised),
      unrealised: amount(sums.unrealised),
      fees: amount(sums.fees),
      count: sums.count,
      wins: sums.wins,
      losses: sums.losses,
      broken: sums.broken,
      excluded: sums.excluded,
    }));
}
