import { randomUUID } from 'node:crypto';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, UsageError } from '../app/failure.ts';
import { pricePlaces } from '../app/price-places.ts';
import { colours } from '../ui/colour.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { canAsk, confirm } from '../ui/prompt.ts';
import { refuseFiles } from './bot-check.ts';
import { loadNames } from './bot-names.ts';
import { type Plan, type PlannedBot, planBots } from './bot-plan.ts';
import { readBotSources } from './bot-source.ts';
import { diffLines, positionLines, sellsNow } from './diff-lines.ts';
import { type BotsClient, botsClient } from './find-bot.ts';

export type ApplyFlags = { file?: string; prune?: true; deletePruned?: true; applyToOpen?: true; dryRun?: true };

/**
 * Makes the bots of the server those of the files: shows what would be done, asks, does it. Bots that no file names
 * are told of with --prune, and deleted only after a question of their own.
 */
export async function apply(context: Context, { file, prune, deletePruned, applyToOpen, dryRun }: ApplyFlags): Promise<void> {
  if (file === undefined) throw new UsageError('needsFlag', { flag: '--file' });
  if (deletePruned && !prune) throw new UsageError('needsFlag', { flag: '--prune' });
  const sources = await readBotSources(context, file);
  const [client, names, t] = await Promise.all([botsClient(context), loadNames(context), context.texts()]);
  const plan = await planBots(client, sources, { names, t, applyToOpen: applyToOpen === true });
  if (plan.wrong.length > 0) await refuseFiles(context, plan.wrong);
  const unlisted = prune ? plan.unlisted : [];
  const work = plan.bots.filter(({ action }) => action !== 'nothing');
  await showPlan(context, { ...plan, unlisted });
  if (work.length === 0) await context.say('cli.bots.nothingToDo', { count: plan.bots.length });
  if (dryRun) {
    if (work.length + unlisted.length > 0) throw new Ended(EXIT.failed);
    return;
  }
  if (work.length > 0) {
    const count = (what: PlannedBot['action']) => work.filter(({ action }) => action === what).length;
    if (!(await confirm(context, 'cli.bots.apply', { create: count('create'), change: count('change') }))) throw new Ended(EXIT.failed);
    for (const each of work) await carryOut(context, client, each, applyToOpen === true);
  }
  await deleteUnlisted(context, client, unlisted, deletePruned === true);
}

async function carryOut(context: Context, client: BotsClient, planned: PlannedBot, applyToOpen: boolean): Promise<void> {
  const { action, bot, config } = planned;
  if (bot) {
    // Agreed to is what the plan has shown; what would be sold only now is refused.
    const query = {
      version: String(bot.configVersion),
      applyToOpen: String(applyToOpen),
      sellNow: String(sellsNow(planned.openPositions)),
    };
    await client.updateAutoTrade({ params: { id: bot.id }, body: config, query });
  } else await client.createAutoTrade({ body: config, query: {} }, { idempotencyKey: randomUUID() });
  await context.say(action === 'create' ? 'cli.bots.created' : 'cli.bots.changed', { name: config.name });
}

/** The yes to the plan is no yes to a deletion. */
async function deleteUnlisted(context: Context, client: BotsClient, unlisted: readonly AutoTrade[], isAgreed: boolean): Promise<void> {
  if (unlisted.length === 0) return;
  const list = unlisted.map(({ name }) => name).join(', ');
  if (!isAgreed && !canAsk(context)) return context.say('cli.bots.unlistedKept', { names: list });
  const asking = { ...context, globals: { ...context.globals, yes: isAgreed } };
  if (!(await confirm(asking, 'cli.bots.prune', { names: list, count: unlisted.length }))) return;
  for (const { id, name } of unlisted) {
    await client.deleteAutoTrade({ params: { id }, query: { detach: 'false' } });
    await context.say('cli.bots.removed', { name });
  }
}

type PlanRow = { name: string; file: string; action: string; path: string; before: string | null; after: string | null };
const rows: Resource<PlanRow> = {
  empty: 'changes',
  columns: (['action', 'name', 'file', 'path', 'before', 'after'] as const).map((key) => ({
    key,
    value: (row: PlanRow) => row[key] ?? '',
  })),
};

/** The plan as a person reads it, a document, or a row for each setting. */
async function showPlan(context: Context, { bots, unlisted }: Plan): Promise<void> {
  const shown = bots.map(({ bot, config: _config, ...each }) => ({ ...each, id: bot?.id ?? null, version: bot?.configVersion ?? null }));
  const extra = unlisted.map(({ id, name, state, openPositions }) => ({ id, name, state, openPositions }));
  switch (formatOf(context)) {
    case 'json':
      context.stdout.write(`${JSON.stringify({ bots: shown, unlisted: extra }, null, context.stdout.isTTY ? 2 : 0)}\n`);
      return;
    case 'jsonl':
      for (const each of shown) context.stdout.write(`${JSON.stringify(each)}\n`);
      for (const each of extra) context.stdout.write(`${JSON.stringify({ ...each, action: 'unlisted' })}\n`);
      return;
    case 'csv':
      return printRows(
        context,
        rows,
        bots.flatMap(({ name, file, action, diff }) => diff.map((change) => ({ name, file, action, ...change }))),
      );
  }
  const t = await context.texts();
  const drawing = { paint: colours(context, context.stdout), unicode: context.unicode, places: await pricePlaces(context) };
  const { paint } = drawing;
  const heads = {
    create: paint.green(`+ ${t('cli.plan.create')}`),
    change: paint.yellow(`~ ${t('cli.plan.change')}`),
    nothing: paint.dim(`= ${t('cli.plan.nothing')}`),
  };
  const lines = bots.flatMap(({ name, file, action, diff, openPositions }) => [
    `${heads[action]}  ${paint.bold(name)}  ${paint.dim(file)}`,
    ...diffLines(diff, drawing),
    ...(openPositions.length > 0 ? [`  ${t('cli.bots.openChange')}`, ...positionLines(openPositions, t, drawing)] : []),
  ]);
  for (const { name, openPositions } of unlisted)
    lines.push(
      `${paint.red(`? ${t('cli.plan.unlisted')}`)}  ${paint.bold(name)}${openPositions > 0 ? `  ${t('cli.bots.holds', { count: openPositions })}` : ''}`,
    );
  context.stdout.write(`${lines.join('\n')}\n`);
}
