import type { Pair, TickBlock } from './market-contract.ts';
import { hash } from './randomness.ts';

/** Price in ticks, quantity in lots. */
export type Level = { readonly price: number; readonly quantity: number };
export type Book = { readonly bids: Level[]; readonly asks: Level[] };

/** Most levels a side has. */
export const BOOK_DEPTH = 500;

/** Sizes are redrawn this often (ms), so a quiet book still breathes. */
const BREATH = 10_000;

/** Half-width of the spread, and typical money in a level in USD, by liquidity class. */
const SPREAD = [0.003, 0.003, 0.003, 0.002, 0.0014, 0.0008, 0.0005, 0.0002, 0.00002, 0.000002];
const LEVEL_USD = [100, 100, 150, 200, 400, 800, 1_500, 4_000, 12_000, 40_000];

/** Best prices around a last trade: a seller hit the bid, so it was the bid; a buyer took the ask, so it was the ask. */
export function bestPrices(pair: Pair, last: number, makerIsBuyer: boolean): { bid: number; ask: number } {
  const spread = Math.max(1, Math.round(last * (SPREAD[pair.liquidity] ?? 0.001)));
  return makerIsBuyer ? { bid: last, ask: last + spread } : { bid: Math.max(1, last - spread), ask: last };
}

/**
 * The book around a last trade, best first: a pure function of (pair, trade, time), so depth, best prices and trades
 * agree whoever asks. Beyond the best price, levels lie on a fixed grid of prices, and a level's size depends on its
 * price and not on its rank: a move of the price changes only the levels it passes.
 */
export function bookAround(pair: Pair, last: number, makerIsBuyer: boolean, time: number, quoteUsd: number, depth = BOOK_DEPTH): Book {
  const levels = Math.min(depth, BOOK_DEPTH);
  const { bid, ask } = bestPrices(pair, last, makerIsBuyer);
  const gap = Math.max(1, Math.round(last * (SPREAD[pair.liquidity] ?? 0.001) * 0.6));
  const epoch = Math.floor(time / BREATH);
  const typical = (LEVEL_USD[pair.liquidity] ?? 500) / quoteUsd / (last * pair.tick * pair.step);
  const size = (price: number, side: number): number => {
    const h = hash(pair.index * 2 + side, price ^ Math.imul(epoch, 0x9e3779b1));
    return Math.max(1, Math.round(typical * (0.2 + ((h & 0xffff) / 0xffff) ** 2 * 2.4)));
  };
  const bids: Level[] = [{ price: bid, quantity: size(bid, 0) }];
  for (let price = Math.ceil(bid / gap - 1) * gap; price > 0 && bids.length < levels; price -= gap) {
    bids.push({ price, quantity: size(price, 0) });
  }
  const asks: Level[] = [{ price: ask, quantity: size(ask, 1) }];
  for (let price = Math.floor(ask / gap + 1) * gap; asks.length < levels; price += gap) {
    asks.push({ price, quantity: size(price, 1) });
  }
  return { bids, asks };
}

/** A number that grows whenever the book changes: by its trade or by its breath. */
export const bookVersion = (tradeId: number, time: number): number => tradeId + Math.floor(time / BREATH);

/** Index of the last trade of a block at or before `time`, or -1. */
export function lastTradeIndex(block: TickBlock, time: number): number {
  let low = 0;
  let high = block.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block.times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
