import type { CommandSpec, OptionSpec } from '../app/command.ts';

const choice: readonly OptionSpec[] = [
  { flags: '--quote <asset>' },
  { flags: '--search <text>' },
  { flags: '--sort <column>', choices: ['symbol', 'price', 'changePct', 'quoteVolume'], default: 'quoteVolume' },
  { flags: '--limit <count>' },
];

export const pricesCommand: CommandSpec = {
  name: 'prices',
  commands: [
    {
      name: 'ls',
      options: choice,
      prints: true,
      examples: [
        'pilotfish prices ls --quote USDT --limit 20',
        'pilotfish prices ls --search btc --json',
        'pilotfish prices ls --sort changePct --fields symbol,changePct --csv',
      ],
      load: async () => (await import('./prices.ts')).list,
    },
    {
      name: 'show',
      arguments: ['<symbol>'],
      options: [{ flags: '--interval <interval>', default: '1h' }],
      prints: true,
      examples: ['pilotfish prices show BTCUSDT', 'pilotfish prices show ETHUSDT --interval 1m --json'],
      load: async () => (await import('./prices.ts')).show,
    },
    {
      name: 'watch',
      arguments: ['[symbols...]'],
      options: [{ flags: '--quote <asset>' }],
      prints: true,
      examples: ['pilotfish prices watch BTCUSDT ETHUSDT', 'pilotfish prices watch --quote USDT --jsonl | jq .price'],
      load: async () => (await import('./watch.ts')).watch,
    },
  ],
};
