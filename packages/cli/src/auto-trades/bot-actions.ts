import { randomUUID } from 'node:crypto';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { entryWords } from '@pilotfish/core/auto-trades/entry-outlook';
import { isTraded } from '@pilotfish/core/auto-trades/held-positions';
import { moneyOf } from '@pilotfish/core/auto-trades/real-money';
import { saleWords } from '@pilotfish/core/auto-trades/sale-outlook';
import type { TextValues } from '@pilotfish/core/fields/text-values';
import { AppError } from '@pilotfish/core/http/problem';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import { listPairs } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { pricePlaces } from '../app/price-places.ts';
import { requireTrading } from '../app/require-trading.ts';
import { colours } from '../ui/colour.ts';
import { type Column, formatOf, printOne } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { unchecked } from '../ui/unchecked.ts';
import { positions } from './bot-columns.ts';
import { botsClient, findBot } from './find-bot.ts';
import { findBotPosition } from './find-bot-position.ts';
import { askingForSale } from './sale-consent.ts';
import { checklist } from './why.ts';

async function sure(context: Context, key: string, values: TextValues): Promise<void> {
  if (!(await confirm(context, key, values))) throw new Ended(EXIT.failed);
}
const print = async (context: Context, { currency }: AutoTrade, position: AutoTradePosition) =>
  printOne(context, positions(await context.texts(), currency), position);

/** Whatever buys at once is asked about with what, how much and at what price; paper money too, as when it sells. */
async function askedToEnter(context: Context, detail: AutoTradeDetail, symbol: string): Promise<void> {
  const t = await context.texts();
  const client = await context.client({ listPairs: unchecked(listPairs) });
  const pair = (await client.listPairs()).find((each) => each.symbol === symbol);
  const seen = detail.evaluations.find((each) => each.symbol === symbol)?.price;
  const what = t(`autoTrades.enter.${moneyOf(detail)}`, { name: detail.name });
  await sure(context, 'cli.bots.enter', { what, symbol, entry: entryWords(t, detail, symbol, seen, pair) });
}

/**
 * Enters a coin now. Every rule but the trigger still holds: where one stops it, the rules are shown and the command
 * ends with 8.
 */
export async function enter(context: Context, { bot: wanted, coin }: { bot: string; coin: string }): Promise<void> {
  const client = await botsClient(context);
  const bot = await findBot(client, wanted);
  const symbol = coin.toUpperCase();
  const detail = await client.getAutoTradeDetail({ params: { id: bot.id } });
  if (!detail.coins.includes(symbol))
    throw new LocalFailure('noSuchCoin', { wanted: symbol, names: detail.coins.join(', ') || '–' }, { exit: EXIT.notFound });
  if (bot.mode === 'live') await requireTrading(context);
  await askedToEnter(context, detail, symbol);
  const answer = await client.enterAutoTrade({ params: { id: bot.id }, body: { symbol } }, { idempotencyKey: randomUUID() });
  if (formatOf(context) === 'table') {
    const [t, places] = await Promise.all([context.texts(), pricePlaces(context)]);
    context.stdout.write(
      `${checklist(t, answer.evaluation, { paint: colours(context, context.stdout), unicode: context.unicode, currency: bot.currency, places: places(symbol), room: widthOf(context) })}\n`,
    );
  } else {
    const { entered, evaluation } = answer;
    const row = { entered, ...evaluation };
    const columns: Column<typeof row>[] = [
      { key: 'symbol', value: (each) => each.symbol },
      { key: 'entered', value: (each) => String(each.entered) },
      { key: 'state', value: (each) => each.state },
      { key: 'price', value: (each) => each.price, pair: (each) => each.symbol },
      { key: 'stoppedBy', value: (each) => each.stoppedBy },
    ];
    await printOne(context, { columns }, row);
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
  const { symbol } = position;
  // What would be refused is not asked for first.
  if (position.withheld.some(({ action }) => action === 'sell')) throw new AppError('trading-disabled');
  const t = await context.texts();
  const seen = bot.evaluations.find((each) => each.symbol === symbol)?.price;
  const pricePrecision = (await pricePlaces(context))(symbol);
  const sale = saleWords(t, position, seen, { currency: bot.currency, pricePrecision, isTraded: isTraded(bot, symbol) });
  await sure(context, 'cli.bots.sell', { name: bot.name, symbol, sale });
  const params = { id: bot.id, positionId: position.id };
  await print(context, bot, await client.sellAutoTradePosition({ params }, { idempotencyKey: randomUUID() }));
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
  const params = { id: bot.id, positionId: position.id };
  const targetPrice = isNone ? null : price;
  // A price that is reached already is a sale.
  const answer = await askingForSale(context, (consent) =>
    client.setAutoTradePositionTarget({ params, body: { targetPrice, ...consent } }),
  );
  await print(context, bot, answer);
}

/** The coins stay with their owner and the bot forgets them. */
export async function detach(context: Context, { bot: wanted, coinOrPosition }: { bot: string; coinOrPosition: string }): Promise<void> {
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  await sure(context, 'cli.bots.detach', { name: bot.name, symbol: position.symbol, quantity: formatQuantity(position.quantity) });
  await print(context, bot, await client.detachAutoTradePosition({ params: { id: bot.id, positionId: position.id } }));
}

/** Lets a position that needed its owner go on. */
export async function resume(context: Context, { bot: wanted, coinOrPosition }: { bot: string; coinOrPosition: string }): Promise<void> {
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  await sure(context, 'cli.bots.resume', { name: bot.name, symbol: position.symbol });
  const params = { id: bot.id, positionId: position.id };
  // An exit that is due sells as soon as it goes on.
  const resumed = await askingForSale(context, (consent) => client.resumeAutoTradePosition({ params, body: { ...consent } }));
  await print(context, bot, resumed);
}

/** The unit of a coin changed while it was halted: so many new coins for one old one, or as many as the prices suggest. */
export async function carryOver(
  context: Context,
  { bot: wanted, coinOrPosition, factor: typed }: { bot: string; coinOrPosition: string; factor?: string },
): Promise<void> {
  if (typed !== undefined && (!isDecimalText(typed) || !/[1-9]/.test(typed) || typed.startsWith('-')))
    throw new UsageError('amount', { flag: '[factor]', value: typed });
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  const { jump, symbol } = position;
  if (!jump) throw new AppError('no-jump');
  const factor = typed ?? digits(jump.factor);
  const places = (await pricePlaces(context))(symbol);
  const values = { before: formatPrice(jump.before, places), price: formatPrice(jump.price, places), factor: formatQuantity(factor) };
  await sure(context, 'cli.bots.carryOver', { name: bot.name, symbol, ...values });
  const params = { id: bot.id, positionId: position.id };
  const body = { factor };
  const carried = await askingForSale(context, (consent) => client.carryOverAutoTradePosition({ params, body: { ...body, ...consent } }));
  await print(context, bot, carried);
}
