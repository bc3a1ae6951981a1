import { ADMIN_ROLE, type Permission, permissionsOf } from '@pilotfish/core/account/permissions-contract';
import type { Queries } from '../database/database.ts';

export type RolePermissions = {
  /** What the roles of an account allow together, besides the one to leave out. */
  of(accountId: string, leftOut?: string): Promise<Permission[]>;
  /** Those of the accounts, or of all, whose roles do not allow it. */
  without(permission: Permission, accountIds?: readonly string[]): Promise<ReadonlySet<string>>;
};

/** A role that no row describes allows nothing. */
export function rolePermissions(queries: Queries): RolePermissions {
  const of: RolePermissions['of'] = async (accountId, leftOut = '') => {
    const rows = await queries
      .selectFrom('account_roles')
      .leftJoin('roles', 'roles.name', 'account_roles.role')
      .where('account_id', '=', accountId)
      .where('role', '!=', leftOut)
      .select(['role', 'permissions'])
      .execute();
    return permissionsOf(
      rows.map(({ role, permissions }) => ({ name: role, permissions: JSON.parse(permissions ?? '[]') as Permission[] })),
    );
  };
  return {
    of,
    without: async (permission, accountIds) => {
      const rows = await queries.selectFrom('account_roles').select('account_id').where('role', '!=', ADMIN_ROLE).distinct().execute();
      const found = new Set<string>();
      for (const { account_id: accountId } of rows)
        if ((accountIds?.includes(accountId) ?? true) && !(await of(accountId)).includes(permission)) found.add(accountId);
      return found;
    },
  };
}
