import type { CommandSpec } from '../app/command.ts';

export const notificationsCommand: CommandSpec = {
  name: 'notifications',
  commands: [
    {
      name: 'ls',
      options: [
        { flags: '--unread', text: 'onlyUnread' },
        { flags: '--kind <kind>', text: 'notificationKind' },
        { flags: '-n, --limit <count>', default: '25' },
        { flags: '-w, --watch' },
      ],
      prints: true,
      examples: ['pilotfish notifications ls', 'pilotfish notifications ls --unread --json', 'pilotfish notifications ls --watch'],
      load: async () => (await import('./notifications.ts')).list,
    },
    {
      name: 'read',
      arguments: ['<notification>'],
      examples: ['pilotfish notifications read 01a2', 'pilotfish notifications read all'],
      load: async () => (await import('./notifications.ts')).read,
    },
    {
      name: 'watch',
      prints: true,
      examples: ['pilotfish notifications watch', 'pilotfish notifications watch --jsonl'],
      load: async () => (await import('./notifications.ts')).watch,
    },
    {
      name: 'settings',
      prints: true,
      examples: ['pilotfish notifications settings', 'pilotfish notifications settings --json'],
      load: async () => (await import('./notification-settings.ts')).show,
    },
    {
      name: 'set',
      arguments: ['<kind>', '<channels>'],
      prints: true,
      examples: ['pilotfish notifications set price-alert telegram,email', 'pilotfish notifications set bot-trade none'],
      load: async () => (await import('./notification-settings.ts')).setChannels,
    },
    {
      name: 'quiet',
      arguments: ['<hours>'],
      options: [{ flags: '--zone <name>', text: 'timeZone' }],
      prints: true,
      examples: ['pilotfish notifications quiet 23:00-08:00 --zone Europe/Istanbul', 'pilotfish notifications quiet off'],
      load: async () => (await import('./notification-settings.ts')).quiet,
    },
    {
      name: 'webhook',
      arguments: ['<address>'],
      examples: ['pilotfish notifications webhook https://example.com/hook', 'pilotfish notifications webhook off'],
      load: async () => (await import('./notification-settings.ts')).webhook,
    },
    {
      name: 'test',
      arguments: ['<channel>'],
      examples: ['pilotfish notifications test telegram'],
      load: async () => (await import('./notification-settings.ts')).test,
    },
  ],
};
