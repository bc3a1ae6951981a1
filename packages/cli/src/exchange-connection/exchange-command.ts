import type { CommandSpec } from '../app/command.ts';

export const exchangeCommand: CommandSpec = {
  name: 'exchange',
  commands: [
    {
      name: 'connect',
      options: [{ flags: '--demo' }, { flags: '--key <key>' }, { flags: '--secret-stdin' }],
      prints: true,
      examples: ['pilotfish exchange connect --demo', 'pilotfish exchange connect --key "$KEY" --secret-stdin < secret.pem'],
      load: async () => (await import('./exchange.ts')).connect,
    },
    {
      name: 'status',
      prints: true,
      examples: ['pilotfish exchange status', 'pilotfish exchange status --json'],
      load: async () => (await import('./exchange.ts')).status,
    },
    { name: 'disconnect', examples: ['pilotfish exchange disconnect --yes'], load: async () => (await import('./exchange.ts')).disconnect },
  ],
};
