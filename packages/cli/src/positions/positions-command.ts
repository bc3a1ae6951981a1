import type { CommandSpec } from '../app/command.ts';

const undo = { flags: '--undo', text: 'undoMark' };

export const positionsCommand: CommandSpec = {
  name: 'positions',
  commands: [
    {
      name: 'open',
      arguments: ['[symbol]'],
      options: [{ flags: '--sort <column>', text: 'positionSort' }, { flags: '-w, --watch' }],
      prints: true,
      examples: [
        'pilotfish positions open',
        'pilotfish positions open --sort total --watch',
        'pilotfish positions open --json | jq .totals',
      ],
      load: async () => (await import('./open-positions.ts')).listOpen,
    },
    {
      name: 'closed',
      options: [
        { flags: '--currency <asset>', text: 'positionCurrency' },
        { flags: '--order <order>', default: 'closedAt-desc', text: 'closedOrder' },
        { flags: '--hide-from <amount>' },
        { flags: '--hide-to <amount>' },
        { flags: '--only-broken' },
        { flags: '--limit <count>' },
        { flags: '--page <number>' },
        { flags: '-w, --watch' },
      ],
      prints: true,
      examples: [
        'pilotfish positions closed --limit 20',
        'pilotfish positions closed --hide-from -1 --hide-to 1 --order realised-desc',
        'pilotfish positions closed --only-broken --csv --fields symbol,number,broken',
      ],
      load: async () => (await import('./closed-positions.ts')).listClosed,
    },
    {
      name: 'show',
      arguments: ['<position>'],
      options: [{ flags: '--limit <count>', text: 'tradeLimit' }],
      prints: true,
      examples: ['pilotfish positions show BTCUSDT', 'pilotfish positions show BTCUSDT#3 --json | jq .fills'],
      load: async () => (await import('./show-position.ts')).show,
    },
    {
      name: 'close',
      arguments: ['<position>'],
      options: [{ flags: '--remainder <how>', choices: ['at-cost', 'at-market', 'split'] }, { flags: '--dry-run' }],
      prints: true,
      examples: ['pilotfish positions close BTCUSDT', 'pilotfish positions close BTCUSDT --remainder at-cost'],
      load: async () => (await import('./close-position.ts')).close,
    },
    {
      name: 'reopen',
      arguments: ['<position>'],
      prints: true,
      examples: ['pilotfish positions reopen BTCUSDT#3'],
      load: async () => (await import('./close-position.ts')).reopen,
    },
    {
      name: 'break',
      arguments: ['<position>'],
      options: [{ flags: '--text <why>', text: 'brokenText' }, undo],
      prints: true,
      examples: ["pilotfish positions break BTCUSDT --text 'the deposit of May is missing'", 'pilotfish positions break BTCUSDT --undo'],
      load: async () => (await import('./mark-position.ts')).markBroken,
    },
    {
      name: 'target',
      arguments: ['<position>', '<price>'],
      prints: true,
      examples: ['pilotfish positions target BTCUSDT 120000', 'pilotfish positions target BTCUSDT none'],
      load: async () => (await import('./mark-position.ts')).setTarget,
    },
    {
      name: 'calculate',
      arguments: ['<position>'],
      prints: true,
      examples: ['pilotfish positions calculate BTCUSDT#3', 'pilotfish positions calculate ETHUSDT --json'],
      load: async () => (await import('./mark-position.ts')).calculate,
    },
    {
      name: 'exclude',
      arguments: ['<position>'],
      options: [undo],
      prints: true,
      examples: ['pilotfish positions exclude BTCUSDT#2', 'pilotfish positions exclude BTCUSDT#2 --undo'],
      load: async () => (await import('./mark-position.ts')).exclude,
    },
    {
      name: 'overview',
      prints: true,
      examples: ['pilotfish positions overview', 'pilotfish positions overview --json | jq .winRatePct'],
      load: async () => (await import('./overview.ts')).overview,
    },
    {
      name: 'monthly',
      prints: true,
      examples: ['pilotfish positions monthly', 'pilotfish positions monthly --csv > months.csv'],
      load: async () => (await import('./overview.ts')).monthly,
    },
    {
      name: 'sync',
      arguments: ['[symbols...]'],
      options: [{ flags: '--full' }, { flags: '--status' }, { flags: '--wait' }],
      prints: true,
      examples: [
        'pilotfish positions sync --wait',
        'pilotfish positions sync BTCUSDT ETHUSDT --full',
        'pilotfish positions sync --status --json',
      ],
      load: async () => (await import('./sync-positions.ts')).sync,
    },
  ],
};
