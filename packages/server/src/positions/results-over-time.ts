import { add, type Decimal, decimal, multiply, ZERO } from '@pilotfish/core/money/decimal';
import { MonthlyResults, type MonthResult } from '@pilotfish/core/positions/monthly-overview';
import { PRIMARY } from './fill-entries.ts';
import { keptByAsset, opener, type Standings } from './kept-by-asset.ts';
import type { PositionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';

/** What came of one asset's positions. A day stands at its last result. */
type AssetResults = { readonly months: MonthlyResults; readonly byDay: Map<string, { at: number; change: Decimal }> };

/** Results by month, newest first, and as one line in the primary currency with a point for each day that had one. */
export type ResultsOverTime = {
  readonly months: readonly MonthResult[];
  readonly equity: readonly { readonly at: number; readonly value: Decimal }[];
};

/** Results over time, from every step of every position. */
export function resultsOverTime(books: PositionBooks) {
  /** Gathers what the lines of these assets say, in one walk through the ledger. */
  async function gather(accountId: string, look: Look, assets: ReadonlyMap<string, Standings>): Promise<Map<string, AssetResults>> {
    const { book, dayOf } = look;
    const gathered = new Map<string, AssetResults>();
    for (const asset of assets.keys())
      gathered.set(asset, { months: new MonthlyResults({ primary: PRIMARY, monthOf: monthsBy(dayOf) }), byDay: new Map() });
    const tell: Parameters<PositionBooks['tellLines']>[1] = (position, line) => {
      const { baseAsset, quoteAsset } = position;
      if (assets.get(baseAsset)?.why.has(opener(position))) return;
      const own = gathered.get(baseAsset);
      // A coin that came into the ledger after the look: the next round gathers it.
      if (!own) return;
      const { months, byDay } = own;
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
  return keptByAsset(books, { gather, merge: (values, { dayOf }) => merged(values, dayOf), scopeOf: ({ timeZone }) => timeZone });
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
