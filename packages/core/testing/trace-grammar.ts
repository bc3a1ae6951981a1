import type { Trace } from '../src/auto-trades/trace.ts';

/**
 * Checks the grammar `Entry (Exit[Abandoned] | Buy (Buy|Sell|CostMovedUp|TrailingCostExpired)* Exit)` over the rows
 * of one position, oldest first. Answers the first violation in words, or undefined. A position still open may end
 * before its Exit when `complete` is false.
 */
export function grammarViolation(rows: readonly Pick<Trace, 'kind' | 'reason'>[], complete: boolean): string | undefined {
  let movedUpSinceExpiry = false;
  for (const [index, { kind, reason }] of rows.entries()) {
    const previous = rows[index - 1]?.kind;
    if (index === 0 && kind !== 'Entry') return `row 0 is ${kind}, not Entry`;
    if (index > 0 && kind === 'Entry') return `a second Entry at row ${index}`;
    if (previous === 'Exit') return `${kind} after Exit at row ${index}`;
    if (previous === 'Entry' && kind !== 'Buy' && !(kind === 'Exit' && reason === 'Abandoned'))
      return `${kind} before any Buy at row ${index}`;
    if (kind === 'Exit' && reason === 'Abandoned' && previous !== 'Entry') return `Abandoned although something was bought, row ${index}`;
    if (kind === 'CostMovedUp') movedUpSinceExpiry = true;
    if (kind === 'TrailingCostExpired') {
      if (!movedUpSinceExpiry) return `TrailingCostExpired without CostMovedUp before it, row ${index}`;
      movedUpSinceExpiry = false;
    }
  }
  if (complete && rows.at(-1)?.kind !== 'Exit') return 'no Exit at the end';
  return undefined;
}
