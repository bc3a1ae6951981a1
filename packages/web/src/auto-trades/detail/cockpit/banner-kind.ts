import type { AutoTradeDetail, AutoTradePosition, BotAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type AutoTradeStateName, mayTrade, newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';

/** What needs its owner, or why a bot rests, and the one action that helps; the worst first. */
export type BotBanner = {
  readonly kind: 'unread' | 'halted' | 'frozen' | 'blocked' | 'paused';
  /** What is asked of the bot. */
  readonly action?: BotAction;
  /** Where else it is put right. */
  readonly path?: '/user/exchange-connect' | '/auto-trade/wallets';
};

const PATHS: Readonly<Record<string, BotBanner['path']>> = {
  'invalid-key': '/user/exchange-connect',
  'trading-disabled': '/user/exchange-connect',
  underfunded: '/auto-trade/wallets',
};

type Bot = Pick<
  AutoTradeDetail,
  'state' | 'stateReason' | 'pausedUntil' | 'unreadPair' | 'exits' | 'openPositions' | 'allowed' | 'withheld'
>;

/** Undefined while there is nothing to say that the sentence in the header does not. */
export function bannerOf(bot: Bot): BotBanner | undefined {
  const offers = (action: BotAction) =>
    bot.allowed.includes(action) || bot.withheld.some((each) => each.action === action) ? { action } : {};
  if (bot.unreadPair) return { kind: 'unread' };
  if (bot.state === 'Halted') return { kind: 'halted', ...offers('acknowledge') };
  if (bot.exits === 'freeze' && bot.openPositions > 0) return { kind: 'frozen', ...offers('unfreeze') };
  if (bot.stateReason === null && bot.pausedUntil === null) return undefined;
  const path = PATHS[bot.stateReason ?? ''];
  if (path) return { kind: 'blocked', path };
  return { kind: bot.state === 'Blocked' ? 'blocked' : 'paused', ...offers('resume') };
}

/** Positions of other coins that wait for their owner, whichever coin is looked at. */
export const waitingElsewhere = (positions: readonly AutoTradePosition[], symbol: string | undefined): AutoTradePosition[] =>
  positions.filter((position) => position.state === 'NeedsAttention' && position.symbol !== symbol);

/** Whether the levels are in force, by the rule of the bot's machine: frozen or halted it sends nothing. */
export const sendsExits = ({ state, exits, mustAcknowledge, unreadPair }: Bot & Pick<AutoTradeDetail, 'mustAcknowledge'>): boolean =>
  !unreadPair && mayTrade(state.toLowerCase() as AutoTradeStateName, { ...newAutoTradeContext, exits, mustAcknowledge });
