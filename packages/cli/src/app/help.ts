import { colours } from '../ui/colour.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { hanging, wrapped } from '../ui/wrap.ts';
import { argumentKey, type CommandSpec, type OptionSpec, optionKey } from './command.ts';
import { GLOBAL_OPTIONS } from './commands.ts';
import type { Context } from './context.ts';
import type { Translate } from './texts.ts';

/** What a command does, in the person's language; the root's is `cli.help.pilotfish`. */
export const summaryOf = (t: Translate, { commands }: CommandSpec, path: readonly string[]): string =>
  t(`cli.help.${path.length === 0 ? 'pilotfish' : [...path, ...(commands ? ['about'] : [])].join('.')}`);

export const optionText = (t: Translate, { flags, text, choices, default: byDefault }: OptionSpec): string => {
  const said = t(`cli.options.${text ?? optionKey(flags)}`);
  const more = [choices?.join(', '), byDefault !== undefined && t('cli.words.default', { value: byDefault })].filter(Boolean);
  return more.length > 0 ? `${said} (${more.join('; ')})` : said;
};

/** The help page of a command: usage, what it does, what can follow, options, examples, exit codes. */
export function helpPage(
  t: Translate,
  spec: CommandSpec,
  path: readonly string[],
  paint: { bold: (text: string) => string },
  room = Infinity,
): string {
  const usage = [
    'pilotfish',
    ...path,
    ...(spec.arguments ?? []),
    spec.commands ? t('cli.words.commandPlace') : '',
    t('cli.words.optionsPlace'),
  ];
  const block = (title: string, rows: readonly (readonly [string, string])[]): string => {
    if (rows.length === 0) return '';
    const width = Math.max(...rows.map(([left]) => left.length));
    return `\n${paint.bold(title)}\n${rows.map(([left, right]) => hanging(`  ${left.padEnd(width)}  `, right, room).trimEnd()).join('\n')}\n`;
  };
  const options = (list: readonly OptionSpec[]) => list.map((each) => [each.flags, optionText(t, each)] as const);
  const outputs = new Set(['json', 'jsonl', 'csv', 'fields']);
  const globals = GLOBAL_OPTIONS.filter(
    ({ flags }) => spec.commands !== undefined || spec.prints === true || !outputs.has(optionKey(flags)),
  );
  return [
    `${summaryOf(t, spec, path)}\n`,
    `\n${paint.bold(t('cli.words.usage'))}\n  ${usage.filter(Boolean).join(' ')}\n`,
    block(
      t('cli.words.commands'),
      (spec.commands ?? []).filter(({ hidden }) => !hidden).map((each) => [each.name, summaryOf(t, each, [...path, each.name])] as const),
    ),
    block(
      t('cli.words.arguments'),
      (spec.arguments ?? []).map((each) => [each, t(`cli.arguments.${argumentKey(each)}`)] as const),
    ),
    block(t('cli.words.options'), options(spec.options ?? [])),
    block(t('cli.words.globalOptions'), options(globals)),
    block(
      t('cli.words.examples'),
      (spec.examples ?? []).map((each) => [each, ''] as const),
    ),
    block(
      t('cli.words.meanwhile'),
      (spec.steps ?? []).flatMap(([command, name]) => [[`# ${t(`cli.steps.${name}`)}`, ''] as const, [command, ''] as const]),
    ),
    `\n${wrapped(t('cli.words.exitCodes'), room).join('\n')}\n`,
  ].join('');
}

export async function showHelp(context: Context, spec: CommandSpec, path: readonly string[]): Promise<void> {
  const t = await context.texts();
  context.stdout.write(helpPage(t, spec, path, colours(context, context.stdout), context.stdout.isTTY ? widthOf(context) : Infinity));
}
