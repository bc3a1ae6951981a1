import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import type { Percent, Price } from '@pilotfish/core/money/figure';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { BotRow } from '../../auto-trades/list/bot-rows.ts';

/** A bot beside one of its pairs. `next` is what it waits for there; undefined where it waits elsewhere, or for nothing. */
export type PairBot = {
  readonly row: BotRow;
  readonly holds: boolean;
  readonly next: { readonly waitsFor: NonNullable<HeldPositionRow['next']>['waitsFor']; readonly distancePct: Percent | null } | undefined;
};

const far = ({ next }: PairBot): number => (next?.distancePct == null ? Number.POSITIVE_INFINITY : Math.abs(Number(next.distancePct)));

/**
 * The bots that trade a pair: it is among their coins, they hold it, or a filter of theirs made them wait for it. Those that
 * hold it come first, then those whose next event is nearest.
 * @param held what is held of the pair, live and on paper
 */
export function botsOfPair(rows: readonly BotRow[], symbol: string, held: readonly HeldPositionRow[], price: Price | undefined): PairBot[] {
  const heldBy = new Map(held.map((row) => [row.autoTradeId, row]));
  return rows
    .filter(
      ({ bot, figures }) =>
        bot.config.coins.symbols.includes(symbol) ||
        heldBy.has(bot.id) ||
        figures?.holds.includes(symbol) === true ||
        figures?.next?.symbol === symbol,
    )
    .map((row): PairBot => {
      const own = heldBy.get(row.bot.id);
      const next = own?.next ?? (row.figures?.next?.symbol === symbol ? row.figures.next : undefined);
      return {
        row,
        holds: own !== undefined || row.figures?.holds.includes(symbol) === true,
        next: next && {
          waitsFor: next.waitsFor,
          distancePct: distancePct(price ?? null, next.waitsFor.price) ?? next.distancePct,
        },
      };
    })
    .sort(
      (one, other) =>
        Number(other.holds) - Number(one.holds) || far(one) - far(other) || one.row.bot.name.localeCompare(other.row.bot.name),
    );
}
