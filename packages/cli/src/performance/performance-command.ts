import type { CommandSpec } from '../app/command.ts';

export const performanceCommand: CommandSpec = {
  name: 'performance',
  options: [
    { flags: '--mode <mode>', choices: ['live', 'paper'], default: 'live', text: 'overviewMode' },
    { flags: '--from <day>', text: 'performanceFrom' },
    { flags: '--to <day>', text: 'performanceTo' },
    { flags: '--bot <name>', many: true, text: 'performanceBot' },
    { flags: '--coin <asset>', many: true, text: 'performanceCoin' },
    { flags: '--reason <reason>', many: true, text: 'performanceReason' },
  ],
  prints: true,
  examples: [
    'pilotfish performance',
    'pilotfish performance --from 2026-01-01 --bot Dip --bot hand',
    'pilotfish performance --mode paper --coin BTC --reason StopLoss',
    'pilotfish performance --json | jq .days',
  ],
  load: async () => (await import('./performance.ts')).performance,
};
