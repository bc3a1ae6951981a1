import type { CommandSpec } from '../app/command.ts';

export const adminCommand: CommandSpec = {
  name: 'admin',
  commands: [
    {
      name: 'reset-2fa',
      arguments: ['<user>'],
      options: [{ flags: '--data-dir <folder>' }],
      examples: ['pilotfish admin reset-2fa ada', 'pilotfish admin reset-2fa ada --data-dir /var/lib/pilotfish --yes'],
      load: async () => (await import('./reset-2fa.ts')).run,
    },
    {
      name: 'outbox',
      arguments: ['[message]'],
      options: [{ flags: '--data-dir <folder>' }],
      prints: true,
      examples: ['pilotfish admin outbox', 'pilotfish admin outbox 0199'],
      load: async () => (await import('./outbox.ts')).run,
    },
  ],
};
