import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { findById, rolesOf } from '../auth/accounts-store.ts';

/** Who is signed in. */
export const accountFeature = ({ database, accountExtras }: AppContext): Feature => ({
  handlers: {
    getAccount: async ({ account: { id } }) => {
      const [row, roles, exchanges, hasTelegram] = await Promise.all([
        findById(database.queries, id),
        rolesOf(database.queries, id),
        accountExtras.exchanges(id),
        accountExtras.hasTelegram(id),
      ]);
      if (row === undefined) throw new AppError('unauthenticated');
      return {
        claims: [
          { name: 'sub', value: row.id },
          { name: 'username', value: row.username },
          { name: 'email', value: row.email },
          ...roles.map((role) => ({ name: 'role', value: role })),
        ],
        exchanges,
        hasTelegram,
        username: row.username,
        email: row.email,
        emailConfirmed: row.email_confirmed === 1,
        createdAt: new Date(row.created_at).toISOString(),
      };
    },
  },
});
