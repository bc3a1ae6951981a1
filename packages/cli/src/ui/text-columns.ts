import stringWidth from 'string-width';

/** Columns that a text takes: a Chinese letter takes two, which `length` and `padEnd` do not know. */
export const columnsOf = (text: string): number => stringWidth(text);

/** A text with spaces up to a width in columns. */
export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columnsOf(text)));
