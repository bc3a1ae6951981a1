import type { CommandSpec, OptionSpec } from '../app/command.ts';

const choice: readonly OptionSpec[] = [
  { flags: '--quote <asset>' },
  { flags: '--search <text>' },
  { flags: '--tag <tags>' },
  { flags: '--watchlist <name>' },
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
      options: [...choice, { flags: '--sparkline' }],
      prints: true,
      examples: [
        'pilotfish prices ls --quote USDT --limit 20',
        'pilotfish prices ls --search btc --json',
        'pilotfish prices ls --quote USDT --min-volume 1000000 --sort changePct:asc',
        'pilotfish prices ls --tag meme,ai --sort changePct --fields symbol,changePct --csv',
        'pilotfish prices ls --watchlist favourites --sparkline',
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
    {
      name: 'watchlists',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          prints: true,
          examples: ['pilotfish prices watchlists ls', 'pilotfish prices watchlists ls --json | jq -r .[].name'],
          load: async () => (await import('./watchlists.ts')).list,
        },
        {
          name: 'set',
          arguments: ['<watchlist>', '<pairs...>'],
          prints: true,
          examples: [
            'pilotfish prices watchlists set Majors BTCUSDT ETHUSDT',
            "pilotfish prices watchlists set 'Layer 1' SOLUSDT AVAXUSDT ADAUSDT",
            'pilotfish prices watchlists set favourites BTCUSDT SOLUSDT',
          ],
          load: async () => (await import('./watchlists.ts')).set,
        },
        {
          name: 'rm',
          arguments: ['<watchlist>'],
          examples: ['pilotfish prices watchlists rm Majors', 'pilotfish prices watchlists rm Majors --yes'],
          load: async () => (await import('./watchlists.ts')).remove,
        },
      ],
    },
  ],
};
