import type { Decimal } from '@pilotfish/core/money/decimal';
import { addFlows, type LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { CASH_ASSETS } from '@pilotfish/core/trade-import/known-pairs';

/** What one write to the ledger of an account changed, with the version it made. */
export type LedgerChange = {
  readonly accountId: string;
  readonly version: number;
  readonly assets: readonly string[];
  /** Pairs of the trades among what changed. */
  readonly symbols: readonly string[];
  /** By how much what the entries explain of each asset's balance changed. */
  readonly flows: ReadonlyMap<string, Decimal>;
};

/** Every asset whose positions an entry can change: money that only pays has none, money that is bought or sent has. */
export const assetsOf = (entry: LedgerEntry): readonly string[] =>
  entry.kind === 'transfer'
    ? [entry.asset]
    : entry.kind === 'swap'
      ? [entry.fromAsset, entry.asset]
      : [entry.baseAsset, ...[entry.quoteAsset, entry.feeAsset].filter((asset) => !CASH_ASSETS.has(asset))];

/** Collects what a write changed the positions of. */
export class Touched {
  private readonly assets = new Set<string>();
  private readonly symbols = new Set<string>();
  private readonly flows = new Map<string, Decimal>();

  came(entry: LedgerEntry): void {
    this.changed(entry);
    addFlows(this.flows, entry);
  }
  went(entry: LedgerEntry): void {
    this.changed(entry);
    addFlows(this.flows, entry, -1);
  }
  changed(entry: LedgerEntry): void {
    for (const asset of assetsOf(entry)) this.assets.add(asset);
    if (entry.kind === 'trade') this.symbols.add(entry.symbol);
  }
  get isEmpty(): boolean {
    return this.assets.size === 0;
  }
  lists(): Pick<LedgerChange, 'assets' | 'symbols' | 'flows'> {
    return { assets: [...this.assets], symbols: [...this.symbols], flows: this.flows };
  }
}
