import { optionKey } from '../app/command.ts';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { summaryOf } from '../app/help.ts';
import { shellOf } from './completion.ts';
import type { Shell } from './completion-command.ts';
import { type Choice, namesOf } from './names.ts';
import { flagsOf, type Place, placeOf } from './places.ts';

/** Values that are paths. */
const FILES: ReadonlySet<string> = new Set(['file', 'folder', 'path', 'tape', 'reportFile', 'botOrFile']);

/** A word as it is typed, with its quotes: bash hands over all of them so, fish the last. */
const unquoted = (word: string): string =>
  word
    .replace(/^["']/, '')
    .replace(/\\(.)/g, '$1')
    .replace(/(?<=.)["']$/, '');

/** As a shell reads it back: nothing in a name may be obeyed. Bash takes what it is answered as it would have been typed. */
function inBash(word: string, open: string): string {
  if (open === "'") return word;
  return word.replace(open === '"' ? /["$`\\!]/g : /[^\p{L}\p{N}_./@%+,:=-]/gu, '\\$&');
}

const LINES: Readonly<Record<Shell, (choice: Choice, open: string) => string>> = {
  bash: ({ word }, open) => inBash(word, open),
  zsh: ({ word, about }) => `${word.replace(/[\\:]/g, '\\$&')}${about && `:${about}`}`,
  fish: ({ word, about }) => `${word}${about && `\t${about}`}`,
};

/** With the server that the line names, if it does; the address may be half typed. */
function withServer(context: Context, { url, profile }: Place['given']): Context | undefined {
  if (url === undefined && profile === undefined) return context;
  try {
    return context.at({ url, profile });
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function choicesAt(place: Place, context: Context): Promise<readonly Choice[]> {
  const t = await context.texts();
  const named = withServer(context, place.given);
  return [
    ...place.words.map((word) => ({ word, about: '' })),
    ...place.commands.map(({ spec, path }) => ({ word: spec.name, about: summaryOf(t, spec, [...path]) })),
    ...place.options.flatMap((option) =>
      flagsOf(option).map((word) => ({ word, about: t(`cli.options.${option.text ?? optionKey(option.flags)}`) })),
    ),
    ...(named ? await namesOf(place.kinds, named) : []),
  ];
}

/** One line for each choice at the end of the words; `:files` where a path is meant. */
export async function run(context: Context, { shell: name, line: words }: { shell: string; line: readonly string[] }): Promise<void> {
  const shell = shellOf(name);
  const open = shell === 'bash' ? (/^["']/.exec(words.at(-1) ?? '')?.[0] ?? '') : '';
  const isRaw = (at: number) => shell === 'bash' || (shell === 'fish' && at === words.length - 1);
  const place = placeOf(words.map((word, at) => (isRaw(at) ? unquoted(word) : word)));
  const prefix = place.prefix.toLocaleLowerCase('en');
  const found = (await choicesAt(place, context)).filter(
    ({ word }) => word.toLocaleLowerCase('en').startsWith(prefix) && !/\p{Cc}/u.test(word) && !(open === "'" && word.includes("'")),
  );
  // Bash completes after the last `=` or `:` alone, which stand between two of its words; the others the whole word.
  const before = shell === 'bash' ? '' : place.before;
  const typed = words.at(-1) ?? '';
  const cut = shell === 'bash' ? place.prefix.length - (typed === ':' ? 0 : unquoted(typed).length) : 0;
  const lines = found.map(({ word, about }) => LINES[shell]({ word: before + word.slice(Math.max(0, cut)), about }, open));
  if (lines.length === 0 && place.kinds.some((kind) => FILES.has(kind))) lines.push(':files');
  for (const line of new Set(lines)) context.stdout.write(`${line}\n`);
}
