import { type Decimal, decimal, fromFloat, isPositive } from '@pilotfish/core/money/decimal';
import type { Market } from './market.ts';

export type PriceSource = Pick<Market, 'board' | 'price' | 'pair' | 'loaded'>;

/** Bids come as numbers; no price of the exchange has more digits. */
const BID_SCALE = 8;

/** What a seller gets now: the best bid, or the last price where none is known; null for a pair without one. */
export function sellPrice(market: Pick<PriceSource, 'board' | 'price' | 'pair'>, symbol: string): Decimal | null {
  const pair = market.pair(symbol);
  if (pair === undefined) return null;
  const index = market.board.index(symbol);
  const bid = index === undefined ? Number.NaN : market.board.column('bid')[index]!;
  if (bid > 0) return fromFloat(bid, Math.max(pair.pricePrecision, BID_SCALE));
  const last = market.price(symbol);
  return last === undefined || !isPositive(decimal(last)) ? null : decimal(last);
}
