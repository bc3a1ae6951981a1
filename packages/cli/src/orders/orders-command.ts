import type { CommandSpec } from '../app/command.ts';

export const ordersCommand: CommandSpec = {
  name: 'orders',
  commands: [
    {
      name: 'ls',
      arguments: ['[symbol]'],
      options: [{ flags: '-w, --watch' }],
      prints: true,
      examples: ['pilotfish orders ls', 'pilotfish orders ls BTCUSDT --json', 'pilotfish orders ls --watch --jsonl'],
      load: async () => (await import('./orders.ts')).list,
    },
    {
      name: 'cancel',
      arguments: ['<symbol>', '[order-id]'],
      options: [{ flags: '--all', text: 'allOrders' }, { flags: '--dry-run' }],
      prints: true,
      examples: [
        'pilotfish orders cancel BTCUSDT 123456',
        'pilotfish orders cancel BTCUSDT 123456 --yes',
        'pilotfish orders cancel BTCUSDT --all --dry-run',
      ],
      load: async () => (await import('./cancel-orders.ts')).cancel,
    },
  ],
};
