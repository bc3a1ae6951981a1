import type { CommandSpec } from '../app/command.ts';

export const simulatorCommand: CommandSpec = {
  name: 'simulator',
  options: [
    { flags: '--host <address>' },
    { flags: '--port <port>' },
    { flags: '--seed <text>' },
    { flags: '--replay <folder>' },
    { flags: '--speed <factor>' },
    { flags: '--storage <folder>' },
    { flags: '--start <time>' },
  ],
  examples: [
    'pilotfish simulator --port 4700',
    'pilotfish simulator --replay ./klines --speed 60',
    'pilotfish simulator --seed 7 --speed max',
  ],
  load: async () => (await import('./simulator.ts')).run,
};
