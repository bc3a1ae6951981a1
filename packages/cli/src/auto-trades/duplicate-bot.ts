import { randomUUID } from 'node:crypto';
import { copyName } from '@pilotfish/core/auto-trades/config/copy-name';
import type { Context } from '../app/context.ts';
import { findByName } from '../app/find.ts';
import { printOne } from '../ui/output.ts';
import { bots } from './bot-columns.ts';
import { botsClient } from './find-bot.ts';

/** Saves the settings of a bot under another name, in the same wallet. The copy is disabled, so that no money moves and nothing is asked. */
export async function duplicate(context: Context, { bot: wanted, name }: { bot: string; name?: string }): Promise<void> {
  const client = await botsClient(context);
  const [all, t] = await Promise.all([client.listAutoTrades(), context.texts()]);
  const original = findByName('bot', all, wanted);
  const names = all.map((each) => each.name);
  const body = { ...original.config, name: name ?? copyName(original.name, names, t('autoTrades.copySuffix')) };
  const { autoTrade } = await client.createAutoTrade({ body, query: {} }, { idempotencyKey: randomUUID() });
  if (!autoTrade) return;
  await context.say('cli.bots.duplicated', {
    name: autoTrade.name,
    mode: t(`autoTrades.mode.${autoTrade.mode}`),
    wallet: autoTrade.walletName,
  });
  await printOne(context, bots(t), autoTrade);
}
