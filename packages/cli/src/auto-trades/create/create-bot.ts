import { randomUUID } from 'node:crypto';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig, AutoTradeConfigInput } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { exposureOf } from '@pilotfish/core/auto-trades/exposure';
import { AppError, isConnectivity } from '@pilotfish/core/http/problem';
import type { Context } from '../../app/context.ts';
import { UsageError } from '../../app/failure.ts';
import { sayNext } from '../../app/next-step.ts';
import { formatOf, printOne } from '../../ui/output.ts';
import { canAsk } from '../../ui/prompt.ts';
import { checkBot, refuseFiles } from '../bot-check.ts';
import { bots } from '../bot-columns.ts';
import { enable } from '../bot-lifecycle.ts';
import { loadNames } from '../bot-names.ts';
import { type BotFlags, readOneBot, withFlags } from '../bot-settings.ts';
import { readTemplate, refuseForeignAmounts } from '../bot-templates.ts';
import { botsClient } from '../find-bot.ts';
import { printLadder } from './print-ladder.ts';

type CreateFlags = BotFlags & { dryRun?: true; start?: true };

/**
 * Saves a bot from a file, a template, flags, or both; at a terminal it is asked for where neither is given. --dry-run saves
 * nothing; --start enables it once it is saved.
 */
export async function create(context: Context, given: CreateFlags): Promise<void> {
  const { dryRun, start, ...flags } = given;
  if (dryRun && start) throw new UsageError('dryRunOrStart');
  if (Object.keys(flags).length === 0 && canAsk(context)) return createAsked(context, dryRun === true, start === true);
  return createByFlags(context, given);
}

async function createAsked(context: Context, isDryRun: boolean, start: boolean): Promise<void> {
  const [{ askForBot }, t] = await Promise.all([import('./ask-for-bot.tsx'), context.texts()]);
  const made = await askForBot(context, isDryRun);
  if (!made) return context.say('cli.bots.valid');
  if (start || made.start) return startSaved(context, made.bot);
  await context.say('cli.bots.enableNext', { name: made.bot.name });
  await printSaved(context, made.bot, t);
}

/** No answer, or none to go by: what was asked for may have been done. */
const isUnanswered = (thrown: unknown): boolean => thrown instanceof AppError && (isConnectivity(thrown) || thrown.code === 'internal');

/** Asks what `bots enable` asks. Whatever becomes of that, the bot is saved, and it is said how to start it, or to look whether it runs. */
async function startSaved(context: Context, { id, name }: AutoTrade): Promise<void> {
  try {
    await enable(context, { bot: id });
  } catch (thrown) {
    await context.say(isUnanswered(thrown) ? 'cli.bots.startUnknown' : 'cli.bots.startNext', { name });
    throw thrown;
  }
}

async function printSaved(context: Context, bot: AutoTrade, t: Awaited<ReturnType<Context['texts']>>): Promise<void> {
  await printOne(context, bots(t), bot);
  const exposure = bot.mode === 'live' ? exposureOf(bot.config) : undefined;
  if (exposure && formatOf(context) === 'table') await context.say('cli.bots.exposed', { what: t(`autoTrades.exposed.${exposure}`) });
}

async function createByFlags(context: Context, { dryRun, start, ...flags }: CreateFlags): Promise<void> {
  if (flags.file !== undefined && flags.template !== undefined) throw new UsageError('fileOrTemplate');
  if (flags.file === undefined && flags.name === undefined)
    throw new UsageError('needsFlag', { flag: flags.template === undefined ? '--file' : '--name' });
  const source = flags.file === undefined ? undefined : await readOneBot(context, flags.file);
  const [client, names, t] = await Promise.all([botsClient(context), loadNames(context), context.texts()]);
  const from = flags.template === undefined ? undefined : await readTemplate(client, flags.template);
  const draft = withFlags(from?.draft ?? source?.draft ?? {}, flags);
  const { config, problems, ladder } = await checkBot(client, draft, { names, t });
  if (problems.length > 0) {
    if (source) await refuseFiles(context, [{ source, problems }]);
    throw new AppError('rules-violated', { fields: problems });
  }
  if (from) {
    const { walletId, ...settings } = config as AutoTradeConfig;
    refuseForeignAmounts(settings, from.template, names.wallets.find(({ id }) => id === walletId)?.currency);
  }
  let saved: { autoTrade: AutoTrade | null } | undefined;
  if (dryRun) {
    const { json, jsonl } = context.globals;
    if (json || jsonl) context.stdout.write(`${JSON.stringify({ autoTrade: null, valid: true, errors: [], ladder, config })}\n`);
    else await context.say('cli.bots.valid');
  } else {
    saved = await client.createAutoTrade({ body: config as AutoTradeConfigInput, query: {} }, { idempotencyKey: randomUUID() });
    if (start && saved.autoTrade) {
      // Before the question, so that it is answered knowing what can be lost.
      if (formatOf(context) === 'table' && ladder) await printLadder(context, ladder);
      return startSaved(context, saved.autoTrade);
    }
    if (saved.autoTrade) await printSaved(context, saved.autoTrade, t);
  }
  if (formatOf(context) === 'table' && ladder) await printLadder(context, ladder);
  if (saved?.autoTrade) await sayNext(context, 'bot', { id: saved.autoTrade.id, known: { bots: [saved.autoTrade] } });
}
