import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decimal, divide } from '@pilotfish/core/money/decimal';
import { formatFixed } from '@pilotfish/core/money/format';
import { type StoredTape, storedTapes } from '@pilotfish/server/auto-trades/tape-folder';
import type { Context } from '../app/context.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { serverSettings } from './server-settings.ts';

const MEGABYTE = decimal(1024 * 1024);
const megabytes = (bytes: number): string => `${formatFixed(divide(decimal(bytes), MEGABYTE), 1)} MB`;
const sumOf = (files: readonly { readonly bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const iso = (at: number): string => new Date(at).toISOString();

const tapes: Resource<StoredTape> = {
  empty: 'tapes',
  columns: [
    { key: 'botId', value: ({ autoTradeId }) => autoTradeId },
    { key: 'size', value: ({ bytes }) => String(bytes), shown: ({ bytes }) => megabytes(bytes), right: true },
    { key: 'at', value: ({ at }) => iso(at), shown: ({ at }) => localTime(iso(at)) },
  ],
};

const filesIn = (folder: string): { readonly bytes: number }[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => ({ bytes: statSync(join(folder, name)).size }))
    : [];

/** What a server here has recorded of its bots: the size of each tape, of all beside the room they have, and of the replay files. */
export async function run(context: Context, { dataDir }: { dataDir?: string }): Promise<void> {
  const settings = serverSettings(context, dataDir);
  const rows = storedTapes(settings);
  await printRows(context, tapes, rows);
  await context.say('cli.admin.tapes', { size: megabytes(sumOf(rows)), most: `${settings.tapesMb} MB` });
  const { marketReplay: folder } = settings;
  if (folder === undefined) return;
  const files = filesIn(folder);
  await context.say('cli.admin.replayFiles', { folder, count: files.length, size: megabytes(sumOf(files)) });
}
