import { add, type Decimal, decimal, ZERO } from '@pilotfish/core/money/decimal';
import { type AssetFold, type FoldOptions, foldAsset, stepsByAsset } from '@pilotfish/core/positions/asset-fold';
import { addFlows, type LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import type { FoldedPosition, PairRules } from '@pilotfish/core/positions/pair-state';
import { CASH_ASSETS } from '@pilotfish/core/trade-import/known-pairs';
import type { Market } from '../market/market.ts';
import { PRIMARY } from './fill-entries.ts';
import type { LedgerChange } from './ledger-change.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { OverridesStore, PositionOverride } from './overrides-store.ts';
import { positionId } from './position-id.ts';

/** Accounts whose positions are held in memory. */
const KEPT = 50;
/** Where a pair is listed no more: nothing is too small to count but what the exchange cannot even write. */
const UNLISTED: PairRules = { stepSize: decimal('0.00000001'), minNotional: ZERO };

export type BookPosition = {
  readonly id: string;
  readonly position: FoldedPosition;
  readonly override: PositionOverride | undefined;
};
export type Book = {
  readonly version: number;
  /** In the order of their opening. */
  readonly positions: readonly BookPosition[];
  readonly byId: ReadonlyMap<string, BookPosition>;
  /** What the entries explain of each asset's balance. */
  readonly flows: ReadonlyMap<string, Decimal>;
};

type Held = {
  version: number;
  rules: number;
  folds: Map<string, { fold: AssetFold; positions: BookPosition[] }>;
  flows: Map<string, Decimal>;
  overrides: readonly PositionOverride[];
  /** The entry each override holds on to now. */
  anchors: Map<string, string>;
  /** Touched since it was folded. */
  stale: Set<string>;
  book: Book | undefined;
};

export type PositionBooks = ReturnType<typeof positionBooks>;

/**
 * The positions of each account as its ledger has them, folded when somebody asks and the ledger has changed; of a
 * few new entries only the assets they touch are folded anew.
 */
export function positionBooks(options: { ledger: LedgerStore; overrides: OverridesStore; market: Pick<Market, 'pair' | 'pairs'> }) {
  const { ledger, market } = options;
  const held = new Map<string, Held>();
  const loading = new Map<string, Promise<Book>>();

  const stop = ledger.onChange((change: LedgerChange) => {
    const known = held.get(change.accountId);
    if (known === undefined) return;
    if (change.version !== known.version + 1) {
      held.delete(change.accountId);
      return;
    }
    known.version = change.version;
    for (const asset of change.assets) known.stale.add(asset);
    for (const [asset, flow] of change.flows) known.flows.set(asset, add(known.flows.get(asset) ?? ZERO, flow));
  });

  const rulesOf = (symbol: string): PairRules => {
    const filters = market.pair(symbol)?.filters;
    return filters === undefined ? UNLISTED : { stepSize: decimal(filters.stepSize), minNotional: decimal(filters.minNotional) };
  };

  const optionsFor = (overrides: readonly PositionOverride[], anchors: ReadonlyMap<string, string>, lines: boolean): FoldOptions => ({
    primary: PRIMARY,
    cash: CASH_ASSETS,
    rulesOf,
    marked: new Set(anchors.values()),
    closings: overrides.flatMap(({ entryId, closing }) => (closing ? [{ position: anchors.get(entryId) ?? entryId, ...closing }] : [])),
    lines,
  });

  /** Folds some assets, or all of them, letting others have their turn between two. */
  async function fold(accountId: string, state: Held, entries: readonly LedgerEntry[], assets?: ReadonlySet<string>): Promise<void> {
    anchor(state, entries, assets);
    const foldOptions = optionsFor(state.overrides, state.anchors, false);
    const steps = stepsByAsset(entries, foldOptions);
    for (const asset of assets ?? []) if (!steps.has(asset)) state.folds.delete(asset);
    let folded = 0;
    for (const [asset, ofAsset] of steps) {
      if (assets !== undefined && !assets.has(asset)) continue;
      const result = foldAsset(asset, ofAsset, foldOptions);
      state.folds.set(asset, { fold: result, positions: result.positions.map((position) => toBookPosition(accountId, state, position)) });
      folded += ofAsset.length;
      if (folded > YIELD_AFTER) {
        folded = 0;
        await new Promise((done) => setImmediate(done));
      }
    }
  }

  const toBookPosition = (accountId: string, { overrides, anchors }: Held, position: FoldedPosition): BookPosition => ({
    id: positionId(accountId, position.symbol, position.key),
    position,
    override: overrides.find(({ entryId }) => {
      const anchored = anchors.get(entryId) ?? entryId;
      return anchored === position.key || position.marks.includes(anchored);
    }),
  });

  async function read(accountId: string): Promise<Book> {
    const rules = market.pairs().length;
    const version = await ledger.version(accountId);
    let state = held.get(accountId);
    if (state !== undefined && (state.version !== version || state.rules !== rules)) state = undefined;
    if (state?.book !== undefined && state.stale.size === 0) return state.book;
    if (state === undefined) {
      state = {
        version,
        rules,
        folds: new Map(),
        flows: new Map(),
        overrides: await options.overrides.list(accountId),
        anchors: new Map(),
        stale: new Set(),
        book: undefined,
      };
      const entries = await ledger.entries(accountId);
      for (const entry of entries) addFlows(state.flows, entry);
      await fold(accountId, state, entries);
      // Written to while it was read: what was read may hold some of it.
      if ((await ledger.version(accountId)) !== version) return read(accountId);
      while (held.size >= KEPT) held.delete(held.keys().next().value!);
      held.set(accountId, state);
    } else {
      const stale = new Set([...state.stale].filter((asset) => !CASH_ASSETS.has(asset)));
      state.stale.clear();
      state.overrides = await options.overrides.list(accountId);
      const entries = await ledger.entries(accountId, { assets: [...stale] });
      await fold(accountId, state, entries, stale);
      if (state.stale.size > 0 || held.get(accountId) !== state) return read(accountId);
    }
    const positions = [...state.folds.values()]
      .flatMap((each) => each.positions)
      .sort((one, other) => one.position.openedAt - other.position.openedAt || (one.id < other.id ? -1 : 1));
    state.book = { version: state.version, positions, byId: new Map(positions.map((each) => [each.id, each])), flows: state.flows };
    return state.book;
  }

  return {
    /** Everybody who asks at the same time gets the same answer. */
    of: (accountId: string): Promise<Book> => {
      const known = loading.get(accountId);
      if (known !== undefined) return known;
      const reading = read(accountId).finally(() => loading.delete(accountId));
      loading.set(accountId, reading);
      return reading;
    },
    /** After an override changed: the positions of these assets are to be folded anew. */
    touch: (accountId: string, assets: readonly string[]): void => {
      for (const asset of assets) held.get(accountId)?.stale.add(asset);
    },
    /** One position with all its lines, and the entries of its asset. */
    withLines: async (accountId: string, { id, position }: BookPosition) => {
      const entries = await ledger.entries(accountId, { assets: [position.baseAsset] });
      const foldOptions = await linesOptions(accountId, entries, new Set([position.baseAsset]));
      const steps = stepsByAsset(entries, foldOptions).get(position.baseAsset) ?? [];
      const found = foldAsset(position.baseAsset, steps, foldOptions).positions.find(
        (each) => positionId(accountId, each.symbol, each.key) === id,
      );
      return { position: found ?? position, entries };
    },
    /** Every position with all its lines: for what is told by the time of each step. Held by nobody. */
    allWithLines: async (accountId: string): Promise<BookPosition[]> => {
      const entries = await ledger.entries(accountId);
      const state = await linesState(accountId, entries);
      const foldOptions = optionsFor(state.overrides, state.anchors, true);
      const all: BookPosition[] = [];
      let folded = 0;
      for (const [asset, steps] of stepsByAsset(entries, foldOptions)) {
        for (const position of foldAsset(asset, steps, foldOptions).positions) all.push(toBookPosition(accountId, state, position));
        folded += steps.length;
        if (folded > YIELD_AFTER) {
          folded = 0;
          await new Promise((done) => setImmediate(done));
        }
      }
      return all;
    },
    forget: (accountId: string): void => void held.delete(accountId),
    stop,
  };

  async function linesState(accountId: string, entries: readonly LedgerEntry[], assets?: ReadonlySet<string>): Promise<Held> {
    const state: Held = {
      version: 0,
      rules: 0,
      folds: new Map(),
      flows: new Map(),
      overrides: await options.overrides.list(accountId),
      anchors: new Map(),
      stale: new Set(),
      book: undefined,
    };
    anchor(state, entries, assets);
    return state;
  }
  async function linesOptions(accountId: string, entries: readonly LedgerEntry[], assets: ReadonlySet<string>): Promise<FoldOptions> {
    const { overrides, anchors } = await linesState(accountId, entries, assets);
    return optionsFor(overrides, anchors, true);
  }
}

/** Steps folded before others have their turn. */
const YIELD_AFTER = 5000;

/**
 * Finds the entry each override holds on to: the one it was said of, or, where that was replaced by others (the fills
 * of an order, in place of its one row), the first of the pair from that second on.
 */
function anchor(
  state: { overrides: readonly PositionOverride[]; anchors: Map<string, string> },
  entries: readonly LedgerEntry[],
  assets: ReadonlySet<string> | undefined,
): void {
  if (state.overrides.length === 0) return;
  const wanted = new Map<string, PositionOverride[]>();
  for (const override of state.overrides) wanted.set(override.symbol, [...(wanted.get(override.symbol) ?? []), override]);
  const exact = new Set<string>();
  const nearest = new Map<string, { id: string; at: number }>();
  const seen = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== 'trade') continue;
    const ofPair = wanted.get(entry.symbol);
    if (ofPair === undefined || (assets !== undefined && !assets.has(entry.baseAsset))) continue;
    seen.add(entry.symbol);
    for (const { entryId, entryAt } of ofPair) {
      if (entry.id === entryId) exact.add(entryId);
      const best = nearest.get(entryId);
      if (entry.at >= Math.floor(entryAt / 1000) * 1000 && (best === undefined || entry.at < best.at))
        nearest.set(entryId, { id: entry.id, at: entry.at });
    }
  }
  for (const { entryId, symbol } of state.overrides) {
    if (!seen.has(symbol)) continue;
    state.anchors.set(entryId, exact.has(entryId) ? entryId : (nearest.get(entryId)?.id ?? entryId));
  }
}
