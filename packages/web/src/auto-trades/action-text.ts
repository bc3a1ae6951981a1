import type { AutoTrade, BotAction } from '@pilotfish/core/auto-trades/auto-trades-contract';

/** The key of what an action of a bot is called. A halted bot enters nothing: its entries cannot be paused, only the bot disabled. */
export const actionText = ({ state }: Pick<AutoTrade, 'state'>, action: BotAction): string =>
  action === 'disable' && state === 'Halted' ? 'autoTrades.disableHalted' : `autoTrades.action.${action}`;
