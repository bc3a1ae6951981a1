import { listUnreadable, type Unreadable } from '@pilotfish/core/account/account-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { formatOf } from '../ui/output.ts';
import type { Context } from './context.ts';

/** What of a kind the server cannot read; nothing where an older server does not know the call. */
export async function unreadableOf(context: Context, kind: Unreadable['kind']): Promise<Unreadable[]> {
  const client = await context.client({ listUnreadable });
  try {
    return (await client.listUnreadable()).items.filter((item) => item.kind === kind);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return [];
    throw error;
  }
}

/** Names below a table what it lacks because it cannot be read. */
export async function sayUnreadable(context: Context, kind: Unreadable['kind']): Promise<void> {
  if (formatOf(context) !== 'table') return;
  const items = await unreadableOf(context, kind);
  for (const { id, name, halted } of items) await context.say(`unreadable.${halted ? 'halted' : kind}`, { name: name ?? id });
  if (items.length > 0) await context.say('unreadable.fix');
}
