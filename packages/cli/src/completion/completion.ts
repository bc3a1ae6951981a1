import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { SHELLS, type Shell } from './completion-command.ts';

// The scripts know nothing: they hand over the words, and `pilotfish complete` answers a line for each choice, or that a file
// is meant. No answer is ever evaluated: names come from a server.

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_pilotfish() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ "$line" == :files ]]; then compopt -o default; else COMPREPLY+=("$line"); fi
  done < <(pilotfish complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _pilotfish pilotfish
`,
  zsh: `#compdef pilotfish
_pilotfish() {
  local -a choices
  choices=("\${(@f)$(pilotfish complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${choices[1]}" == ':files' ]]; then
    _files
  elif [[ -n "\${choices[1]}" ]]; then
    _describe pilotfish choices
  fi
}
if [[ "\${funcstack[1]}" == _pilotfish ]]; then _pilotfish; else compdef _pilotfish pilotfish; fi
`,
  fish: `function __pilotfish_complete
  set -l choices (pilotfish complete fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test "$choices" = :files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $choices
  end
end
complete -c pilotfish -f -a '(__pilotfish_complete)'
`,
};

/** The shell of that name. @throws UsageError */
export function shellOf(name: string): Shell {
  const shell = SHELLS.find((each) => each === name);
  if (!shell) throw new UsageError('invalidValue', { word: '<shell>', allowed: SHELLS.join(', ') });
  return shell;
}

export async function run(context: Context, { shell }: { shell: string }): Promise<void> {
  context.stdout.write(SCRIPTS[shellOf(shell)]);
}
