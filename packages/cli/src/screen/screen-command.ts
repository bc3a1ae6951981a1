import type { CommandSpec, OptionSpec } from '../app/command.ts';

/** How pairs are asked for; saved coin filters are made the same way. */
export const QUESTION_OPTIONS: readonly OptionSpec[] = [
  { flags: '--any', text: 'anyRule' },
  { flags: '-f, --file <path>', text: 'ruleFile' },
  { flags: '--sort <fields>', text: 'screenSort' },
];

export const screenCommand: CommandSpec = {
  name: 'screen',
  examples: ["pilotfish screen run 'rsi.1h < 30' 'quote in USDT'", 'pilotfish screen options'],
  commands: [
    {
      name: 'run',
      arguments: ['[rules...]'],
      options: [
        ...QUESTION_OPTIONS,
        { flags: '--columns <fields>', text: 'screenColumns' },
        { flags: '--limit <count>' },
        { flags: '--page <number>' },
        { flags: '--save <name>', text: 'saveFilter' },
        { flags: '-w, --watch' },
      ],
      prints: true,
      examples: [
        "pilotfish screen run 'rsi.1h < 30' 'quote in USDT,BTC' --sort quoteVolume",
        "pilotfish screen run 'change.24h between -5,5' 'not tags hasAny meme' --columns rsi.1h,natr.1d --limit 20",
        "pilotfish screen run 'any(rsi.1h < 25; macdHistogram.1h crossesAbove 0)' 'quoteVolume > 5M' --save Oversold",
        "pilotfish screen run 'change.15m > 3' --watch --jsonl | jq .symbol",
        'pilotfish screen run --file rules.yaml --json --page 2',
      ],
      load: async () => (await import('./screen-run.ts')).runScreen,
    },
    {
      name: 'options',
      arguments: ['[field]'],
      prints: true,
      examples: ['pilotfish screen options', 'pilotfish screen options tags', 'pilotfish screen options --json'],
      load: async () => (await import('./screen-options.ts')).showOptions,
    },
  ],
};
