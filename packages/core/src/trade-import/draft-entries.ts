import { decimal, divide, isZero, multiply, toText } from '../money/decimal.ts';
import type { EntrySource, LedgerEntry, TradeEntry } from '../positions/ledger-entry.ts';
import type { ConversionDraft, ImportDraft, TradeDraft } from './import-draft.ts';
import { CASH_ASSETS, type KnownPairs } from './known-pairs.ts';

/** Units of `quote` one unit of `asset` was worth in the minute of `at`; undefined when nobody knows. */
export type RateAt = (asset: string, quote: string, at: number) => string | undefined;

export type EntryOptions = {
  readonly source: EntrySource;
  readonly primary: string;
  readonly pairs: KnownPairs;
  readonly rateAt: RateAt;
};

/** The ledger entries a row stands for; `id` names the first, `id:2` a second. */
export function entriesOf(draft: ImportDraft, id: string, options: EntryOptions): LedgerEntry[] {
  if (draft.kind === 'trade') return [tradeEntry(draft, id, options)];
  if (draft.kind === 'transfer') {
    const { at, asset, change, transfer } = draft;
    return [{ kind: 'transfer', id, at, asset, change, transfer, cost: null, source: options.source }];
  }
  if (draft.kind === 'swap') {
    const { at, from, to } = draft;
    const given = { fromAsset: from.asset, fromQuantity: from.quantity };
    return [{ kind: 'swap', id, at, ...given, asset: to.asset, quantity: to.quantity, source: options.source }];
  }
  return conversionEntries(draft, id, options);
}

/** A fill with its fee and its quote asset valued in its own minute, as far as rates are known. */
export function tradeEntry(draft: Omit<TradeDraft, 'row'>, id: string, { source, primary, rateAt }: EntryOptions): TradeEntry {
  const { at, baseAsset, quoteAsset, feeAsset, fee } = draft;
  const third = feeAsset !== baseAsset && feeAsset !== quoteAsset && fee !== '0';
  const worth = (quote: string): string | null => {
    if (!third) return null;
    const rate = rateAt(feeAsset, quote, at);
    return rate === undefined ? null : toText(multiply(decimal(fee), decimal(rate)));
  };
  return {
    kind: 'trade',
    id,
    at,
    symbol: draft.symbol,
    baseAsset,
    quoteAsset,
    side: draft.side,
    price: draft.price,
    quantity: draft.quantity,
    quoteQuantity: draft.quoteQuantity,
    fee,
    feeAsset,
    tradeId: draft.tradeId,
    orderId: draft.orderId,
    source,
    feeInQuote: worth(quoteAsset),
    feeInPrimary: worth(primary),
    quoteRate: quoteAsset === primary ? '1' : (rateAt(quoteAsset, primary, at) ?? null),
    ...(draft.feeUnknown ? { feeUnknown: true } : {}),
    ...(draft.aggregate ? { aggregate: true } : {}),
  };
}

/**
 * A conversion is a sell and a buy at its own rate. With money on one side it is one trade; between two coins both
 * are traded against the primary currency at what they were worth; where that is not known the coins just move. So does
 * what was given or got for nothing: it has no rate.
 */
function conversionEntries(draft: ConversionDraft, id: string, options: EntryOptions): LedgerEntry[] {
  const { from, to, at } = draft;
  const { primary, rateAt, source, pairs } = options;
  const trade = (side: 'Buy' | 'Sell', base: ConversionDraft['to'], quoteAsset: string, quoteQuantity: string, name: string): TradeEntry =>
    tradeEntry(
      {
        kind: 'trade',
        at,
        symbol: base.asset + quoteAsset,
        baseAsset: base.asset,
        quoteAsset,
        side,
        price: toText(divide(decimal(quoteQuantity), decimal(base.quantity), 12)),
        quantity: base.quantity,
        quoteQuantity,
        fee: '0',
        feeAsset: quoteAsset,
        tradeId: null,
        orderId: null,
      },
      name,
      options,
    );
  const move = (name: string, asset: string, change: string): LedgerEntry => ({
    kind: 'transfer',
    id: name,
    at,
    asset,
    change,
    transfer: 'conversion',
    cost: null,
    source,
  });
  const moves = [
    ...(isZero(decimal(from.quantity)) ? [] : [move(id, from.asset, `-${from.quantity}`)]),
    ...(isZero(decimal(to.quantity)) ? [] : [move(`${id}:2`, to.asset, to.quantity)]),
  ];
  if (moves.length < 2) return moves;
  const [fromCash, toCash] = [CASH_ASSETS.has(from.asset), CASH_ASSETS.has(to.asset)];
  if (fromCash && (!toCash || pairs.has(to.asset + from.asset))) return [trade('Buy', to, from.asset, from.quantity, id)];
  if (toCash && (!fromCash || pairs.has(from.asset + to.asset))) return [trade('Sell', from, to.asset, to.quantity, id)];
  const rateOf = (leg: ConversionDraft['to']) => {
    const rate = rateAt(leg.asset, primary, at);
    return rate === undefined ? undefined : toText(multiply(decimal(leg.quantity), decimal(rate)));
  };
  const worth = fromCash && toCash ? undefined : (rateOf(to) ?? rateOf(from));
  if (worth !== undefined) return [trade('Sell', from, primary, worth, id), trade('Buy', to, primary, worth, `${id}:2`)];
  return moves;
}
