import { type CommandSpec, optionKey } from '../app/command.ts';
import { GLOBAL_OPTIONS, ROOT } from '../app/commands.ts';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { summaryOf } from '../app/help.ts';
import type { Translate } from '../app/texts.ts';

const flagsOf = (flags: string): string[] => flags.match(/--?[a-z][\w-]*/gi) ?? [];

type Place = { path: string; words: { word: string; about: string }[] };

/** Every place in a command line, and what may stand there. */
export function places(t: Translate, spec: CommandSpec = ROOT, path: readonly string[] = []): Place[] {
  const shown = (spec.commands ?? []).filter(({ hidden }) => !hidden);
  const here: Place = {
    path: path.join(' '),
    words: [
      ...(spec.words ?? []).map((word) => ({ word, about: '' })),
      ...shown.map((each) => ({ word: each.name, about: summaryOf(t, each, [...path, each.name]) })),
      ...[...(spec.options ?? []), ...GLOBAL_OPTIONS].flatMap(({ flags, text }) =>
        flagsOf(flags).map((word) => ({ word, about: t(`cli.options.${text ?? optionKey(flags)}`) })),
      ),
    ],
  };
  return [here, ...shown.flatMap((each) => places(t, each, [...path, each.name]))];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const scripts: Readonly<Record<string, (list: readonly Place[]) => string>> = {
  bash: (list) => `_pilotfish() {
  local place="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == -* ]] || case "\${place:+$place }$word" in
      ${list
        .filter(({ path }) => path !== '')
        .map(({ path }) => quote(path))
        .join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${list.map(({ path, words }) => `    ${quote(path)}) COMPREPLY=($(compgen -W ${quote(words.map(({ word }) => word).join(' '))} -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o default -F _pilotfish pilotfish
`,
  zsh: (list) => `#compdef pilotfish
_pilotfish() {
  local place="" word
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    [[ "$word" == -* ]] || case "\${place:+$place }$word" in
      ${list
        .filter(({ path }) => path !== '')
        .map(({ path }) => quote(path))
        .join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  local -a choices
  case "$place" in
${list.map(({ path, words }) => `    ${quote(path)}) choices=(${words.map(({ word, about }) => quote(`${word}:${about.replaceAll(':', '\\:')}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe pilotfish choices || _files
}
compdef _pilotfish pilotfish
`,
  fish: (list) => `function __pilotfish_path
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or contains -- (string join ' ' $path $word) ${list
      .filter(({ path }) => path !== '')
      .map(({ path }) => quote(path))
      .join(' ')}; and set path $path $word
  end
  string join ' ' $path
end
complete -c pilotfish -f
${list
  .flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      const kind = word.startsWith('--') ? `-l ${word.slice(2)}` : word.startsWith('-') ? `-s ${word.slice(1)}` : `-a ${word}`;
      return `complete -c pilotfish -n 'test (__pilotfish_path) = ${path === '' ? '""' : `"${path}"`}' ${kind}${about ? ` -d ${quote(about)}` : ''}`;
    }),
  )
  .join('\n')}
`,
};

export async function run(context: Context, { shell }: { shell: string }): Promise<void> {
  const script = scripts[shell];
  if (!script) throw new UsageError('invalidValue', { word: '<shell>', allowed: Object.keys(scripts).join(', ') });
  context.stdout.write(script(places(await context.texts())));
}
