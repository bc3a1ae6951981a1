import type { CommandSpec } from '../app/command.ts';

export const replayCommand: CommandSpec = {
  name: 'replay',
  arguments: ['<tape>'],
  options: [{ flags: '--check' }],
  prints: true,
  examples: ['pilotfish replay data/tapes/0199.jsonl', 'pilotfish replay data/tapes/0199.jsonl --check'],
  load: async () => (await import('./replay.ts')).replay,
};
