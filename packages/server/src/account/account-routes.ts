import { createReadStream } from 'node:fs';
import { STEP_UP_HEADER } from '@pilotfish/core/account/account-security-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { findById, foldName, rolesOf } from '../auth/accounts-store.ts';
import { stepUpProofs } from '../auth/step-up.ts';
import { accountExports } from './account-export.ts';
import { removeAccount } from './account-removal.ts';
import { changePreferences, preferencesOf } from './preferences-store.ts';

const PURGE_MS = 600_000;

/** Who is signed in, how the product looks to them, what they own, and their leaving. */
export const accountFeature = (context: AppContext): Feature => {
  const { database, accountExtras, audit, log, now } = context;
  const proofs = stepUpProofs(context);
  const exports = accountExports(context);
  let purger: NodeJS.Timeout | undefined;
  accountExtras.beforeDelete.push((accountId) => exports.remove(accountId));
  return {
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
            ...(row.phone !== null && row.phone_confirmed === 1 ? [{ name: 'phone', value: row.phone }] : []),
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
      getPreferences: ({ account }) => preferencesOf(database.queries, account.id),
      setPreferences: ({ account, body, origin }) =>
        database.transaction(async (queries) => {
          const before = await preferencesOf(queries, account.id);
          const after = await changePreferences(queries, account.id, body, now());
          const details = {
            before: Object.fromEntries(Object.keys(body).map((key) => [key, before[key as keyof typeof body]])),
            after: body,
          };
          await audit.record({ accountId: account.id, action: 'account.preferences', origin, details }, queries);
          return after;
        }),
      startAccountExport: async ({ account, origin, header }) => {
        await proofs.require(account, header(STEP_UP_HEADER));
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
      purger = setInterval(() => void purge(), PURGE_MS).unref();
      await purge();
    },
    stop: async () => {
      clearInterval(purger);
      await exports.stop();
    },
  };
};
