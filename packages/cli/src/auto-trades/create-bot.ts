import { randomUUID } from 'node:crypto';
import type { AutoTradeConfigInput } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { exposureOf } from '@pilotfish/core/auto-trades/exposure';
import { AppError } from '@pilotfish/core/http/problem';
import { formatMoney, formatPercentNumber, formatQuantity } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf, printOne, printRows, type Resource } from '../ui/output.ts';
import { checkBot, type Ladder, refuseFiles } from './bot-check.ts';
import { bots } from './bot-columns.ts';
import { loadNames } from './bot-names.ts';
import { type BotFlags, readOneBot, withFlags } from './bot-settings.ts';
import { botsClient } from './find-bot.ts';

type Rung = Ladder['rungs'][number];
const rungs = (currency: string): Resource<Rung> => ({
  empty: 'ladder',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'level', value: ({ level }) => String(level), right: true },
    { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol, right: true },
    { key: 'quantity', value: ({ quantity }) => quantity, shown: ({ quantity }) => formatQuantity(quantity), right: true },
    { key: 'quote', value: ({ quote }) => quote, shown: ({ quote }) => formatMoney(quote, currency), right: true },
  ],
});

/** Saves a bot from a file, flags, or both; --dry-run has the server check every rule without saving. */
export async function create(context: Context, { dryRun, ...flags }: BotFlags & { dryRun?: true }): Promise<void> {
  if (flags.file === undefined && flags.name === undefined) throw new UsageError('needsFlag', { flag: '--file' });
  const source = flags.file === undefined ? undefined : await readOneBot(context, flags.file);
  const draft = withFlags(source?.draft ?? {}, flags);
  const [client, names, t] = await Promise.all([botsClient(context), loadNames(context), context.texts()]);
  const { config, problems, ladder } = await checkBot(client, draft, { names, t });
  if (problems.length > 0) {
    if (source) await refuseFiles(context, [{ source, problems }]);
    throw new AppError('rules-violated', { fields: problems });
  }
  if (dryRun) {
    const { json, jsonl } = context.globals;
    if (json || jsonl) context.stdout.write(`${JSON.stringify({ autoTrade: null, valid: true, errors: [], ladder, config })}\n`);
    else await context.say('cli.bots.valid');
  } else {
    const saved = await client.createAutoTrade({ body: config as AutoTradeConfigInput, query: {} }, { idempotencyKey: randomUUID() });
    if (saved.autoTrade) {
      await printOne(context, bots(t), saved.autoTrade);
      const exposure = saved.autoTrade.mode === 'live' ? exposureOf(saved.autoTrade.config) : undefined;
      if (exposure && formatOf(context) === 'table') await context.say('cli.bots.exposed', { what: t(`autoTrades.exposed.${exposure}`) });
    }
  }
  if (formatOf(context) === 'table' && ladder) {
    context.stdout.write('\n');
    await printRows(context, rungs(ladder.currency), ladder.rungs);
    for (const { symbol, gainPct, mergedInto } of ladder.exits)
      if (mergedInto !== null) await context.say('cli.bots.merged', { symbol, gain: formatPercentNumber(gainPct) });
    await context.say('cli.bots.worstCase', { total: formatMoney(ladder.worstCaseTotal, ladder.currency), currency: ladder.currency });
    if (ladder.worstLoss === null) await context.say('cli.bots.noStop');
    else await context.say('cli.bots.worstLoss', { loss: formatMoney(ladder.worstLoss, ladder.currency), currency: ladder.currency });
  }
}
