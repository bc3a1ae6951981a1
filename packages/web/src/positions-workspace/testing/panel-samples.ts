import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { ClosedRow, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';

export const BOT_ID = '0190a0b0-0000-7000-8000-00000000b071';
const HOUR = 3_600_000;
/** 09:00 on the first day of 1970, by which the samples have been held for some hours. */
const at = (hours: number) => new Date(hours * HOUR).toISOString();

/** Of a bot: 0.41 ETH at 3,702.60, worth 3,664.10 each, fee 0.1 %. */
export const botRow: HeldPositionRow = {
  autoTradeId: BOT_ID,
  botName: 'Majors trend',
  positionId: '0190a0b0-0000-7000-8000-00000000e781',
  symbol: 'ETHUSDT',
  baseAsset: 'ETH',
  quoteAsset: 'USDT',
  state: 'Open',
  quantity: '0.41',
  averageCost: '3702.6',
  cost: '1518.066',
  costGap: null,
  price: '3664.1',
  value: '1502.281',
  result: '-17.287281',
  resultPct: '-1.1388',
  realised: '0',
  stop: '3628.55',
  target: '3795.17',
  rebuys: [],
  breakEven: '3706.31',
  atRisk: '14.5609245',
  openedAt: at(0),
  next: { waitsFor: { code: 'arm', price: '3776.65', at: null }, distancePct: '3.0717' },
  attention: null,
  broken: [],
  excludedFromTotals: false,
  sparkline: [],
};

export const handRow: HeldPositionRow = {
  ...botRow,
  autoTradeId: null,
  botName: null,
  positionId: '0190a0b0-0000-7000-8000-00000000b4b0',
  symbol: 'BNBUSDT',
  baseAsset: 'BNB',
  quantity: '0.9',
  averageCost: '691.2',
  cost: '622.08',
  price: '708.4',
  value: '637.56',
  result: '14.84244',
  resultPct: '2.3859',
  realised: null,
  stop: null,
  target: null,
  breakEven: '691.89',
  atRisk: null,
  next: null,
};

/** What the ledger has of it. */
export const openPosition: OpenPosition = {
  id: handRow.positionId,
  exchange: 'Binance',
  symbol: 'BNBUSDT',
  baseAsset: 'BNB',
  quoteAsset: 'USDT',
  number: 1,
  openedAt: at(0),
  quantity: '0.9',
  averageCost: '691.2',
  breakEven: '691.89',
  averageAsOnExchange: '690.51',
  realised: '3.5',
  fees: '0.62',
  trades: 2,
  broken: [],
  excludedFromTotals: false,
  reopened: false,
  allowed: ['calculate', 'target', 'close', 'break', 'exclude'],
  cost: '622.08',
  price: '708.4',
  value: '637.56',
  unrealised: '14.84244',
  total: '18.34244',
  exitFee: '0.63756',
  returnPct: '2.9',
  targetPrice: null,
  targetDistancePct: null,
  resultAtTarget: null,
  sparkline: [],
};

export const closedRow: ClosedRow = {
  id: '0190a0b0-0000-7000-8000-0000000017c0',
  exchange: 'Binance',
  symbol: 'LTCUSDT',
  baseAsset: 'LTC',
  quoteAsset: 'USDT',
  number: 3,
  openedAt: at(5),
  closedAt: at(6),
  closedBy: 'sell',
  quantity: '0',
  averageCost: null,
  breakEven: null,
  averageAsOnExchange: null,
  realised: '-8.12',
  fees: '1.91',
  trades: 2,
  broken: [],
  excludedFromTotals: false,
  reopened: false,
  allowed: ['calculate', 'reopen', 'break', 'exclude'],
  matchedCost: '954.2',
  returnPct: '-0.851',
  dust: '0',
  bots: [{ id: BOT_ID, name: 'RSI reversal' }],
  byHand: false,
  exit: 'StopLoss',
};

/** `count` purchases, the oldest first, as a bot's are answered. */
export const fills = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    tradeId: `${index + 1}`,
    orderId: `${index + 1}`,
    clientOrderId: `c${index + 1}`,
    symbol: 'ETHUSDT',
    side: index === 1 ? ('Sell' as const) : ('Buy' as const),
    price: '3702.6',
    quantity: `0.4${index + 1}`,
    quoteQuantity: '1518.07',
    fee: '0.001',
    feeAsset: 'BNB',
    feeInQuote: '0.7',
    realised: null,
    at: at(index + 1),
  }));

const level = { number: null, quantity: '0.41', sellPct: null, quote: null, result: null, distancePct: null };
export const botPosition = {
  id: botRow.positionId,
  symbol: 'ETHUSDT',
  runNo: 1,
  state: 'Open',
  machineState: 'open',
  allowed: ['sell', 'target', 'detach'],
  withheld: [],
  attention: null,
  stopRefused: null,
  openedAt: at(0),
  closedAt: null,
  exitReason: null,
  quantity: '0.41',
  invested: '1518.066',
  averageCost: '3702.6',
  breakEven: '3706.31',
  realised: '0',
  fees: '1.52',
  lines: {
    trigger: null,
    entryLow: null,
    arm: '3776.65',
    protectedCost: null,
    peak: null,
    stopLoss: '3628.55',
    takeProfit: [{ price: '3795.17', sellPct: '100', done: false }],
    rebuys: [],
    target: null,
    protectiveStop: null,
    timeStopAt: null,
    moved: [],
  },
  levels: [
    { ...level, id: 'stopLoss', kind: 'stopLoss', price: '3628.55', result: '-31.85' },
    { ...level, id: 'arm', kind: 'arm', price: '3776.65', quantity: null, distancePct: '1' },
    { ...level, id: 'takeProfit-1', kind: 'takeProfit', number: 1, price: '3795.17', sellPct: '100', result: '36.4' },
  ],
} as AutoTradePosition;

export const botOf = (...positions: readonly AutoTradePosition[]) =>
  ({
    id: BOT_ID,
    name: 'Majors trend',
    mode: 'live',
    state: 'Running',
    stateReason: null,
    pausedUntil: null,
    exits: 'continue',
    mustAcknowledge: false,
    openPositions: positions.length,
    allowed: [],
    withheld: [],
    currency: 'USDT',
    config: botConfig(),
    evaluations: [],
    coins: [],
    coinHalts: [],
    coinPauses: [],
    positions,
  }) as unknown as AutoTradeDetail;

const pair = (symbol: string, baseAsset: string) => ({
  symbol,
  baseAsset,
  quoteAsset: 'USDT',
  pricePrecision: 2,
  filters: { tickSize: '0.01' },
});
export const pairs = [pair('ETHUSDT', 'ETH'), pair('BNBUSDT', 'BNB'), pair('LTCUSDT', 'LTC')];
