import { PERMISSIONS, type Permission } from '@pilotfish/core/account/permissions-contract';
import { adminContract, type Role } from '@pilotfish/core/admin/admin-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';

const named = (t: Translate, permissions: readonly Permission[]): string =>
  permissions.map((each) => t(`permissions.${each}.name`)).join(', ');

const resource = (t: Translate): Resource<Role> => ({
  empty: 'settings',
  columns: [
    { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
    {
      key: 'permissions',
      value: ({ permissions }) => permissions.join(', '),
      shown: ({ id, permissions }) =>
        id === null ? t('management.roles.everything') : named(t, permissions) || t('management.roles.nothing'),
    },
    { key: 'users', value: ({ users }) => String(users), right: true },
  ],
});

export async function list(context: Context): Promise<void> {
  await printRows(context, resource(await context.texts()), await (await context.client(adminContract)).listRoles());
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The role of that name that Admins made. @throws LocalFailure `noSuchRole` (7) */
async function find(context: Context, wanted: string): Promise<Role & { id: string }> {
  const roles = await (await context.client(adminContract)).listRoles();
  const found = roles.find((role): role is Role & { id: string } => role.id !== null && sameName(role.name, wanted));
  if (found === undefined) throw new LocalFailure('noSuchRole', { wanted }, { exit: EXIT.notFound });
  return found;
}

/** `bots,price-alerts`, or `none`. @throws UsageError with the list of all */
function permissionsFrom(text: string): Permission[] {
  if (text === 'none') return [];
  const words = text.split(',').map((word) => word.trim());
  const known: readonly string[] = PERMISSIONS;
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new UsageError('unknownField', { field: unknown, fields: [...PERMISSIONS, 'none'].join(', ') });
  return words as Permission[];
}

export async function add(context: Context, { role, allow }: { role: string; allow?: string }): Promise<void> {
  if (allow === undefined) throw new UsageError('needsFlag', { flag: '--allow' });
  const body = { name: role, permissions: permissionsFrom(allow) };
  await printOne(context, resource(await context.texts()), await (await context.client(adminContract)).createRole({ body }));
}

export async function change(context: Context, { role, allow, rename }: { role: string; allow?: string; rename?: string }): Promise<void> {
  if (allow === undefined && rename === undefined) throw new UsageError('needsFlag', { flag: '--allow' });
  const given = allow === undefined ? undefined : permissionsFrom(allow);
  const found = await find(context, role);
  const asked = { role: found.name, count: found.users };
  if (found.users > 0 && given !== undefined && !(await confirm(context, 'cli.admin.changeRole', asked))) throw new Ended(EXIT.failed);
  const body = { name: rename ?? found.name, permissions: given ?? found.permissions };
  const changed = await (await context.client(adminContract)).changeRole({ params: { id: found.id }, body });
  await printOne(context, resource(await context.texts()), changed);
}

/** Says first what each of those who hold it may do without it. */
export async function remove(context: Context, { role }: { role: string }): Promise<void> {
  const client = await context.client(adminContract);
  const t = await context.texts();
  const { id, name } = await find(context, role);
  const { items } = await client.listRoleHolders({ params: { id } });
  for (const { username, before, after } of items) {
    const lost = before.filter((each) => !after.includes(each));
    const gained = after.filter((each) => !before.includes(each));
    const parts = [
      lost.length > 0 && t('management.roles.loses', { list: named(t, lost) }),
      gained.length > 0 && t('management.roles.gains', { list: named(t, gained) }),
    ].filter((part) => part !== false);
    context.stderr.write(`${username}: ${parts.join(' · ') || t('management.roles.same')}\n`);
  }
  if (!(await confirm(context, 'cli.admin.deleteRole', { role: name, count: items.length }))) throw new Ended(EXIT.failed);
  await client.deleteRole({ params: { id }, query: { holders: items.length } });
  await context.say('cli.admin.roleDeleted', { role: name });
}
