import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf } from './output.ts';
import { wholeNumber } from './whole-number.ts';

/** The page that was asked for, the first when none was. @throws UsageError naming --page */
export const pageOf = (page: string | undefined): number => wholeNumber(page, '--page') ?? 1;

/** A whole number, zero included. @throws UsageError naming what it is for: NaN would travel as null and mean "the default" */
export function count(text: string, what: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('count', { flag: what, value: text });
  return Number(text);
}

/** `name` or `name:desc` as the contract takes it. @throws UsageError with the names there are */
export function sorting<const Name extends string>(text: string | undefined, names: readonly Name[]) {
  if (text === undefined) return {};
  const [name, order = 'asc', ...rest] = text.split(':');
  const sortBy = names.find((each) => each === name);
  if (sortBy === undefined || (order !== 'asc' && order !== 'desc') || rest.length > 0)
    throw new UsageError('invalidValue', { word: '--sort', allowed: names.flatMap((each) => [each, `${each}:desc`]).join(', ') });
  return { sortBy, sortOrder: order } as const;
}

/** Tells a person that there is more than this page; data stays free of it. */
export async function sayPage(context: Context, { page, pageSize, total }: { page: number; pageSize: number; total: number }) {
  const pages = Math.ceil(total / pageSize);
  if (pages > 1 && formatOf(context) === 'table') await context.say('cli.screen.page', { page, pages });
}
