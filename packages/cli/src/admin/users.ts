import { type AdminUser, adminContract } from '@pilotfish/core/admin/admin-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { printOne, printRows, type Resource } from '../ui/output.ts';
import { pageOf, sayPage, sorting } from '../ui/paging.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';

const users: Resource<AdminUser> = {
  empty: 'users',
  columns: [
    { key: 'username', value: ({ username }) => username, shown: ({ username }, paint) => paint.bold(username) },
    { key: 'email', value: ({ email }) => email },
    { key: 'roles', value: ({ roles }) => roles.join(', ') },
    { key: 'createdAt', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt), rank: 2 },
    {
      key: 'lastSeenAt',
      value: ({ lastSeenAt }) => lastSeenAt ?? '',
      shown: ({ lastSeenAt }) => (lastSeenAt ? localTime(lastSeenAt) : '–'),
      rank: 1,
    },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 3 },
  ],
};
const SORTS = ['username', 'email', 'createdAt', 'lastSeenAt'] as const;

export async function list(context: Context, given: { search?: string; sort?: string; page?: string }): Promise<void> {
  const { search, sort, page } = given;
  const query = { page: pageOf(page), pageSize: 50, ...sorting(sort, SORTS), ...(search === undefined ? {} : { search }) };
  const answer = await (await context.client(adminContract)).listUsers({ query });
  await printRows(context, users, answer.items);
  await sayPage(context, answer);
}

/** The one user of that name, address or id. @throws LocalFailure `noSuchUser` (7) */
async function find(context: Context, wanted: string): Promise<AdminUser> {
  const client = await context.client(adminContract);
  const { items } = await client.listUsers({ query: { search: wanted, pageSize: 200, sortBy: 'username', sortOrder: 'asc' } });
  const same = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const found = items.find(({ id, username, email }) => same(username) || same(email) || same(id));
  if (found === undefined) throw new LocalFailure('noSuchUser', { wanted }, { exit: EXIT.notFound });
  return found;
}

export async function show(context: Context, { user }: { user: string }): Promise<void> {
  await printOne(context, users, await find(context, user));
}

/** Sets the roles of a user, named with commas; `none` takes them away. Without roles they are shown, without a user all there are. */
export async function roles(context: Context, { user, roles: given }: { user?: string; roles?: string }): Promise<void> {
  if (user === undefined) return (await import('./roles.ts')).list(context);
  const client = await context.client(adminContract);
  const found = await find(context, user);
  if (given === undefined) return printOne(context, users, found);
  const named = new Map((await client.listRoles()).map(({ name }) => [name.toLowerCase(), name]));
  const wanted = given === 'none' ? [] : given.split(',').map((role) => named.get(role.trim().toLowerCase()) ?? role.trim());
  if (!(await confirm(context, 'cli.admin.setRoles', { user: found.username, roles: given }))) throw new Ended(EXIT.failed);
  await printOne(context, users, await client.setUserRoles({ params: { id: found.id }, body: { roles: wanted } }));
}

export async function remove(context: Context, { user }: { user: string }): Promise<void> {
  const client = await context.client(adminContract);
  const found = await find(context, user);
  if (!(await confirm(context, 'cli.admin.deleteUser', { user: found.username }))) throw new Ended(EXIT.failed);
  await client.deleteUser({ params: { id: found.id } });
  await context.say('cli.admin.userDeleted', { user: found.username });
}
