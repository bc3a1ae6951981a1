import { add, type Decimal, decimal, negate, ZERO } from '../money/decimal.ts';

/** Where an entry came from. Precedence where two tell of the same thing: the first in this list. */
export const ENTRY_SOURCES = [
  'api',
  'trade-history',
  'convert',
  'order-history',
  'transaction-records',
  'deposit-history',
  'user',
] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** A fill, as the exchange or a file tells it. Amounts are decimal text; times are epoch ms. */
export type TradeEntry = {
  readonly kind: 'trade';
  readonly id: string;
  readonly at: number;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly side: 'Buy' | 'Sell';
  readonly price: string;
  readonly quantity: string;
  /** The exchange's own figure; never price × quantity. */
  readonly quoteQuantity: string;
  readonly fee: string;
  readonly feeAsset: string;
  readonly tradeId: string | null;
  readonly orderId: string | null;
  readonly source: EntrySource;
  /** A fee in a third asset, valued in the quote asset at the fill minute; null while it is not known. */
  readonly feeInQuote: string | null;
  /** The same fee in the primary currency: what the third asset's own position gives away. */
  readonly feeInPrimary: string | null;
  /** Units of the primary currency one quote unit was worth at the fill minute; null while it is not known. */
  readonly quoteRate: string | null;
  /** Nobody says what the fee was: not the same as none. */
  readonly feeUnknown?: boolean;
  /** One row for all fills of an order; it goes when they come. */
  readonly aggregate?: boolean;
};

export const TRANSFER_KINDS = [
  'deposit',
  'withdrawal',
  'reward',
  'airdrop',
  'conversion',
  /** Bought or sold for money that no row tells of: from a person, by card, by bank. */
  'fiat',
  'adjustment',
  'unknown',
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** Anything else that moved an asset: in when `change` is above zero, out when it is below. */
export type TransferEntry = {
  readonly kind: 'transfer';
  readonly id: string;
  readonly at: number;
  readonly asset: string;
  readonly change: string;
  readonly transfer: TransferKind;
  /** What came in cost, in the primary currency; null when nobody said. */
  readonly cost: string | null;
  /** The cost is the market price of that minute, taken by choice. */
  readonly costEstimated?: boolean;
  readonly source: EntrySource;
};

/**
 * Units of a coin that became units of another, or of the same coin in a new unit: a renaming, a token swap, a
 * redenomination. What they had cost goes over with them, and nothing is won or lost by it.
 */
export type SwapEntry = {
  readonly kind: 'swap';
  readonly id: string;
  readonly at: number;
  readonly fromAsset: string;
  readonly fromQuantity: string;
  readonly asset: string;
  readonly quantity: string;
  readonly source: EntrySource;
};
export type LedgerEntry = TradeEntry | TransferEntry | SwapEntry;

/** Ids of trades are numbers on the exchange: 9 comes before 10. Entries without one follow in the order of their ids. */
export function compareEntries(one: LedgerEntry, other: LedgerEntry): number {
  if (one.at !== other.at) return one.at - other.at;
  const [a, b] = [one.kind === 'trade' ? one.tradeId : null, other.kind === 'trade' ? other.tradeId : null];
  if (a !== null && b !== null && a !== b) return a.length - b.length || (a < b ? -1 : 1);
  if ((a === null) !== (b === null)) return a === null ? 1 : -1;
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

/** Adds what an entry changed of each asset's balance, fees included, to the sums; `-1` takes it away again. */
export function addFlows(sums: Map<string, Decimal>, entry: LedgerEntry, sign: 1 | -1 = 1): void {
  const put = (asset: string, change: Decimal): void => {
    sums.set(asset, add(sums.get(asset) ?? ZERO, sign === 1 ? change : negate(change)));
  };
  if (entry.kind === 'transfer') {
    put(entry.asset, decimal(entry.change));
    return;
  }
  if (entry.kind === 'swap') {
    put(entry.fromAsset, negate(decimal(entry.fromQuantity)));
    put(entry.asset, decimal(entry.quantity));
    return;
  }
  const [base, quote] = [decimal(entry.quantity), decimal(entry.quoteQuantity)];
  put(entry.baseAsset, entry.side === 'Buy' ? base : negate(base));
  put(entry.quoteAsset, entry.side === 'Buy' ? negate(quote) : quote);
  put(entry.feeAsset, negate(decimal(entry.fee)));
}
