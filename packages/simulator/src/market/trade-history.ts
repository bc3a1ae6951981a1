import { lastTradeIndex } from './book.ts';
import type { Market, Pair, TickBlock } from './market-contract.ts';

/** One trade: where it stands in its bar. */
export type Trade = { id: number; block: TickBlock; index: number };

/** Trades up to now in time order: from an id or a time on, else the most recent ones up to `endTime`. */
export function tradesOf(
  market: Market,
  pair: Pair,
  now: number,
  query: { fromId?: number | undefined; startTime?: number | undefined; endTime?: number | undefined; limit: number },
): Trade[] {
  const end = Math.min(query.endTime ?? now, now);
  const length = market.barLength(pair);
  const trades: Trade[] = [];
  if (query.fromId === undefined && query.startTime === undefined) {
    for (
      let time = end, empty = 0;
      time >= pair.listedAt && trades.length < query.limit && empty < 3000;
      time = Math.floor(time / length) * length - 1
    ) {
      const block = market.ticks(pair, time);
      empty = block.count === 0 ? empty + 1 : 0;
      for (let index = lastTradeIndex(block, end); index >= 0 && trades.length < query.limit; index -= 1)
        trades.push({ id: block.firstId + index, block, index });
    }
    return trades.reverse();
  }
  let time = Math.max(query.startTime ?? pair.listedAt, pair.listedAt);
  if (query.fromId !== undefined) {
    // Ids grow with time, so the bar of an id is found by halving.
    let low = Math.floor(pair.listedAt / length);
    let high = Math.floor(now / length);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (market.ticks(pair, middle * length).firstId <= query.fromId) low = middle;
      else high = middle - 1;
    }
    time = low * length;
  }
  for (; time <= end && trades.length < query.limit; time = (Math.floor(time / length) + 1) * length) {
    const block = market.ticks(pair, time);
    for (let index = 0; index < block.count && trades.length < query.limit; index += 1) {
      const at = block.times[index]!;
      const id = block.firstId + index;
      if (at > end) break;
      if (at >= (query.startTime ?? 0) && id >= (query.fromId ?? 0)) trades.push({ id, block, index });
    }
  }
  return trades;
}
