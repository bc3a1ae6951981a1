import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { printOne } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { bots } from './bot-columns.ts';
import { botsClient, findBot } from './find-bot.ts';

const print = async (context: Context, bot: AutoTrade) => printOne(context, bots(await context.texts()), bot);

async function sure(context: Context, key: string, values: Record<string, unknown>): Promise<void> {
  if (!(await confirm(context, key, values))) throw new Ended(EXIT.failed);
}

export async function enable(context: Context, { bot, acknowledge }: { bot: string; acknowledge?: true }): Promise<void> {
  const client = await botsClient(context);
  const found = await findBot(client, bot);
  // Paper money needs no second thought; the account's does.
  if (found.mode === 'live' && found.exchange === 'binance')
    await sure(context, 'cli.bots.enableLive', { name: found.name, wallet: found.walletName });
  await print(context, await client.enableAutoTrade({ params: { id: found.id }, body: { acknowledge: acknowledge === true } }));
}

export async function disable(context: Context, { bot, exits }: { bot: string; exits: 'continue' | 'freeze' }): Promise<void> {
  const client = await botsClient(context);
  const { id } = await findBot(client, bot);
  await print(context, await client.disableAutoTrade({ params: { id }, body: { exits } }));
}

export async function reset(context: Context, { bot, detach }: { bot: string; detach?: true }): Promise<void> {
  const client = await botsClient(context);
  const { id, name, openPositions } = await findBot(client, bot);
  await sure(context, detach ? 'cli.bots.resetDetach' : 'cli.bots.reset', { name, count: openPositions });
  await print(context, await client.resetAutoTrade({ params: { id }, body: { detach: detach === true } }));
}

export async function remove(context: Context, { bot, detach }: { bot: string; detach?: true }): Promise<void> {
  const client = await botsClient(context);
  const { id, name, openPositions } = await findBot(client, bot);
  await sure(context, detach ? 'cli.bots.removeDetach' : 'cli.bots.remove', { name, count: openPositions });
  await client.deleteAutoTrade({ params: { id }, query: { detach: String(detach === true) } });
  await context.say('cli.bots.removed', { name });
}
