import type { Account } from './account-contract.ts';

/**
 * What a role can allow. Reading, stopping, closing and disconnecting are in none of them: nobody is kept from seeing what
 * they own or from ending a risk. `/management` is in none of them either: it needs the role Admin.
 */
export const PERMISSIONS = ['live-trading', 'bots', 'price-alerts', 'trade-import', 'exchange-connection'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The built-in role. It allows everything, opens /management, and cannot be changed. */
export const ADMIN_ROLE = 'Admin';

/** What roles allow together. Without a role an account may do everything, as Admins may. */
export function permissionsOf(roles: readonly { readonly name: string; readonly permissions: readonly Permission[] }[]): Permission[] {
  if (roles.length === 0 || roles.some(({ name }) => name === ADMIN_ROLE)) return [...PERMISSIONS];
  return PERMISSIONS.filter((permission) => roles.some(({ permissions }) => permissions.includes(permission)));
}

/** Whether an account's roles allow something, by its claims. A server that knows no custom roles sends no such claims. */
export const isPermitted = ({ claims }: Pick<Account, 'claims'>, permission: Permission): boolean => {
  const roles = claims.filter(({ name }) => name === 'role');
  return (
    roles.length === 0 ||
    roles.some(({ value }) => value === ADMIN_ROLE) ||
    claims.some(({ name, value }) => name === 'permission' && value === permission)
  );
};
