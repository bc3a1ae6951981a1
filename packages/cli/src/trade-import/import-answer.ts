import { formatQuantity } from '@pilotfish/core/money/format';
import { countsInWords } from '@pilotfish/core/trade-import/import-counts';
import type { ImportAnswer, RowResult } from '@pilotfish/core/trade-import/trade-import-contract';
import type { Context } from '../app/context.ts';
import type { Translate } from '../app/texts.ts';
import { formatOf, printOne, printRows, type Resource } from '../ui/output.ts';

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
    { key: 'question', value: ({ question }) => String(question), right: true },
    { key: 'error', value: ({ error }) => String(error), right: true },
  ],
};
const problems = (t: Translate): Resource<RowResult> => ({
  empty: 'importProblems',
  columns: [
    { key: 'row', value: ({ row }) => String(row), right: true },
    { key: 'result', value: ({ result }) => result },
    { key: 'code', value: ({ code }) => code ?? '', shown: ({ code }) => (code === undefined ? '' : t(`imports.code.${code}`)) },
    { key: 'column', value: ({ column }) => column ?? '' },
    { key: 'value', value: ({ value }) => value ?? '' },
  ],
});
/** Rows that are told one by one in a terminal. */
const SHOWN = 20;

/** What a file would bring, or brought: the counts, and in a table the first rows that cannot be read. */
export async function printAnswer(context: Context, answer: ImportAnswer): Promise<void> {
  const output = formatOf(context);
  if (output === 'json' || output === 'jsonl') return printOne(context, summary as unknown as Resource<ImportAnswer>, answer);
  const { fileName, format, zone, counts } = answer;
  await printOne(context, summary, { fileName, format, zone, ...counts });
  const t = await context.texts();
  if (output === 'table') context.stdout.write(`\n${countsInWords(answer, t)}\n`);
  const told = answer.rows.filter(({ result }) => result === 'error').slice(0, SHOWN);
  if (output !== 'table' || told.length === 0) return;
  context.stdout.write('\n');
  await printRows(context, problems(t), told);
}

export async function sayWarnings(context: Context, { warnings }: ImportAnswer): Promise<void> {
  for (const code of new Set(warnings.map((warning) => warning.code))) {
    await context.say(`imports.warning.${code}.title`);
    for (const { asset, at, amount } of warnings.filter((warning) => warning.code === code)) {
      await context.say(`imports.warning.${code}.asset`, { asset, amount: formatQuantity(amount), day: at.slice(0, 10) });
      if (code === 'HALF_SWAP') await context.say('cli.swaps.hint', { asset });
    }
  }
}
