import { join } from 'node:path';
import { entriesOf } from '@pilotfish/core/trade-import/draft-entries';
import type { KnownPairs } from '@pilotfish/core/trade-import/known-pairs';
import type { GivenMeanings } from '@pilotfish/core/trade-import/statement-operations';
import type { ImportAnswer, ImportField, RowResult } from '@pilotfish/core/trade-import/trade-import-contract';
import type { AppContext } from '../app/context.ts';
import type { UploadedFile } from '../http/endpoint-handler.ts';
import type { Market } from '../market/market.ts';
import type { LedgerStore } from '../positions/ledger-store.ts';
import type { MinuteRates } from '../positions/minute-rates.ts';
import { writtenSpool } from './draft-spool.ts';
import { PROBLEMS_TOLD, previewOf, zoneText } from './import-answer.ts';
import { type Comparison, compareWithLedger, PRIMARY } from './import-comparison.ts';
import { undoImport } from './import-undo.ts';
import { importWarnings } from './import-warnings.ts';
import { operationsOf, rememberedMeanings, rememberMeanings } from './operation-meanings.ts';
import { uploadReader } from './upload-reader.ts';
import { type SavedUpload, withUpload } from './uploaded-file.ts';

export type ImportParts = {
  readonly market: Pick<Market, 'pairs'>;
  readonly store: LedgerStore;
  readonly rates: MinuteRates;
  /** Values what could not be valued at once. */
  readonly valueLater: (accountId: string) => void;
  /** Compares what the account holds with the ledger as it is now. */
  readonly reconcile: (accountId: string) => Promise<void>;
};
export type ImportOptions = {
  readonly commit: boolean;
  readonly acceptPartial: boolean;
  readonly zone?: number | undefined;
  readonly mapping?: Readonly<Record<string, ImportField>> | undefined;
  /** What operations mean that are not known, by `operationName`. */
  readonly operations?: GivenMeanings | undefined;
  readonly uploadId?: string | undefined;
  /** Waited for once the file is here and before it is read. */
  readonly turn?: (signal?: AbortSignal) => Promise<void>;
  /** Whoever waits for the answer is gone: reading ends at once, storing goes on to its end. */
  readonly signal?: AbortSignal;
  /** Told what the entries that were stored so far take as text. A throw leaves nothing of the import. */
  readonly requireRoom?: (bytes: number) => void;
};

/** Imports of earlier versions did not count questions. */
const NO_QUESTIONS = { question: 0 };

/** Reads uploads into the ledger: every row answered for, nothing stored twice, all of a file or nothing. */
export function importService(context: Pick<AppContext, 'database' | 'now' | 'newId' | 'stream' | 'timers' | 'log'>, parts: ImportParts) {
  const { database, now, newId, stream, timers, log } = context;
  const { market, store, rates } = parts;
  const reader = uploadReader(timers);

  async function importFile(accountId: string, upload: UploadedFile, options: ImportOptions): Promise<ImportAnswer> {
    return withUpload(upload, timers, async (saved) => {
      await options.turn?.(options.signal);
      return readAndStore(accountId, upload.name.slice(0, 200), saved, options);
    });
  }

  async function readAndStore(
    accountId: string,
    fileName: string,
    upload: SavedUpload,
    { signal, zone, mapping, operations = {}, ...options }: ImportOptions,
  ): Promise<ImportAnswer> {
    const pairs: KnownPairs = new Map(market.pairs().map(({ symbol, baseAsset, quoteAsset }) => [symbol, { baseAsset, quoteAsset }]));
    const tell = (phase: 'reading' | 'storing' | 'folding', done: number, total: number | null) => {
      if (options.uploadId !== undefined) stream.publish('trade-import', { uploadId: options.uploadId, phase, done, total }, accountId);
    };
    const meanings = { ...(await rememberedMeanings(database.queries, accountId)), ...operations };
    const path = join(upload.folder, 'rows');
    const { reading, rows: drafts } = await reader.read(
      { upload, spool: path, zone, mapping, meanings, pairs },
      { ...(signal && { signal }), onRows: (done) => tell('reading', done, null) },
    );
    const spool = writtenSpool(path, drafts);
    const answer = {
      batchId: null,
      fileName,
      format: reading.format,
      zone: reading.zone === undefined ? null : zoneText(reading.zone),
      columns: [...reading.columns],
      operations: operationsOf(reading, meanings),
      leftOut: [...reading.leftOut].map(([code, rows]) => ({ code, rows })),
      committed: false,
      warnings: [] as ImportAnswer['warnings'],
    };
    const problems: RowResult[] = reading.problems.map((problem) => ({ ...problem }));
    const none = { imported: 0, duplicate: 0, crossDuplicate: 0 };
    if (reading.needs !== null) {
      return { ...answer, needs: reading.needs, period: null, counts: { ...reading.counts, ...none }, rows: problems, preview: [] };
    }

    const period =
      reading.period === undefined
        ? null
        : { from: new Date(reading.period.from).toISOString(), to: new Date(reading.period.to).toISOString() };
    const needs: ImportAnswer['needs'] = options.acceptPartial
      ? null
      : reading.counts.question > 0
        ? 'operations'
        : reading.counts.error > 0
          ? 'acceptPartial'
          : null;
    const told = ({ imported, duplicates, crossed, told: brought, preview }: Comparison) => ({
      ...answer,
      needs,
      period,
      counts: { ...reading.counts, imported, duplicate: duplicates, crossDuplicate: crossed },
      rows: [...problems, ...brought].slice(0, PROBLEMS_TOLD).sort((one, other) => one.row - other.row),
      preview: preview.map(previewOf),
    });
    signal?.throwIfAborted();
    const compare = () => compareWithLedger(store, accountId, { spool, reading, pairs });

    const version = options.commit ? await store.version(accountId) : 0;
    const compared = await compare();
    const warnings = await importWarnings(store, accountId, { spool, compared, pairs });
    if (!options.commit || needs !== null) return { ...told(compared), warnings };

    // The exchange is asked before the turn: what is traded meanwhile must not wait for it.
    const rateAt = await rates.load(compared.rates);
    const batchId = newId();
    const stored = await store.inTurn(accountId, async () => {
      const isSame = (await store.version(accountId)) === version;
      const last = isSame ? compared : await compare();
      const writer = await store.batches.open(accountId, batchId);
      try {
        let [place, rows] = [0, 0];
        let taken = 0;
        let bytes = 0;
        for await (const part of spool.parts()) {
          const fresh = part.filter(() => last.isFresh(place++));
          const entries = fresh.flatMap(({ draft, id, source }) => entriesOf(draft, id, { source, primary: PRIMARY, pairs, rateAt }));
          bytes += entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0);
          options.requireRoom?.(bytes);
          taken += (await writer.add(entries.map((entry) => ({ ...entry, ...last.costs.get(entry.id) })))).length;
          rows += fresh.length;
          if (fresh.length > 0) tell('storing', rows, last.imported);
        }
        if (taken > 0) throw new Error(`${taken} names of an import were taken while it was written`);
        await writer.replace(last.replaced);
        writer.free(last.freed);
        await store.batches.keepBeside(accountId, batchId, last.beside);
        const whole = told(last);
        await writer.commit(async (queries) => {
          await rememberMeanings(queries, accountId, operations, now());
          await queries
            .insertInto('import_batches')
            .values({
              id: batchId,
              account_id: accountId,
              file_name: fileName,
              format: reading.format,
              at: now(),
              counts: JSON.stringify(whole.counts),
              period: JSON.stringify(period),
              replaced: '[]',
              bytes,
            })
            .execute();
        });
        tell('folding', rows, rows);
        return whole;
      } catch (error) {
        await writer.discard();
        throw error;
      }
    });
    parts.valueLater(accountId);
    await parts.reconcile(accountId);
    return { ...stored, batchId, committed: true, warnings };
  }

  return {
    importFile,
    /** What the entries of all its stored imports take as text. */
    bytesOf: async (accountId: string): Promise<number> => {
      const { bytes } = await database.queries
        .selectFrom('import_batches')
        .select((e) => e.fn.sum<number | string | null>('bytes').as('bytes'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(bytes ?? 0);
    },
    /** Removes what imports that never finished left behind, and those that were taken back. */
    sweep: (): Promise<void> => store.batches.sweep(),
    stop: async (): Promise<void> => {
      await reader.stop();
      await store.batches.stop();
    },
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
        counts: { ...NO_QUESTIONS, ...(JSON.parse(batch.counts) as ImportAnswer['counts']) },
        period: JSON.parse(batch.period) as ImportAnswer['period'],
      }));
    },
    /** Takes back what an import brought and brings back what had given way to it; false when there is no such import. */
    undo: async (accountId: string, batchId: string): Promise<boolean> => {
      const wasThere = await store.inTurn(accountId, () => undoImport(database, store, accountId, batchId));
      if (!wasThere) return false;
      await parts.reconcile(accountId);
      // Nobody sees its entries any more: removing them can take its time, and a stop leaves the rest to the next start.
      store.batches.sweep(accountId).catch((error: unknown) => log.error({ err: error }, 'an import could not be removed'));
      return true;
    },
  };
}
