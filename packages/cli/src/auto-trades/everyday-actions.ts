import { haltAutoTrades } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import { heldPositions } from '@pilotfish/core/auto-trades/held-positions';
import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import { listPairs } from '@pilotfish/core/prices/prices-contract';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { confirm } from '../ui/prompt.ts';
import { unchecked } from '../ui/unchecked.ts';
import { sell as sellOf } from './bot-actions.ts';
import { halt } from './bot-halts.ts';
import { botsClient } from './find-bot.ts';

const MOST_PAUSE_MINUTES = 7 * 24 * 60;
/** A bare coin is meant in this one. */
const QUOTE = 'USDT';

/** No bot enters the coin for some minutes; what is held is sold by its rules. */
export async function pause(context: Context, { symbol: coin, minutes }: { symbol: string; minutes: string }): Promise<void> {
  const length = Number(minutes);
  if (!/^\d{1,5}$/.test(minutes) || length < 1) throw new UsageError('amount', { flag: '<minutes>', value: minutes });
  if (length > MOST_PAUSE_MINUTES) throw new UsageError('atMost', { flag: '<minutes>', most: MOST_PAUSE_MINUTES });
  const client = await context.client({ haltAutoTrades, listPairs: unchecked(listPairs) });
  const pairs = (await client.listPairs()).map((pair) => pair.symbol);
  const word = coin.toUpperCase();
  const symbol = [word, `${word}${QUOTE}`].find((each) => pairs.includes(each));
  if (symbol === undefined)
    throw new LocalFailure('noSuchCoin', { wanted: word, names: nearestWord(word, pairs) ?? '–' }, { exit: EXIT.notFound });
  const time = formatDuration(length * 60_000, context.language, 4);
  if (!(await confirm(context, 'cli.everyday.pause', { symbol, time }))) throw new Ended(EXIT.failed);
  await client.haltAutoTrades({ body: { scope: 'coin', symbol, hours: length / 60, reason: 'CLI' } });
  await context.say('cli.everyday.paused', { symbol, time });
}

/** Sells what a bot holds of a coin, whichever bot it is. */
export async function sell(context: Context, { coinOrPosition: wanted }: { coinOrPosition: string }): Promise<void> {
  const client = await botsClient(context);
  const held = await heldPositions(await client.listAutoTrades(), (id) => client.getAutoTradeDetail({ params: { id } }));
  const coin = wanted.toUpperCase();
  const exact = held.filter(({ position }) => position.symbol === coin || position.id === wanted.toLowerCase());
  const found =
    exact.length > 0
      ? exact
      : held.filter(({ position: { symbol, id } }) => symbol.startsWith(coin) || (wanted.length >= 4 && id.startsWith(wanted)));
  const [only, ...others] = found;
  const named = (list: typeof held) => list.map(({ bot, position }) => `${position.symbol} (${bot.name})`).join(', ') || '–';
  if (only === undefined) throw new LocalFailure('noHeldPosition', { wanted, names: named(held) }, { exit: EXIT.notFound });
  if (others.length > 0) throw new LocalFailure('ambiguous', { wanted, names: named(found) }, { exit: EXIT.usage });
  await sellOf(context, { bot: only.bot.id, coinOrPosition: only.position.id });
}

/** The kill switch of all bots. */
export const stopall = (context: Context): Promise<void> => halt(context, { all: true });
