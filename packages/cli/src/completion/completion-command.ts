import type { CommandSpec } from '../app/command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const completionCommand: CommandSpec = {
  name: 'completion',
  arguments: ['<shell>'],
  words: SHELLS,
  examples: [
    'source <(pilotfish completion bash)',
    'pilotfish completion zsh > ~/.zfunc/_pilotfish',
    'pilotfish completion fish > ~/.config/fish/completions/pilotfish.fish',
  ],
  load: async () => (await import('./completion.ts')).run,
};

/** Asked by those scripts at every Tab: what may stand where the cursor is. */
export const completeCommand: CommandSpec = {
  name: 'complete',
  hidden: true,
  arguments: ['<shell>', '[line...]'],
  words: SHELLS,
  examples: ['pilotfish complete fish -- bots e'],
  load: async () => (await import('./complete.ts')).run,
};
