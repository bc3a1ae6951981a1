import { add, type Decimal, decimal, multiply, ZERO } from '@pilotfish/core/money/decimal';
import type { AssetFold } from '@pilotfish/core/positions/asset-fold';
import { MonthlyResults, type MonthResult } from '@pilotfish/core/positions/monthly-overview';
import { accountTurns } from '../database/account-turns.ts';
import { PRIMARY } from './fill-entries.ts';
import type { PositionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';

/** Accounts whose results are held in memory. */
const KEPT = 50;

/** What came of one asset's positions, as its fold and their standings had it. A day stands at its last result. */
type AssetResults = {
  readonly fold: AssetFold;
  readonly apart: string;
  readonly months: MonthlyResults;
  readonly byDay: Map<string, { at: number; change: Decimal }>;
};
type Kept = { readonly timeZone: string; readonly assets: Map<string, AssetResults>; results: ResultsOverTime | undefined };

/** Results by month, newest first, and as one line in the primary currency with a point for each day that had one. */
export type ResultsOverTime = {
  readonly months: readonly MonthResult[];
  readonly equity: readonly { readonly at: number; readonly value: Decimal }[];
};

/**
 * Results over time need every step of every position, so each asset's are kept until something about it changes: a
 * fill costs one asset, not the whole history.
 */
export function resultsOverTime(books: PositionBooks) {
  const kept = new Map<string, Kept>();
  const inTurn = accountTurns();

  /** Gathers what the lines of these assets say, in one walk through the ledger. */
  async function gather(accountId: string, look: Look, assets: ReadonlyMap<string, Standings>): Promise<Map<string, AssetResults>> {
    const { book, dayOf } = look;
    const gathered = new Map<string, AssetResults>();
    for (const [asset, { apart }] of assets) {
      const fold = book.folds.get(asset)!;
      gathered.set(asset, { fold, apart, months: new MonthlyResults({ primary: PRIMARY, monthOf: monthsBy(dayOf) }), byDay: new Map() });
    }
    const tell: Parameters<PositionBooks['tellLines']>[1] = ({ symbol, key, baseAsset, quoteAsset }, line) => {
      if (assets.get(baseAsset)?.openers.has(opener(symbol, key))) return;
      const { months, byDay } = gathered.get(baseAsset)!;
      months.line(quoteAsset, line);
      const { at, realised, trade } = line;
      const rate = quoteAsset === PRIMARY ? '1' : (trade?.quoteRate ?? null);
      if (realised === null || rate === null) return;
      const name = dayOf(at);
      const day = byDay.get(name) ?? { at, change: ZERO };
      byDay.set(name, { at: Math.max(day.at, at), change: add(day.change, multiply(realised, decimal(rate))) });
    };
    await books.tellLines(accountId, tell, assets.size === book.folds.size ? undefined : new Set(assets.keys()));
    for (const [asset, { of }] of assets) for (const [position, standing] of of) gathered.get(asset)!.months.position(position, standing);
    return gathered;
  }

  /** The results and the look they belong to: a newer one than the given, where something was written meanwhile. */
  async function read(accountId: string, given: Look): Promise<{ look: Look; results: ResultsOverTime }> {
    const { timeZone } = given;
    const before = kept.get(accountId);
    const own: Kept = before?.timeZone === timeZone ? before : { timeZone, assets: new Map(), results: undefined };
    kept.delete(accountId);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(accountId, own);
    for (let look = given; ; ) {
      const standings = standingsOf(look);
      const isSame = (asset: string, of: AssetResults | undefined): boolean =>
        of !== undefined && of.fold === look.book.folds.get(asset) && of.apart === standings.get(asset)?.apart;
      for (const [asset, of] of own.assets) {
        if (isSame(asset, of)) continue;
        own.assets.delete(asset);
        own.results = undefined;
      }
      const missing = new Map([...standings].filter(([asset]) => !own.assets.has(asset)));
      if (missing.size === 0) {
        own.results ??= merged([...own.assets.values()], look.dayOf);
        return { look, results: own.results };
      }
      const gathered = await gather(accountId, look, missing);
      for (const [asset, of] of gathered) own.assets.set(asset, of);
      own.results = undefined;
      // What was written while the lines were read may be among them: looked at again beside the book as it is now.
      look = { ...look, book: await books.of(accountId) };
    }
  }

  return {
    /** Those who ask at the same time wait for one reading. */
    of: (accountId: string, look: Look) => inTurn(accountId, () => read(accountId, look)),
  };
}

type Standings = {
  readonly of: [position: AssetFold['positions'][number], standing: ReturnType<Look['standing']>][];
  /** The positions that are in no sum, by what opened them: it is known at their first line, their id would have to be worked out. */
  readonly openers: Set<string>;
  apart: string;
};
const opener = (symbol: string, key: string): string => `${symbol} ${key}`;

/** How the positions of each asset stand in this look. */
function standingsOf({ book, standing }: Look): Map<string, Standings> {
  const byAsset = new Map<string, Standings>();
  for (const asset of book.folds.keys()) byAsset.set(asset, { of: [], openers: new Set(), apart: '' });
  for (const each of book.positions) {
    const { position } = each;
    const standings = byAsset.get(position.baseAsset)!;
    const why = standing({ of: each });
    standings.of.push([position, why]);
    if (why === undefined) continue;
    standings.openers.add(opener(position.symbol, position.key));
    standings.apart += `${each.id}${why} `;
  }
  return byAsset;
}

/** The month, `2026-12`, of the day that a moment lies in. */
const monthsBy = (dayOf: Look['dayOf']) => (at: number) => dayOf(at).slice(0, 7);

function merged(assets: readonly AssetResults[], dayOf: Look['dayOf']): ResultsOverTime {
  const months = new MonthlyResults({ primary: PRIMARY, monthOf: monthsBy(dayOf) });
  const byDay = new Map<string, { at: number; change: Decimal }>();
  for (const each of assets) {
    months.include(each.months);
    for (const [name, { at, change }] of each.byDay) {
      const day = byDay.get(name) ?? { at, change: ZERO };
      byDay.set(name, { at: Math.max(day.at, at), change: add(day.change, change) });
    }
  }
  let value = ZERO;
  const equity = [...byDay.values()]
    .sort((one, other) => one.at - other.at)
    .map(({ at, change }) => {
      value = add(value, change);
      return { at, value };
    });
  return { months: months.results(), equity };
}
