import type { CommandSpec } from '../app/command.ts';

export const importCommand: CommandSpec = {
  name: 'import',
  arguments: ['[file]'],
  options: [
    { flags: '--commit' },
    { flags: '--accept-partial' },
    { flags: '--zone <zone>' },
    { flags: '--map <column>', many: true },
    { flags: '--operation <meaning>', many: true },
  ],
  prints: true,
  examples: [
    'pilotfish import',
    'pilotfish import trades.csv',
    'pilotfish import export.zip --commit',
    'pilotfish import trades.csv --zone UTC+3 --commit --accept-partial',
    'pilotfish import other.csv --map time=When --map pair=Market --map side=Way --map price=Rate --map quantity=Units --map total=Sum',
    'pilotfish import statement.csv --operation "Night Market Gift=reward" --commit',
  ],
  load: async () => (await import('./import.ts')).importFile,
};

export const importsCommand: CommandSpec = {
  name: 'imports',
  commands: [
    { name: 'ls', prints: true, examples: ['pilotfish imports ls'], load: async () => (await import('./import.ts')).list },
    {
      name: 'undo',
      arguments: ['<import>'],
      examples: ['pilotfish imports undo 01a1ff8f-565f-72f9-b1c6-782500d479ef --yes'],
      load: async () => (await import('./import.ts')).undo,
    },
  ],
};

export const migrateCommand: CommandSpec = {
  name: 'migrate',
  commands: [
    { name: 'ls', prints: true, examples: ['pilotfish migrate ls'], load: async () => (await import('./migrate.ts')).list },
    {
      name: 'add',
      arguments: ['<asset>'],
      options: [
        { flags: '--holding <quantity>' },
        { flags: '--cost <amount>' },
        { flags: '--at <time>' },
        { flags: '--trade <trade>', many: true },
        { flags: '--dry-run' },
      ],
      prints: true,
      examples: [
        'pilotfish migrate add BTC --holding 0.5 --cost 20000 --at 2024-05-01',
        "pilotfish migrate add BTC --trade 'BTCUSDT Buy 0.5 @ 40000 2024-05-01T10:00Z' --dry-run",
      ],
      load: async () => (await import('./migrate.ts')).add,
    },
    {
      name: 'build',
      arguments: ['<asset>'],
      prints: true,
      examples: ['pilotfish migrate build BTC'],
      load: async () => (await import('./migrate.ts')).build,
    },
  ],
};

export const swapsCommand: CommandSpec = {
  name: 'swaps',
  commands: [
    { name: 'ls', prints: true, examples: ['pilotfish swaps ls'], load: async () => (await import('./swaps.ts')).list },
    {
      name: 'carry',
      arguments: ['[asset]'],
      options: [
        { flags: '--from <side>', text: 'swapFrom' },
        { flags: '--to <side>', text: 'swapTo' },
        { flags: '--at <time>', text: 'swapAt' },
      ],
      examples: [
        'pilotfish swaps carry MATIC',
        "pilotfish swaps carry MATIC --to '100 POL'",
        "pilotfish swaps carry --from '100 MATIC' --to '100 POL' --at 2024-09-13T08:00Z --yes",
      ],
      load: async () => (await import('./swaps.ts')).carry,
    },
  ],
};
