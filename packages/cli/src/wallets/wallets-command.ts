import type { CommandSpec } from '../app/command.ts';

/** What only a paper wallet has. */
const terms = [
  { flags: '--maker-fee <percent>' },
  { flags: '--taker-fee <percent>' },
  { flags: '--latency <ms>', text: 'paperLatency' },
] as const;

export const walletsCommand: CommandSpec = {
  name: 'wallets',
  commands: [
    {
      name: 'ls',
      options: [{ flags: '-w, --watch' }],
      prints: true,
      examples: ['pilotfish wallets ls', 'pilotfish wallets ls --json --fields name,free'],
      load: async () => (await import('./wallets.ts')).list,
    },
    {
      name: 'show',
      arguments: ['<wallet>'],
      prints: true,
      examples: ['pilotfish wallets show Main'],
      load: async () => (await import('./wallets.ts')).show,
    },
    {
      name: 'add',
      arguments: ['<name>'],
      options: [
        { flags: '--mode <mode>', choices: ['paper', 'live'], default: 'paper' },
        { flags: '--currency <asset>', default: 'USDT' },
        { flags: '--balance <amount>', default: '1000' },
        { flags: '--reserve <percent>' },
        ...terms,
      ],
      prints: true,
      examples: [
        'pilotfish wallets add Main --balance 5000',
        'pilotfish wallets add Near --maker-fee 0.075 --taker-fee 0.1 --latency 150',
        'pilotfish wallets add Real --mode live --balance 250 --yes',
      ],
      load: async () => (await import('./wallets.ts')).add,
    },
    {
      name: 'edit',
      arguments: ['<wallet>'],
      options: terms,
      prints: true,
      examples: ['pilotfish wallets edit Main --taker-fee 0.075 --latency 80'],
      load: async () => (await import('./wallets.ts')).edit,
    },
    {
      name: 'deposit',
      arguments: ['<wallet>', '<amount>'],
      options: [{ flags: '--note <text>' }],
      prints: true,
      examples: ['pilotfish wallets deposit Main 250', 'pilotfish wallets deposit Main -- -100'],
      load: async () => (await import('./wallets.ts')).deposit,
    },
    {
      name: 'withdraw',
      arguments: ['<wallet>', '<amount>'],
      options: [{ flags: '--note <text>' }],
      prints: true,
      examples: ['pilotfish wallets withdraw Main 100'],
      load: async () => (await import('./wallets.ts')).withdraw,
    },
    {
      name: 'ledger',
      arguments: ['<wallet>'],
      options: [
        {
          flags: '--kind <kind>',
          choices: ['deposit', 'withdraw', 'reserve', 'release', 'buy', 'sell', 'fee', 'adjust'],
          text: 'ledgerKind',
        },
        { flags: '-n, --limit <count>' },
      ],
      prints: true,
      examples: ['pilotfish wallets ledger Main', 'pilotfish wallets ledger Main --kind fee --csv'],
      load: async () => (await import('./wallets.ts')).showLedger,
    },
  ],
};
