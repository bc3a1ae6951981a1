import type { CommandSpec } from '../app/command.ts';

export const simulatorCommand: CommandSpec = {
  name: 'simulator',
  options: [
    { flags: '--host <address>' },
    { flags: '--port <port>' },
    { flags: '--seed <text>' },
    { flags: '--replay <folder>' },
    { flags: '--mirror <exchange>' },
    { flags: '--speed <factor>' },
    { flags: '--storage <folder>' },
    { flags: '--start <time>' },
    { flags: '--faults <file>' },
  ],
  examples: [
    'pilotfish simulator --port 4700',
    'pilotfish simulator --replay ./klines --speed 60',
    'pilotfish simulator --seed 7 --speed max',
    'pilotfish simulator --port 4700 --mirror binance --storage ./paper',
    'pilotfish simulator --port 4700 --storage ./exchange --faults faults.json',
  ],
  steps: [
    ['curl -X POST http://127.0.0.1:4700/sim/v1/accounts', 'account'],
    ["curl 'http://127.0.0.1:4700/api/v3/ticker/price?symbol=BTCUSDT'", 'prices'],
    [`curl -X POST http://127.0.0.1:4700/sim/v1/clock -d '{"advanceMs":3600000}'`, 'clock'],
    [`curl -X POST http://127.0.0.1:4700/sim/v1/faults -d '{"kind":"symbol","symbol":"BTCUSDT","status":"CANCEL_ONLY"}'`, 'fault'],
    ['curl -X DELETE http://127.0.0.1:4700/sim/v1/faults', 'clear'],
    [
      "for (const name of ['public', 'private', 'sapi']) exchange.urls.api[name] = exchange.urls.api[name].replace('https://api.binance.com', 'http://127.0.0.1:4700')",
      'ccxt',
    ],
  ],
  load: async () => (await import('./simulator.ts')).run,
};
