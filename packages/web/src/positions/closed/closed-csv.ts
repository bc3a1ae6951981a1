import { digits, type Figure } from '@pilotfish/core/money/figure';
import type { ClosedRow } from '@pilotfish/core/positions/positions-contract';

const COLUMNS = [
  'exchange',
  'symbol',
  'number',
  'openedAt',
  'closedAt',
  'closedBy',
  'bots',
  'byHand',
  'exit',
  'trades',
  'matchedCost',
  'realised',
  'returnPct',
  'fees',
  'dust',
  'quoteAsset',
  'excludedFromTotals',
  'broken',
] as const;

/**
 * One cell. Quoted when it has to be; a text that a spreadsheet would run as a formula is led by an apostrophe. A
 * negative number is no formula and stays a number.
 */
export function csvCell(value: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Closed positions as a table; what is not known is an empty cell, never 0. Begins with a byte order mark for spreadsheets. */
export function closedCsv(items: readonly ClosedRow[]): string {
  const rows = items.map((item) =>
    COLUMNS.map((column) => {
      if (column === 'broken') return csvCell(item.broken.map(({ code }) => code).join(' '));
      if (column === 'bots') return csvCell(item.bots.map(({ name }) => name).join(', '));
      const cell: Figure | number | boolean | null = item[column];
      return csvCell(typeof cell === 'object' ? digits(cell ?? '') : String(cell));
    }).join(','),
  );
  return `\uFEFF${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}
