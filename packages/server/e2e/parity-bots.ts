/** Bots that trade small and often, each in another way: together they use every kind of order that a bot knows. */

const order = (settings: object) => ({ type: 'Limit', timeoutSec: 60, onTimeout: 'cancel', ...settings });
const entry = (settings: object = {}) => ({
  entry: {
    size: { mode: 'fixed', value: '60' },
    trigger: { kind: 'drop', dropPct: '0.4', lookbackMin: 60 },
    trailing: { enabled: false },
    order: { type: 'Market' },
    maxSpreadPct: '5',
    ...settings,
  },
});
const COMMON = {
  ...entry(),
  takeProfit: { levels: [{ gainPct: '0.8', sellPct: '100' }] },
  trailingCost: { enabled: false },
  stopLoss: { mode: 'percent', pct: '1.2' },
  cooldown: { afterWinMin: 0, afterLossMin: 5 },
  protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
};
const ladder = {
  levels: [
    { gainPct: '0.4', sellPct: '30' },
    { gainPct: '0.7', sellPct: '30' },
    { gainPct: '1', sellPct: '40' },
  ],
};
const rebound = { enabled: true, reboundPct: '0.1', expiryMin: 30, maxChasePct: '1' };
const raising = { enabled: true, armGainPct: '0.5', distancePct: '0.2', stepPct: '0.02' };
const levels = [{ dropPct: '0.4' }, { dropPct: '0.5', sizeMultiplier: '1.5' }];

export type ParityBot = {
  readonly name: string;
  readonly coins: readonly ('first' | 'second')[];
  /** Its orders wait in the book. */
  readonly rests?: true;
  /** Its wallet is that of the bot before. */
  readonly shares?: true;
  readonly settings: object;
};

export const PARITY_BOTS: readonly ParityBot[] = [
  { name: 'market', coins: ['first'], settings: {} },
  { name: 'limit at the ask', coins: ['second'], rests: true, settings: entry({ order: order({}) }) },
  {
    name: 'limit below, priced again',
    coins: ['first'],
    rests: true,
    settings: entry({ order: order({ offsetPct: '0.05', onTimeout: 'reprice', maxReprices: 3 }) }),
  },
  {
    name: 'limit below, then the market',
    coins: ['second'],
    rests: true,
    settings: entry({ order: order({ offsetPct: '0.1', onTimeout: 'market' }) }),
  },
  { name: 'limit far below', coins: ['first'], rests: true, settings: entry({ order: order({ offsetPct: '0.2', timeoutSec: 600 }) }) },
  {
    name: 'rebuys',
    coins: ['second'],
    settings: { ...entry({ trailing: rebound }), rebuys: { levels, minMinutesBetween: 0 }, stopLoss: { mode: 'percent', pct: '2.5' } },
  },
  {
    name: 'rebuys at a limit, after a rebound',
    coins: ['first'],
    rests: true,
    settings: {
      ...entry({ order: order({ offsetPct: '0.03', onTimeout: 'reprice' }) }),
      rebuys: { levels, basis: 'avgCost', minMinutesBetween: 1, trailingReboundPct: '0.1' },
      stopLoss: { mode: 'percent', pct: '2.5', basis: 'firstBuy' },
      takeProfit: ladder,
    },
  },
  { name: 'ladder at the market', coins: ['first'], settings: { takeProfit: ladder } },
  {
    name: 'ladder at limits',
    coins: ['second'],
    rests: true,
    settings: { takeProfit: ladder, exit: { order: order({ offsetPct: '0.05', onTimeout: 'reprice', timeoutSec: 300 }) } },
  },
  {
    name: 'protected cost',
    coins: ['first'],
    settings: { trailingCost: raising, takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] } },
  },
  {
    name: 'protected cost with a resident stop',
    coins: ['second'],
    rests: true,
    settings: {
      trailingCost: { ...raising, expiryMin: 45, onExpiry: 'sellIfProfit' },
      takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
      protectiveStop: { enabled: true, limitOffsetPct: '0.1' },
    },
  },
  {
    name: 'resident stop, close',
    coins: ['first'],
    rests: true,
    settings: { stopLoss: { mode: 'percent', pct: '0.5' }, protectiveStop: { enabled: true, limitOffsetPct: '0' }, takeProfit: ladder },
  },
  {
    name: 'stop after a while, time stop',
    coins: ['second'],
    settings: { stopLoss: { mode: 'percent', pct: '0.6', confirmSec: 120 }, timeStop: { hours: 1 } },
  },
  {
    name: 'no floor, carries dust, shares a wallet',
    coins: ['first'],
    shares: true,
    settings: {
      trailingCost: { ...raising, distancePct: '0.25', floor: 'none', expiryMin: 20, onExpiry: 'rearm' },
      takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
      dust: { policy: 'includeInNext' },
      entry: { ...entry().entry, size: { mode: 'percentOfWallet', value: '7' } },
    },
  },
  {
    name: 'two coins for one slot',
    coins: ['first', 'second'],
    settings: { maxOpenPositions: 1, pickOrder: 'dropDepth', cooldown: { afterWinMin: 1, afterLossMin: 3, scope: 'bot' } },
  },
  {
    name: 'two coins, guarded',
    coins: ['second', 'first'],
    rests: true,
    settings: {
      ...entry({ trigger: { kind: 'immediate' }, order: order({ offsetPct: '0.04' }) }),
      exit: { order: order({ offsetPct: '0.02', onTimeout: 'market' }) },
      protections: {
        lossStreak: { count: 2, lookbackHours: 2, pauseHours: 1 },
        drawdown: { maxPct: '0' },
        btcGuard: { dropPct: '0.8', windowMin: 60, resumePct: '0.3' },
      },
    },
  },
];

export const settingsOf = ({ settings }: ParityBot): object => ({ ...COMMON, ...settings });
