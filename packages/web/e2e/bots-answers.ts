import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import type { Need } from '@pilotfish/core/overview/overview-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';

// The bots of one invented account, whose figures agree with those of the design.

const AT = '2026-01-15T12:00:00.000Z';
const ID = (n: number) => `01890000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const DAY = 86_400_000;

type Given = {
  name: string;
  mode?: AutoTrade['mode'];
  state?: AutoTrade['state'];
  reason?: string;
  until?: string;
  coins: string;
  slots: [number, number];
  next?: [code: string, asset: string, price: string | null, distance: string | null];
  money: [open: string, today: string, total: string];
  exits: [count: number, rate: string, factor: string];
  drawdown: string;
  use: [part: string, budget: string];
  last: string;
};
const GIVEN: readonly Given[] = [
  {
    name: 'Alt scalps',
    mode: 'paper',
    coins: 'XRP LINK AVAX DOGE',
    slots: [4, 5],
    next: ['stop-loss', 'XRP', '2.1', '-1.2'],
    money: ['-4.86', '-12.1', '-43.28'],
    exits: [212, '54', '0.91'],
    drawdown: '6.2',
    use: ['820', '2000'],
    last: '2026-01-15T11:58:00.000Z',
  },
  {
    name: 'Majors trend',
    coins: 'BTC ETH BNB',
    slots: [2, 3],
    next: ['arm', 'BTC', '98340.75', '0.47'],
    money: ['3.59', '44.18', '745.77'],
    exits: [84, '71', '2.02'],
    drawdown: '3.4',
    use: ['2984', '5000'],
    last: '2026-01-15T11:21:00.000Z',
  },
  {
    name: 'Dip ladder',
    coins: 'SOL ADA',
    slots: [2, 2],
    next: ['take-profit', 'ADA', '0.6846', '0.15'],
    money: ['-4.33', '30.9', '512.57'],
    exits: [61, '78', '2.31'],
    drawdown: '5.8',
    use: ['1399', '3000'],
    last: '2026-01-15T10:58:00.000Z',
  },
  {
    name: 'RSI reversal',
    state: 'Paused',
    reason: 'lossStreak',
    until: '2026-01-15T18:40:00.000Z',
    coins: 'BTC ETH LTC',
    slots: [0, 3],
    money: ['0', '-8.12', '88.63'],
    exits: [48, '52', '1.16'],
    drawdown: '4.9',
    use: ['0', '2000'],
    last: '2026-01-15T09:40:00.000Z',
  },
  {
    name: 'Breakout lab',
    mode: 'paper',
    coins: 'BTC ETH BNB SOL ADA XRP',
    slots: [0, 4],
    next: ['conditions', 'BTC', null, null],
    money: ['0', '0', '214.3'],
    exits: [96, '44', '1.42'],
    drawdown: '7.4',
    use: ['0', '4000'],
    last: '2026-01-14T10:00:00.000Z',
  },
  {
    name: 'Night range',
    mode: 'paper',
    coins: 'DOT LTC',
    slots: [1, 2],
    next: ['protected-cost', 'LTC', '101.2', '-0.8'],
    money: ['1.92', '3.4', '43.67'],
    exits: [38, '63', '1.37'],
    drawdown: '2.6',
    use: ['400', '1000'],
    last: '2026-01-15T09:12:00.000Z',
  },
  {
    name: 'Old ladder',
    state: 'Disabled',
    coins: 'ADA',
    slots: [0, 2],
    money: ['0', '0', '-62.1'],
    exits: [29, '41', '0.72'],
    drawdown: '14.8',
    use: ['0', '500'],
    last: '2025-12-03T09:12:00.000Z',
  },
  {
    name: 'Weekend swing of large caps',
    coins: 'BTC ETH',
    slots: [1, 2],
    next: ['rebound', 'ETH', '3512.4', '-2.35'],
    money: ['1.1', '0.4', '12.05'],
    exits: [9, '56', '1.31'],
    drawdown: '1.9',
    use: ['310', '1000'],
    last: '2026-01-15T08:02:00.000Z',
  },
];

const botOf = (given: Given, index: number): AutoTrade => ({
  id: ID(index + 1),
  name: given.name,
  state: given.state ?? 'Running',
  stateReason: given.reason ?? null,
  pausedUntil: given.until ?? null,
  unreadPair: null,
  exits: 'continue',
  allowed:
    given.state === 'Disabled'
      ? ['enable', 'reset', 'delete']
      : given.state === 'Paused'
        ? ['resume', 'disable', 'halt']
        : ['disable', 'freeze', 'halt'],
  withheld: [],
  mustAcknowledge: false,
  mode: given.mode ?? 'live',
  exchange: 'simulated',
  currency: 'USDT',
  walletId: ID(50 + index),
  walletName: `Wallet ${index + 1}`,
  config: botConfig({
    name: given.name,
    walletId: ID(50 + index),
    coins: { symbols: given.coins.split(' ').map((asset) => `${asset}USDT`) },
    maxOpenPositions: given.slots[1],
  }),
  configVersion: 1,
  runNo: 1,
  openPositions: given.slots[0],
  realised: given.money[2],
  realisedToday: given.money[1],
  lastTrace: null,
  createdAt: AT,
  updatedAt: AT,
});

/** A way to a total with a wave in it, the same in every run. */
const curveOf = (total: number, index: number) =>
  Array.from({ length: 40 }, (_, step) => ({
    at: new Date(Date.parse(AT) - (40 - step) * 2 * DAY).toISOString(),
    value: (total * (step / 39) + Math.sin((step + index) / 3) * Math.abs(total) * 0.08 * (1 - step / 39)).toFixed(2),
  }));

const figuresOf = (given: Given, index: number): AutoTradeFigures => {
  const [open, today, total] = given.money;
  const [exits, rate, factor] = given.exits;
  const [code, asset, price, distance] = given.next ?? [];
  return {
    id: ID(index + 1),
    holds: given.coins
      .split(' ')
      .slice(0, given.slots[0])
      .map((each) => `${each}USDT`),
    slots: { used: given.slots[0], most: given.slots[1] },
    next:
      code === undefined || asset === undefined
        ? null
        : { symbol: `${asset}USDT`, waitsFor: { code, price: price ?? null, at: null }, distancePct: distance ?? null },
    open,
    realised: total,
    total,
    today,
    inUse: given.use[0],
    budget: given.use[1],
    returnPct: String((Number(total) / Number(given.use[1])) * 100),
    atRisk: { amount: given.slots[0] > 0 ? '66.26' : '0', without: index === 2 ? 1 : 0 },
    exits,
    wins: Math.round((exits * Number(rate)) / 100),
    winRatePct: rate,
    profitFactor: factor,
    maxDrawdownPct: given.drawdown,
    averageHoldSeconds: 33_600 + index * 9000,
    fees: (61.4 - index * 4).toFixed(2),
    curve: curveOf(Number(total), index),
    lastEventAt: given.last,
  };
};

/** Eight bots: one that needs somebody, live and paper, running, paused and stopped. */
export const BOTS = GIVEN.map(botOf);
export const FIGURES = GIVEN.map(figuresOf);
export const NEEDS: { checkedAt: string; items: Need[] } = {
  checkedAt: AT,
  items: [
    {
      id: 'attention',
      kind: 'position-attention',
      rank: 6,
      mode: 'paper',
      autoTradeId: ID(1),
      botName: 'Alt scalps',
      symbol: 'XRPUSDT',
      code: '-1013 NOTIONAL',
      facts: { bot: 'Alt scalps', symbol: 'XRPUSDT', reason: '-1013 NOTIONAL' },
      action: 'resolve',
      link: `/auto-trade/detail/${ID(1)}`,
      since: null,
    },
  ],
};
