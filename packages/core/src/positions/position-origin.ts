import { BY_HAND } from '../auto-trades/exit-reason-contract.ts';
import type { ClosedExit } from './positions-contract.ts';

/** A fill that a bot brought about; `at` in epoch ms, by the exchange. */
export type OwnFill = {
  readonly autoTradeId: string;
  readonly symbol: string;
  readonly side: 'Buy' | 'Sell';
  readonly at: number;
  /** Why it sold; null for a buy. */
  readonly reason: Exclude<ClosedExit, 'hand' | 'gone'> | null;
};
/** A closed position of the ledger, as far as it says whose it was. */
export type ClosedSpan = {
  readonly symbol: string;
  readonly openedAt: number;
  readonly closedAt: number;
  readonly closedBy: 'sell' | 'gone' | 'hand' | null;
  /** Fills in it. */
  readonly trades: number;
};
export type PositionOrigin = {
  /** Ids of the bots that traded in it, the first to trade first. */
  readonly bots: readonly string[];
  /** Fills that no bot brought about are in it, or it has none at all. */
  readonly byHand: boolean;
  readonly exit: ClosedExit;
};

const SECOND = 1000;

/** The name of a fill at the exchange: trades are counted pair by pair. */
export const fillKey = (symbol: string, tradeId: string): string => `${symbol} ${tradeId}`;

/**
 * Whose closed positions were, and what ended each. The ledger holds a coin's positions one after the other, so that a
 * fill's moment says which one it belongs to; where one ends in the moment in which the next begins, a sale is of the
 * first and a buy of the second.
 */
export function positionOrigins(fills: Iterable<OwnFill>): (span: ClosedSpan) => PositionOrigin {
  const bySymbol = new Map<string, OwnFill[]>();
  for (const fill of fills) {
    const known = bySymbol.get(fill.symbol);
    if (known) known.push(fill);
    else bySymbol.set(fill.symbol, [fill]);
  }
  for (const list of bySymbol.values()) list.sort((one, other) => one.at - other.at);

  return ({ symbol, openedAt, closedAt, closedBy, trades }) => {
    // Files of the exchange say whole seconds: a fill of a bot would seem to come after what it ended.
    const isRounded = openedAt % SECOND === 0 && closedAt % SECOND === 0;
    const at = (fill: OwnFill): number => (isRounded ? fill.at - (fill.at % SECOND) : fill.at);
    const all = bySymbol.get(symbol) ?? [];
    const own: OwnFill[] = [];
    for (let index = firstFrom(all, openedAt); index < all.length; index += 1) {
      const fill = all[index]!;
      const moment = at(fill);
      if (moment > closedAt) break;
      if (moment === openedAt && fill.side === 'Sell' && moment !== closedAt) continue;
      if (moment === closedAt && fill.side === 'Buy' && moment !== openedAt) continue;
      own.push(fill);
    }
    const last = own.findLast((fill) => fill.side === 'Sell' && at(fill) === closedAt);
    return {
      bots: [...new Set(own.map(({ autoTradeId }) => autoTradeId))],
      byHand: trades > own.length || own.length === 0,
      exit: closedBy === 'gone' ? 'gone' : closedBy === 'hand' ? BY_HAND : (last?.reason ?? BY_HAND),
    };
  };
}

/** The index of the first fill that is not before a moment; all are in order. */
function firstFrom(fills: readonly OwnFill[], at: number): number {
  let [low, high] = [0, fills.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fills[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
