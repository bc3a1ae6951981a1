import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { colours } from '../ui/colour.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { loadNames, toFile } from './bot-names.ts';
import { diffLines, settingChanges } from './diff-lines.ts';
import { botsClient, findBot } from './find-bot.ts';
import { settingsDiff } from './settings-diff.ts';

type Row = { version: number; createdAt: string; changed: readonly string[] };
const rows: Resource<Row> = {
  empty: 'changes',
  columns: [
    { key: 'version', value: ({ version }) => String(version), right: true },
    { key: 'createdAt', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt) },
    { key: 'changed', value: ({ changed }) => changed.join(', ') },
  ],
};

/** The versions of a bot in the form of files, newest first. */
async function versionsOf(context: Context, wanted: string) {
  const client = await botsClient(context);
  const [bot, names] = await Promise.all([findBot(client, wanted), loadNames(context)]);
  const found = await client.listAutoTradeVersions({ params: { id: bot.id } });
  return found.map(({ config, ...each }) => ({ ...each, config, settings: toFile(config, names) }));
}

/** Every version of the settings, newest first, with what each changed. */
export async function versions(context: Context, { bot }: { bot: string }): Promise<void> {
  const found = await versionsOf(context, bot);
  const list = found.map(({ version, createdAt, config, settings }, index) => {
    const older = found[index + 1];
    const changed = older ? settingsDiff(older.settings, settings).map(({ path }) => path) : [];
    return { version, createdAt, changed, config };
  });
  await printRows(context, rows, list);
}

/** What differs between two versions; without them, between the last two. */
export async function diff(context: Context, { bot, from, to }: { bot: string; from?: string; to?: string }): Promise<void> {
  const found = await versionsOf(context, bot);
  const newest = found[0]?.version ?? 1;
  const until = to === undefined ? newest : numberOf(to);
  const since = from === undefined ? Math.max(1, until - 1) : numberOf(from);
  const [before, after] = [since, until].map((number) => {
    const one = found.find(({ version }) => version === number);
    if (one) return one;
    throw new LocalFailure('noSuchVersion', { wanted: number, newest }, { exit: EXIT.notFound });
  });
  const changes = settingsDiff(before!.settings, after!.settings);
  if (formatOf(context) !== 'table' || changes.length === 0) return printRows(context, settingChanges, changes);
  const t = await context.texts();
  const paint = colours(context, context.stdout);
  context.stdout.write(
    `${t('cli.bots.versions', { from: since, to: until })}\n${diffLines(changes, { paint, unicode: context.unicode }).join('\n')}\n`,
  );
}

/** `3` or `v3`. */
function numberOf(text: string): number {
  const found = /^v?(\d{1,9})$/i.exec(text);
  if (!found) throw new UsageError('count', { flag: '<version>', value: text });
  return Number(found[1]);
}
