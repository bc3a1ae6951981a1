import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileForm } from '@pilotfish/core/http/file-form';
import { CARRY_OVER_FORMAT } from '@pilotfish/core/trade-import/carry-over-contract';
import {
  IMPORT_FIELDS,
  type ImportAnswer,
  type ImportField,
  importFieldsOf,
  importQueryOf,
  OPERATION_MEANINGS,
  type OperationMeaning,
  tradeImportContract,
} from '@pilotfish/core/trade-import/trade-import-contract';
import type { ImportMapping, ImportMeanings } from '@pilotfish/core/trade-import/trade-import-machine';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { sayNext } from '../app/next-step.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { ask, canAsk, confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { printAnswer, sayWarnings } from './import-answer.ts';

const exchange = 'Binance' as const;

type Batch = { id: string; fileName: string; format: string; at: string; counts: ImportAnswer['counts'] };
/** @param nameOf the format in words, for those who read a table */
const batches = (nameOf: (format: string) => string): Resource<Batch> => ({
  empty: 'imports',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'fileName', value: ({ fileName }) => fileName },
    { key: 'format', value: ({ format }) => format, shown: ({ format }) => nameOf(format) },
    { key: 'imported', value: ({ counts }) => String(counts.imported), right: true },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id) },
  ],
});

type Options = { file?: string; commit?: true; acceptPartial?: true; zone?: string; map?: string[]; operation?: string[] };

/** At a terminal a wizard, which asks before it stores anything. Elsewhere, and with --commit, the flags say it all. */
export async function importFile(context: Context, { file, ...options }: Options): Promise<void> {
  const mapping = mappingOf(options.map ?? []);
  const operations = operationsOf(options.operation ?? []);
  const isTable = formatOf(context) === 'table';
  if (!options.commit && !context.globals.yes && isTable && canAsk(context))
    return importAsked(context, { file, zone: options.zone, mapping, operations });
  if (file === undefined) throw new UsageError('needsFlag', { flag: '<file>' });
  const data = await read(file);
  const client = await context.client(tradeImportContract);
  if (context.stderr.isTTY) await context.say('cli.import.reading', { file });
  const answer = await client.importTrades(
    {
      params: { exchange },
      query: importQueryOf({
        preview: !options.commit,
        acceptPartial: options.acceptPartial === true,
        zone: options.zone,
        mapping,
        operations,
      }),
    },
    { form: fileForm(new Blob([new Uint8Array(data)]), basename(file), importFieldsOf({ operations })) },
  );
  await printAnswer(context, answer);
  if (answer.needs !== null) {
    await context.say(`cli.import.needs.${answer.needs}`, {
      columns: answer.columns.join(', '),
      fields: IMPORT_FIELDS.join(', '),
      operations: answer.operations.flatMap(({ name, meaning }) => (meaning === null ? [name] : [])).join(', '),
      meanings: OPERATION_MEANINGS.join(', '),
    });
    throw new Ended(EXIT.usage);
  }
  await sayWarnings(context, answer);
  await sayResult(context, answer);
}

async function sayResult(context: Context, { committed, counts, batchId }: ImportAnswer): Promise<void> {
  await context.say(committed ? 'cli.import.done' : 'cli.import.preview', { count: counts.imported, id: batchId ?? '' });
  if (committed) await sayNext(context, 'import');
}

type Given = {
  file: string | undefined;
  zone: string | undefined;
  mapping: ImportMapping | undefined;
  operations: ImportMeanings | undefined;
};
async function importAsked(context: Context, { file, ...given }: Given): Promise<void> {
  const { importWizard, localFile } = await import('./import-wizard.tsx');
  const client = await context.client(tradeImportContract);
  const first = file === undefined ? undefined : await read(file, localFile);
  await sayResult(context, await ask(context, importWizard(context, client, { file: first, ...given })));
}

export async function list(context: Context): Promise<void> {
  const client = await context.client(tradeImportContract);
  const t = await context.texts();
  const nameOf = (format: string) => t(`imports.format.${format}`, { defaultValue: format });
  await printRows(context, batches(nameOf), await client.listImports({ params: { exchange } }));
}

export async function undo(context: Context, { import: id }: { import: string }): Promise<void> {
  const client = await context.client(tradeImportContract);
  const batch = (await client.listImports({ params: { exchange } })).find((each) => each.id === id);
  if (batch === undefined) throw new LocalFailure('noImport', { id }, { exit: EXIT.notFound });
  const words = { file: batch.fileName, swap: batch.fileName, count: batch.counts.imported };
  const kind = batch.format === CARRY_OVER_FORMAT ? 'swaps' : 'import';
  if (!(await confirm(context, `cli.${kind}.undo`, words))) throw new Ended(EXIT.failed);
  await client.undoImport({ params: { exchange, id } });
  await context.say(`cli.${kind}.undone`, words);
}

/** @throws LocalFailure `fileUnreadable` */
async function read<Read = Buffer>(path: string, open: (path: string) => Promise<Read> | Read = readFile as never): Promise<Read> {
  try {
    return await open(path);
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

/** `Name=meaning` for each operation; the meaning comes last, because names hold anything. */
export function operationsOf(pairs: readonly string[]): Record<string, OperationMeaning> | undefined {
  if (pairs.length === 0) return undefined;
  const meanings: Record<string, OperationMeaning> = {};
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const meaning = OPERATION_MEANINGS.find((each) => each === pair.slice(at + 1).trim());
    if (meaning === undefined || at < 1) throw new UsageError('operation', { value: pair, meanings: OPERATION_MEANINGS.join(', ') });
    meanings[pair.slice(0, at).trim()] = meaning;
  }
  return meanings;
}
