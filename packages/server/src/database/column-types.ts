import type { ColumnDataType } from 'kysely';

/**
 * The few column types both databases share. Ids are text (UUIDv7), money and quantities are decimal text,
 * times are epoch milliseconds, yes/no is 0 or 1, documents are JSON text parsed by zod.
 */
export const ID = 'text' satisfies ColumnDataType;
export const TEXT = 'text' satisfies ColumnDataType;
export const DECIMAL = 'text' satisfies ColumnDataType;
export const JSON_TEXT = 'text' satisfies ColumnDataType;
export const TIME = 'bigint' satisfies ColumnDataType;
export const COUNT = 'bigint' satisfies ColumnDataType;
export const YES_NO = 'integer' satisfies ColumnDataType;
/** Only as a shadow of a DECIMAL column, where a list sorts or filters by size. */
export const SORTABLE = 'double precision' satisfies ColumnDataType;

export type YesNo = 0 | 1;
export const yesNo = (value: boolean): YesNo => (value ? 1 : 0);
