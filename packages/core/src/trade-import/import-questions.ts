import { IMPORT_FIELDS, type ImportField } from './trade-import-contract.ts';

/** The zones the exchange writes its files in: whole hours, and the halves some countries keep. */
export const ZONES = [
  'UTC-12',
  'UTC-11',
  'UTC-10',
  'UTC-9',
  'UTC-8',
  'UTC-7',
  'UTC-6',
  'UTC-5',
  'UTC-4',
  'UTC-03:30',
  'UTC-3',
  'UTC-2',
  'UTC-1',
  'UTC',
  'UTC+1',
  'UTC+2',
  'UTC+3',
  'UTC+03:30',
  'UTC+4',
  'UTC+04:30',
  'UTC+5',
  'UTC+05:30',
  'UTC+05:45',
  'UTC+6',
  'UTC+06:30',
  'UTC+7',
  'UTC+8',
  'UTC+9',
  'UTC+09:30',
  'UTC+10',
  'UTC+11',
  'UTC+12',
  'UTC+13',
  'UTC+14',
];

/** Without these no row can become a trade. */
export const NEEDED_FIELDS: readonly ImportField[] = ['time', 'pair', 'side', 'price', 'quantity', 'total'];

/** A column named as the field itself is offered; a person looks at it before it is used. */
export function guessColumns(columns: readonly string[]): Partial<Record<ImportField, string>> {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const found: Partial<Record<ImportField, string>> = {};
  for (const field of IMPORT_FIELDS) {
    const column = columns.find((each) => plain(each) === plain(field));
    if (column !== undefined) found[field] = column;
  }
  return found;
}
