import type { CommandSpec } from '../app/command.ts';

export const configCommand: CommandSpec = {
  name: 'config',
  prints: true,
  examples: ['pilotfish config', 'pilotfish config --json'],
  load: async () => (await import('./config.ts')).run,
};
