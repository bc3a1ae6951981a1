import { choiceOf, pathOf } from '../auto-trades/detail/cockpit/chosen-coin.ts';
import type { Chosen } from './chosen.ts';

/** The id of its row (`data-row`) and in the address. */
export const idOf = (chosen: Chosen): string => (chosen.kind === 'closed' ? chosen.row.id : chosen.row.positionId);

/** Whose position it is: the bots that traded in it, and whether its owner did by hand. */
export function ownersOf(chosen: Chosen): { readonly bots: readonly { id: string; name: string }[]; readonly byHand: boolean } {
  if (chosen.kind === 'closed') return chosen.row;
  const { autoTradeId: id, botName } = chosen.row;
  return id === null ? { bots: [], byHand: true } : { bots: [{ id, name: botName ?? '' }], byHand: false };
}

/** The bot whose page has the position: of an open position of a bot, and of a closed one on paper. The ledger has all others. */
export function botOf(chosen: Chosen): string | undefined {
  if (chosen.kind === 'bot') return chosen.row.autoTradeId ?? undefined;
  return chosen.kind === 'closed' && chosen.mode === 'paper' ? chosen.row.bots[0]?.id : undefined;
}

/** The full page of a position: of a bot's its bot at that coin, else its own. @param tab of the bot's page */
export function pageOf(chosen: Chosen, tab?: string): string {
  const bot = botOf(chosen);
  if (bot === undefined) return `/positions/detail/${idOf(chosen)}`;
  const { symbol } = chosen.row;
  return pathOf(bot, chosen.kind === 'closed' ? choiceOf(symbol, idOf(chosen)) : choiceOf(symbol), tab);
}
