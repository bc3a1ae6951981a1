import { type Connection, endConnections, listConnections } from '@pilotfish/core/account/account-security-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';

const connections: Resource<Connection> = {
  empty: 'entries',
  columns: [
    { key: 'kind', value: ({ kind }) => kind },
    { key: 'name', value: ({ name }) => name },
    { key: 'addedAt', value: ({ addedAt }) => addedAt ?? '', shown: ({ addedAt }) => localTime(addedAt) },
  ],
};

/** What reaches the account besides its devices; with `--end` all of it ends. */
export async function list(context: Context, { end }: { end?: true }): Promise<void> {
  const client = await context.client({ listConnections, endConnections });
  if (!end) return printRows(context, connections, (await client.listConnections()).items);
  if (!(await confirm(context, 'cli.account.endConnections'))) throw new Ended(EXIT.failed);
  const { ended, kept } = await client.endConnections();
  await context.say('security.connections.ended', { count: ended });
  if (kept.length > 0) await context.say('security.connections.kept');
}

/** After a password change and after signing others out: neither ends what was added meanwhile. */
export async function sayConnections(context: Context): Promise<void> {
  const client = await context.client({ listConnections });
  const { items } = await client.listConnections();
  if (items.length === 0) return;
  await context.say('cli.account.review');
  const t = await context.texts();
  for (const { kind, name, addedAt } of items)
    context.stderr.write(`  ${[t(`security.connections.kinds.${kind}`), name, localTime(addedAt)].filter(Boolean).join('  ')}\n`);
}
