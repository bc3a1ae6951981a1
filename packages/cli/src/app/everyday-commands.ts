import type { CommandSpec } from './command.ts';

/** The words of the chat bot as commands: each does what a longer form does. */
export const everydayCommands: readonly CommandSpec[] = [
  {
    name: 'status',
    prints: true,
    examples: ['pilotfish status', 'pilotfish status --json'],
    load: async () => (await import('../auto-trades/everyday-status.ts')).status,
  },
  {
    name: 'pnl',
    arguments: ['[span]'],
    prints: true,
    examples: ['pilotfish pnl', 'pilotfish pnl week', 'pilotfish pnl month --json'],
    load: async () => (await import('../positions/recent-pnl.ts')).pnl,
  },
  {
    name: 'balance',
    prints: true,
    examples: ['pilotfish balance', 'pilotfish balance --json'],
    load: async () => (await import('../wallets/balance.ts')).balance,
  },
  {
    name: 'pause',
    arguments: ['<symbol>', '<minutes>'],
    examples: ['pilotfish pause BTC 30', 'pilotfish pause ETHUSDT 120 --yes'],
    load: async () => (await import('../auto-trades/everyday-actions.ts')).pause,
  },
  {
    name: 'sell',
    arguments: ['<coin-or-position>'],
    prints: true,
    examples: ['pilotfish sell BTCUSDT', 'pilotfish sell BTC --yes'],
    load: async () => (await import('../auto-trades/everyday-actions.ts')).sell,
  },
  {
    name: 'stopall',
    prints: true,
    examples: ['pilotfish stopall', 'pilotfish stopall --yes'],
    load: async () => (await import('../auto-trades/everyday-actions.ts')).stopall,
  },
  {
    name: 'snooze',
    arguments: ['[alert]', '[time]'],
    prints: true,
    examples: ['pilotfish snooze', 'pilotfish snooze BTCUSDT 8h'],
    load: async () => (await import('../price-alerts/snooze-newest.ts')).snooze,
  },
  {
    name: 'mute',
    arguments: ['[time]'],
    examples: ['pilotfish mute', 'pilotfish mute 2h', 'pilotfish mute off'],
    load: async () => (await import('../telegram-connection/mute.ts')).mute,
  },
];
