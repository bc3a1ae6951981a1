import type { AutoTradeDetail, AutoTradePosition, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { nextOfBot } from '@pilotfish/core/auto-trades/position-risk';
import { isNothing } from '@pilotfish/core/money/figure';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';

type Bot = Pick<AutoTradeDetail, 'positions' | 'evaluations' | 'coins'>;

/** A coin of a bot with what it does there. */
export type BotCoin = {
  readonly symbol: string;
  /** What holds the coin or is about to; undefined while it is only watched. */
  readonly position: AutoTradePosition | undefined;
  readonly evaluation: Evaluation | undefined;
};

export const isOver = ({ state }: Pick<AutoTradePosition, 'state'>): boolean => state === 'Closed' || state === 'Detached';
export const isHeld = (position: Pick<AutoTradePosition, 'quantity'> | undefined): boolean =>
  position !== undefined && !isNothing(position.quantity);

/** How many coins have a tab, and so a key: 1 to 9. */
export const TABS = 9;

/**
 * The coins of a bot in an order that stays while prices move, so that a tab never slips away from a pointer: what is held,
 * the oldest first, what is being entered, then what is watched in the order in which the bot picks.
 */
export function coinsOf({ positions, evaluations, coins }: Bot): BotCoin[] {
  const live = positions
    .filter((position) => !isOver(position))
    .sort((a, b) => Number(isHeld(b)) - Number(isHeld(a)) || (a.openedAt ?? '').localeCompare(b.openedAt ?? ''));
  const symbols = new Set([...live.map(({ symbol }) => symbol), ...coins, ...evaluations.map(({ symbol }) => symbol)]);
  return [...symbols].map((symbol) => ({
    symbol,
    position: live.find((position) => position.symbol === symbol),
    evaluation: evaluations.find((each) => each.symbol === symbol),
  }));
}

/** The coin that is looked at first: of what the bot waits for the next event, of a held coin rather than of a watched one. */
export const firstCoin = (bot: Bot): string | undefined => nextOfBot(bot.evaluations)?.symbol ?? coinsOf(bot)[0]?.symbol;

/** The tabs: the first coins, and the chosen one wherever it stands; the others are in the list behind them. */
export function tabsOf(coins: readonly BotCoin[], chosen: string | undefined): { tabs: BotCoin[]; rest: BotCoin[] } {
  const shown = new Set(coins.slice(0, TABS));
  const other = coins.find(({ symbol }) => symbol === chosen);
  if (other) shown.add(other);
  return { tabs: coins.filter((coin) => shown.has(coin)), rest: coins.filter((coin) => !shown.has(coin)) };
}

/** What is chosen, as one text: a coin, or a position of it that is over. */
export const choiceOf = (symbol: string, positionId?: string): string => (positionId === undefined ? symbol : `${symbol}/${positionId}`);

/** The page of a bot at one of its coins. @param choice as `choiceOf` writes it */
export function pathOf(botId: string, choice: string, tab?: string): string {
  const query = new URLSearchParams({ coin: choice, ...(tab === undefined ? {} : { tab }) });
  return `/auto-trade/detail/${botId}?${query.toString()}`;
}

/** Where a position that is held has a page of its own: a bot's on that of its bot, at its coin. */
export const heldPath = ({ autoTradeId, positionId, symbol }: Pick<HeldPositionRow, 'autoTradeId' | 'positionId' | 'symbol'>): string =>
  autoTradeId === null ? `/positions/detail/${positionId}` : pathOf(autoTradeId, choiceOf(symbol));

/** What the page is about: a coin, its position, or one that is over. Undefined once the bot knows neither. */
export function focusOf(bot: Bot, choice: string | undefined): BotCoin | undefined {
  if (choice === undefined) return undefined;
  const [symbol, positionId] = choice.split('/');
  const coin = coinsOf(bot).find((each) => each.symbol === symbol);
  if (positionId === undefined) return coin;
  const position = bot.positions.find(({ id }) => id === positionId);
  return position && { symbol: position.symbol, position, evaluation: coin?.evaluation };
}
