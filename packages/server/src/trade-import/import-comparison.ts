import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { type CrossDuplicates, crossDuplicateSteps, mayBeConversion } from '@pilotfish/core/trade-import/cross-duplicates';
import { entriesOf, type RateAt } from '@pilotfish/core/trade-import/draft-entries';
import type { ImportDraft } from '@pilotfish/core/trade-import/import-draft';
import { CASH_ASSETS, type KnownPairs } from '@pilotfish/core/trade-import/known-pairs';
import { addedUp, pairedOtherwise, readOtherwise } from '@pilotfish/core/trade-import/read-otherwise';
import { freedSides, type GivenSides, isOfOneSide } from '@pilotfish/core/trade-import/swap-duplicates';
import type { RowResult } from '@pilotfish/core/trade-import/trade-import-contract';
import type { LedgerStore } from '../positions/ledger-store.ts';
import type { RateWanted } from '../positions/minute-rates.ts';
import { breathe } from './csv-rows.ts';
import type { DraftSpool } from './draft-spool.ts';
import { PREVIEW, PROBLEMS_TOLD } from './import-answer.ts';
import type { Reading } from './import-reading.ts';

export const PRIMARY = 'USDT';
/** So far from its placing an order's fills are looked for. */
export const AROUND_MS = 7 * 86_400_000;
/** Rates asked for while somebody waits; the rest is valued in the background. */
const RATES_AT_ONCE = 2000;
const NOTHING_KNOWN: RateAt = () => undefined;

/** What of an upload is new to a ledger, and what gives way to it. */
export type Comparison = {
  readonly imported: number;
  readonly duplicates: number;
  readonly crossed: number;
  /** The first rows that bring nothing. */
  readonly told: readonly RowResult[];
  /** The first rows that bring something. */
  readonly preview: readonly ImportDraft[];
  /** By place in the spool: whether the row brings something. */
  readonly isFresh: (place: number) => boolean;
  readonly replaced: readonly LedgerEntry[];
  readonly costs: CrossDuplicates['costs'];
  /** Rows that swaps their owner told of tell of already, by the names of those: they count when such a swap is taken back. */
  readonly beside: ReadonlyMap<string, readonly LedgerEntry[]>;
  /** What had given way to a swap its owner told of, that gives way now itself, and what takes its place does not tell of. */
  readonly freed: readonly LedgerEntry[];
  /** What its values need, as far as somebody can wait for it. */
  readonly rates: readonly RateWanted[];
};

/** One bit a row. */
class Places {
  private bits = new Uint8Array(1024);
  count = 0;
  add(place: number): void {
    if (place >> 3 >= this.bits.length) {
      const larger = new Uint8Array(2 * this.bits.length + (place >> 3));
      larger.set(this.bits);
      this.bits = larger;
    }
    if (this.has(place)) return;
    this.bits[place >> 3]! |= 1 << (place & 7);
    this.count += 1;
  }
  has(place: number): boolean {
    return ((this.bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }
}

/** Goes through what was read and finds which rows bring something, which are there already, and what gives way to them. */
export async function compareWithLedger(
  store: Pick<LedgerStore, 'isEmpty' | 'known' | 'pages' | 'batches'>,
  accountId: string,
  { spool, reading, pairs }: { spool: DraftSpool; reading: Pick<Reading, 'sources' | 'mayRepeat' | 'operations'>; pairs: KnownPairs },
): Promise<Comparison> {
  const isEmpty = await store.isEmpty(accountId);
  const duplicates = new Places();
  const told: RowResult[] = [];
  const seen = reading.mayRepeat ? new Set<string>() : undefined;
  const period = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const symbols = new Set<string>();
  const moved = new Set<string>();
  const total = spool.count();
  // A first file of an account needs no look for names: there are none.
  let at = 0;
  for await (const part of isEmpty && seen === undefined ? [] : spool.parts()) {
    const known = isEmpty
      ? undefined
      : await store.known(
          accountId,
          part.map(({ id }) => id),
        );
    for (const { id, draft } of part) {
      const place = at;
      at += 1;
      // Known already, or told of by a row further up: two files of one upload may overlap.
      if (known?.has(id) || seen?.has(id)) {
        duplicates.add(place);
        if (told.length < PROBLEMS_TOLD) told.push({ row: draft.row, result: 'duplicate' });
        continue;
      }
      seen?.add(id);
      period.from = Math.min(period.from, draft.at);
      period.to = Math.max(period.to, draft.at);
      if (draft.kind === 'trade') symbols.add(draft.symbol);
      else if (draft.kind === 'transfer') moved.add(draft.asset);
    }
  }

  const stored = isEmpty || total === duplicates.count ? [] : await storedAround(store, accountId, { period, symbols, moved });
  // One source alone has nothing to be compared with: its rows have their names.
  const found =
    stored.length === 0 && reading.sources.size < 2
      ? undefined
      : await cross(spool, stored, {
          sides: await store.batches.givenSides(accountId, stored),
          duplicates,
          pairs,
          isAnswered: reading.operations.size > 0,
          isMixed: reading.sources.size > 1,
        });

  const crossed = new Places();
  const preview: ImportDraft[] = [];
  const conversions: RateWanted[] = [];
  const fills: RateWanted[] = [];
  const known = found?.known;
  let place = 0;
  for await (const part of spool.parts()) {
    for (const { id, draft } of part) {
      const here = place;
      place += 1;
      if (duplicates.has(here)) continue;
      if (known?.has(id) || known?.has(`${id}:2`)) {
        crossed.add(here);
        if (told.length < PROBLEMS_TOLD) told.push({ row: draft.row, result: 'crossDuplicate' });
        continue;
      }
      if (preview.length < PREVIEW) preview.push(draft);
      wantRates(draft, conversions, fills);
    }
  }
  const gone = new Set(found?.replaced);
  return {
    imported: total - duplicates.count - crossed.count,
    duplicates: duplicates.count,
    crossed: crossed.count,
    told,
    preview,
    isFresh: (each) => !duplicates.has(each) && !crossed.has(each),
    replaced: stored.filter(({ id }) => gone.has(id)),
    costs: found?.costs ?? new Map(),
    beside: found?.beside ?? new Map(),
    freed: found?.freed ?? [],
    rates: [...conversions, ...fills].slice(0, RATES_AT_ONCE),
  };
}

/** What is stored that rows of these pairs and times can be the same as. */
async function storedAround(
  store: Pick<LedgerStore, 'pages'>,
  accountId: string,
  { period, symbols, moved }: { period: { from: number; to: number }; symbols: ReadonlySet<string>; moved: ReadonlySet<string> },
): Promise<LedgerEntry[]> {
  const stored: LedgerEntry[] = [];
  const loaded = new Set<string>();
  for await (const page of store.pages(accountId, { from: period.from - AROUND_MS, to: period.to + AROUND_MS }))
    for (const entry of page) {
      if (entry.kind === 'trade' && !symbols.has(entry.symbol) && !mayBeConversion(entry)) continue;
      stored.push(entry);
      loaded.add(entry.id);
    }
  // What a person typed has the time they remember: it may lie anywhere.
  if (moved.size > 0)
    for await (const page of store.pages(accountId, { kind: 'transfer', assets: [...moved] }))
      for (const entry of page) if (entry.source === 'user' && !loaded.has(entry.id)) stored.push(entry);
  return stored;
}

/** Compares the rows that are new by name with what is stored, over all sources. */
async function cross(
  spool: DraftSpool,
  stored: readonly LedgerEntry[],
  {
    sides,
    duplicates,
    pairs,
    isAnswered,
    isMixed,
  }: { sides: GivenSides; duplicates: Places; pairs: KnownPairs; isAnswered: boolean; isMixed: boolean },
): Promise<Pick<Comparison, 'costs' | 'beside' | 'freed'> & Pick<CrossDuplicates, 'known' | 'replaced'>> {
  const symbols = new Set<string>();
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const entry of stored) {
    if (entry.kind === 'trade') symbols.add(entry.symbol);
    from = Math.min(from, entry.at - AROUND_MS);
    to = Math.max(to, entry.at + AROUND_MS);
  }
  const entries: LedgerEntry[] = [];
  /** Stored rows of statements that this one does not read as they are stored. */
  const unread = new Map(stored.flatMap((entry) => (entry.source === 'transaction-records' ? [[entry.id, entry] as const] : [])));
  let place = 0;
  for await (const part of spool.parts()) {
    for (const named of part) {
      const here = place;
      place += 1;
      if (duplicates.has(here)) {
        unread.delete(named.id);
        unread.delete(`${named.id}:2`);
        continue;
      }
      const { draft, id } = named;
      const isFar = draft.kind === 'trade' && (!symbols.has(draft.symbol) || draft.at < from || draft.at > to);
      if (isFar && !isMixed && named.source !== 'transaction-records') continue;
      // Values do not matter for telling two of them apart.
      entries.push(...entriesOf(draft, id, { source: named.source, primary: PRIMARY, pairs, rateAt: NOTHING_KNOWN }));
    }
  }
  const steps = crossDuplicateSteps(entries, stored, sides);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      const { known, replaced, costs, tellers } = step.value;
      const beside = new Map<string, LedgerEntry[]>();
      for (const entry of entries) {
        const teller = known.has(entry.id) ? tellers.get(entry.id) : undefined;
        const given = sides.get(teller ?? '');
        // What the swap has of this source already is this row, read otherwise: both would count without the swap.
        if (teller === undefined || given === undefined || given.some((side) => isOfOneSide(side, entry))) continue;
        beside.set(teller, [...(beside.get(teller) ?? []), entry]);
      }
      const isGone = new Set(replaced);
      const swaps = new Map([...tellers].filter(([id]) => isGone.has(id)));
      const freed = freedSides(entries, swaps, sides);
      for (const id of replaced) unread.delete(id);
      const fresh = entries.filter(({ id }) => !known.has(id));
      const given = [...replaced];
      for (const rejoined of [() => addedUp(entries, [...unread.values()]), () => pairedOtherwise(fresh, [...unread.values()])])
        for (const id of rejoined()) {
          unread.delete(id);
          given.push(id);
        }
      if (!isAnswered) return { known, replaced: given, costs, beside, freed };
      const otherwise = readOtherwise(fresh, [...unread.values()]);
      return { known, replaced: [...given, ...otherwise.replaced], costs: new Map([...costs, ...otherwise.costs]), beside, freed };
    }
    await breathe();
  }
}

/** A conversion between two coins is a trade at its worth or it is none; its entries are fixed when stored, so its rates are asked for first. */
function wantRates(draft: ImportDraft, conversions: RateWanted[], fills: RateWanted[]): void {
  if (draft.kind === 'conversion') {
    if (conversions.length >= RATES_AT_ONCE || CASH_ASSETS.has(draft.from.asset) || CASH_ASSETS.has(draft.to.asset)) return;
    const { at } = draft;
    conversions.push({ asset: draft.to.asset, quote: PRIMARY, at }, { asset: draft.from.asset, quote: PRIMARY, at });
    return;
  }
  if (draft.kind !== 'trade' || fills.length >= RATES_AT_ONCE) return;
  const { at, baseAsset, quoteAsset, feeAsset, fee } = draft;
  if (feeAsset !== baseAsset && feeAsset !== quoteAsset && fee !== '0')
    fills.push({ asset: feeAsset, quote: quoteAsset, at }, { asset: feeAsset, quote: PRIMARY, at });
  if (quoteAsset !== PRIMARY) fills.push({ asset: quoteAsset, quote: PRIMARY, at });
}
