import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { type RateAt, tradeEntry } from '@pilotfish/core/trade-import/draft-entries';
import { tradeIdentity } from '@pilotfish/core/trade-import/import-identity';
import { splitPair } from '@pilotfish/core/trade-import/known-pairs';
import { type Rows, type UnreadRow, unreadOf } from '../exchange/exchange-rows.ts';
import { type ExecutionReport, executedBy, type MyTradesPayload } from '../exchange/payloads.ts';
import type { Market } from '../market/market.ts';
import type { RateWanted } from './minute-rates.ts';

export const PRIMARY = 'USDT';

export type MyTrade = MyTradesPayload[number];
/** `isUnread` may be left out by whoever asks for pairs that are known only. */
type PairNames = Pick<Market, 'pair'> & Partial<Pick<Market, 'isUnread'>>;

const canonical = (text: string): string => toText(decimal(text));
const NOTHING_KNOWN: RateAt = () => undefined;
const NO_PAIRS = new Map<string, never>();

/**
 * Base and quote of a pair, also of one that is listed no more; undefined when its name cannot be taken apart, and while
 * its row cannot be read: a guess by the name would stay in the ledger.
 */
export function assetsOf(market: PairNames, symbol: string): { baseAsset: string; quoteAsset: string } | undefined {
  return market.pair(symbol) ?? (market.isUnread?.(symbol) === true ? undefined : splitPair(symbol, NO_PAIRS));
}

type Fill = Pick<TradeEntry, 'at' | 'symbol' | 'side' | 'price' | 'quantity' | 'quoteQuantity' | 'fee' | 'feeAsset'> & {
  tradeId: string;
  orderId: string;
};

function entryOf(fill: Fill, market: PairNames): TradeEntry | undefined {
  const assets = assetsOf(market, fill.symbol);
  if (assets === undefined) return undefined;
  const { tradeId, orderId } = fill;
  return tradeEntry(
    {
      kind: 'trade',
      at: fill.at,
      symbol: fill.symbol,
      baseAsset: assets.baseAsset,
      quoteAsset: assets.quoteAsset,
      side: fill.side,
      price: canonical(fill.price),
      quantity: canonical(fill.quantity),
      quoteQuantity: canonical(fill.quoteQuantity),
      fee: canonical(fill.fee),
      // A fill without a fee names no asset for it.
      feeAsset: fill.feeAsset === '' ? assets.quoteAsset : fill.feeAsset,
      tradeId,
      orderId,
    },
    tradeIdentity(fill.symbol, tradeId),
    { source: 'api', primary: PRIMARY, pairs: NO_PAIRS, rateAt: NOTHING_KNOWN },
  );
}

/** A fill as the account's stream tells it, its fee not valued yet; undefined for any other report, and for one that does not tell it whole. */
export function entryOfReport(report: ExecutionReport, market: PairNames): TradeEntry | undefined {
  if (executedBy(report) !== 'told') return undefined;
  const { T: at, s: symbol, L: price, l: quantity, Y: quoteQuantity, n: fee, N: feeAsset, t: tradeId, i: orderId } = report;
  const side = report.S === 'BUY' ? 'Buy' : 'Sell';
  return entryOf({ at, symbol, side, price, quantity, quoteQuantity, fee, feeAsset: feeAsset ?? '', tradeId, orderId }, market);
}

/** The same fill as the list of trades tells it. */
export const entryOfTrade = (trade: MyTrade, market: PairNames): TradeEntry | undefined =>
  entryOf(
    {
      at: trade.time,
      symbol: trade.symbol,
      side: trade.isBuyer ? 'Buy' : 'Sell',
      price: trade.price,
      quantity: trade.qty,
      quoteQuantity: trade.quoteQty,
      fee: trade.commission,
      feeAsset: trade.commissionAsset,
      tradeId: trade.id,
      orderId: trade.orderId,
    },
    market,
  );

/** The fills of a page, and its rows that are none: one of a pair that cannot be told is noted, for the cursor goes past it. */
export function entriesOfPage(list: string, page: Rows<MyTrade>, market: PairNames): { read: TradeEntry[]; unread: UnreadRow[] } {
  const unread = [...unreadOf(page)];
  const read = page.flatMap((trade) => {
    const entry = entryOfTrade(trade, market);
    if (entry === undefined) unread.push({ list, name: `${trade.symbol} ${trade.id}`, field: 'symbol', given: trade });
    return entry ?? [];
  });
  return { read, unread };
}

/** True when a fee was paid in an asset that is not of the pair. */
const paysThird = (entry: TradeEntry): boolean =>
  entry.feeAsset !== entry.baseAsset && entry.feeAsset !== entry.quoteAsset && entry.fee !== '0';

/** The rates an entry still lacks. */
export function ratesWanted(entry: TradeEntry): RateWanted[] {
  const { at, feeAsset, quoteAsset } = entry;
  const third = paysThird(entry);
  return [
    ...(third && entry.feeInQuote === null ? [{ asset: feeAsset, quote: quoteAsset, at }] : []),
    ...(third && entry.feeInPrimary === null ? [{ asset: feeAsset, quote: PRIMARY, at }] : []),
    ...(entry.quoteRate === null ? [{ asset: quoteAsset, quote: PRIMARY, at }] : []),
  ];
}

/** The entry with every value that is known by now; what was known stays as it is. */
export function valued(entry: TradeEntry, rateAt: RateAt): TradeEntry {
  const worth = (quote: string): string | null => {
    const rate = rateAt(entry.feeAsset, quote, entry.at);
    return rate === undefined ? null : toText(multiply(decimal(entry.fee), decimal(rate)));
  };
  const third = paysThird(entry);
  return {
    ...entry,
    feeInQuote: entry.feeInQuote ?? (third ? worth(entry.quoteAsset) : null),
    feeInPrimary: entry.feeInPrimary ?? (third ? worth(PRIMARY) : null),
    quoteRate: entry.quoteRate ?? rateAt(entry.quoteAsset, PRIMARY, entry.at) ?? null,
  };
}
