import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import type { Need } from '@pilotfish/core/overview/overview-contract';

export const GROUPS = ['needs', 'running', 'paused', 'stopped'] as const;
/** What a bot is to the reader of a list; every bot is in one. */
export type Group = (typeof GROUPS)[number];

/** A bot as the list shows it. */
export type BotRow = {
  readonly bot: AutoTrade;
  /** Undefined while they are not known. */
  readonly figures: AutoTradeFigures | undefined;
  /** The most urgent thing for which the server says that a person is needed. */
  readonly need: Need | undefined;
  readonly group: Group;
};

/** While it is not known what needs somebody, a bot that stands still may. */
const STANDS_STILL: ReadonlySet<AutoTrade['state']> = new Set(['Blocked', 'Halted']);

function groupOf(bot: AutoTrade, need: Need | undefined, isKnown: boolean): Group {
  if (need !== undefined || (!isKnown && (STANDS_STILL.has(bot.state) || bot.unreadPair != null))) return 'needs';
  if (bot.state === 'Running') return 'running';
  return bot.state === 'Paused' ? 'paused' : 'stopped';
}

/** Bots with their figures and what they need. @param needs of the server, most urgent first; undefined while they are not known */
export function botRows(
  bots: readonly AutoTrade[],
  figures: readonly AutoTradeFigures[] | undefined,
  needs: readonly Need[] | undefined,
): readonly BotRow[] {
  const byId = new Map(figures?.map((each) => [each.id, each]));
  const needOf = new Map<string, Need>();
  for (const need of needs ?? []) if (need.autoTradeId !== null && !needOf.has(need.autoTradeId)) needOf.set(need.autoTradeId, need);
  return bots.map((bot) => {
    const need = needOf.get(bot.id);
    return { bot, figures: byId.get(bot.id), need, group: groupOf(bot, need, needs !== undefined) };
  });
}
