import type { CommandSpec } from '../app/command.ts';

export const overviewCommand: CommandSpec = {
  name: 'overview',
  options: [{ flags: '--mode <mode>', choices: ['live', 'paper'], default: 'live', text: 'overviewMode' }],
  prints: true,
  examples: ['pilotfish overview', 'pilotfish overview --mode paper', 'pilotfish overview --json | jq .needs.items'],
  load: async () => (await import('./overview.ts')).overview,
};
