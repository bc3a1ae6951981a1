import type { CommandSpec, OptionSpec } from '../app/command.ts';

/** Where the bot and the candles come from. */
const input: readonly OptionSpec[] = [
  { flags: '--candles <file>', many: true },
  { flags: '--zoom <file>', many: true, text: 'zoomCandles' },
  { flags: '--history <file>', many: true, text: 'historyCandles' },
  { flags: '--symbol <symbol>' },
  { flags: '--pair <symbols>', text: 'backtestPair' },
  { flags: '--from <day>', text: 'backtestFrom' },
  { flags: '--to <day>', text: 'backtestTo' },
  { flags: '--interval <interval>', default: '1m' },
  { flags: '--config <file>', text: 'botFile' },
  { flags: '--balance <amount>', text: 'startBalance' },
  { flags: '--fee <percent>', text: 'feePct' },
];

export const backtestCommand: CommandSpec = {
  name: 'backtest',
  commands: [
    {
      name: 'run',
      arguments: ['[bot-or-file]'],
      options: [
        ...input,
        { flags: '--ticks <tape>', text: 'backtestTicks' },
        { flags: '--latency <ms>', text: 'backtestLatency' },
        { flags: '--report <file>', text: 'htmlReport' },
        { flags: '--traces' },
        { flags: '--no-checks', text: 'noChecks' },
      ],
      prints: true,
      examples: [
        'pilotfish backtest run bot.yaml --candles BTCUSDT-1m.csv.gz',
        'pilotfish backtest run bot.yaml --candles BTCUSDT-1m.zip --candles ETHUSDT-1m.zip --report report.html',
        'pilotfish backtest run Dip --pair BTCUSDT --from 2026-01-01 --to 2026-02-01',
        'pilotfish backtest run --ticks ~/.pilotfish/tapes/01a2….jsonl',
        'pilotfish backtest run bot.yaml --candles BTCUSDT-1h.csv --zoom BTCUSDT-1m.csv --json | jq .returnPct',
      ],
      load: async () => (await import('./run-backtest.ts')).run,
    },
    {
      name: 'sweep',
      arguments: ['[bot-or-file]'],
      options: [
        ...input,
        { flags: '--set <path=values>', many: true, text: 'sweepSet' },
        { flags: '--random <count>', text: 'sweepRandom' },
        { flags: '--seed <number>', default: '1', text: 'sweepSeed' },
        { flags: '--held-out <percent>', default: '30' },
        { flags: '--by <goal>', choices: ['returnPct', 'sharpe', 'profitFactor'], default: 'returnPct', text: 'sweepBy' },
        { flags: '--top <count>', default: '10' },
        { flags: '--workers <count>' },
        { flags: '--out <file>', text: 'sweepOut' },
        { flags: '--resume' },
      ],
      prints: true,
      examples: [
        'pilotfish backtest sweep bot.yaml --candles BTCUSDT-1m.csv.gz --set takeProfit.levels.0.gainPct=1:5:0.5 --set stopLoss.pct=2,4,6',
        'pilotfish backtest sweep bot.yaml --candles BTCUSDT-1m.csv.gz --set stopLoss.pct=0.5:9:0.1 --random 200 --out sweep.jsonl --resume',
      ],
      load: async () => (await import('./run-sweep.ts')).sweep,
    },
    {
      name: 'report',
      arguments: ['<report-file>'],
      options: [{ flags: '--report <file>', text: 'htmlReport' }, { flags: '--traces' }],
      prints: true,
      examples: ['pilotfish backtest report result.json --report report.html'],
      load: async () => (await import('./show-report.ts')).show,
    },
  ],
};
