import { createReadStream } from 'node:fs';
import { type Connection, STEP_UP_HEADER } from '@pilotfish/core/account/account-security-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { rolePermissions } from '../app/role-permissions.ts';
import { findById, foldName, rolesOf } from '../auth/accounts-store.ts';
import { stepUpProofs } from '../auth/step-up.ts';
import { accountExports } from './account-export.ts';
import { removeAccount } from './account-removal.ts';
import { changePreferences, isPreference, preferencesOf } from './preferences-store.ts';

const PURGE_MS = 600_000;
const DAY_MS = 86_400_000;

/** Who is signed in, how the product looks to them, what they own, and their leaving. */
export const accountFeature = (context: AppContext): Feature => {
  const { database, accountExtras, audit, log, now, quotas, sessions, timers } = context;
  const proofs = stepUpProofs(context);
  const exports = accountExports(context);
  let purger: Cancel | undefined;
  const connectionsOf = async (accountId: string): Promise<Connection[]> => {
    const found: Connection[] = [];
    for (const { kind, list } of accountExtras.connections)
      for (const { name, addedAt } of await list(accountId, database.queries))
        found.push({ kind, name, addedAt: addedAt === null ? null : new Date(addedAt).toISOString() });
    return found;
  };
  accountExtras.beforeDelete.push((accountId) => exports.remove(accountId));
  const exportsOf = (accountId: string) => exports.startedSince(accountId, now() - DAY_MS);
  quotas.countBy('exports', exportsOf);
  quotas.countBy('sessions', async (accountId) => (await sessions.listLive(accountId)).length);

  return {
    handlers: {
      getAccount: async ({ account: { id } }) => {
        const [row, roles, permissions, exchanges, hasTelegram] = await Promise.all([
          findById(database.queries, id),
          rolesOf(database.queries, id),
          rolePermissions(database.queries).of(id),
          accountExtras.exchanges(id),
          accountExtras.hasTelegram(id),
        ]);
        if (row === undefined) throw new AppError('unauthenticated');
        return {
          claims: [
            { name: 'sub', value: row.id },
            { name: 'username', value: row.username },
            { name: 'email', value: row.email },
            ...(row.phone !== null && row.phone_confirmed === 1 ? [{ name: 'phone', value: row.phone }] : []),
            ...roles.map((role) => ({ name: 'role', value: role })),
            ...permissions.map((permission) => ({ name: 'permission', value: permission })),
          ],
          exchanges,
          hasTelegram,
          username: row.username,
          email: row.email,
          emailConfirmed: row.email_confirmed === 1,
          createdAt: new Date(row.created_at).toISOString(),
        };
      },
      listLimits: async ({ account }) => ({ items: await quotas.of(database.queries, account.id) }),
      listUnreadable: async ({ account }) => ({
        items: (await Promise.all(accountExtras.unreadable.map((list) => list(account.id)))).flat(),
      }),
      listConnections: async ({ account }) => ({ items: await connectionsOf(account.id) }),
      endConnections: async ({ account, origin }) => {
        const before = await connectionsOf(account.id);
        for (const { kind, end } of accountExtras.connections) {
          if (!before.some((each) => each.kind === kind)) continue;
          // What cannot be ended now is named; the rest must not wait for it.
          await end(account.id, origin).catch((error: unknown) => {
            if (!(error instanceof AppError)) throw error;
          });
        }
        const kept = await connectionsOf(account.id);
        return { ended: before.length - kept.length, kept };
      },
      getPreferences: ({ account }) => preferencesOf(database.queries, account.id),
      setPreferences: ({ account, body, origin }) =>
        database.transaction(async (queries) => {
          const before = await preferencesOf(queries, account.id);
          const after = await changePreferences(queries, account.id, body, now());
          // The log is for what concerns the account; each star in a list would bury it.
          if (!isPreference(body)) return after;
          const details = {
            before: Object.fromEntries(Object.keys(body).map((key) => [key, before[key as keyof typeof body]])),
            after: body,
          };
          await audit.record({ accountId: account.id, action: 'account.preferences', origin, details }, queries);
          return after;
        }),
      startAccountExport: async ({ account, origin, header, language }) => {
        await proofs.require(account, header(STEP_UP_HEADER));
        quotas.requireWithin('exports', await exportsOf(account.id), language, 1);
        return exports.start(account.id, origin);
      },
      getAccountExport: ({ account }) => exports.status(account.id),
      downloadAccountExport: async ({ account, origin }) => {
        const file = await exports.file(account.id);
        await audit.record({ accountId: account.id, action: 'account.export-download', origin });
        return createReadStream(file);
      },
      deleteAccountExport: async ({ account, origin }) => {
        if ((await exports.status(account.id)).state === 'none') return;
        await exports.remove(account.id);
        await audit.record({ accountId: account.id, action: 'account.export-remove', origin });
      },
      deleteAccount: async ({ account, body, origin, header }) => {
        await proofs.require(account, header(STEP_UP_HEADER));
        if (foldName(body.username) !== foldName(account.username))
          throw new AppError('invalid', { fields: [{ path: 'username', code: 'invalid_value', message: '' }] });
        await removeAccount(context, account.id, { accountId: account.id, action: 'account.delete', origin });
      },
    },
    start: async () => {
      const purge = () => exports.purge().catch((error: unknown) => log.error({ err: error }, 'old exports could not be removed'));
      purger = timers.every(PURGE_MS, () => void purge());
      await purge();
    },
    stop: async () => {
      purger?.();
      await exports.stop();
    },
  };
};
