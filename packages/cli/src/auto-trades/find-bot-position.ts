import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { livePositions } from '@pilotfish/core/auto-trades/held-positions';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { type BotsClient, findBot } from './find-bot.ts';

/**
 * The live position of a bot that is meant by its coin (`BTCUSDT`, or `BTC` where only one begins so), its id or the
 * beginning of its id.
 * @throws LocalFailure `noBotPosition` (7) naming those there are, `ambiguous` (2)
 */
export async function findBotPosition(
  client: BotsClient,
  bot: string,
  wanted: string,
): Promise<{ bot: AutoTradeDetail; position: AutoTradePosition }> {
  const { id } = await findBot(client, bot);
  const detail = await client.getAutoTradeDetail({ params: { id } });
  const live = livePositions(detail);
  const coin = wanted.toUpperCase();
  const exact = live.filter((each) => each.symbol === coin || each.id === wanted);
  const found =
    exact.length > 0 ? exact : live.filter((each) => each.symbol.startsWith(coin) || (wanted.length >= 4 && each.id.startsWith(wanted)));
  const [position, ...others] = found;
  if (position && others.length === 0) return { bot: detail, position };
  const names = (position ? found : live).map(({ symbol }) => symbol).join(', ');
  throw position
    ? new LocalFailure('ambiguous', { wanted, names }, { exit: EXIT.usage })
    : new LocalFailure('noBotPosition', { bot: detail.name, wanted, names: names || '–' }, { exit: EXIT.notFound });
}
