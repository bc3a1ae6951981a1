import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair, Ticker } from '@pilotfish/core/prices/prices-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import type { DashboardState } from '../src/dashboard/dashboard-data.ts';

const AT = '2026-11-21T07:15:54.000Z';

export const ticker = (symbol: string, price: string, changePct: string, quoteVolume: string): Ticker => ({
  symbol,
  price,
  open: price,
  high: price,
  low: price,
  volume: '1',
  quoteVolume,
  changePct,
  at: AT,
});

export const bot = {
  id: 'dip',
  name: 'Dip',
  state: 'Running',
  stateReason: null,
  pausedUntil: null,
  exits: 'continue',
  // Whatever is pressed in a test is possible; what is not is said there.
  allowed: ['enable', 'disable'],
  withheld: [],
  mode: 'paper',
  exchange: 'simulated',
  walletName: 'Main',
  openPositions: 0,
  currency: 'USDT',
  realised: '4.43',
  realisedToday: '-1',
  config: botConfig({ maxOpenPositions: 3 }),
  lastTrace: null,
} as unknown as AutoTrade;

const detail = {
  ...bot,
  coinPauses: [],
  coinHalts: [],
  withheld: [],
  positions: [],
  evaluations: [
    {
      symbol: 'ETHUSDT',
      state: 'Watching',
      price: '3800',
      at: AT,
      rules: [{ rule: 'drop', observed: '1.5', limit: '3', pass: false }],
      stoppedBy: 'drop',
      waitsFor: { code: 'drop', price: '3700', at: null },
    },
  ],
} as unknown as AutoTradeDetail;

const position = {
  id: 'p1',
  symbol: 'BTCUSDT',
  number: 2,
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  openedAt: AT,
  quantity: '0.5',
  averageCost: '60000',
  breakEven: '60100',
  realised: '10',
  fees: '1',
  trades: 3,
  broken: [],
  excludedFromTotals: false,
  cost: '30000',
  price: '65000',
  value: '32500',
  unrealised: '2400',
  total: '2410',
  exitFee: '30',
  returnPct: '8',
  targetPrice: null,
  targetDistancePct: null,
  resultAtTarget: null,
  sparkline: [1, 2, 3],
} as unknown as OpenPosition;

const alert = {
  id: 'a1',
  symbol: 'BTCUSDT',
  condition: { kind: 'above', level: '70000' },
  state: 'Armed',
  allowed: ['snooze', 'disable'],
  reason: null,
  note: 'the old high',
  channels: ['app'],
  snoozedUntil: null,
  lastPrice: '65000',
  distancePct: '7.69',
  firedCount: 0,
  lastFiredAt: null,
  expiresAt: null,
} as unknown as PriceAlert;

const notification = {
  id: 'n1',
  at: AT,
  kind: 'price-alert',
  title: 'BTC above 70k',
  text: 'It is 70,001.',
  link: null,
  read: false,
} as Notification;

/** An account with one of everything. */
export const dashboardState: DashboardState = {
  status: 'live',
  heardAt: 0,
  stale: false,
  username: 'ada',
  simulated: true,
  exchange: 'Binance',
  tickers: new Map(
    [
      ticker('BTCUSDT', '65000', '1.5', '9000000'),
      ticker('ETHUSDT', '3800', '-2', '5000000'),
      ticker('XRPUSDT', '0.5', '0', '7000000'),
    ].map((row) => [row.symbol, row]),
  ),
  pairs: new Map([['BTCUSDT', { symbol: 'BTCUSDT', pricePrecision: 2, status: 'TRADING' } as unknown as Pair]]),
  positions: [position],
  bots: [bot],
  alerts: [alert],
  notifications: [notification],
  unread: 1,
  traces: [],
  candles: new Map([
    [
      'BTCUSDT',
      Array.from({ length: 60 }, (_, index) => ({
        openTime: index * 3_600_000,
        open: 100 + index,
        high: 103 + index,
        low: 99 + index,
        close: 101 + index,
        volume: 5,
      })),
    ],
  ]),
  details: new Map([['dip', { detail, story: [] }]]),
  problems: new Map(),
};
