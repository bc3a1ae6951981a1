import type { Price } from '../money/figure.ts';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from './auto-trades-contract.ts';

/** States in which nothing of a position is left to act on. */
const OVER: ReadonlySet<string> = new Set(['Watching', 'Closed', 'Detached']);

/** Positions of a bot that hold something or are about to, in the order of the list. */
export const livePositions = ({ positions }: Pick<AutoTradeDetail, 'positions'>): AutoTradePosition[] =>
  positions.filter(({ state }) => !OVER.has(state));

export type HeldPosition = {
  readonly bot: AutoTrade;
  readonly position: AutoTradePosition;
  /** The pair's price when its bot looked last; null before the first. */
  readonly price: Price | null;
};

/** Every live position of these bots, in an order that stays: that of the bots, then of their positions. */
export async function heldPositions(bots: readonly AutoTrade[], detail: (id: string) => Promise<AutoTradeDetail>): Promise<HeldPosition[]> {
  const found: HeldPosition[] = [];
  for (const bot of bots) {
    if (bot.openPositions === 0) continue;
    const { evaluations, ...all } = await detail(bot.id);
    for (const position of livePositions(all))
      found.push({ bot, position, price: evaluations.find(({ symbol }) => symbol === position.symbol)?.price ?? null });
  }
  return found;
}
