import type { CommandSpec } from '../app/command.ts';

const about = [
  { flags: '--filter <name>', text: 'alertFilter' },
  { flags: '--bot <name>', text: 'alertBot' },
  { flags: '--event <name>', text: 'alertEvent' },
  { flags: '-f, --file <path>', text: 'alertFile' },
] as const;

export const alertsCommand: CommandSpec = {
  name: 'alerts',
  commands: [
    {
      name: 'ls',
      options: [{ flags: '--symbol <symbol>', text: 'ofPair' }, { flags: '--state <state>', text: 'alertState' }, { flags: '-w, --watch' }],
      prints: true,
      examples: [
        'pilotfish alerts ls',
        'pilotfish alerts ls --symbol BTCUSDT --watch',
        'pilotfish alerts ls --json --fields id,symbol,state',
      ],
      load: async () => (await import('./list-alerts.ts')).list,
    },
    {
      name: 'add',
      arguments: ['[words...]'],
      options: [...about],
      prints: true,
      examples: [
        'pilotfish alerts add',
        "pilotfish alerts add 'BTC > 70k'",
        "pilotfish alerts add 'eth drops 5% in 1h repeat every 2h # dip'",
        'pilotfish alerts add --filter Oversold --event enter',
        'pilotfish alerts add --file alert.yaml',
      ],
      load: async () => (await import('./edit-alerts.ts')).add,
    },
    {
      name: 'edit',
      arguments: ['<alert>', '[words...]'],
      options: [...about],
      prints: true,
      examples: ["pilotfish alerts edit 01a2 'BTC > 75k'", 'pilotfish alerts edit 01a2 --file alert.yaml'],
      load: async () => (await import('./edit-alerts.ts')).edit,
    },
    {
      name: 'rm',
      arguments: ['<alert>'],
      examples: ['pilotfish alerts rm 01a2', 'pilotfish alerts rm 01a2 --yes'],
      load: async () => (await import('./edit-alerts.ts')).remove,
    },
    {
      name: 'snooze',
      arguments: ['<alert>', '[time]'],
      prints: true,
      examples: ['pilotfish alerts snooze 01a2', 'pilotfish alerts snooze 01a2 8h', 'pilotfish alerts snooze 01a2 off'],
      load: async () => (await import('./edit-alerts.ts')).snooze,
    },
    {
      name: 'ack',
      arguments: ['<alert>'],
      prints: true,
      examples: ['pilotfish alerts ack 01a2'],
      load: async () => (await import('./edit-alerts.ts')).acknowledge,
    },
    {
      name: 'enable',
      arguments: ['<alert>'],
      prints: true,
      examples: ['pilotfish alerts enable 01a2'],
      load: async () => (await import('./edit-alerts.ts')).enable,
    },
    {
      name: 'disable',
      arguments: ['<alert>'],
      prints: true,
      examples: ['pilotfish alerts disable 01a2'],
      load: async () => (await import('./edit-alerts.ts')).disable,
    },
    {
      name: 'history',
      arguments: ['[alert]'],
      options: [
        { flags: '-n, --limit <count>', default: '25' },
        { flags: '--symbol <symbol>', text: 'ofPair' },
      ],
      prints: true,
      examples: ['pilotfish alerts history', 'pilotfish alerts history 01a2 --json'],
      load: async () => (await import('./alert-history.ts')).history,
    },
    {
      name: 'watch',
      options: [{ flags: '--exec <command>', text: 'alertExec' }],
      prints: true,
      examples: [
        'pilotfish alerts watch',
        'pilotfish alerts watch --jsonl',
        'pilotfish alerts watch --exec \'notify-send "$PILOTFISH_ALERT_TITLE" "$PILOTFISH_ALERT_TEXT"\'',
      ],
      load: async () => (await import('./watch-alerts.ts')).watch,
    },
  ],
};
