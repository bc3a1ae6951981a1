import type { TransferKind } from '../positions/ledger-entry.ts';
import type { RowCode } from './trade-import-contract.ts';

/** A fill read from a file. Amounts are decimal text, times epoch ms. */
export type TradeDraft = {
  readonly kind: 'trade';
  readonly row: number;
  readonly at: number;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly side: 'Buy' | 'Sell';
  readonly price: string;
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly fee: string;
  readonly feeAsset: string;
  /** The file does not say what the fee was. */
  readonly feeUnknown?: boolean;
  readonly tradeId: string | null;
  readonly orderId: string | null;
  /** All fills of an order in one row: replaced by the fills when those arrive. */
  readonly aggregate?: boolean;
  /** Where the pair is not listed any more. */
  readonly notice?: RowCode;
};

/** Something else that moved an asset. */
export type TransferDraft = {
  readonly kind: 'transfer';
  readonly row: number;
  readonly at: number;
  readonly asset: string;
  readonly change: string;
  readonly transfer: TransferKind;
  readonly notice?: RowCode;
};

/** One asset became another; a trade of a pair when one of them is money, else two legs at the same worth. */
export type ConversionDraft = {
  readonly kind: 'conversion';
  readonly row: number;
  readonly at: number;
  readonly from: { readonly asset: string; readonly quantity: string };
  readonly to: { readonly asset: string; readonly quantity: string };
};

/** Units of a coin that the exchange made units of another, or of the same coin in a new unit; their cost goes over. */
export type SwapDraft = Omit<ConversionDraft, 'kind'> & { readonly kind: 'swap' };
export type ImportDraft = TradeDraft | TransferDraft | ConversionDraft | SwapDraft;

/** A row that brings nothing: left out for a reason, asked about, or not readable. */
export type RowProblem = {
  readonly row: number;
  /** `question`: what it is has to be said first. */
  readonly result: 'skipped' | 'question' | 'error';
  readonly code?: RowCode;
  readonly column?: string;
  readonly value?: string;
};
export const isProblem = (parsed: ImportDraft | RowProblem): parsed is RowProblem => 'result' in parsed;
