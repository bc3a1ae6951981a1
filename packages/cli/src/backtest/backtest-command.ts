import type { CommandSpec } from '../app/command.ts';

export const backtestCommand: CommandSpec = {
  name: 'backtest',
  commands: [
    {
      name: 'run',
      options: [
        { flags: '--candles <file>' },
        { flags: '--config <file>', text: 'botFile' },
        { flags: '--symbol <symbol>' },
        { flags: '--balance <amount>', default: '1000', text: 'startBalance' },
        { flags: '--traces' },
      ],
      prints: true,
      examples: [
        'pilotfish backtest run --candles BTCUSDT-1m.csv.gz --config bot.yaml',
        'pilotfish backtest run --candles BTCUSDT-1m.csv --config bot.yaml --json | jq .returnPct',
      ],
      load: async () => (await import('./run-backtest.ts')).run,
    },
  ],
};
