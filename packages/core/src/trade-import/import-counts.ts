import type { ImportAnswer, RowCode } from './trade-import-contract.ts';

/** What became of so many rows; `joined` are legs that are one with another row. */
export type CountedPart = 'imported' | 'known' | 'joined' | 'skipped' | 'question' | 'error';
/** Why rows are left out, as it is summed up. */
const REASONS: readonly RowCode[] = ['OWN_TRANSFER', 'OTHER_WALLET', 'NOTHING_MOVED', 'UNFILLED', 'NOT_COMPLETED'];

/** Words of an app: `imports.count.…` and `imports.reason.…`. */
type Words = (key: string, values: { count: number; reasons?: string }) => string;

/** What became of each row of a file, in words that add up: `12 rows: 3 new, 4 there already, 5 left out (5 …)`. */
export function countsInWords({ counts, leftOut }: Pick<ImportAnswer, 'counts' | 'leftOut'>, say: Words): string {
  const { rows, imported, duplicate, crossDuplicate, skipped, question, error } = counts;
  const known = duplicate + crossDuplicate;
  const parts: Readonly<Record<CountedPart, number>> = {
    imported,
    known,
    joined: Math.max(0, rows - imported - known - skipped - question - error),
    skipped,
    question,
    error,
  };
  const said = leftOut.filter(({ code }) => REASONS.includes(code));
  const other = skipped - said.reduce((total, each) => total + each.rows, 0);
  const reasons = [
    ...said.map((each) => ({ key: each.code as string, count: each.rows })),
    ...(other > 0 ? [{ key: 'other', count: other }] : []),
  ]
    .map(({ key, count }) => say(`imports.reason.${key}`, { count }))
    .join(', ');
  const shown = Object.entries(parts).filter(([part, count]) => count > 0 || part === 'imported');
  return `${say('imports.count.rows', { count: rows })} ${shown.map(([part, count]) => say(`imports.count.${part}`, { count, reasons })).join(', ')}`;
}
