import type { CommandSpec } from '../app/command.ts';

export const completionCommand: CommandSpec = {
  name: 'completion',
  arguments: ['<shell>'],
  words: ['bash', 'zsh', 'fish'],
  examples: [
    'source <(pilotfish completion bash)',
    'pilotfish completion zsh > ~/.zfunc/_pilotfish',
    'pilotfish completion fish > ~/.config/fish/completions/pilotfish.fish',
  ],
  load: async () => (await import('./completion.ts')).run,
};
