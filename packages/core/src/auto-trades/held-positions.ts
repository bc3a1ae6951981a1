import type { Price } from '../money/figure.ts';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from './auto-trades-contract.ts';

/** States in which nothing of a position is left to act on. */
const OVER: ReadonlySet<string> = new Set(['Watching', 'Closed', 'Detached']);

/** Positions of a bot that hold something or are about to, in the order of the list. */
export const livePositions = ({ positions }: Pick<AutoTradeDetail, 'positions'>): AutoTradePosition[] =>
  positions.filter(({ state }) => !OVER.has(state));

/** Whether the exchange trades a coin of a bot: a price that stands since it stopped is worth nothing. */
export const isTraded = ({ evaluations }: Pick<AutoTradeDetail, 'evaluations'>, symbol: string): boolean =>
  !evaluations.some((each) => each.symbol === symbol && each.rules.some(({ rule, pass }) => rule === 'coin-trading' && !pass));

export type HeldPosition = {
  readonly bot: AutoTrade;
  readonly position: AutoTradePosition;
  /** The pair's price when its bot looked last; null before the first, and while the exchange does not trade the pair. */
  readonly price: Price | null;
  readonly isTraded: boolean;
};

/** Every live position of these bots, in an order that stays: that of the bots, then of their positions. */
export async function heldPositions(bots: readonly AutoTrade[], detail: (id: string) => Promise<AutoTradeDetail>): Promise<HeldPosition[]> {
  const found: HeldPosition[] = [];
  for (const bot of bots) {
    if (bot.openPositions === 0) continue;
    const all = await detail(bot.id);
    for (const position of livePositions(all)) {
      const seen = all.evaluations.find(({ symbol }) => symbol === position.symbol)?.price ?? null;
      const traded = isTraded(all, position.symbol);
      found.push({ bot, position, price: traded ? seen : null, isTraded: traded });
    }
  }
  return found;
}
