import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { exposureOf } from '@pilotfish/core/auto-trades/exposure';
import { moneyOf } from '@pilotfish/core/auto-trades/real-money';
import { spendWords } from '@pilotfish/core/auto-trades/spend-outlook';
import type { TextValues } from '@pilotfish/core/fields/text-values';
import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { printOne } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { bots } from './bot-columns.ts';
import { botsClient, findBot } from './find-bot.ts';
import { askingForSale } from './sale-consent.ts';

const print = async (context: Context, bot: AutoTrade) => printOne(context, bots(await context.texts()), bot);

async function sure(context: Context, key: string, values: TextValues): Promise<void> {
  if (!(await confirm(context, key, values))) throw new Ended(EXIT.failed);
}

export async function enable(context: Context, { bot, acknowledge }: { bot: string; acknowledge?: true }): Promise<void> {
  const client = await botsClient(context);
  const found = await findBot(client, bot);
  // What would be refused is not asked for first.
  if (found.withheld.some(({ action }) => action === 'enable' || action === 'resume' || action === 'acknowledge'))
    throw new AppError('trading-disabled');
  const exposure = found.mode === 'live' ? exposureOf(found.config) : undefined;
  if (exposure) await context.say('cli.bots.exposed', { what: (await context.texts())(`autoTrades.exposed.${exposure}`) });
  // Paper money needs no second thought; the account's does.
  const money = moneyOf(found);
  if (money !== 'paper') {
    const t = await context.texts();
    const values = { name: found.name, wallet: found.walletName, spend: spendWords((key, given) => t(key, given), found) };
    await sure(context, money === 'test' ? 'cli.bots.enableTest' : 'cli.bots.enableLive', values);
  }
  const enabled = await askingForSale(context, (consent) =>
    client.enableAutoTrade({
      params: { id: found.id },
      body: { acknowledge: acknowledge === true, version: found.configVersion, ...consent },
    }),
  );
  await print(context, enabled);
}

export async function disable(context: Context, { bot, exits }: { bot: string; exits: 'continue' | 'freeze' }): Promise<void> {
  const client = await botsClient(context);
  const { id, name, allowed, openPositions } = await findBot(client, bot);
  const t = await context.texts();
  const values = { name, count: openPositions };
  if (exits === 'freeze' && allowed.includes('freeze'))
    await sure(context, 'cli.bots.freeze', { name, what: t('autoTrades.ask.freeze.what', values) });
  // Exits that waited are sent at once: that is a sale, and asked for as one.
  if (exits === 'continue' && allowed.includes('unfreeze'))
    await sure(context, 'cli.bots.unfreeze', { name, what: t('autoTrades.ask.unfreeze.what', values) });
  const disabled = await askingForSale(context, (consent) => client.disableAutoTrade({ params: { id }, body: { exits, ...consent } }));
  await print(context, disabled);
  if (disabled.mustAcknowledge && openPositions > 0) await context.say('autoTrades.stillHalted', {});
}

/** Exits of a frozen bot are sent again; it stays disabled. */
export async function unfreeze(context: Context, { bot }: { bot: string }): Promise<void> {
  const { name, allowed } = await findBot(await botsClient(context), bot);
  if (!allowed.includes('unfreeze')) throw new LocalFailure('notFrozen', { name }, { exit: EXIT.conflict });
  await disable(context, { bot, exits: 'continue' });
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
