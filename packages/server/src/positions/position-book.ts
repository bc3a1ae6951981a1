import { add, type Decimal, decimal, ZERO } from '@pilotfish/core/money/decimal';
import { type AssetFold, type FoldOptions, LedgerFold } from '@pilotfish/core/positions/asset-fold';
import type { FoldedPosition, PositionLine } from '@pilotfish/core/positions/folded-position';
import { addFlows, type LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import type { LineKeeping, PairRules } from '@pilotfish/core/positions/pair-state';
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
  /** By asset; the same object for as long as nothing about the asset was written. */
  readonly folds: ReadonlyMap<string, AssetFold>;
  /** What the entries explain of each asset's balance. */
  readonly flows: ReadonlyMap<string, Decimal>;
};

/** What people said of positions, and the entry each such word holds on to now. */
type Said = { overrides: readonly PositionOverride[]; anchors: Map<string, string> };
/** Positions that get their ids before others have their turn. */
const NAMED_AT_ONCE = 1000;

type Held = Said & {
  version: number;
  rules: number;
  folds: Map<string, { fold: AssetFold; positions: BookPosition[] }>;
  flows: Map<string, Decimal>;
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

  const optionsFor = (overrides: readonly PositionOverride[], anchors: ReadonlyMap<string, string>, lines: LineKeeping): FoldOptions => ({
    primary: PRIMARY,
    cash: CASH_ASSETS,
    rulesOf,
    marked: new Set(anchors.values()),
    closings: overrides.flatMap(({ entryId, closing }) => (closing ? [{ position: anchors.get(entryId) ?? entryId, ...closing }] : [])),
    reopenings: new Map(
      overrides.flatMap(({ entryId, reopenedUntil }) => (reopenedUntil === null ? [] : [[anchors.get(entryId) ?? entryId, reopenedUntil]])),
    ),
    lines,
  });

  /** Folds some assets, or all of them, a page of entries at a time: others have their turn in between. */
  async function fold(accountId: string, state: Held, changed?: ReadonlySet<string>): Promise<void> {
    const assets = changed && (await ledger.withSwapped(accountId, changed));
    state.anchors = await anchorsOf(accountId, state.overrides);
    const result = new LedgerFold(optionsFor(state.overrides, state.anchors, false), assets);
    for await (const page of ledger.pages(accountId, assets === undefined ? {} : { assets: [...assets] })) {
      if (assets === undefined) for (const entry of page) addFlows(state.flows, entry);
      result.push(page);
    }
    for (const asset of assets ?? []) state.folds.delete(asset);
    let named = 0;
    for (const each of result.end()) {
      state.folds.set(each.asset, {
        fold: each,
        positions: each.positions.map((position) => toBookPosition(accountId, state, position)),
      });
      named += each.positions.length;
      if (named < NAMED_AT_ONCE) continue;
      named = 0;
      await new Promise((done) => setImmediate(done));
    }
  }

  /**
   * The entry each override holds on to: the one it was said of, or, where that was replaced by others (the fills of an
   * order, in place of its one row), the first of the pair from that second on.
   */
  async function anchorsOf(accountId: string, overrides: readonly PositionOverride[]): Promise<Map<string, string>> {
    const anchors = new Map<string, string>();
    if (overrides.length === 0) return anchors;
    const exact = await ledger.known(
      accountId,
      overrides.map(({ entryId }) => entryId),
    );
    for (const { entryId, entryAt, symbol } of overrides) {
      const from = Math.floor(entryAt / 1000) * 1000;
      anchors.set(entryId, exact.has(entryId) ? entryId : ((await ledger.firstTrade(accountId, symbol, from)) ?? entryId));
    }
    return anchors;
  }

  const toBookPosition = (accountId: string, { overrides, anchors }: Said, position: FoldedPosition): BookPosition => ({
    id: positionId(accountId, position.symbol, position.key),
    position,
    // One that was opened again may have taken in a later one of which something was said, too: its own word counts.
    override:
      overrides.find(({ entryId }) => (anchors.get(entryId) ?? entryId) === position.key) ??
      overrides.find(({ entryId }) => position.marks.includes(anchors.get(entryId) ?? entryId)),
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
      await fold(accountId, state);
      // Written to while it was read: what was read may hold some of it.
      if ((await ledger.version(accountId)) !== version) return read(accountId);
      while (held.size >= KEPT) held.delete(held.keys().next().value!);
      held.set(accountId, state);
    } else {
      const stale = new Set(state.stale);
      state.stale.clear();
      state.overrides = await options.overrides.list(accountId);
      await fold(accountId, state, stale);
      if (state.stale.size > 0 || held.get(accountId) !== state) return read(accountId);
    }
    const positions = [...state.folds.values()]
      .flatMap((each) => each.positions)
      .sort((one, other) => one.position.openedAt - other.position.openedAt || (one.id < other.id ? -1 : 1));
    const folds = new Map([...state.folds].map(([asset, { fold: of }]) => [asset, of]));
    state.book = { version: state.version, positions, byId: new Map(positions.map((each) => [each.id, each])), folds, flows: state.flows };
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
      const entries: LedgerEntry[] = [];
      const result = await foldAnew(accountId, true, new Set([position.baseAsset]), (page) => void entries.push(...page));
      const found = result.flatMap(({ positions }) => positions).find((each) => positionId(accountId, each.symbol, each.key) === id);
      return { position: found ?? position, entries };
    },
    /**
     * Tells every line of every position (of these assets, where not of all) in the order of time: for what is told by
     * the time of each step. Kept by nobody, since a long history would not fit into memory with its lines.
     * @param onPage hears of the entries before their lines
     */
    tellLines: async (
      accountId: string,
      tell: (position: FoldedPosition, line: PositionLine) => void,
      assets?: ReadonlySet<string>,
      onPage?: (page: readonly LedgerEntry[]) => void,
    ): Promise<void> => {
      await foldAnew(accountId, tell, assets, onPage);
    },
    forget: (accountId: string): void => void held.delete(accountId),
    stop,
  };

  async function foldAnew(
    accountId: string,
    told: LineKeeping,
    wanted?: ReadonlySet<string>,
    onPage?: (page: readonly LedgerEntry[]) => void,
  ): Promise<AssetFold[]> {
    const assets = wanted && (await ledger.withSwapped(accountId, wanted));
    const lines: LineKeeping =
      typeof told !== 'function' ? told : (position, line) => (!wanted || wanted.has(position.baseAsset)) && told(position, line);
    const overrides = await options.overrides.list(accountId);
    const anchors = await anchorsOf(accountId, overrides);
    const folding = new LedgerFold(optionsFor(overrides, anchors, lines), assets);
    for await (const page of ledger.pages(accountId, assets === undefined ? {} : { assets: [...assets] })) {
      onPage?.(page);
      folding.push(page);
    }
    return [...folding.end()].filter(({ asset }) => !wanted || wanted.has(asset));
  }
}
