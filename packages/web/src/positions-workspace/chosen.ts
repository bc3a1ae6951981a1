import type { TradeMode } from '@pilotfish/core/http/wire';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { ClosedRow } from '@pilotfish/core/positions/positions-contract';
import type { OpenRow } from '../positions/open/held-order.ts';

/** The position whose detail stands beside the tables. */
export type Chosen =
  /** A bot's, live or on paper: `row.autoTradeId` is its bot, `ledger` what it is a part of. */
  | { readonly kind: 'bot'; readonly mode: TradeMode; readonly row: HeldPositionRow; readonly ledger: OpenRow['ledger'] }
  /** What is held by hand of a position of the ledger; always live. */
  | { readonly kind: 'hand'; readonly row: HeldPositionRow }
  /** Closed: of the ledger where it is live, of its only bot where it is on paper. */
  | { readonly kind: 'closed'; readonly mode: TradeMode; readonly row: ClosedRow };
