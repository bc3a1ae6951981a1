import type { CommandSpec } from '../app/command.ts';

export const serveCommand: CommandSpec = {
  name: 'serve',
  options: [
    { flags: '--port <port>' },
    { flags: '--host <address>' },
    { flags: '--data-dir <folder>' },
    { flags: '--exchange <name>', choices: ['simulated', 'binance', 'binance-demo', 'binance-testnet'], text: 'exchangeName' },
    { flags: '--fresh' },
  ],
  examples: ['pilotfish serve', 'pilotfish serve --port 0 --data-dir ./data', 'PILOTFISH_LOG_LEVEL=debug pilotfish serve'],
  load: async () => (await import('./serve.ts')).run,
};
