import {
  add,
  type Decimal,
  decimal,
  divide,
  isNegative,
  isPositive,
  multiply,
  negate,
  rescale,
  subtract,
  ZERO,
} from '@pilotfish/core/money/decimal';
import type { FoldedPosition, PositionLine } from '@pilotfish/core/positions/folded-position';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { feeOf } from '@pilotfish/core/positions/monthly-overview';
import { PRIMARY } from './fill-entries.ts';
import { keptByAsset, opener, type Standings } from './kept-by-asset.ts';
import type { PositionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';

/** Digits of a result: those that leave the server, so that sums of results leave it as they are. */
const RESULT_SCALE = 28;
/** Coins that pay fees go in crumbs: those of a quarter of an hour are one. No zone has hours that begin within one. */
const CRUMBS_MS = 15 * 60_000;

/** What came of an order that sold something, or of coins that went in another way with a result. Primary currency. */
export type LedgerExit = {
  /** Of the last fill, epoch ms. */
  readonly at: number;
  readonly coin: string;
  /** `conversion`: coins that were swapped, converted or spent; `fee`: coins that paid fees, which no order sold. */
  readonly kind: 'sale' | 'conversion' | 'fee';
  /** Fills, by `symbol tradeId`; none where only files tell of them. */
  readonly fills: readonly string[];
  /** Null where the rate of its currency is not known. */
  readonly net: Decimal | null;
  readonly fees: Decimal;
  /** When the position bought first; null where all it had came without a buy. */
  readonly boughtAt: number | null;
  /** Why its position is in no sum; undefined where it is. */
  readonly why: 'excluded' | 'broken' | undefined;
};
type Draft = { -readonly [Key in keyof Omit<LedgerExit, 'fills'>]: LedgerExit[Key] } & { readonly fills: string[] };
type AssetExits = {
  readonly exits: Map<string, Draft>;
  /** Fees of the buys of what is held, by position, quote units. */
  readonly buyFees: Map<string, Decimal>;
};

/** The order of each fill that spent a coin: the line of that coin names the fill alone. */
type OrderOf = (entryId: string) => string | undefined;

/** Every exit of an account's ledger, oldest first, gathered again only for assets of which something changed. */
export function ledgerExits(books: PositionBooks) {
  async function gather(accountId: string, { book }: Look, assets: ReadonlyMap<string, Standings>) {
    const gathered = new Map<string, AssetExits>();
    for (const asset of assets.keys()) gathered.set(asset, { exits: new Map(), buyFees: new Map() });
    const orders = new Map<string, string>();
    await books.tellLines(
      accountId,
      (position, line) => {
        const own = gathered.get(position.baseAsset);
        // A coin that came into the ledger after the look: the next round gathers it.
        if (own) count(own, position, line, assets.get(position.baseAsset)?.why.get(opener(position)), (id) => orders.get(id));
      },
      assets.size === book.folds.size ? undefined : new Set(assets.keys()),
      (page) => noteOrders(orders, page, book.folds),
    );
    return new Map([...gathered].map(([asset, { exits }]) => [asset, [...exits.values()]]));
  }
  return keptByAsset(books, {
    gather,
    merge: (values: readonly (readonly LedgerExit[])[]) => values.flat().sort((one, other) => one.at - other.at),
    scopeOf: () => '',
  });
}

/** Notes the orders of fills that are priced in a coin which has positions of its own. */
function noteOrders(orders: Map<string, string>, page: readonly LedgerEntry[], coins: ReadonlyMap<string, unknown>): void {
  for (const entry of page)
    if (entry.kind === 'trade' && entry.orderId !== null && coins.has(entry.quoteAsset))
      orders.set(entry.id, `${entry.symbol} ${entry.orderId}`);
}

function count(
  { exits, buyFees }: AssetExits,
  position: FoldedPosition,
  line: PositionLine,
  why: LedgerExit['why'],
  orderOf: OrderOf,
): void {
  const key = opener(position);
  const { at, change, realised, trade } = line;
  if (line.kind === 'buy' && trade) buyFees.set(key, add(buyFees.get(key) ?? ZERO, feeOf(trade)));
  // A sale of coins that the ledger does not know of takes nothing away, and is a sale all the same.
  if (!isNegative(change) && realised === null) return;
  const fees = add(shareOfBuys(buyFees, key, line), trade ? feeOf(trade) : ZERO);
  if (realised === null) return;
  const rate = position.quoteAsset === PRIMARY ? '1' : (trade?.quoteRate ?? null);
  const inPrimary = (value: Decimal): Decimal => rescale(multiply(value, decimal(rate ?? '0')), RESULT_SCALE, 'half-even');
  const name = `${key} ${nameOf(line, orderOf)}`;
  const fill = fillOf(line);
  const known = exits.get(name);
  if (known === undefined) {
    exits.set(name, {
      at,
      coin: position.baseAsset,
      kind: kindOf(line),
      fills: fill === undefined ? [] : [fill],
      net: rate === null ? null : inPrimary(realised),
      fees: inPrimary(fees),
      boughtAt: isPositive(position.fills.boughtQuantity) ? position.openedAt : null,
      why,
    });
    return;
  }
  known.at = Math.max(known.at, at);
  // Less than all of it would look like all of it.
  known.net = rate === null || known.net === null ? null : add(known.net, inPrimary(realised));
  known.fees = add(known.fees, inPrimary(fees));
  if (fill !== undefined) known.fills.push(fill);
}

/** What leaves takes its share of the fees that were paid for it, by quantity. */
function shareOfBuys(buyFees: Map<string, Decimal>, key: string, { change, quantityAfter }: PositionLine): Decimal {
  const paid = buyFees.get(key);
  if (paid === undefined) return ZERO;
  const before = subtract(quantityAfter, change);
  const share = isPositive(quantityAfter) ? divide(multiply(paid, negate(change)), before) : paid;
  buyFees.set(key, subtract(paid, share));
  return share;
}

/** A conversion is told of by files and by the exchange's history of them, in which nothing is an order. */
const CONVERSION = /^(convert|dust):/;
const kindOf = ({ kind, detail, entryId, trade }: PositionLine): LedgerExit['kind'] => {
  if (kind === 'gave') return detail === 'fee' ? 'fee' : 'conversion';
  return trade !== null && trade.tradeId === null && (trade.source === 'convert' || CONVERSION.test(entryId)) ? 'conversion' : 'sale';
};

/** What lines of one exit share. Files without numbers of orders tell the fills of one with the same time. */
function nameOf({ kind, detail, entryId, at, trade }: PositionLine, orderOf: OrderOf): string {
  if (kind === 'gave') return detail === 'fee' ? `fee ${Math.floor(at / CRUMBS_MS)}` : `spent ${orderOf(entryId) ?? entryId}`;
  if (trade === null) return `${kind} ${entryId}`;
  return trade.orderId === null ? `at ${at}` : `order ${trade.orderId}`;
}

/** The fill behind a line, by pair and number: of what was spent, by the name of its entry. */
function fillOf({ kind, detail, entryId, trade }: PositionLine): string | undefined {
  if (trade !== null) return trade.tradeId === null ? undefined : `${trade.symbol} ${trade.tradeId}`;
  const [, symbol, tradeId] = (kind === 'gave' && detail !== 'fee' && /^trade:([^:]+):(.+)$/.exec(entryId)) || [];
  return tradeId === undefined ? undefined : `${symbol} ${tradeId}`;
}
