import type { AssetFold } from '@pilotfish/core/positions/asset-fold';
import { accountTurns } from '../database/account-turns.ts';
import type { PositionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';

/** Accounts whose results are held in memory. */
const KEPT = 50;

/** How the positions of an asset stand in a look. */
export type Standings = {
  readonly of: [position: AssetFold['positions'][number], standing: ReturnType<Look['standing']>][];
  /** Why a position is in no sum, by what opened it: that is known at its first line, its id would have to be worked out. */
  readonly why: Map<string, NonNullable<ReturnType<Look['standing']>>>;
  apart: string;
};
/** Names a position before its id is known. */
export const opener = ({ symbol, key }: { readonly symbol: string; readonly key: string }): string => `${symbol} ${key}`;

type KeptAsset<Value> = { readonly fold: AssetFold; readonly apart: string; readonly value: Value };
type Kept<Value, Merged> = { readonly scope: string; readonly assets: Map<string, KeptAsset<Value>>; merged: Merged | undefined };

/**
 * What is gathered from every step of every position, kept for each asset until something about it changes: a fill costs
 * one asset, not the whole history.
 * @param gather reads these assets in one walk through the ledger; answers each
 * @param scopeOf what gathered values hold for, as a time zone: another one gathers all of them again
 */
export function keptByAsset<Value, Merged>(
  books: Pick<PositionBooks, 'of'>,
  parts: {
    readonly gather: (accountId: string, look: Look, assets: ReadonlyMap<string, Standings>) => Promise<ReadonlyMap<string, Value>>;
    readonly merge: (values: readonly Value[], look: Look) => Merged;
    readonly scopeOf: (look: Look) => string;
  },
) {
  const kept = new Map<string, Kept<Value, Merged>>();
  const inTurn = accountTurns();

  /** The results and the look they belong to: a newer one than the given, where something was written meanwhile. */
  async function read(accountId: string, given: Look): Promise<{ look: Look; results: Merged }> {
    const scope = parts.scopeOf(given);
    const before = kept.get(accountId);
    const own: Kept<Value, Merged> = before?.scope === scope ? before : { scope, assets: new Map(), merged: undefined };
    kept.delete(accountId);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(accountId, own);
    for (let look = given; ; ) {
      const standings = standingsOf(look);
      const isSame = (asset: string, of: KeptAsset<Value>): boolean =>
        of.fold === look.book.folds.get(asset) && of.apart === standings.get(asset)?.apart;
      for (const [asset, of] of own.assets) {
        if (isSame(asset, of)) continue;
        own.assets.delete(asset);
        own.merged = undefined;
      }
      const missing = new Map([...standings].filter(([asset]) => !own.assets.has(asset)));
      if (missing.size === 0) {
        own.merged ??= parts.merge(
          [...own.assets.values()].map(({ value }) => value),
          look,
        );
        return { look, results: own.merged };
      }
      const gathered = await parts.gather(accountId, look, missing);
      for (const [asset, value] of gathered)
        own.assets.set(asset, { fold: look.book.folds.get(asset)!, apart: missing.get(asset)!.apart, value });
      own.merged = undefined;
      // What was written while the lines were read may be among them: looked at again beside the book as it is now.
      look = { ...look, book: await books.of(accountId) };
    }
  }

  return {
    /** Those who ask at the same time wait for one reading. */
    of: (accountId: string, look: Look) => inTurn(accountId, () => read(accountId, look)),
  };
}

function standingsOf({ book, standing }: Look): Map<string, Standings> {
  const byAsset = new Map<string, Standings>();
  for (const asset of book.folds.keys()) byAsset.set(asset, { of: [], why: new Map(), apart: '' });
  for (const each of book.positions) {
    const { position } = each;
    const standings = byAsset.get(position.baseAsset)!;
    const why = standing({ of: each });
    standings.of.push([position, why]);
    if (why === undefined) continue;
    standings.why.set(opener(position), why);
    standings.apart += `${each.id}${why} `;
  }
  return byAsset;
}
