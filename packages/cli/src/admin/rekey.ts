import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { StartError } from '@pilotfish/server/app/data-folder';
import { rekey } from '@pilotfish/server/app/rekey';
import { DatabaseStartError } from '@pilotfish/server/database/database-error';
import { sqliteFile } from '@pilotfish/server/database/sqlite';
import { uuidGenerator } from '@pilotfish/server/database/uuid';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { confirm } from '../ui/prompt.ts';
import { serverSettings } from './server-settings.ts';

type Options = { dropRecoveryCodes?: boolean; dataDir?: string };

/** For whoever has a shell on the server's machine: a new key file, and everything sealed anew with it. */
export async function run(context: Context, { dropRecoveryCodes = false, dataDir }: Options): Promise<void> {
  const settings = serverSettings(context, dataDir);
  if (settings.databaseUrl === undefined && !existsSync(sqliteFile(settings.dataDir)))
    throw new LocalFailure('noData', { folder: settings.dataDir }, { exit: EXIT.notFound });
  if (!(await confirm(context, dropRecoveryCodes ? 'cli.admin.rekeyDropping' : 'cli.admin.rekey', {}))) throw new Ended(EXIT.failed);
  try {
    const done = await rekey({
      ...settings,
      dropRecoveryCodes,
      random: randomBytes,
      now: context.now,
      newId: uuidGenerator(context.now, randomBytes),
    });
    await context.say('cli.admin.rekeyed', { count: done.sealed, file: done.oldKeyFile });
  } catch (error) {
    if (error instanceof StartError || error instanceof DatabaseStartError)
      throw new LocalFailure('serve', { reason: error.message }, { cause: error });
    throw error;
  }
}
