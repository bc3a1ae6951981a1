import { ADMIN_ROLE } from '@pilotfish/core/account/permissions-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { sql } from 'kysely';
import { oneAtATime, removeAccount, requireAnotherAdmin } from '../account/account-removal.ts';
import type { AppContext } from '../app/context.ts';
import { rolesOf } from '../auth/accounts-store.ts';
import type { Queries } from '../database/database.ts';
import type { Origin } from '../http/endpoint-handler.ts';

export type UserQuery = {
  search?: string | undefined;
  sortBy: 'username' | 'email' | 'createdAt' | 'lastSeenAt';
  sortOrder: 'asc' | 'desc';
  page: number;
  pageSize: number;
};
export type ListedUser = {
  id: string;
  username: string;
  email: string;
  roles: string[];
  createdAt: string;
  lastSeenAt: string | null;
  twoFactor: boolean;
};
/** Who does it, and from where. */
export type Deed = { actorId: string; actorSession: string; origin: Origin };

const COLUMNS = { username: 'username_key', email: 'email_key', createdAt: 'created_at', lastSeenAt: 'last_seen_at' } as const;

export type UserAdministration = {
  list(query: UserQuery): Promise<{ items: ListedUser[]; page: number; pageSize: number; total: number }>;
  setRoles(id: string, roles: readonly string[], deed: Deed): Promise<ListedUser>;
  delete(id: string, deed: Deed): Promise<void>;
  /** Removes what is left of accounts deleted as long ago as the Admin keeps them. */
  purge(): Promise<void>;
};

/** Every live account with the time its sessions were last used. */
const users = (queries: Queries) =>
  queries.selectFrom((e) =>
    e
      .selectFrom('accounts')
      .leftJoin('sessions', 'sessions.account_id', 'accounts.id')
      .where('accounts.deleted_at', 'is', null)
      .groupBy('accounts.id')
      .select(['accounts.id', 'username', 'username_key', 'email', 'email_key', 'accounts.created_at', 'two_factor_confirmed'])
      .select((s) => s.fn.max<number | null>('sessions.last_used_at').as('last_seen_at'))
      .as('users'),
  );

export function userAdministration(context: AppContext): UserAdministration {
  const { database, now, audit, sessions, accountExtras } = context;
  const present = async (
    queries: Queries,
    row: { id: string; username: string; email: string; created_at: number; two_factor_confirmed: number; last_seen_at: number | null },
  ): Promise<ListedUser> => ({
    id: row.id,
    username: row.username,
    email: row.email,
    roles: await rolesOf(queries, row.id),
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
    twoFactor: row.two_factor_confirmed === 1,
  });
  const one = async (queries: Queries, id: string): Promise<ListedUser> => {
    const row = await users(queries).selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new AppError('not-found');
    return present(queries, row);
  };

  return {
    list: async ({ search, sortBy, sortOrder, page, pageSize }) => {
      let found = users(database.queries);
      if (search !== undefined && search !== '') {
        const pattern = `%${search
          .trim()
          .toLowerCase()
          .replace(/[\\%_]/g, '\\$&')}%`;
        found = found.where(sql<boolean>`(username_key like ${pattern} escape '\\' or email_key like ${pattern} escape '\\')`);
      }
      const { total } = await found.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const column = COLUMNS[sortBy];
      const rows = await found
        .selectAll()
        // PostgreSQL and SQLite disagree on where nulls go.
        .orderBy(sql`${sql.ref(column)} is null`, 'asc')
        .orderBy(column, sortOrder)
        .orderBy('id', sortOrder)
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const items: ListedUser[] = [];
      for (const row of rows) items.push(await present(database.queries, row));
      return { items, page, pageSize, total };
    },

    setRoles: async (id, roles, { actorId, actorSession, origin }) => {
      const changed = await database.transaction(async (queries) => {
        await oneAtATime(queries);
        const known = [
          ADMIN_ROLE,
          ...(await queries.selectFrom('roles').select('name').orderBy('name_key').execute()).map(({ name }) => name),
        ];
        if (roles.some((role) => !known.includes(role)))
          throw new AppError('invalid', { fields: [{ path: 'roles', code: 'invalid_value', message: '', limit: known.join(', ') }] });
        const before = await one(queries, id);
        const after = [...new Set(roles)].sort();
        if (before.roles.join() === after.join()) return before;
        if (before.roles.includes(ADMIN_ROLE) && !after.includes(ADMIN_ROLE)) await requireAnotherAdmin(queries, id);
        await queries.deleteFrom('account_roles').where('account_id', '=', id).execute();
        if (after.length > 0)
          await queries
            .insertInto('account_roles')
            .values(after.map((role) => ({ account_id: id, role, granted_at: now() })))
            .execute();
        await sessions.revoke({ accountId: id, ...(id === actorId ? { except: actorSession } : {}) }, 'roles-changed', queries);
        await audit.record(
          { accountId: id, actorId, action: 'admin.set-roles', target: id, origin, details: { before: before.roles, after } },
          queries,
        );
        return one(queries, id);
      });
      for (const follow of accountExtras.afterRoles) await follow([id]);
      return changed;
    },

    delete: async (id, { actorId, origin }) => {
      if (id === actorId) throw new AppError('conflict', { parameters: { context: 'own_account' } });
      const user = await one(database.queries, id);
      await removeAccount(context, id, { accountId: actorId, action: 'admin.delete-user', target: user.username, origin });
    },

    purge: async () => {
      await database.queries
        .deleteFrom('accounts')
        .where('deleted_at', '<', now() - context.instance.settings.get('retention.deletedAccountDays') * 86_400_000)
        .execute();
    },
  };
}
