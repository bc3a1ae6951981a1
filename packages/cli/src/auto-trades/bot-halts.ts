import { type CoinHalt, MAX_COIN_HALT_HOURS } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { heldPositions } from '@pilotfish/core/auto-trades/held-positions';
import { saleWords } from '@pilotfish/core/auto-trades/sale-outlook';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import { pricePlaces } from '../app/price-places.ts';
import { unreadableOf } from '../app/unreadable.ts';
import { formatOf, printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { type BotsClient, botsClient } from './find-bot.ts';

export type HaltFlags = { bot?: string; all?: true; coin?: string; hours?: string; sellOff?: true; reason?: string };
type Halted = { scope: 'coin' | 'bot' | 'all'; name: string; symbol: string; halted: number; liquidating: number };

/** The kill switch: of one bot, of all of them, or of entries of one coin for some hours. */
export async function halt(context: Context, { bot, all, coin, hours, sellOff, reason = '' }: HaltFlags): Promise<void> {
  if (bot !== undefined && all) throw new UsageError('botOrAll');
  if (coin === undefined && bot === undefined && !all) throw new UsageError('botOrAll');
  if (coin === undefined && hours !== undefined) throw new UsageError('hoursNeedCoin');
  if (coin !== undefined && sellOff) throw new UsageError('coinOrSellOff');
  const length = hours === undefined ? 24 : Number(hours);
  if (hours !== undefined && (!isDecimalText(hours) || length <= 0)) throw new UsageError('amount', { flag: '--hours', value: hours });
  if (length > MAX_COIN_HALT_HOURS) throw new UsageError('atMost', { flag: '--hours', most: MAX_COIN_HALT_HOURS });
  const time = formatDuration(length * 3_600_000, context.language, 4);
  const client = await botsClient(context);
  const found = bot === undefined ? undefined : await haltable(context, client, bot, coin === undefined);
  const symbol = coin?.toUpperCase();
  const name = found?.name ?? '';
  if (sellOff)
    await saySales(
      context,
      client,
      (await client.listAutoTrades()).filter(({ id }) => (found?.id ?? id) === id),
    );
  const question =
    symbol !== undefined
      ? found
        ? 'cli.bots.haltCoinOf'
        : 'cli.bots.haltCoin'
      : sellOff
        ? found
          ? 'cli.bots.haltSelling'
          : 'cli.bots.haltAllSelling'
        : found
          ? 'cli.bots.halt'
          : 'cli.bots.haltAll';
  if (!(await confirm(context, question, { name, symbol, time }))) throw new Ended(EXIT.failed);
  const scope =
    symbol !== undefined
      ? { scope: 'coin' as const, symbol, hours: length, ...(found ? { autoTradeId: found.id } : {}) }
      : found
        ? { scope: 'bot' as const, autoTradeId: found.id }
        : { scope: 'all' as const };
  const done = await client.haltAutoTrades({ body: { ...scope, reason, liquidate: sellOff === true } });
  const { json, jsonl, csv } = context.globals;
  if (json || jsonl || csv) {
    const row: Halted = { scope: scope.scope, name, symbol: symbol ?? '', ...done };
    const columns = (['scope', 'name', 'symbol', 'halted', 'liquidating'] as const).map((key) => ({
      key,
      value: (each: Halted) => String(each[key]),
    }));
    await printOne(context, { columns }, row);
  } else await context.say(symbol === undefined ? 'cli.bots.halted' : 'cli.bots.coinHalted', { count: done.halted, symbol, time });
  if (done.liquidating > 0) await context.say('cli.bots.liquidating', { count: done.liquidating });
}

/** The bot meant; of one that cannot be read only the whole can be halted. */
async function haltable(context: Context, client: BotsClient, wanted: string, isWhole: boolean): Promise<{ id: string; name: string }> {
  const bots = await client.listAutoTrades();
  try {
    return findByName('bot', bots, wanted);
  } catch (error) {
    const unreadable = isWhole && error instanceof LocalFailure ? await unreadableOf(context, 'auto-trade') : [];
    if (unreadable.length === 0) throw error;
    return findByName('bot', [...bots, ...unreadable.map(({ id, name }) => ({ id, name: name ?? id }))], wanted);
  }
}

/** What a sell-off would sell: how much, at what price and with what result, one line a position. */
async function saySales(context: Context, client: BotsClient, bots: readonly AutoTrade[]): Promise<void> {
  const [t, places] = await Promise.all([context.texts(), pricePlaces(context)]);
  for (const { bot, position, price, isTraded } of await heldPositions(bots, (id) => client.getAutoTradeDetail({ params: { id } }))) {
    const sale = saleWords(t, position, price, { currency: bot.currency, pricePrecision: places(position.symbol), isTraded });
    context.stderr.write(`${bot.name}  ${position.symbol}  ${sale}\n`);
  }
}

type Row = CoinHalt & { bot: string };
const rows: Resource<Row> = {
  empty: 'halts',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
    { key: 'bot', value: ({ bot }) => bot },
    { key: 'until', value: ({ until }) => until, shown: ({ until }) => localTime(until) },
    { key: 'haltedAt', value: ({ haltedAt }) => haltedAt, shown: ({ haltedAt }) => localTime(haltedAt), rank: 2 },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 1 },
    { key: 'reason', value: ({ reason }) => reason },
  ],
};

async function coinHalts(context: Context) {
  const client = await botsClient(context);
  const [halts, list] = await Promise.all([client.listCoinHalts(), client.listAutoTrades()]);
  const nameOf = (id: string | null) => (id === null ? '*' : (list.find((each) => each.id === id)?.name ?? id));
  return { client, list, halts: halts.map((each): Row => ({ ...each, bot: nameOf(each.autoTradeId) })) };
}

/** Kill switches of coins in force; a person is also told which bots are halted. */
export async function halts(context: Context): Promise<void> {
  const { halts: found, list } = await coinHalts(context);
  await printRows(context, rows, found);
  const halted = list.filter(({ state }) => state === 'Halted');
  if (formatOf(context) === 'table' && halted.length > 0)
    await context.say('cli.bots.haltedBots', { names: halted.map(({ name }) => name).join(', ') });
}

/** Lets bots enter a coin again: every kill switch of the coin, or the one named by its id. */
export async function lift(context: Context, { coinOrHalt: wanted }: { coinOrHalt: string }): Promise<void> {
  const { client, halts: found } = await coinHalts(context);
  const meant = found.filter(({ id, symbol }) => symbol === wanted.toUpperCase() || (wanted.length >= 4 && id.startsWith(wanted)));
  if (meant.length === 0)
    throw new LocalFailure('noSuchHalt', { wanted, names: found.map(({ symbol }) => symbol).join(', ') || '–' }, { exit: EXIT.notFound });
  for (const { id, symbol, bot } of meant) {
    await client.liftCoinHalt({ params: { id } });
    await context.say(bot === '*' ? 'cli.bots.lifted' : 'cli.bots.liftedOf', { symbol, name: bot });
  }
}
