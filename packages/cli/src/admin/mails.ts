import { existsSync } from 'node:fs';
import { openDatabase } from '@pilotfish/server/database/database';
import { sqliteFile } from '@pilotfish/server/database/sqlite';
import { sendAgain, type UnsentMail, unsentMails } from '@pilotfish/server/mail/unsent-mails';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { serverSettings } from './server-settings.ts';

const mails: Resource<UnsentMail> = {
  empty: 'mails',
  columns: [
    { key: 'id', value: ({ id }) => id },
    {
      key: 'at',
      value: ({ createdAt }) => new Date(createdAt).toISOString(),
      shown: ({ createdAt }) => localTime(new Date(createdAt).toISOString()),
    },
    { key: 'channel', value: ({ channel }) => channel },
    { key: 'state', value: ({ state }) => state },
    { key: 'attempts', value: ({ attempts }) => String(attempts) },
    { key: 'reason', value: ({ failure }) => failure ?? '' },
  ],
};

type Options = { message?: string; again?: boolean; dataDir?: string };

/** Mails that wait or were given up; `--again` lets one of them, or all that were given up, begin anew. */
export async function run(context: Context, { message, again, dataDir }: Options): Promise<void> {
  const settings = serverSettings(context, dataDir);
  if (settings.databaseUrl === undefined && !existsSync(sqliteFile(settings.dataDir)))
    throw new LocalFailure('noData', { folder: settings.dataDir }, { exit: EXIT.notFound });
  const database = await openDatabase(settings);
  try {
    const all = await unsentMails(database);
    const rows = message === undefined ? all : all.filter(({ id }) => id.startsWith(message) || id.endsWith(message));
    if (message !== undefined && rows.length !== 1) throw new LocalFailure('noSuchMessage', { wanted: message }, { exit: EXIT.notFound });
    if (!again) return await printRows(context, mails, rows);
    const count = await sendAgain(database, context.now(), message === undefined ? undefined : rows[0]?.id);
    await context.say('cli.admin.mailsAgain', { count });
  } finally {
    await database.close();
  }
}
