import { digits } from '@pilotfish/core/money/figure';
import type { PerformanceDay } from '@pilotfish/core/performance/performance-contract';

const COLUMNS = [
  'day',
  'exits',
  'wins',
  'winRatePct',
  'profitFactor',
  'net',
  'fees',
  'equity',
  'flow',
  'drawdownPct',
  'benchmark',
] as const;

/**
 * The days as a table, oldest first; what is not known is an empty cell, never 0. All of it is dates and numbers, so that no
 * cell needs quotes and none can be a formula. Begins with a byte order mark for spreadsheets.
 */
export function performanceCsv(days: readonly PerformanceDay[]): string {
  const rows = days.map((day) =>
    COLUMNS.map((column) => {
      const cell = day[column];
      return cell === null ? '' : typeof cell === 'number' ? String(cell) : digits(cell);
    }).join(','),
  );
  return `\uFEFF${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}
