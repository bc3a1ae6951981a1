import type { Answer } from '@pilotfish/core/http/endpoint';
import type { overviewContract } from '@pilotfish/core/overview/overview-contract';
import type { heldPositionsContract } from '@pilotfish/core/positions/held-positions-contract';

// One invented account in use, whose figures agree with each other: what the home screen is asked to show of it.

type Of<Id extends keyof typeof overviewContract> = Answer<(typeof overviewContract)[Id]>;
type Held = Answer<(typeof heldPositionsContract)['listHeldPositions']>;

const AT = '2026-11-21T14:42:08.000Z';
const ID = (n: number) => `01890000-0000-7000-8000-00000000000${n}`;
const DAY = 86_400_000;
const change = (amount: string, pct: string) => ({ change: amount, pct, since: '2026-11-21T00:00:00.000Z', exact: true });
const curve = (count: number, from: number, to: number, wave: number) =>
  Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1) + Math.sin(index / 4) * wave);
const time = (index: number, count: number) => new Date(Date.parse(AT) - (count - 1 - index) * DAY).toISOString();

export const EQUITY: Of<'getEquity'> = {
  mode: 'live',
  range: '30d',
  currency: 'USDT',
  now: { equity: '12480.22', free: '7456.6', invested: '5023.62', unpriced: [] },
  sinceMidnight: change('85.22', '0.69'),
  month: change('318.44', '2.62'),
  series: curve(60, 11_620, 12_480.22, 120).map((equity, index) => ({ time: time(index, 60), equity: equity.toFixed(2), flow: '0' })),
  change: change('860.22', '7.4'),
  benchmark: {
    asset: 'BTC',
    pct: '3.9',
    series: curve(60, 11_620, 12_070, 200).map((value, index) => ({ time: time(index, 60), value: value.toFixed(2) })),
  },
  other: {
    btc: { quantity: '0.1275', asOf: AT },
    currency: { currency: 'TRY', value: '530160', rate: '42.48', asOf: AT },
  },
  asOf: AT,
};

const need = (
  given: Partial<Of<'getNeeds'>['items'][number]> & Pick<Of<'getNeeds'>['items'][number], 'id' | 'kind' | 'action' | 'facts'>,
) => ({
  rank: 2,
  mode: null,
  autoTradeId: null,
  botName: null,
  symbol: null,
  code: given.kind,
  link: '/user/exchange-connect',
  since: null,
  ...given,
});
export const NEEDS: Of<'getNeeds'> = {
  checkedAt: AT,
  items: [
    need({ id: 'key', kind: 'key-ends', action: 'renew-key', facts: { endsAt: Date.parse('2026-12-02T10:00:00.000Z') } }),
    need({
      id: 'books',
      kind: 'balance-difference',
      rank: 3,
      action: 'explain',
      facts: { asset: 'SOL', quantity: '0.42' },
      link: '/positions/open-positions',
    }),
    need({
      id: 'paper',
      kind: 'position-attention',
      rank: 6,
      mode: 'paper',
      autoTradeId: ID(3),
      botName: 'Alt scalps',
      symbol: 'XRPUSDT',
      action: 'resolve',
      facts: { bot: 'Alt scalps', symbol: 'XRPUSDT', reason: '-1013 NOTIONAL' },
      link: `/auto-trade/detail/${ID(3)}`,
    }),
  ],
};

const next = (code: string, symbol: string, botName: string | null, price: string, priceNow: string, distancePct: string) => ({
  id: `${code} ${symbol}`,
  kind: botName === null ? ('alert' as const) : ('bot' as const),
  code,
  symbol,
  autoTradeId: botName === null ? null : ID(1),
  botName,
  alertId: botName === null ? ID(9) : null,
  condition: null,
  mode: 'live' as const,
  price,
  priceNow,
  distancePct,
  at: null,
  quantity: null,
  quote: null,
  currency: null,
  detail: null,
});
export const NEXT: Of<'getNextEvents'> = {
  total: 6,
  checkedAt: AT,
  items: [
    next('take-profit', 'ADAUSDT', 'Dip ladder', '0.6846', '0.6836', '0.15'),
    next('arm', 'BTCUSDT', 'Majors trend', '98340.75', '97884.23', '0.47'),
    next('stop-loss', 'ETHUSDT', 'Majors trend', '3628.55', '3664.1', '-0.97'),
    next('rebuy', 'SOLUSDT', 'Dip ladder', '158.2', '162.87', '-2.87'),
    next('alert', 'BTCUSDT', null, '100000', '97884.23', '2.16'),
    {
      ...next('pause', 'BTCUSDT', 'RSI reversal', '0', '0', '0'),
      kind: 'time',
      symbol: null,
      price: null,
      priceNow: null,
      distancePct: null,
      at: '2026-11-21T18:40:00.000Z',
    },
  ],
};

const happened = (at: string, code: string, symbol: string, botName: string, result: string | null) => ({
  id: `${at} ${symbol}`,
  at: `2026-11-21T${at}:00.000Z`,
  kind: result === null ? ('buy' as const) : ('exit' as const),
  code,
  facts: { bot: botName, symbol, ...(result === null ? { number: 2, most: 4 } : { reasonKey: `exitReasons.${code}` }) },
  symbol,
  autoTradeId: ID(1),
  botName,
  mode: 'live' as const,
  result,
  currency: result === null ? null : 'USDT',
  link: `/auto-trade/detail/${ID(1)}`,
});
export const ACTIVITY: Of<'getActivity'> = {
  from: '2026-11-21T00:00:00.000Z',
  timeZone: 'UTC',
  complete: true,
  items: [
    happened('14:21', 'TakeProfit', 'BNBUSDT', 'Majors trend', '21.4'),
    happened('13:58', 'rebuy', 'SOLUSDT', 'Dip ladder', null),
    happened('12:39', 'StopLoss', 'LTCUSDT', 'RSI reversal', '-8.12'),
    happened('11:05', 'TakeProfit', 'ADAUSDT', 'Dip ladder', '22.6'),
    happened('04:58', 'TrailingCost', 'ETHUSDT', 'Majors trend', '10.44'),
  ],
  totals: [{ mode: 'live', currency: 'USDT', sells: 4, wins: 3, realised: '46.32' }],
};

type Row = Held['items'][number];
const held = (n: number, asset: string, botName: string | null, given: Partial<Row>): Row => ({
  autoTradeId: botName === null ? null : ID(n),
  botName,
  positionId: ID(n),
  symbol: `${asset}USDT`,
  baseAsset: asset,
  quoteAsset: 'USDT',
  state: 'Open',
  quantity: '1',
  averageCost: null,
  cost: '1000',
  costGap: null,
  price: null,
  value: null,
  result: null,
  resultPct: null,
  realised: '0',
  stop: null,
  target: null,
  rebuys: [],
  breakEven: null,
  atRisk: null,
  openedAt: new Date(Date.parse(AT) - n * 9 * 3_600_000).toISOString(),
  next: null,
  attention: null,
  broken: [],
  excludedFromTotals: false,
  sparkline: curve(30, 100, 100 + (n % 2 === 0 ? -6 : 8), 2),
  ...given,
});
export const HELD: Held = {
  asOf: AT,
  totals: [
    {
      currency: 'USDT',
      value: '5023.62',
      cost: '5009.52',
      result: '14.1',
      resultPct: '0.2815',
      atRisk: '189.2',
      withoutStop: 1,
      count: 5,
      leftOut: 0,
    },
  ],
  items: [
    held(1, 'BTC', 'Majors trend', {
      price: '97884.23',
      averageCost: '96412.5',
      breakEven: '96509.01',
      value: '1487.84',
      result: '20.88',
      resultPct: '1.42',
      stop: '94484.25',
      target: '98822.81',
      atRisk: '51.68',
    }),
    held(2, 'ETH', 'Majors trend', {
      price: '3664.1',
      averageCost: '3702.6',
      breakEven: '3706.31',
      value: '1502.28',
      result: '-17.29',
      resultPct: '-1.14',
      stop: '3628.55',
      target: '3795.17',
      atRisk: '14.58',
    }),
    held(3, 'SOL', 'Dip ladder', {
      price: '162.87',
      averageCost: '164.04',
      breakEven: '164.2',
      value: '1115.66',
      result: '-9.13',
      resultPct: '-0.81',
      stop: '149.28',
      target: '165.68',
      rebuys: ['158.2', '154.1'],
      atRisk: '93.09',
    }),
    held(4, 'ADA', 'Dip ladder', {
      price: '0.6836',
      averageCost: '0.6712',
      breakEven: '0.6719',
      value: '280.28',
      result: '4.8',
      resultPct: '1.74',
      stop: '0.6108',
      target: '0.6846',
      atRisk: '29.85',
    }),
    held(5, 'BNB', null, {
      price: '708.4',
      averageCost: '691.2',
      breakEven: '691.9',
      value: '637.56',
      result: '14.84',
      resultPct: '2.39',
      target: '735',
      realised: null,
    }),
  ],
};
