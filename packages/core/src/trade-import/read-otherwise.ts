import { decimal, negate, toText } from '../money/decimal.ts';
import type { LedgerEntry, TransferEntry } from '../positions/ledger-entry.ts';

/** Legs that are one event are a second apart at most. */
const APART_MS = 1000;

export type ReadOtherwise = {
  /** Names of stored entries that give way. */
  readonly replaced: readonly string[];
  /** What a person said a transfer had cost, by the name of the one that takes its place. */
  readonly costs: ReadonlyMap<string, Pick<TransferEntry, 'cost' | 'costEstimated'>>;
};

/**
 * Stored rows of statements that the same statement no longer reads so, because another answer was given for one of its
 * operations, or one at all: they give way to what it reads instead, or both would count. The same is what moves the same
 * units of a coin at the same second; of a trade also the same money, because an answer can make a leg a fee.
 * @param incoming what would be new
 * @param again names of stored entries that the statement reads now as before
 */
export function readOtherwise(incoming: readonly LedgerEntry[], stored: readonly LedgerEntry[], again: ReadonlySet<string>): ReadOtherwise {
  const byMove = new Map<string, LedgerEntry[]>();
  for (const entry of incoming)
    if (entry.source === 'transaction-records')
      for (const move of allMovesOf(entry)) byMove.set(move, [...(byMove.get(move) ?? []), entry]);
  const replaced: string[] = [];
  const costs = new Map<string, Pick<TransferEntry, 'cost' | 'costEstimated'>>();
  for (const entry of stored) {
    if (entry.source !== 'transaction-records' || again.has(entry.id)) continue;
    const found = movesOf(entry)
      .flatMap((move) => byMove.get(move) ?? [])
      .find(({ at }) => Math.abs(at - entry.at) <= APART_MS);
    if (found === undefined) continue;
    replaced.push(entry.id);
    if (entry.kind === 'transfer' && entry.cost !== null && found.kind === 'transfer' && found.cost === null)
      costs.set(found.id, { cost: entry.cost, ...(entry.costEstimated ? { costEstimated: true } : {}) });
  }
  return { replaced, costs };
}

/** What an entry moves, as far as it names it: of a trade the coin, and its money together with the coin. */
function movesOf(entry: LedgerEntry): string[] {
  if (entry.kind === 'transfer') return [`${entry.asset} ${entry.change}`];
  if (entry.kind === 'swap') return [`${entry.fromAsset} ${minus(entry.fromQuantity)}`, `${entry.asset} ${entry.quantity}`];
  const isBuy = entry.side === 'Buy';
  const [base, quote] = [isBuy ? entry.quantity : minus(entry.quantity), isBuy ? minus(entry.quoteQuantity) : entry.quoteQuantity];
  return [`${entry.baseAsset} ${base}`, `${entry.baseAsset} ${isBuy ? 'for' : 'against'} ${entry.quoteAsset} ${quote}`];
}

/** The same, and the money of a trade by itself: what was a movement alone can have become a leg. */
const allMovesOf = (entry: LedgerEntry): string[] =>
  entry.kind === 'trade'
    ? [...movesOf(entry), `${entry.quoteAsset} ${entry.side === 'Buy' ? minus(entry.quoteQuantity) : entry.quoteQuantity}`]
    : movesOf(entry);

const minus = (quantity: string): string => toText(negate(decimal(quantity)));
