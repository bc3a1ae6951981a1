import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { lockDataFolder, prepareDataFolder, StartError } from '@pilotfish/server/app/data-folder';
import { verifyArchive } from '@pilotfish/server/database/backup-archive';
import { restoreArchive } from '@pilotfish/server/database/backup-restore';
import { MIGRATIONS } from '@pilotfish/server/database/migrations';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { printOne } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { backups, passphraseOf, rowOf, told } from './backup.ts';
import { serverSettings } from './server-settings.ts';

type Options = { file: string; verify?: boolean; dataDir?: string };

/** Checks an archive; unless that is all that was asked for, puts the data folder back as it has it. */
export async function run(context: Context, { file: named, verify, dataDir: folder }: Options): Promise<void> {
  const file = resolve(named);
  const { dataDir, databaseUrl } = serverSettings(context, folder);
  try {
    const manifest = verifyArchive(file);
    await printOne(context, backups, rowOf(file, manifest));
    if (verify) return await context.say('cli.restore.whole', { file });
    if (databaseUrl !== undefined) throw new LocalFailure('backupOfPostgres', { folder: dataDir });
    prepareDataFolder(dataDir);
    const { release } = lockDataFolder(dataDir);
    try {
      if (!(await confirm(context, 'cli.restore.sure', { folder: dataDir, at: manifest.createdAt }))) throw new Ended(EXIT.failed);
      const { replaced } = await restoreArchive({
        dataDir,
        file,
        migrations: new Set(Object.keys(MIGRATIONS)),
        passphrase: () => passphraseOf(context, ['cli.backup.passphrase']),
        at: context.now(),
        random: randomBytes,
      });
      await context.say('cli.restore.done', { folder: dataDir });
      if (replaced !== undefined) await context.say('cli.restore.replaced', { folder: replaced });
    } finally {
      release();
    }
  } catch (error) {
    if (error instanceof StartError) throw new LocalFailure('serve', { reason: error.message }, { cause: error });
    throw told(error);
  }
}
