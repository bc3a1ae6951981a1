import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { type CrossDuplicates, crossDuplicates } from '@pilotfish/core/trade-import/cross-duplicates';
import { entriesOf, type RateAt } from '@pilotfish/core/trade-import/draft-entries';
import type { ImportDraft } from '@pilotfish/core/trade-import/import-draft';
import { CASH_ASSETS, type KnownPairs } from '@pilotfish/core/trade-import/known-pairs';
import type { ImportAnswer, ImportField, RowResult } from '@pilotfish/core/trade-import/trade-import-contract';
import type { AppContext } from '../app/context.ts';
import type { UploadedFile } from '../http/endpoint-handler.ts';
import type { Market } from '../market/market.ts';
import type { LedgerStore } from '../positions/ledger-store.ts';
import type { MinuteRates, RateWanted } from '../positions/minute-rates.ts';
import { breathe } from './csv-rows.ts';
import { type NamedDraft, PROBLEMS_TOLD, readTables } from './import-reading.ts';
import { withTables } from './uploaded-file.ts';

const PRIMARY = 'USDT';
const PREVIEW = 50;
/** So far from its placing an order's fills are looked for. */
const AROUND_MS = 7 * 86_400_000;
/** Rates asked for while somebody waits; the rest is valued in the background. */
const RATES_AT_ONCE = 2000;

export type ImportParts = {
  readonly market: Pick<Market, 'pairs'>;
  readonly store: LedgerStore;
  readonly rates: MinuteRates;
  /** Values what could not be valued at once. */
  readonly valueLater: (accountId: string) => void;
};
export type ImportOptions = {
  readonly commit: boolean;
  readonly acceptPartial: boolean;
  readonly zone?: number | undefined;
  readonly mapping?: Readonly<Record<string, ImportField>> | undefined;
  readonly uploadId?: string | undefined;
  /** Waited for once the file is here and before it is read: what is read is held in memory to the end. */
  readonly turn?: () => Promise<void>;
};

const NOTHING_KNOWN: RateAt = () => undefined;

/** Reads uploads into the ledger: every row answered for, nothing stored twice, all of a file or nothing. */
export function importService(context: Pick<AppContext, 'database' | 'now' | 'newId' | 'stream'>, parts: ImportParts) {
  const { database, now, newId, stream } = context;
  const { market, store, rates } = parts;

  async function importFile(accountId: string, upload: UploadedFile, options: ImportOptions): Promise<ImportAnswer> {
    const pairs: KnownPairs = new Map(market.pairs().map(({ symbol, baseAsset, quoteAsset }) => [symbol, { baseAsset, quoteAsset }]));
    const tell = (phase: 'reading' | 'storing' | 'folding', done: number, total: number | null) => {
      if (options.uploadId !== undefined) stream.publish('trade-import', { uploadId: options.uploadId, phase, done, total }, accountId);
    };
    const reading = await withTables(upload, async (tables) => {
      await options.turn?.();
      return readTables(tables, { zone: options.zone, mapping: options.mapping, pairs, onRows: (done) => tell('reading', done, null) });
    });
    const answer = {
      batchId: null,
      fileName: upload.name.slice(0, 200),
      format: reading.format,
      zone: reading.zone === undefined ? null : zoneText(reading.zone),
      columns: [...reading.columns],
      committed: false,
    };
    const problems: RowResult[] = reading.problems.map((problem) => ({ ...problem }));
    if (reading.needs !== null) {
      return { ...answer, needs: reading.needs, period: null, counts: countsOf(reading.counts, 0, 0, 0), rows: problems, preview: [] };
    }

    const period = periodOf(reading.drafts);
    const partial = reading.counts.error > 0 && !options.acceptPartial;
    const told = (compared: Compared) => {
      const { fresh, duplicates, crossed } = compared;
      const rows: RowResult[] = [...problems];
      for (const { draft, result } of [...duplicates, ...crossed]) if (rows.length < PROBLEMS_TOLD) rows.push({ row: draft.row, result });
      rows.sort((one, other) => one.row - other.row);
      const counts = countsOf(reading.counts, fresh.length, duplicates.length, crossed.length);
      const preview = fresh.slice(0, PREVIEW).map(({ draft }) => previewOf(draft));
      return { ...answer, needs: partial ? ('acceptPartial' as const) : null, period, counts, rows, preview };
    };

    const version = options.commit ? await store.version(accountId) : 0;
    const compared = await compare(accountId, reading.drafts, pairs);
    if (!options.commit || partial) return told(compared);

    // The exchange is asked before the turn: what is traded meanwhile must not wait for it.
    const rateAt = await ratesFor(compared.fresh);
    const batchId = newId();
    const stored = await store.inTurn(accountId, async () => {
      const isSame = (await store.version(accountId)) === version;
      const last = isSame ? compared : await compare(accountId, reading.drafts, pairs);
      const entries = last.fresh
        .flatMap(({ draft, id, source }) => entriesOf(draft, id, { source, primary: PRIMARY, pairs, rateAt }))
        .map((entry) => ({ ...entry, ...last.costs.get(entry.id) }));
      const gaveWay = await withBatches(accountId, last.replaced);
      const whole = told(last);
      await store.append(accountId, entries, {
        batchId,
        replaces: last.replaced.map(({ id }) => id),
        onStored: (done) => tell('storing', done, entries.length),
        within: async (queries) => {
          await queries
            .insertInto('import_batches')
            .values({
              id: batchId,
              account_id: accountId,
              file_name: answer.fileName,
              format: reading.format,
              at: now(),
              counts: JSON.stringify(whole.counts),
              period: JSON.stringify(period),
              replaced: JSON.stringify(gaveWay),
            })
            .execute();
        },
      });
      tell('folding', entries.length, entries.length);
      return whole;
    });
    parts.valueLater(accountId);
    return { ...stored, batchId, committed: true };
  }

  /** Which rows bring something, which are there already, and what gives way to them. */
  async function compare(accountId: string, drafts: readonly NamedDraft[], pairs: KnownPairs): Promise<Compared> {
    const period = boundsOf(drafts);
    if (period === undefined) return { fresh: [], duplicates: [], crossed: [], replaced: [], costs: new Map() };
    const names = await store.names(accountId, period);
    const duplicates: { draft: ImportDraft; result: 'duplicate' }[] = [];
    const unnamed: NamedDraft[] = [];
    for (const named of drafts) {
      // Known already, or told of by a row further up: two files of one upload may overlap.
      if (names.has(named.id)) duplicates.push({ draft: named.draft, result: 'duplicate' });
      else unnamed.push(named);
      names.add(named.id);
    }
    const around = boundsOf(unnamed);
    const near = around === undefined ? [] : await store.entries(accountId, { from: around.from - AROUND_MS, to: around.to + AROUND_MS });
    // What a person typed has the time they remember: it may lie anywhere.
    const moved = [...new Set(unnamed.flatMap(({ draft }) => (draft.kind === 'transfer' ? [draft.asset] : [])))];
    const loaded = new Set(near.map(({ id }) => id));
    const said = (await store.entries(accountId, { assets: moved })).filter(({ source, id }) => source === 'user' && !loaded.has(id));
    const stored = [...near, ...said];
    // One source alone has nothing to be compared with: its rows have their names.
    if (stored.length === 0 && new Set(unnamed.map(({ source }) => source)).size < 2) {
      return { fresh: unnamed, duplicates, crossed: [], replaced: [], costs: new Map() };
    }
    const firstOf = new Map<string, string>();
    const entries: LedgerEntry[] = [];
    for (const [index, { draft, id, source }] of unnamed.entries()) {
      // Values do not matter for telling two of them apart.
      for (const entry of entriesOf(draft, id, { source, primary: PRIMARY, pairs, rateAt: NOTHING_KNOWN })) {
        firstOf.set(entry.id, id);
        entries.push(entry);
      }
      if (index % 5000 === 4999) await breathe();
    }
    const { known, replaced, costs } = crossDuplicates(entries, stored);
    const crossedNames = new Set([...known].map((id) => firstOf.get(id)));
    const gone = new Set(replaced);
    return {
      fresh: unnamed.filter(({ id }) => !crossedNames.has(id)),
      duplicates,
      crossed: unnamed.filter(({ id }) => crossedNames.has(id)).map(({ draft }) => ({ draft, result: 'crossDuplicate' as const })),
      replaced: stored.filter(({ id }) => gone.has(id)),
      costs,
    };
  }

  /** Entries with the imports that brought them. */
  async function withBatches(accountId: string, entries: readonly LedgerEntry[]): Promise<GaveWay[]> {
    const found: GaveWay[] = [];
    for (let start = 0; start < entries.length; start += 500) {
      const part = entries.slice(start, start + 500);
      const rows = await database.queries
        .selectFrom('ledger_entries')
        .select(['entry_id', 'batch_id'])
        .where('account_id', '=', accountId)
        .where(
          'entry_id',
          'in',
          part.map(({ id }) => id),
        )
        .execute();
      const batches = new Map(rows.map((row) => [row.entry_id, row.batch_id]));
      found.push(...part.map((entry) => ({ entry, batchId: batches.get(entry.id) ?? null })));
    }
    return found;
  }

  async function ratesFor(drafts: readonly NamedDraft[]): Promise<RateAt> {
    const wanted: RateWanted[] = [];
    for (const { draft } of drafts) {
      if (wanted.length >= RATES_AT_ONCE) break;
      // A conversion between two coins is a trade at its worth or it is none: that cannot be mended later.
      if (draft.kind === 'conversion' && !CASH_ASSETS.has(draft.from.asset) && !CASH_ASSETS.has(draft.to.asset))
        wanted.push({ asset: draft.to.asset, quote: PRIMARY, at: draft.at }, { asset: draft.from.asset, quote: PRIMARY, at: draft.at });
    }
    for (const { draft } of drafts) {
      if (wanted.length >= RATES_AT_ONCE) break;
      if (draft.kind !== 'trade') continue;
      const { at, baseAsset, quoteAsset, feeAsset, fee } = draft;
      if (feeAsset !== baseAsset && feeAsset !== quoteAsset && fee !== '0')
        wanted.push({ asset: feeAsset, quote: quoteAsset, at }, { asset: feeAsset, quote: PRIMARY, at });
      if (quoteAsset !== PRIMARY) wanted.push({ asset: quoteAsset, quote: PRIMARY, at });
    }
    return rates.load(wanted);
  }

  return {
    importFile,
    list: async (accountId: string) => {
      const found = await database.queries
        .selectFrom('import_batches')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(200)
        .execute();
      return found.map((batch) => ({
        id: batch.id,
        fileName: batch.file_name,
        format: batch.format,
        at: new Date(batch.at).toISOString(),
        counts: JSON.parse(batch.counts) as ImportAnswer['counts'],
        period: JSON.parse(batch.period) as ImportAnswer['period'],
      }));
    },
    /**
     * Takes back what an import brought and brings back what had given way to it. The batch goes last, so that a
     * stop in between leaves something to undo again. Answers false when there is no such import.
     */
    undo: (accountId: string, batchId: string): Promise<boolean> => store.inTurn(accountId, () => undo(accountId, batchId)),
  };

  async function undo(accountId: string, batchId: string): Promise<boolean> {
    const batch = await database.queries
      .selectFrom('import_batches')
      .select('replaced')
      .where('account_id', '=', accountId)
      .where('id', '=', batchId)
      .executeTakeFirst();
    if (batch === undefined) return false;
    await store.remove(accountId, { batchId });
    const gaveWay = JSON.parse(batch.replaced) as GaveWay[];
    for (const owner of new Set(gaveWay.map((each) => each.batchId))) {
      // What came with an import that was undone since stays away.
      if (owner !== null && !(await exists(accountId, owner))) continue;
      const entries = gaveWay.filter((each) => each.batchId === owner).map(({ entry }) => entry);
      await bringBack(accountId, entries, owner);
    }
    await database.queries.deleteFrom('import_batches').where('account_id', '=', accountId).where('id', '=', batchId).execute();
    return true;
  }

  /** What gave way returns, but for what somebody better has told of since: that would count it twice. */
  async function bringBack(accountId: string, entries: readonly LedgerEntry[], batchId: string | null): Promise<void> {
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { at } of entries) [from, to] = [Math.min(from, at), Math.max(to, at)];
    const around = await store.entries(accountId, { from: from - AROUND_MS, to: to + AROUND_MS });
    const { known, replaced } = crossDuplicates(entries, around);
    const missing = entries.filter(({ id }) => !known.has(id));
    await store.append(accountId, missing, { replaces: replaced, ...(batchId !== null && { batchId }) });
    if (known.size === 0) return;
    // Should the import that tells of the rest be undone as well, the rest returns then.
    const later = entries.filter(({ id }) => known.has(id)).map((entry): GaveWay => ({ entry, batchId }));
    const others = await database.queries
      .selectFrom('import_batches')
      .select(['id', 'replaced'])
      .where('account_id', '=', accountId)
      .where((e) =>
        e.exists(
          e
            .selectFrom('ledger_entries')
            .select('entry_id')
            .whereRef('ledger_entries.batch_id', '=', 'import_batches.id')
            .where('ledger_entries.account_id', '=', accountId)
            .where('ledger_entries.at', '>=', from - AROUND_MS)
            .where('ledger_entries.at', '<=', to + AROUND_MS),
        ),
      )
      .execute();
    for (const other of others) {
      if (other.id === batchId) continue;
      const all = [...(JSON.parse(other.replaced) as GaveWay[]), ...later];
      await database.queries
        .updateTable('import_batches')
        .set({ replaced: JSON.stringify(all) })
        .where('account_id', '=', accountId)
        .where('id', '=', other.id)
        .execute();
    }
  }

  async function exists(accountId: string, batchId: string): Promise<boolean> {
    const row = await database.queries
      .selectFrom('import_batches')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', batchId)
      .executeTakeFirst();
    return row !== undefined;
  }
}

type Compared = {
  readonly fresh: readonly NamedDraft[];
  readonly duplicates: readonly { draft: ImportDraft; result: 'duplicate' }[];
  readonly crossed: readonly { draft: ImportDraft; result: 'crossDuplicate' }[];
  readonly replaced: readonly LedgerEntry[];
  readonly costs: CrossDuplicates['costs'];
};

/** An entry that gave way, and the import it came with; null for what the exchange told. */
type GaveWay = { readonly entry: LedgerEntry; readonly batchId: string | null };

const countsOf = (read: { rows: number; skipped: number; error: number }, imported: number, duplicate: number, crossDuplicate: number) => ({
  ...read,
  imported,
  duplicate,
  crossDuplicate,
});

function boundsOf(drafts: readonly NamedDraft[]): { from: number; to: number } | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { draft } of drafts) {
    from = Math.min(from, draft.at);
    to = Math.max(to, draft.at);
  }
  return from <= to ? { from, to } : undefined;
}
function periodOf(drafts: readonly NamedDraft[]): ImportAnswer['period'] {
  const bounds = boundsOf(drafts);
  return bounds === undefined ? null : { from: new Date(bounds.from).toISOString(), to: new Date(bounds.to).toISOString() };
}

/** `UTC`, `UTC+3`, `UTC-05:30`. */
export function zoneText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

function previewOf(draft: ImportDraft): ImportAnswer['preview'][number] {
  const common = { row: draft.row, at: new Date(draft.at).toISOString() };
  if (draft.kind === 'trade') {
    const { symbol, side, quantity, price, quoteQuantity, fee, feeAsset, feeUnknown } = draft;
    return {
      ...common,
      kind: 'trade',
      symbol,
      side,
      quantity,
      price,
      total: quoteQuantity,
      fee: feeUnknown ? null : fee,
      feeAsset: feeUnknown ? null : feeAsset,
    };
  }
  const nothing = { side: null, price: null, fee: null, feeAsset: null };
  if (draft.kind === 'transfer')
    return { ...common, ...nothing, kind: draft.transfer, symbol: draft.asset, quantity: draft.change, total: null };
  return {
    ...common,
    ...nothing,
    kind: 'conversion',
    symbol: `${draft.from.asset} → ${draft.to.asset}`,
    quantity: draft.to.quantity,
    total: draft.from.quantity,
  };
}
