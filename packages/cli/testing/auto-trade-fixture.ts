import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';

const WALLET = '01a1fc3a-46e6-72f7-a393-a88a45a667de';

/** A paper bot of one coin, as the server lists it. */
export const autoTrade = (state: AutoTrade['state'] = 'Running'): AutoTrade => ({
  id: '01a1fc3a-46e6-72f7-a393-a88a45a667dc',
  name: 'Dip',
  state,
  stateReason: null,
  pausedUntil: null,
  exits: 'continue',
  allowed: [],
  withheld: [],
  mustAcknowledge: false,
  mode: 'paper',
  exchange: 'simulated',
  currency: 'USDT',
  walletId: WALLET,
  walletName: 'Main',
  config: autoTradeConfigSchema.parse({
    name: 'Dip',
    walletId: WALLET,
    coins: { symbols: ['BTCUSDT'] },
    entry: {},
    stopLoss: { mode: 'none' },
  }),
  configVersion: 1,
  runNo: 1,
  openPositions: 0,
  realised: '0',
  realisedToday: '0',
  lastTrace: null,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
});
