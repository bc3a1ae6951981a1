import type { CommandSpec } from '../app/command.ts';
import { QUESTION_OPTIONS } from '../screen/screen-command.ts';

export const filtersCommand: CommandSpec = {
  name: 'filters',
  commands: [
    {
      name: 'ls',
      prints: true,
      examples: ['pilotfish filters ls', 'pilotfish filters ls --json --fields name,conditions'],
      load: async () => (await import('./filters.ts')).list,
    },
    {
      name: 'show',
      arguments: ['<filter>'],
      prints: true,
      examples: ['pilotfish filters show Oversold', 'pilotfish filters show Oversold --json | jq -r .coins[]'],
      load: async () => (await import('./filters.ts')).show,
    },
    {
      name: 'coins',
      arguments: ['<filter>'],
      options: [{ flags: '-w, --watch' }],
      prints: true,
      examples: ['pilotfish filters coins Oversold', 'pilotfish filters coins Oversold --json | jq -r .[].symbol'],
      load: async () => (await import('./filters.ts')).coins,
    },
    {
      name: 'add',
      arguments: ['<name>', '[rules...]'],
      options: [
        ...QUESTION_OPTIONS,
        { flags: '--quote <asset>', text: 'filterQuote' },
        { flags: '--include <symbols>' },
        { flags: '--exclude <symbols>' },
        { flags: '--max-coins <count>' },
        { flags: '--min-age <days>' },
        { flags: '--min-volume <amount>', text: 'filterVolume' },
        { flags: '--max-spread <percent>' },
        { flags: '--refresh <minutes>' },
        { flags: '--on-error <what>', choices: ['keepLast', 'empty'] },
      ],
      prints: true,
      examples: [
        "pilotfish filters add Oversold 'rsi.1h < 30' 'not tags hasAny meme' --sort rsi.1h:asc",
        'pilotfish filters add Majors --quote USDT --max-coins 10 --min-volume 50000000',
        'pilotfish filters add Mine --file rules.yaml --include BTCUSDT,ETHUSDT',
      ],
      load: async () => (await import('./add-filter.ts')).add,
    },
    {
      name: 'rm',
      arguments: ['<filter>'],
      examples: ['pilotfish filters rm Oversold', 'pilotfish filters rm Oversold --yes'],
      load: async () => (await import('./filters.ts')).remove,
    },
  ],
};
