import type { CommandSpec } from '../app/command.ts';

export const telegramCommand: CommandSpec = {
  name: 'telegram',
  commands: [
    {
      name: 'status',
      prints: true,
      examples: ['pilotfish telegram status', 'pilotfish telegram status --json'],
      load: async () => (await import('./telegram.ts')).status,
    },
    {
      name: 'connect',
      arguments: ['[code]'],
      examples: ['pilotfish telegram connect', 'pilotfish telegram connect 4f7k2m9q'],
      load: async () => (await import('./telegram.ts')).connect,
    },
    {
      name: 'disconnect',
      examples: ['pilotfish telegram disconnect', 'pilotfish telegram disconnect --yes'],
      load: async () => (await import('./telegram.ts')).disconnect,
    },
  ],
};
