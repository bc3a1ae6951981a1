import type { CommandSpec, OptionSpec } from '../app/command.ts';

/** As the contract has them; named here, because help must not load it. */
const INTERVALS = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d'];

const span: readonly OptionSpec[] = [
  { flags: '--from <month>', text: 'candlesFrom' },
  { flags: '--to <month>', text: 'candlesTo' },
];

export const candlesCommand: CommandSpec = {
  name: 'candles',
  commands: [
    {
      name: 'ls',
      arguments: ['[symbol]'],
      options: span,
      prints: true,
      examples: ['pilotfish candles ls', 'pilotfish candles ls BTCUSDT --from 2024-01'],
      load: async () => (await import('./list-candles.ts')).list,
    },
    {
      name: 'fetch',
      arguments: ['<symbol>', '<interval>'],
      words: INTERVALS,
      options: [
        { flags: '--from <month>', text: 'candlesFetchFrom' },
        { flags: '--to <month>', text: 'candlesFetchTo' },
        { flags: '--archives [folder]', text: 'candleArchives' },
      ],
      prints: true,
      examples: [
        'pilotfish candles fetch BTCUSDT 1m --from 2024-01',
        'pilotfish candles fetch BTCUSDT 1m --from 2024-01 --archives',
        'pilotfish candles fetch BTCUSDT 1m --from 2024-01 --archives ~/binance-archive',
      ],
      load: async () => (await import('./fetch-candles.ts')).fetchCandleMonths,
    },
    { name: 'stop', examples: ['pilotfish candles stop'], load: async () => (await import('./list-candles.ts')).stop },
    {
      name: 'rm',
      arguments: ['<symbol>', '<interval>'],
      words: INTERVALS,
      options: span,
      examples: ['pilotfish candles rm BTCUSDT 1m', 'pilotfish candles rm BTCUSDT 1m --to 2023-12 --yes'],
      load: async () => (await import('./list-candles.ts')).remove,
    },
  ],
};
