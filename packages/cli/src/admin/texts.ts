import { readFile, writeFile } from 'node:fs/promises';
import {
  IMPORT_ENTRIES,
  type LocalizationResource,
  localizationContract,
  textsDocumentSchema,
} from '@pilotfish/core/admin/localization-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { printOne, printRows, type Resource } from '../ui/output.ts';
import { pageOf, sayPage } from '../ui/paging.ts';

const SHOWN_LETTERS = 44;
/** A long text leaves the other language and what follows it room in a table. */
const beginning = (text: string): string =>
  text.length <= SHOWN_LETTERS ? text : `${Array.from(text).slice(0, SHOWN_LETTERS).join('').trimEnd()} …`;

const resources: Resource<LocalizationResource> = {
  empty: 'texts',
  columns: [
    { key: 'key', value: ({ key }) => key, shown: ({ key }, paint) => paint.bold(key) },
    { key: 'en', value: ({ values }) => values.en, shown: ({ values }) => beginning(values.en) },
    { key: 'tr', value: ({ values }) => values.tr, shown: ({ values }) => beginning(values.tr) },
    { key: 'changed', value: ({ changed }) => String(changed) },
    { key: 'missing', value: ({ missing }) => missing.join(', ') },
  ],
};
type ListOptions = { search?: string; state?: 'all' | 'changed' | 'missing' | 'same'; page?: string };
export async function list(context: Context, { search, state, page }: ListOptions): Promise<void> {
  const client = await context.client(localizationContract);
  const query = {
    page: pageOf(page),
    pageSize: 50,
    ...(search === undefined ? {} : { filter: search }),
    ...(state === undefined ? {} : { state }),
  };
  const answer = await client.listLocalizationResources({ query });
  await printRows(context, resources, answer.items);
  await sayPage(context, answer);
}

/** Changes a text in the languages named, adds one that is new, or takes a change back. */
export async function set(
  context: Context,
  { key, en, tr, reset }: { key: string; en?: string; tr?: string; reset?: true },
): Promise<void> {
  const client = await context.client(localizationContract, { exact: true });
  const { items } = await client.listLocalizationResources({ query: { filter: key, pageSize: 200 } });
  const known = items.find((each) => each.key === key);
  if (reset) {
    if (known === undefined) throw new LocalFailure('noSuchText', { key }, { exit: EXIT.notFound });
    await client.deleteLocalizationResource({ params: { id: known.id } });
    return context.say('cli.admin.textRestored', { key });
  }
  if (en === undefined && tr === undefined) throw new UsageError('needsFlag', { flag: '--en' });
  const before = known?.changed ? known.values : undefined;
  const values = { ...before, ...(en === undefined ? {} : { en }), ...(tr === undefined ? {} : { tr }) };
  const changed = known
    ? await client.updateLocalizationResource({ params: { id: known.id }, body: { key, values } })
    : await client.createLocalizationResource({ body: { key, values } });
  await printOne(context, resources, changed);
}

export async function exportTexts(context: Context, { file, all }: { file: string; all?: true }): Promise<void> {
  const client = await context.client(localizationContract, { exact: true });
  const answer = await client.exportLocalizationResources({ query: { scope: all ? 'all' : 'changed' } });
  const text = `${JSON.stringify(answer, null, 2)}\n`;
  if (file === '-') return void context.stdout.write(text);
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new LocalFailure('cannotWrite', { file, reason: error.code ?? '' });
  });
  await context.say('cli.admin.textsExported', { file, count: Object.keys(answer.texts).length });
}

export async function importTexts(context: Context, { file, dryRun }: { file: string; dryRun?: true }): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new LocalFailure('cannotRead', { file, reason: error.code ?? '' });
  });
  const parsed = textsDocumentSchema.safeParse(parse(text));
  if (!parsed.success) throw new LocalFailure('notTexts', { file }, { exit: EXIT.usage });
  const client = await context.client(localizationContract);
  const given = Object.entries(parsed.data.texts);
  const sum = { added: 0, changed: 0, unchanged: 0 };
  for (let from = 0; from < given.length; from += IMPORT_ENTRIES) {
    const texts = Object.fromEntries(given.slice(from, from + IMPORT_ENTRIES));
    const part = await client.importLocalizationResources({ body: { format: 'pilotfish-texts-1', texts, dryRun: dryRun === true } });
    sum.added += part.added;
    sum.changed += part.changed;
    sum.unchanged += part.unchanged;
  }
  if (context.globals.json) context.stdout.write(`${JSON.stringify(sum)}\n`);
  else await context.say('cli.admin.textsImported', sum);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
