import { compare, type Decimal, decimal, isPositive, ZERO } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { type Rows, textOfUnread, unreadOf } from '../exchange/exchange-rows.ts';
import type { ExecutionReport, OrderPayload } from '../exchange/payloads.ts';

/** Balances less what the ledger explains of them, exactly, by coin; `unread` are coins for which they are unknown. */
export type Drifts = {
  readonly drifts: ReadonlyMap<string, Decimal>;
  readonly unread: ReadonlySet<string>;
  /** When anything of the account changed last, by the exchange. */
  readonly updatedAt?: number | undefined;
};
type OpenOrders = ReadonlyMap<string, { readonly symbol: string; readonly executed: string }>;
type Picture = Drifts & { readonly orders: OpenOrders };

/** Longest delay of a report: a younger picture may lack one that was lost in the cut. */
const SETTLED_MS = 10_000;
/** What a picture cannot show is read by the next gap after this. */
const COMPLETE_MS = 86_400_000;

/** Coins whose drift changed: the ledger lacks a purchase, sale, fee or transfer of them. */
export function movedCoins(before: Drifts, after: Drifts): Set<string> {
  const coins = new Set<string>();
  for (const coin of new Set([...before.drifts.keys(), ...after.drifts.keys()]))
    if (
      !after.unread.has(coin) &&
      !before.unread.has(coin) &&
      compare(before.drifts.get(coin) ?? ZERO, after.drifts.get(coin) ?? ZERO) !== 0
    )
      coins.add(coin);
  return coins;
}

/**
 * The pairs whose trades a gap in an account's stream can have touched; no other pair is asked after a reconnect.
 *
 * Every fill changes what the account holds: it takes one asset of its pair and gives the other, and takes its fee from
 * either or from BNB. What the account holds less what the ledger explains (the drift) stays the same while the ledger
 * gets every fill, also those that arrived before the cut or after it. So:
 *
 * - a pair of which **both** coins have another drift than before may have a fill that the ledger lacks: an order placed
 *   and filled inside the gap in Binance's app shows here;
 * - a pair with an order that was open before and is not any more, or of which more is executed now, is asked, and so is one
 *   with an order that came in the gap and is executed in part: fills that cancel each other out still show here;
 * - what could not be read counts as moved where something else moved, too.
 *
 * What is left over once these were read (a coin was traded and withdrawn in the same gap, a fill and its opposite paid a
 * fee in BNB) still drifts: then `historySync` reads everything, as it does without a picture from before the gap, and where
 * the account changed in a way that shows nowhere (`isHidden`).
 */
export function touchedByGap(
  before: Picture,
  after: Picture,
  pairs: readonly Pick<Pair, 'symbol' | 'baseAsset' | 'quoteAsset'>[],
  coinOf: (asset: string) => string,
): string[] {
  const symbols = new Set<string>();
  for (const [id, { symbol, executed }] of before.orders) {
    const now = after.orders.get(id);
    if (now === undefined || compare(decimal(now.executed), decimal(executed)) !== 0) symbols.add(symbol);
  }
  for (const [id, { symbol, executed }] of after.orders) if (!before.orders.has(id) && isPositive(decimal(executed))) symbols.add(symbol);
  const moved = movedCoins(before, after);
  if (moved.size === 0) return [...symbols];
  const suspect = new Set([...moved, ...before.unread, ...after.unread]);
  for (const { symbol, baseAsset, quoteAsset } of pairs)
    if (suspect.has(coinOf(baseAsset)) && suspect.has(coinOf(quoteAsset))) symbols.add(symbol);
  return [...symbols];
}

/**
 * The account changed in the gap, and neither balances nor open orders show how: bought and sold again at one price without
 * a fee, or an order that was placed and cancelled.
 * @param updatedBefore when it had changed last before the gap; undefined where that is not sure
 */
export function isHidden(before: Picture, after: Picture, updatedBefore: number | undefined): boolean {
  if (updatedBefore === undefined || after.updatedAt === undefined || after.updatedAt === updatedBefore) return false;
  const hasOtherOrders = before.orders.size !== after.orders.size || [...after.orders.keys()].some((id) => !before.orders.has(id));
  return !hasOtherOrders && movedCoins(before, after).size === 0;
}

/** What accounts looked like when everything of them was read, by which a gap is judged. In memory: a start reads everything. */
export function accountPictures(now: () => number) {
  const orders = new Map<string, Map<string, { symbol: string; executed: string }>>();
  const pictures = new Map<string, Drifts & { readonly at: number }>();
  return {
    /** The open orders as the exchange lists them now. */
    listed: (accountId: string, rows: Rows<OrderPayload>): void =>
      void orders.set(accountId, new Map(rows.map(({ orderId, symbol, executedQty }) => [orderId, { symbol, executed: executedQty }]))),
    /** The account's stream reported an order. */
    reported: (accountId: string, { i: id, s: symbol, X: status, z: executed }: Pick<ExecutionReport, 'i' | 's' | 'X' | 'z'>): void => {
      const own = orders.get(accountId);
      if (status === 'NEW' || status === 'PARTIALLY_FILLED') own?.set(id, { symbol, executed });
      else own?.delete(id);
    },
    ordersOf: (accountId: string): OpenOrders => new Map(orders.get(accountId)),
    /** Everything of the account was read. */
    complete: (accountId: string, drifts: Drifts): void => void pictures.set(accountId, { ...drifts, at: now() }),
    /** The picture by which a gap that began at a time is judged; undefined where there is none, or none that is sure. */
    before: (accountId: string, gapSince: number): Picture | undefined => {
      const picture = pictures.get(accountId);
      const own = orders.get(accountId);
      if (picture === undefined || own === undefined) return undefined;
      const isSure = picture.at + SETTLED_MS <= gapSince && now() - picture.at < COMPLETE_MS;
      return isSure ? { ...picture, orders: new Map(own) } : undefined;
    },
    /** Coins that still drift from the picture. */
    leftOver: (accountId: string, drifts: Drifts): Set<string> => {
      const picture = pictures.get(accountId);
      return picture === undefined ? new Set() : movedCoins(picture, drifts);
    },
    forget: (accountId: string): void => {
      pictures.delete(accountId);
      orders.delete(accountId);
    },
  };
}

/** Pairs of the open orders, including orders that could not be read. */
export const symbolsOfOrders = (orders: Rows<OrderPayload>): string[] => [
  ...orders.map(({ symbol }) => symbol),
  ...unreadOf(orders).flatMap((row) => textOfUnread(row, 'symbol') ?? []),
];
