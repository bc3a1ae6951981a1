import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resetTwoFactor } from '@pilotfish/server/auth/reset-two-factor';
import { openDatabase } from '@pilotfish/server/database/database';
import { sqliteFile } from '@pilotfish/server/database/sqlite';
import { uuidGenerator } from '@pilotfish/server/database/uuid';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { confirm } from '../ui/prompt.ts';
import { serverSettings } from './server-settings.ts';

/** For whoever has a shell on the server's machine: the account enrols a new authenticator at its next sign-in. */
export async function run(context: Context, { user, dataDir }: { user: string; dataDir?: string }): Promise<void> {
  const settings = serverSettings(context, dataDir);
  if (settings.databaseUrl === undefined && !existsSync(sqliteFile(settings.dataDir)))
    throw new LocalFailure('noData', { folder: settings.dataDir }, { exit: EXIT.notFound });
  if (!(await confirm(context, 'cli.admin.reset', { user }))) throw new Ended(EXIT.failed);
  const database = await openDatabase(settings);
  try {
    const { username } = await resetTwoFactor(database, user, { now: context.now(), newId: uuidGenerator(context.now, randomBytes) });
    await context.say('cli.admin.wasReset', { user: username });
  } finally {
    await database.close();
  }
}
