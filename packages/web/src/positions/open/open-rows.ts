import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { OpenRow } from './held-order.ts';

/** A position of the ledger of which the list of what is held has no row: sold out and opened again, or too little to sell. */
const rowOf = (position: OpenPosition): OpenRow => ({
  autoTradeId: null,
  botName: null,
  positionId: position.id,
  symbol: position.symbol,
  baseAsset: position.baseAsset,
  quoteAsset: position.quoteAsset,
  state: 'Open',
  quantity: position.quantity,
  averageCost: position.averageCost,
  cost: position.cost,
  costGap: position.broken.length > 0 ? 'broken' : null,
  price: position.price,
  value: position.value,
  result: position.unrealised,
  resultPct: null,
  realised: position.realised,
  stop: null,
  target: position.targetPrice,
  rebuys: [],
  breakEven: position.breakEven,
  atRisk: null,
  openedAt: position.openedAt,
  next: null,
  attention: null,
  broken: position.broken,
  excludedFromTotals: position.excludedFromTotals,
  sparkline: position.sparkline,
  ledger: null,
});

/**
 * Every open position of an account: what is held, by bots and by hand, and what the ledger calls open beside it, so that no
 * position can be reached by its address only. @param ledger undefined while it is not known, and on paper
 */
export function openRows(held: readonly HeldPositionRow[], ledger: readonly OpenPosition[] | undefined): OpenRow[] {
  const ledgerOf = new Map((ledger ?? []).map(({ id, symbol, broken }) => [symbol, { id, broken }]));
  const rows = held.map((row): OpenRow => ({ ...row, ledger: row.autoTradeId === null ? null : (ledgerOf.get(row.symbol) ?? null) }));
  const shown = new Set(held.map(({ symbol }) => symbol));
  return [...rows, ...(ledger ?? []).filter(({ symbol }) => !shown.has(symbol)).map(rowOf)];
}
