import type { FilterOption } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { readField } from './rule-field.ts';
import { parseRule } from './rule-parser.ts';
import { printRule, SIGN_OF } from './rule-printer.ts';
import { readAll } from './rule-problems.ts';
import { loadOptions } from './screen-question.ts';

const operations = (option: FilterOption): string => option.operations.map((operation) => SIGN_OF[operation] ?? operation).join(' ');

/** A rule one can type at once: `rsi.15m < 30`. */
function exampleOf(option: FilterOption): string {
  const field = option.timeframes === undefined ? option.key : `${option.key}.${option.timeframes[0]}`;
  if (option.example === undefined) return field;
  try {
    return printRule(parseRule(`${field} ${option.example}`, { filter: [option] }));
  } catch {
    return `${field} ${option.example}`;
  }
}

const fields: Resource<FilterOption> = {
  empty: 'prices',
  columns: [
    { key: 'key', value: ({ key }) => key, shown: ({ key }, paint) => paint.bold(key) },
    { key: 'label', value: ({ label }) => label, rank: 3 },
    { key: 'type', value: ({ type }) => type, rank: 5 },
    { key: 'unit', value: ({ unit }) => unit ?? '', rank: 6 },
    { key: 'timeframes', value: ({ timeframes }) => timeframes?.join(' ') ?? '', rank: 1 },
    { key: 'example', value: exampleOf },
    { key: 'operations', value: operations, rank: 2 },
    { key: 'values', value: ({ values }) => values?.join(' ') ?? '', rank: 4 },
  ],
};

/** Everything that can be asked of a pair, or of one field all the words it takes. */
export async function showOptions(context: Context, { field }: { field?: string }): Promise<void> {
  const options = await loadOptions(context);
  if (field === undefined) {
    if (formatOf(context) === 'json' && !context.globals.fields) {
      context.stdout.write(`${JSON.stringify(options, null, context.stdout.isTTY ? 2 : 0)}\n`);
      return;
    }
    return printRows(context, fields, options.filter);
  }
  const [key = field] = field.split('.');
  const [option] = await readAll(context, [key], (text) => {
    const found = options.filter.find((each) => each.key.toLowerCase() === text.toLowerCase());
    return found ?? readField(text, options.filter).option;
  });
  const { printOne } = await import('../ui/output.ts');
  await printOne(context, fields, option!);
}
