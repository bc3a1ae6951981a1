import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  IMPORT_FIELDS,
  type ImportAnswer,
  type ImportField,
  type RowResult,
  tradeImportContract,
} from '@pilotfish/core/trade-import/trade-import-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { formatOf, localTime, printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';

const exchange = 'Binance' as const;

type Summary = Pick<ImportAnswer, 'fileName' | 'format' | 'zone'> & ImportAnswer['counts'];
const summary: Resource<Summary> = {
  empty: 'imports',
  columns: [
    { key: 'fileName', value: ({ fileName }) => fileName },
    { key: 'format', value: ({ format }) => format },
    { key: 'zone', value: ({ zone }) => zone ?? '' },
    { key: 'rows', value: ({ rows }) => String(rows), right: true },
    { key: 'imported', value: ({ imported }) => String(imported), right: true },
    { key: 'duplicate', value: ({ duplicate }) => String(duplicate), right: true },
    { key: 'crossDuplicate', value: ({ crossDuplicate }) => String(crossDuplicate), right: true },
    { key: 'skipped', value: ({ skipped }) => String(skipped), right: true },
    { key: 'error', value: ({ error }) => String(error), right: true },
  ],
};
const problems: Resource<RowResult> = {
  empty: 'importProblems',
  columns: [
    { key: 'row', value: ({ row }) => String(row), right: true },
    { key: 'result', value: ({ result }) => result },
    { key: 'code', value: ({ code }) => code ?? '' },
    { key: 'column', value: ({ column }) => column ?? '' },
    { key: 'value', value: ({ value }) => value ?? '' },
  ],
};
/** Rows that are told one by one in a terminal. */
const SHOWN = 20;

type Batch = { id: string; fileName: string; format: string; at: string; counts: ImportAnswer['counts'] };
const batches: Resource<Batch> = {
  empty: 'imports',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'fileName', value: ({ fileName }) => fileName },
    { key: 'format', value: ({ format }) => format },
    { key: 'imported', value: ({ counts }) => String(counts.imported), right: true },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id) },
  ],
};

/** Previews a file, or imports it with --commit. What is missing is said with the flag that gives it. */
export async function importFile(
  context: Context,
  options: { file: string; commit?: true; acceptPartial?: true; zone?: string; map?: string[] },
): Promise<void> {
  const mapping = mappingOf(options.map ?? []);
  const data = await read(options.file);
  const client = await context.client(tradeImportContract);
  if (context.stderr.isTTY) await context.say('cli.import.reading', { file: options.file });
  const answer = await client.importTrades(
    {
      params: { exchange },
      query: {
        commit: String(options.commit === true),
        acceptPartial: String(options.acceptPartial === true),
        ...(options.zone === undefined ? {} : { zone: options.zone }),
        ...(mapping === undefined ? {} : { mapping: JSON.stringify(mapping) }),
      },
    },
    { file: new Blob([new Uint8Array(data)]), fileName: basename(options.file) },
  );
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') await printOne(context, summary as unknown as Resource<ImportAnswer>, answer);
  else {
    const { fileName, format: layout, zone, counts } = answer;
    await printOne(context, summary, { fileName, format: layout, zone, ...counts });
    const told = answer.rows.filter(({ result }) => result === 'error').slice(0, SHOWN);
    if (format === 'table' && told.length > 0) {
      context.stdout.write('\n');
      await printRows(context, problems, told);
    }
  }
  if (answer.needs !== null) {
    await context.say(`cli.import.needs.${answer.needs}`, { columns: answer.columns.join(', '), fields: IMPORT_FIELDS.join(', ') });
    throw new Ended(EXIT.usage);
  }
  for (const { asset, at, amount } of answer.warnings) await context.say('imports.negativeAsset', { asset, amount, day: at.slice(0, 10) });
  await context.say(answer.committed ? 'cli.import.done' : 'cli.import.preview', {
    count: answer.counts.imported,
    id: answer.batchId ?? '',
  });
}

export async function list(context: Context): Promise<void> {
  const client = await context.client(tradeImportContract);
  await printRows(context, batches, await client.listImports({ params: { exchange } }));
}

export async function undo(context: Context, { import: id }: { import: string }): Promise<void> {
  const client = await context.client(tradeImportContract);
  const batch = (await client.listImports({ params: { exchange } })).find((each) => each.id === id);
  if (batch === undefined) throw new LocalFailure('noImport', { id }, { exit: EXIT.notFound });
  if (!(await confirm(context, 'cli.import.undo', { file: batch.fileName, count: batch.counts.imported }))) throw new Ended(EXIT.failed);
  await client.undoImport({ params: { exchange, id } });
  await context.say('cli.import.undone', { count: batch.counts.imported });
}

async function read(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).isDirectory()) throw new Error('a folder');
    return await readFile(path);
  } catch (error) {
    throw new LocalFailure('fileUnreadable', { file: path, reason: (error as Error).message }, { cause: error });
  }
}

/** `time=When` for each column; the field comes first, because column names hold anything. */
export function mappingOf(pairs: readonly string[]): Record<string, ImportField> | undefined {
  if (pairs.length === 0) return undefined;
  const mapping: Record<string, ImportField> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const field = IMPORT_FIELDS.find((each) => each === pair.slice(0, at));
    if (field === undefined || at === pair.length - 1) throw new UsageError('mapping', { value: pair, fields: IMPORT_FIELDS.join(', ') });
    mapping[pair.slice(at + 1)] = field;
  }
  return mapping;
}
