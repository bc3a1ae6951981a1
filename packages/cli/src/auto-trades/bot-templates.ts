import { randomUUID } from 'node:crypto';
import { type BotTemplate, listBotTemplates } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { getField } from '@pilotfish/core/auto-trades/config/bot-draft';
import { type BotSettings, botSettingsOf, takesForeignAmounts } from '@pilotfish/core/auto-trades/config/bot-settings';
import { settingText } from '@pilotfish/core/auto-trades/config/setting-words';
import { nameKey } from '@pilotfish/core/fields/name-key';
import { codeOf } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import type { Translate } from '../app/texts.ts';
import { printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import type { Draft } from './bot-source.ts';
import { type BotsClient, botsClient, findBot } from './find-bot.ts';

/** Templates as they are printed: their plan in words, or that this version of the server cannot read it. */
function templates(t: Translate, language: Context['language']): Resource<BotTemplate> {
  const words = { t, language, names: new Map<string, string>(), options: undefined };
  const setting = (path: string, { settings }: BotTemplate): string | null =>
    settings && settingText(path, getField(settings, path), words);
  return {
    empty: 'templates',
    columns: [
      { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
      {
        key: 'trigger',
        value: (row) => setting('entry.trigger', row),
        shown: (row, paint) => setting('entry.trigger', row) ?? paint.dim(t('autoTrades.templates.unreadable')),
      },
      { key: 'takeProfit', value: (row) => setting('takeProfit.levels', row) },
      { key: 'stopLoss', value: (row) => setting('stopLoss', row) },
      { key: 'updatedAt', value: ({ updatedAt }) => updatedAt, shown: ({ updatedAt }) => localTime(updatedAt), rank: 2 },
      { key: 'id', value: ({ id }) => id, rank: 1, dataOnly: true },
    ],
  };
}

const printTemplate = async (context: Context, template: BotTemplate): Promise<void> =>
  printOne(context, templates(await context.texts(), context.language), template);

export async function list(context: Context): Promise<void> {
  const client = await botsClient(context);
  await printRows(context, templates(await context.texts(), context.language), await client.listBotTemplates());
}

/** The templates that a wizard offers; none of a server that does not know them. */
export async function loadTemplates(context: Context): Promise<readonly BotTemplate[]> {
  const client = await context.client({ listBotTemplates });
  try {
    return await client.listBotTemplates();
  } catch (error) {
    // An older server takes the word for the id of a bot.
    if (['not-found', 'invalid', 'not-implemented'].includes(codeOf(error))) return [];
    throw error;
  }
}

const find = async (client: BotsClient, wanted: string): Promise<BotTemplate> =>
  findByName('template', await client.listBotTemplates(), wanted);

/**
 * A template with its settings, as a file of a bot would have them; without name, wallet and coins.
 * @throws LocalFailure `noSuchTemplate`, `ambiguous`, `templateUnreadable`
 */
export async function readTemplate(client: BotsClient, wanted: string): Promise<{ template: BotTemplate; draft: Draft }> {
  const template = await find(client, wanted);
  const { name, settings } = template;
  if (!settings) throw new LocalFailure('templateUnreadable', { name }, { exit: EXIT.conflict });
  return { template, draft: { ...settings } };
}

/** @throws LocalFailure `templateCurrency` where sums of the template would be taken for those of another currency */
export function refuseForeignAmounts(config: BotSettings, template: BotTemplate, currency: string | undefined): void {
  if (currency === undefined || !takesForeignAmounts(config, template, currency)) return;
  throw new LocalFailure('templateCurrency', { name: template.name, from: template.currency ?? '', currency }, { exit: EXIT.usage });
}

/** Keeps the settings of a bot under a name. A name that is taken is refused, unless its template is to be replaced. */
export async function save(context: Context, { bot: wanted, name, replace }: { bot: string; name: string; replace?: true }): Promise<void> {
  const client = await botsClient(context);
  const { config, currency } = await findBot(client, wanted);
  const settings = botSettingsOf(config);
  const old = replace && (await client.listBotTemplates()).find((each) => nameKey(each.name) === nameKey(name));
  const saved = old
    ? await client.updateBotTemplate({ params: { id: old.id }, body: { settings, currency } })
    : await client.createBotTemplate({ body: { name, settings, currency } }, { idempotencyKey: randomUUID() });
  await context.say(old ? 'cli.templates.replaced' : 'cli.templates.saved', { name: saved.name });
  await printTemplate(context, saved);
}

export async function rename(context: Context, { template: wanted, newName: name }: { template: string; newName: string }): Promise<void> {
  const client = await botsClient(context);
  const old = await find(client, wanted);
  const renamed = await client.updateBotTemplate({ params: { id: old.id }, body: { name } });
  await context.say('cli.templates.renamed', { old: old.name, name: renamed.name });
  await printTemplate(context, renamed);
}

/** Deletes a template, after a question. Bots that were made from it stay as they are. */
export async function remove(context: Context, { template: wanted }: { template: string }): Promise<void> {
  const client = await botsClient(context);
  const { id, name } = await find(client, wanted);
  if (!(await confirm(context, 'cli.templates.remove', { name }))) throw new Ended(EXIT.failed);
  await client.deleteBotTemplate({ params: { id } });
  await context.say('cli.templates.removed', { name });
}
