import type { Decimal } from '../money/decimal.ts';
import type { TradeEntry } from './ledger-entry.ts';

/** Why the figures of a position cannot be trusted, as far as the entries themselves show it. */
export type FoldReason = 'OVERSOLD' | 'MISSING_COST' | 'FEE_UNVALUED' | 'DELISTED_PRICE' | 'UNKNOWN_OPERATION';

export type LineKind = 'buy' | 'sell' | 'carried' | 'received' | 'gave' | 'closed';

/** One step of a position: what moved, and what is held after it. Amounts in quote units unless said otherwise. */
export type PositionLine = {
  readonly entryId: string;
  readonly at: number;
  readonly kind: LineKind;
  /** For `received` and `gave`: deposit, fee, spent, … */
  readonly detail: string | null;
  /** Base units that came (above zero) or went. */
  readonly change: Decimal;
  /** Paid for what came, or got for what went; null where nobody paid. */
  readonly amount: Decimal | null;
  /** Result of what went; null where there is none. */
  readonly realised: Decimal | null;
  readonly quantityAfter: Decimal;
  readonly costAfter: Decimal;
  readonly trade: TradeEntry | null;
};

/** One position of a pair, from the first unit to the last. Quote units unless said otherwise. */
export type FoldedPosition = {
  /** Id of the entry that opened it: the same however often the history is read. */
  readonly key: string;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  /** 1, 2, 3 … within the pair, in the order they opened. */
  readonly number: number;
  readonly openedAt: number;
  readonly closedAt: number | null;
  readonly closedBy: 'sell' | 'gone' | 'hand' | null;
  readonly quantity: Decimal;
  readonly cost: Decimal;
  readonly realised: Decimal;
  /** Cost of everything that was sold. */
  readonly matchedCost: Decimal;
  /** The most that was invested at one time. */
  readonly peakCost: Decimal;
  readonly peakQuantity: Decimal;
  /** Fees valued in quote units, those in the base asset too. */
  readonly fees: Decimal;
  /** Σ Q + F of what came (carried and received at their cost). */
  readonly bought: Decimal;
  /** Σ Q − F of what went (given away at its value, or at its cost where it has none). */
  readonly sold: Decimal;
  /** Σ of the fills alone: for the average price as the exchange shows it. */
  readonly fills: {
    readonly boughtQuantity: Decimal;
    readonly boughtQuote: Decimal;
    readonly soldQuantity: Decimal;
    readonly soldQuote: Decimal;
  };
  /** Left behind at the close, base units, with its cost. */
  readonly dust: { readonly quantity: Decimal; readonly cost: Decimal };
  /** Sold without having been held: base units and their proceeds, in no result. */
  readonly unmatched: { readonly quantity: Decimal; readonly proceeds: Decimal };
  /** Base units whose cost nobody said. */
  readonly unknownCost: Decimal;
  readonly trades: number;
  readonly lastAt: number;
  /** Those of the marked entries that belong to it. */
  readonly marks: readonly string[];
  readonly reasons: ReadonlySet<FoldReason>;
  readonly lines: readonly PositionLine[];
};
