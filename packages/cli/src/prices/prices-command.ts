import type { CommandSpec, OptionSpec } from '../app/command.ts';

const choice: readonly OptionSpec[] = [
  { flags: '--quote <asset>' },
  { flags: '--search <text>' },
  { flags: '--tag <tags>' },
  { flags: '--min-volume <amount>' },
  { flags: '--min-change <percent>' },
  { flags: '--max-change <percent>' },
  { flags: '--sort <columns>', default: 'quoteVolume', text: 'priceSort' },
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
        'pilotfish prices ls --quote USDT --min-volume 1000000 --sort changePct:asc',
        'pilotfish prices ls --tag meme,ai --sort changePct --fields symbol,changePct --csv',
      ],
      load: async () => (await import('./prices.ts')).list,
    },
    {
      name: 'show',
      arguments: ['<symbol>'],
      options: [
        { flags: '--interval <interval>', default: '1h' },
        { flags: '--limit <count>', text: 'candleLimit' },
      ],
      prints: true,
      examples: ['pilotfish prices show BTCUSDT', 'pilotfish prices show ETHUSDT --interval 15m --limit 200 --json'],
      load: async () => (await import('./show-price.ts')).show,
    },
    {
      name: 'watch',
      arguments: ['[symbols...]'],
      options: choice,
      prints: true,
      examples: [
        'pilotfish prices watch BTCUSDT ETHUSDT',
        'pilotfish prices watch --quote USDT --sort changePct --limit 15',
        'pilotfish prices watch --quote USDT --jsonl | jq .price',
      ],
      load: async () => (await import('./watch.ts')).watch,
    },
  ],
};
