import type { Money } from '@pilotfish/core/money/figure';
import { formatMoney } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { type Column, formatOf, printRows, type Resource } from '../ui/output.ts';
import { checkBot, refuseFiles } from './bot-check.ts';
import { loadNames } from './bot-names.ts';
import { readBotSources } from './bot-source.ts';
import { botsClient } from './find-bot.ts';

type Row = {
  name: string;
  file: string;
  coins: string;
  rungs: number;
  worstCaseTotal: Money | null;
  worstLoss: Money | null;
  currency: string;
};
const sum = (key: 'worstCaseTotal' | 'worstLoss'): Column<Row> => ({
  key,
  value: (row) => row[key],
  shown: ({ [key]: value, currency }) => (value === null ? '' : formatMoney(value, currency)),
  right: true,
});
const rows: Resource<Row> = {
  empty: 'changes',
  columns: [
    { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
    { key: 'file', value: ({ file }) => file },
    { key: 'coins', value: ({ coins }) => coins, rank: 1 },
    { key: 'rungs', value: (row) => String(row.rungs), right: true },
    sum('worstCaseTotal'),
    sum('worstLoss'),
    { key: 'currency', value: ({ currency }) => currency },
  ],
};

/** Has the server check every bot of the files; saves nothing. Broken ones are named by file, line and setting. */
export async function validate(context: Context, { file }: { file?: string }): Promise<void> {
  if (file === undefined) throw new UsageError('needsFlag', { flag: '--file' });
  const sources = await readBotSources(context, file);
  const [client, names, t] = await Promise.all([botsClient(context), loadNames(context), context.texts()]);
  const existing = await client.listAutoTrades();
  const checks = await Promise.all(
    sources.map(async (source) => {
      const bot = existing.find(({ name }) => name === source.draft.name);
      return { source, ...(await checkBot(client, source.draft, { names, t, bot })) };
    }),
  );
  const wrong = checks.filter(({ problems }) => problems.length > 0);
  if (wrong.length > 0) await refuseFiles(context, wrong);
  const valid = checks.map(
    ({ source, config, ladder }): Row => ({
      name: config?.name ?? '',
      file: source.file,
      coins: config?.coins.symbols.join(', ') ?? '',
      rungs: ladder?.rungs.length ?? 0,
      worstCaseTotal: ladder?.worstCaseTotal ?? null,
      worstLoss: ladder?.worstLoss ?? null,
      currency: ladder?.currency ?? '',
    }),
  );
  await printRows(context, rows, valid);
  if (formatOf(context) === 'table') await context.say('cli.bots.valid');
}
