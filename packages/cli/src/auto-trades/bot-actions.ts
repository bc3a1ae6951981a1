import { randomUUID } from 'node:crypto';
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, isDecimalText, lessThan } from '@pilotfish/core/money/decimal';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { colours } from '../ui/colour.ts';
import { formatOf, printOne } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { positions } from './bot-columns.ts';
import { botsClient, findBot } from './find-bot.ts';
import { findBotPosition } from './find-bot-position.ts';
import { checklist } from './why.ts';

const isRealMoney = ({ mode, exchange }: Pick<AutoTradeDetail, 'mode' | 'exchange'>): boolean => mode === 'live' && exchange === 'binance';

async function sure(context: Context, key: string, values: Record<string, unknown>): Promise<void> {
  if (!(await confirm(context, key, values))) throw new Ended(EXIT.failed);
}
const print = async (context: Context, position: AutoTradePosition) => printOne(context, positions(await context.texts()), position);

/**
 * Enters a coin now. Every rule but the trigger still holds: where one stops it, the rules are shown and the command
 * ends with 8.
 */
export async function enter(context: Context, { bot: wanted, coin }: { bot: string; coin: string }): Promise<void> {
  const client = await botsClient(context);
  const bot = await findBot(client, wanted);
  const symbol = coin.toUpperCase();
  const { coins } = await client.getAutoTradeDetail({ params: { id: bot.id } });
  if (!coins.includes(symbol))
    throw new LocalFailure('noSuchCoin', { wanted: symbol, names: coins.join(', ') || '–' }, { exit: EXIT.notFound });
  // Paper money needs no second thought; the account's does.
  if (isRealMoney(bot)) await sure(context, 'cli.bots.enter', { name: bot.name, symbol });
  const answer = await client.enterAutoTrade({ params: { id: bot.id }, body: { symbol } }, { idempotencyKey: randomUUID() });
  if (formatOf(context) === 'table') {
    const t = await context.texts();
    context.stdout.write(`${checklist(t, answer.evaluation, colours(context, context.stdout), context.unicode, widthOf(context))}\n`);
  } else {
    const { entered, evaluation } = answer;
    const row = { entered, ...evaluation };
    await printOne(
      context,
      {
        columns: (['symbol', 'entered', 'state', 'price', 'stoppedBy'] as const).map((key) => ({
          key,
          value: (each: typeof row) => String(each[key] ?? ''),
        })),
      },
      row,
    );
  }
  if (answer.entered) return context.say('cli.bots.entered', { name: bot.name, symbol });
  const t = await context.texts();
  const rule = answer.evaluation.stoppedBy;
  throw new LocalFailure('notEntered', { symbol, rule: rule ? t([`why.${rule}`], { defaultValue: rule }) : '–' }, { exit: EXIT.conflict });
}

/** Sells a position at the market. */
export async function sell(context: Context, { bot: wanted, coinOrPosition }: { bot: string; coinOrPosition: string }): Promise<void> {
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  const { symbol, quantity } = position;
  await sure(context, 'cli.bots.sell', { name: bot.name, symbol, quantity: formatQuantity(quantity) });
  const params = { id: bot.id, positionId: position.id };
  await print(context, await client.sellAutoTradePosition({ params }, { idempotencyKey: randomUUID() }));
}

/** Sells everything at this price, in place of the take-profit levels; `none` gives it back to the settings. */
export async function target(
  context: Context,
  { bot: wanted, coinOrPosition, price }: { bot: string; coinOrPosition: string; price: string },
): Promise<void> {
  const isNone = /^(none|yok|-)$/i.test(price);
  if (!isNone && (!isDecimalText(price) || !/[1-9]/.test(price) || price.startsWith('-')))
    throw new UsageError('amount', { flag: '<price>', value: price });
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  const seen = bot.evaluations.find(({ symbol }) => symbol === position.symbol)?.price;
  // A target that is reached already is a sale.
  if (!isNone && seen && !lessThan(decimal(seen), decimal(price)))
    await sure(context, 'cli.bots.targetReached', { symbol: position.symbol, price: formatQuantity(price), seen: formatQuantity(seen) });
  const params = { id: bot.id, positionId: position.id };
  await print(context, await client.setAutoTradePositionTarget({ params, body: { targetPrice: isNone ? null : price } }));
}

/** The coins stay with their owner and the bot forgets them. */
export async function detach(context: Context, { bot: wanted, coinOrPosition }: { bot: string; coinOrPosition: string }): Promise<void> {
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  await sure(context, 'cli.bots.detach', { name: bot.name, symbol: position.symbol, quantity: formatQuantity(position.quantity) });
  await print(context, await client.detachAutoTradePosition({ params: { id: bot.id, positionId: position.id } }));
}

/** Lets a position that needed its owner go on. */
export async function resume(context: Context, { bot: wanted, coinOrPosition }: { bot: string; coinOrPosition: string }): Promise<void> {
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  await print(context, await client.resumeAutoTradePosition({ params: { id: bot.id, positionId: position.id } }));
}
