import { ADMIN_ROLE, PERMISSIONS, type Permission } from '@pilotfish/core/account/permissions-contract';
import type { Role, RoleHolder } from '@pilotfish/core/admin/admin-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { oneAtATime } from '../account/account-removal.ts';
import type { AppContext } from '../app/context.ts';
import { rolePermissions } from '../app/role-permissions.ts';
import { foldName } from '../auth/accounts-store.ts';
import type { Queries } from '../database/database.ts';
import type { Handlers, Surroundings } from '../http/endpoint-handler.ts';
import type { Deed } from './users.ts';

type Row = { id: string; name: string; permissions: string };
type Body = { readonly name: string; readonly permissions: readonly Permission[] };

const holdersOf = (queries: Queries, name: string): Promise<{ id: string; username: string }[]> =>
  queries
    .selectFrom('account_roles')
    .innerJoin('accounts', 'accounts.id', 'account_roles.account_id')
    .where('role', '=', name)
    .where('accounts.deleted_at', 'is', null)
    .select(['accounts.id', 'username'])
    .orderBy('username_key')
    .execute();

/** Listed in the order of the permissions, each once. */
const sorted = (permissions: readonly string[]): Permission[] => PERMISSIONS.filter((each) => permissions.includes(each));

const shown = async (queries: Queries, { id, name, permissions }: Row): Promise<Role> => ({
  id,
  name,
  permissions: sorted(JSON.parse(permissions) as string[]),
  users: (await holdersOf(queries, name)).length,
});

const find = async (queries: Queries, id: string): Promise<Row> => {
  const row = await queries.selectFrom('roles').select(['id', 'name', 'permissions']).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('not-found');
  return row;
};

/** @throws AppError `conflict` when another role has the name, also in other case */
async function requireFree(queries: Queries, name: string, except = ''): Promise<void> {
  const taken = await queries
    .selectFrom('roles')
    .select('id')
    .where('name_key', '=', foldName(name))
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined || foldName(name) === foldName(ADMIN_ROLE))
    throw new AppError('conflict', { parameters: { context: 'name_taken', name } });
}

/** Roles that Admins make, besides the built-in one. Accounts hold a role by its name. */
export function roleHandlers(
  { database, audit, accountExtras, instance, newId, now }: AppContext,
  deed: (call: Pick<Surroundings, 'account' | 'origin'>) => Deed,
): Pick<Handlers, 'listRoles' | 'createRole' | 'changeRole' | 'listRoleHolders' | 'deleteRole'> {
  /** One change with its entry; then those who hold the role are looked at again. */
  async function change<Value>(
    call: Pick<Surroundings, 'account' | 'origin'>,
    action: string,
    work: (queries: Queries) => Promise<{ value: Value; target: string; holders: readonly { id: string }[]; details: object }>,
  ): Promise<Value> {
    const { actorId, origin } = deed(call);
    const { value, holders } = await database.transaction(async (queries) => {
      await oneAtATime(queries);
      const done = await work(queries);
      await audit.record({ accountId: actorId, action, target: done.target, origin, details: { ...done.details } }, queries);
      return done;
    });
    await instance.refresh();
    for (const follow of accountExtras.afterRoles) await follow(holders.map(({ id }) => id));
    return value;
  }
  /** New accounts would get another role than was meant, or, without one, be allowed everything. */
  const isOfNewAccounts = (name: string): boolean => instance.settings.get('registration.role') === name;
  const rowOf = ({ name, permissions }: Body) => ({
    name,
    name_key: foldName(name),
    permissions: JSON.stringify(sorted(permissions)),
    updated_at: now(),
  });

  return {
    listRoles: async () => {
      const { queries } = database;
      const rows = await queries.selectFrom('roles').select(['id', 'name', 'permissions']).orderBy('name_key').execute();
      const roles: Role[] = [
        { id: null, name: ADMIN_ROLE, permissions: [...PERMISSIONS], users: (await holdersOf(queries, ADMIN_ROLE)).length },
      ];
      for (const row of rows) roles.push(await shown(queries, row));
      return roles;
    },
    createRole: (call) =>
      change(call, 'admin.create-role', async (queries) => {
        await requireFree(queries, call.body.name);
        const id = newId();
        const row = rowOf(call.body);
        await queries
          .insertInto('roles')
          .values({ id, ...row })
          .execute();
        return { value: await shown(queries, { id, ...row }), target: row.name, holders: [], details: { after: call.body } };
      }),
    changeRole: (call) =>
      change(call, 'admin.change-role', async (queries) => {
        const { id } = call.params;
        const before = await find(queries, id);
        await requireFree(queries, call.body.name, id);
        const row = rowOf(call.body);
        await queries.updateTable('roles').set(row).where('id', '=', id).execute();
        await queries.updateTable('account_roles').set({ role: row.name }).where('role', '=', before.name).execute();
        if (isOfNewAccounts(before.name)) {
          await instance.settings.store(queries, { 'registration.role': row.name }, now());
          await instance.bump('settings', queries);
        }
        const holders = await holdersOf(queries, row.name);
        const details = { before: { name: before.name, permissions: JSON.parse(before.permissions) as unknown }, after: call.body };
        return { value: await shown(queries, { id, ...row }), target: before.name, holders, details };
      }),
    listRoleHolders: async (call) => {
      const { queries } = database;
      const { name } = await find(queries, call.params.id);
      const allowed = rolePermissions(queries);
      const items: RoleHolder[] = [];
      for (const { id, username } of await holdersOf(queries, name)) {
        items.push({ username, before: await allowed.of(id), after: await allowed.of(id, name) });
      }
      return { items };
    },
    deleteRole: (call) =>
      change(call, 'admin.delete-role', async (queries) => {
        const { id } = call.params;
        const { name, permissions } = await find(queries, id);
        if (isOfNewAccounts(name)) throw new AppError('in-use', { parameters: { context: 'default_role', name } });
        const holders = await holdersOf(queries, name);
        // Who asks has been shown that many; others may have been given the role since.
        if (holders.length !== call.query.holders)
          throw new AppError('in-use', { parameters: { context: 'role', users: holders.map(({ username }) => username).join(', ') } });
        await queries.deleteFrom('account_roles').where('role', '=', name).execute();
        await queries.deleteFrom('roles').where('id', '=', id).execute();
        const before = { name, permissions: JSON.parse(permissions) as unknown, users: holders.map(({ username }) => username) };
        return { value: undefined, target: name, holders, details: { before } };
      }),
  };
}
