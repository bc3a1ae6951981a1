import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import { digits, type Figure, isNothing } from '@pilotfish/core/money/figure';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';

/** What the open list can be sorted by; a leading minus in the address turns it round. */
export const HELD_SORTS = ['symbol', 'value', 'result', 'resultPct', 'targetDistancePct', 'atRisk', 'openedAt'] as const;
export type HeldSort = { readonly by: (typeof HELD_SORTS)[number]; readonly descending: boolean };
const FIRST_SORT: HeldSort = { by: 'value', descending: true };

/** What is to be seen to: figures that cannot be trusted, what is in no sum, and what no stop protects. */
export const HELD_STATES = ['broken', 'excluded', 'no-stop'] as const;
export type HeldFilter = {
  readonly search: string;
  /** A bot's id, or `hand`. */
  readonly bot: string | undefined;
  readonly state: (typeof HELD_STATES)[number] | undefined;
};

/** A row of the list: of a bot's with the ledger's position of its pair, of which that is a part; a bot's own books do not say whether it can be trusted. */
export type OpenRow = HeldPositionRow & { readonly ledger: Pick<OpenPosition, 'id' | 'broken'> | null };

/** @param text nonsense is as if it were not there */
export function readSort(text: string | null): HeldSort {
  const by = HELD_SORTS.find((name) => name === text?.replace(/^-/, ''));
  return by ? { by, descending: text?.startsWith('-') ?? false } : FIRST_SORT;
}
export const writeSort = ({ by, descending }: HeldSort): string => `${descending ? '-' : ''}${by}`;

/** Letters as both languages type them: i and ı are one. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

const isOf = (row: OpenRow, state: HeldFilter['state']): boolean => {
  if (state === undefined) return true;
  if (state === 'broken') return row.broken.length + (row.ledger?.broken.length ?? 0) > 0;
  return state === 'excluded' ? row.excludedFromTotals : row.stop === null && !isNothing(row.quantity);
};

/** The rows a filter leaves. */
export function filterHeld(rows: readonly OpenRow[], { search, bot, state }: HeldFilter): OpenRow[] {
  const wanted = folded(search.trim().replace('/', ''));
  return rows.filter(
    (row) => folded(row.symbol).includes(wanted) && (bot === undefined || (row.autoTradeId ?? BY_HAND) === bot) && isOf(row, state),
  );
}

function keyOf(row: OpenRow, by: HeldSort['by']): Figure | null {
  return by === 'targetDistancePct' ? distancePct(row.price, row.target) : row[by];
}

/** In order; what is not known comes last whichever way it is sorted. */
export function sortHeld<Row extends OpenRow>(rows: readonly Row[], { by, descending }: HeldSort): Row[] {
  const sign = descending ? -1 : 1;
  const isText = by === 'symbol' || by === 'openedAt';
  const keyed = rows.map((row) => ({ row, key: keyOf(row, by) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1;
    const order = isText ? digits(a.key).localeCompare(digits(b.key)) : compare(decimal(a.key), decimal(b.key));
    return order * sign || a.row.symbol.localeCompare(b.row.symbol) || a.row.positionId.localeCompare(b.row.positionId);
  });
  return keyed.map(({ row }) => row);
}
