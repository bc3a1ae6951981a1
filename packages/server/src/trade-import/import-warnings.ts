import { absolute, decimal, fromFloat, toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { entriesOf } from '@pilotfish/core/trade-import/draft-entries';
import { isGoneHalf } from '@pilotfish/core/trade-import/half-swaps';
import { CASH_ASSETS, type KnownPairs } from '@pilotfish/core/trade-import/known-pairs';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import type { LedgerStore } from '../positions/ledger-store.ts';
import { breathe } from './csv-rows.ts';
import type { DraftSpool } from './draft-spool.ts';
import { type Comparison, PRIMARY } from './import-comparison.ts';

/** Assets that are told of, at most. */
const MOST_TOLD = 100;
/** Binary sums of decimal amounts: so much of what was moved is rounding. */
const ROUNDING = 1e-9;
const DIGITS = 8;

type Moves = { readonly at: number[]; readonly change: number[]; moved: number };

/**
 * Two warnings. HALF_SWAP: a swap took a coin, and the file has nothing that came in return. NEGATIVE_HOLDING: by some
 * moment more of an asset was given away than the file and the ledger know to have come in; an older file or a deposit is
 * missing. Cash is left out: trade exports never say where it came from. Binary sums: good enough for a warning.
 */
export async function importWarnings(
  store: Pick<LedgerStore, 'pages'>,
  accountId: string,
  { spool, compared, pairs }: { spool: DraftSpool; compared: Pick<Comparison, 'isFresh' | 'replaced'>; pairs: KnownPairs },
): Promise<ImportAnswer['warnings']> {
  const byAsset = new Map<string, Moves>();
  const note = (asset: string, at: number, change: number): void => {
    if (CASH_ASSETS.has(asset) || change === 0) return;
    const moves = byAsset.get(asset) ?? { at: [], change: [], moved: 0 };
    byAsset.set(asset, moves);
    moves.at.push(at);
    moves.change.push(change);
    moves.moved += Math.abs(change);
  };
  const noteEntry = (entry: LedgerEntry, only?: ReadonlySet<string>): void => {
    const put = (asset: string, change: number) => {
      if (only === undefined || only.has(asset)) note(asset, entry.at, change);
    };
    if (entry.kind === 'transfer') {
      put(entry.asset, Number(entry.change));
      return;
    }
    if (entry.kind === 'swap') {
      put(entry.fromAsset, -Number(entry.fromQuantity));
      put(entry.asset, Number(entry.quantity));
      return;
    }
    const sign = entry.side === 'Buy' ? 1 : -1;
    put(entry.baseAsset, sign * Number(entry.quantity));
    put(entry.quoteAsset, -sign * Number(entry.quoteQuantity));
    put(entry.feeAsset, -Number(entry.fee));
  };

  const found: ImportAnswer['warnings'] = [];
  let place = 0;
  for await (const part of spool.parts()) {
    for (const { draft, id, source } of part) {
      if (!compared.isFresh(place++)) continue;
      for (const entry of entriesOf(draft, id, { source, primary: PRIMARY, pairs, rateAt: () => undefined })) {
        noteEntry(entry);
        if (!isGoneHalf(entry) || found.length >= MOST_TOLD) continue;
        const { asset, at, change } = entry;
        found.push({ code: 'HALF_SWAP', asset, at: new Date(at).toISOString(), amount: toText(absolute(decimal(change))) });
      }
    }
    await breathe();
  }
  const assets = new Set(byAsset.keys());
  const gone = new Set(compared.replaced.map(({ id }) => id));
  for await (const page of store.pages(accountId, { assets: [...assets] })) {
    for (const entry of page) if (!gone.has(entry.id)) noteEntry(entry, assets);
    await breathe();
  }

  const missing: ImportAnswer['warnings'] = [];
  for (const [asset, { at, change, moved }] of byAsset) {
    // What came in at a moment was there before what went out at it.
    const order = at.map((_, index) => index).sort((a, b) => at[a]! - at[b]! || change[b]! - change[a]!);
    let held = 0;
    let least = 0;
    let since: number | undefined;
    for (const index of order) {
      held += change[index]!;
      if (held < -ROUNDING * moved && since === undefined) since = at[index]!;
      least = Math.min(least, held);
    }
    if (since !== undefined)
      missing.push({ code: 'NEGATIVE_HOLDING', asset, at: new Date(since).toISOString(), amount: toText(fromFloat(-least, DIGITS)) });
  }
  return [...found, ...missing.sort((one, other) => (one.asset < other.asset ? -1 : 1)).slice(0, MOST_TOLD)];
}
