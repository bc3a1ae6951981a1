import type { CommandSpec } from '../app/command.ts';

export const dashboardCommand: CommandSpec = {
  name: 'dashboard',
  options: [{ flags: '--tab <name>', choices: ['prices', 'positions', 'bots', 'alerts', 'activity'], text: 'dashboardTab' }],
  examples: ['pilotfish dashboard', 'pilotfish dashboard --tab bots'],
  load: async () => (await import('./open-dashboard.tsx')).openDashboard,
};
