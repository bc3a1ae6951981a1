import type { Context } from '../app/context.ts';

type Place = Pick<Context, 'env' | 'stdout'>;

/** Columns to write on: COLUMNS, else the terminal's, else 100. */
export const widthOf = ({ env, stdout }: Place): number => Number(env.COLUMNS) || stdout.columns || 100;

/** Rows to write on: LINES, else the terminal's, else 24. */
export const heightOf = ({ env, stdout }: Place): number => Number(env.LINES) || stdout.rows || 24;
