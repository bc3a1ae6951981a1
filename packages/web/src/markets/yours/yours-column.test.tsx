// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import { useMarket } from '../../prices/use-prices.ts';
import { YoursColumn } from './yours-column.tsx';

afterEach(cleanup);

const pair = btcusdt as Pair;
const AT = '1970-01-01T00:00:00.000Z';

/** 0.0152 BTC at 96,412.50, worth 97,884.23 each. */
const row: HeldPositionRow = {
  autoTradeId: 'b1',
  botName: 'Majors trend',
  positionId: 'p1',
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  state: 'Open',
  quantity: '0.0152',
  averageCost: '96412.5',
  cost: '1465.47',
  costGap: null,
  price: '97884.23',
  value: '1487.84',
  result: '20.88',
  resultPct: '1.42',
  realised: '0',
  stop: '94484.25',
  target: null,
  rebuys: [],
  breakEven: '96509.01',
  atRisk: '50',
  openedAt: AT,
  next: { waitsFor: { code: 'arm', price: '98340.75', at: null }, distancePct: '0.47' },
  attention: null,
  broken: [],
  excludedFromTotals: false,
  sparkline: [],
};
/** 0.01 BTC of one's own at 90,000. */
const byHand: HeldPositionRow = {
  ...row,
  autoTradeId: null,
  botName: null,
  positionId: 'p2',
  quantity: '0.01',
  averageCost: '90000',
  cost: '900',
  value: '978.84',
  result: '77.86',
  resultPct: '8.65',
  breakEven: '90090',
  next: null,
};

const bot = (id: string, name: string, symbols: string[], over: Partial<AutoTrade> = {}) =>
  ({
    id,
    name,
    state: 'Running',
    stateReason: null,
    exits: 'continue',
    mode: 'live',
    currency: 'USDT',
    openPositions: 0,
    config: { coins: { symbols, coinFilterIds: [] } },
    ...over,
  }) as unknown as AutoTrade;
const alert = (id: string, level: string, distancePct: string, over: Partial<PriceAlert> = {}) =>
  ({
    id,
    symbol: 'BTCUSDT',
    condition: { kind: 'above', level },
    state: 'Armed',
    allowed: [],
    priceSource: 'last',
    lastPrice: '97884.23',
    distancePct,
    ...over,
  }) as unknown as PriceAlert;
const fill = (id: string, over: object = {}) => ({
  mode: 'live',
  id,
  at: AT,
  side: 'Buy',
  price: '96981.2',
  quantity: '0.005',
  autoTradeId: 'b1',
  botName: 'Majors trend',
  ...over,
});

type Account = {
  live?: HeldPositionRow[];
  paper?: HeldPositionRow[];
  bots?: AutoTrade[];
  calls?: Record<string, unknown>;
};
const held = (items: HeldPositionRow[]) => ({ items, totals: [], asOf: AT });
const CALLS = {
  getAppConfig: async () => ({ features: ['price-alerts'] }),
  getAccount: async () => ({ claims: [], exchanges: [] }),
  listPairs: async () => [pair],
  listTickers: async () => ({ items: [] }),
  listAutoTradeFigures: async () => [],
  getNeeds: async () => ({ items: [] }),
  listPriceAlerts: async () => [] as PriceAlert[],
  listPairFills: async () => [] as object[],
  getFilterResults: async () => ({
    items: [{ symbol: 'BTCUSDT', values: { 'change.1h': 0.84, 'rsi.1h': 61.6 } }],
    columns: [],
    total: 1,
    tooLittleHistory: 0,
    asOf: AT,
  }),
};
const options = new Map([
  ['change', { key: 'change', label: 'Change', type: 'number', unit: '%' }],
  ['rsi', { key: 'rsi', label: 'RSI', type: 'number' }],
]) as never;
function column({ live = [], paper = [], bots = [], calls = {} }: Account, guest = false) {
  const app = testApp({
    calls: {
      ...CALLS,
      listAutoTrades: async () => bots,
      listHeldPositions: async ({ query }: { query: { mode: string } }) => held(query.mode === 'live' ? live : paper),
      ...calls,
    },
  });
  app.start();
  if (!guest) signedIn(app);
  return show(app, <Page />);
}
function Page() {
  useMarket();
  return <YoursColumn pair={pair} columns={['price', 'change.24h', 'change.1h', 'rsi.1h']} options={options} tags={[]} />;
}
const panel = async (name: string) => within(await screen.findByRole('region', { name }));
const figure = (of: { getByText: (text: string) => HTMLElement }, name: string) => of.getByText(name).nextSibling?.textContent;

test('a guest sees the figures of the table and the rules for orders, and nothing that needs an account', async () => {
  await column({}, true);
  const figures = await panel('Figures');
  expect(await figures.findByText('+0.84%')).toBeTruthy();
  expect(figure(figures, 'RSI 1h')).toBe('61.6');
  expect(figures.queryByText('Price')).toBeNull();
  expect(screen.getByText('Order limits')).toBeTruthy();
  expect(screen.queryByText(/^Your |^Alerts/)).toBeNull();
});

test('one live position with its bot, its alerts nearest first, and its trades', async () => {
  const trades = [fill('1'), fill('2', { side: 'Sell', autoTradeId: null, botName: null, mode: 'live' }), fill('3', { mode: 'paper' })];
  await column({
    live: [row],
    bots: [bot('b2', 'Other coin', ['ETHUSDT']), bot('b3', 'Watcher', ['BTCUSDT']), bot('b1', 'Majors trend', ['ETHUSDT'])],
    calls: {
      listPriceAlerts: async () => [
        alert('far', '110000', '12.4'),
        alert('near', '100000', '2.16'),
        alert('off', '99000', '1', { state: 'Disabled' }),
        alert('eth', '5000', '1', { symbol: 'ETHUSDT' }),
      ],
      listPairFills: async () => trades,
    },
  });
  const yours = await panel('Your BTC');
  expect(await yours.findByText('+20.88')).toBeTruthy();
  expect(yours.getByText('+20.88').closest('a')?.getAttribute('href')).toBe('/positions?position=p1');
  expect([figure(yours, 'Value'), figure(yours, 'Average cost'), figure(yours, 'Break-even')]).toEqual([
    '1,487.84',
    '96,412.50',
    '96,509.01',
  ]);
  expect(yours.getByText('Live')).toBeTruthy();
  const bots = (await yours.findAllByRole('listitem')).map((item) => item.textContent);
  expect(bots).toHaveLength(2);
  expect(bots[0]).toContain('Majors trendHolding');
  expect(bots[0]).toContain('Starts the trailing stop at 98,340.75');
  expect(bots[1]).toContain('Watcher');
  const alerts = (await (await panel('Alerts')).findAllByRole('listitem')).map((item) => item.textContent);
  expect(alerts).toHaveLength(2);
  expect(alerts[0]).toContain('BTC is above 100,000');
  expect(alerts[0]).toContain('2.16%');
  const shown = (await (await panel('Your trades')).findAllByRole('listitem')).map((item) => item.textContent);
  expect(shown[0]).toContain('0.005 at 96,981.20');
  expect(shown[1]).toMatch(/^Sell.*By hand$/);
  expect(shown[2]).toMatch(/^BuyPaper.*Majors trend$/);
});

test('several positions of one mode are one by exact sums; what no total counts is said, and live and paper stay apart', async () => {
  const broken = { ...byHand, positionId: 'p3', broken: [{ code: 'GAP' as const, detail: '' }], result: null, resultPct: null };
  await column({ live: [row, byHand, broken], paper: [{ ...row, positionId: 'p4', value: '5', result: '-1', resultPct: '-2' }] });
  const yours = await panel('Your BTC');
  expect(await yours.findByText('+98.74')).toBeTruthy();
  // 2,365.47 paid for 0.0252, and both ends weighed by their quantities.
  expect([figure(yours, 'Value'), figure(yours, 'Average cost'), figure(yours, 'Break-even')]).toEqual([
    '2,466.68',
    '93,867.86',
    '93,961.78',
  ]);
  expect(yours.getByText(/^2 positions in total\. 1 more position is not counted here/)).toBeTruthy();
  expect(yours.getByText('+98.74').closest('a')?.getAttribute('href')).toBe('/positions?search=BTCUSDT');
  fireEvent.click(yours.getByRole('button', { name: 'Paper' }));
  expect(figure(yours, 'Value')).toBe('5.00');
  expect(yours.getByText('−1.00').closest('a')?.getAttribute('href')).toBe('/positions?mode=paper&position=p4');
});

test('without a position says so, and a pair without a bot leads to a new one', async () => {
  await column({});
  const yours = await panel('Your BTC');
  expect(await yours.findByText('No position in BTC.')).toBeTruthy();
  expect((await yours.findByRole('link', { name: 'Create a bot' })).getAttribute('href')).toBe('/auto-trade/create?symbol=BTCUSDT');
  expect(yours.queryByText('Live')).toBeNull();
  expect(await (await panel('Your trades')).findByText('No trades yet.')).toBeTruthy();
});

test('what is held on paper alone is shown with its badge', async () => {
  await column({ paper: [row] });
  const yours = await panel('Your BTC');
  expect(await yours.findByText('+20.88')).toBeTruthy();
  expect(yours.getAllByText('Paper')).toHaveLength(1);
});

test('a panel that fails leaves the others', async () => {
  const fails = () => Promise.reject(new AppError('internal'));
  await column({ live: [row], bots: [bot('b3', 'Watcher', ['BTCUSDT'])], calls: { listHeldPositions: fails, listPairFills: fails } });
  const yours = await panel('Your BTC');
  expect(await yours.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(await yours.findByText('Watcher')).toBeTruthy();
  expect(await (await panel('Your trades')).findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(await (await panel('Figures')).findByText('61.6')).toBeTruthy();
});

test('a line without a coin is an alert of the pair; what is already true is said before it is saved', async () => {
  const bodies: object[] = [];
  const createPriceAlert = async ({ body }: { body: object }) => {
    bodies.push(body);
    return {};
  };
  const listTickers = async () => ({
    items: [{ symbol: 'BTCUSDT', price: '97884.23', changePct: '1', high: '1', low: '1', quoteVolume: '1' }],
  });
  await column({ calls: { createPriceAlert, listTickers } });
  const alerts = await panel('Alerts');
  const input = alerts.getByRole('textbox', { name: 'New alert' });
  const add = alerts.getByRole('button', { name: 'Add' });
  await waitFor(() => {
    fireEvent.change(input, { target: { value: '> 100000' } });
    expect(alerts.getByRole('status').textContent).toContain('BTCUSDT is above 100,000');
  });
  expect(alerts.queryByText(/^Already true/)).toBeNull();
  expect(input.getAttribute('placeholder')).toBe('> 98000');
  fireEvent.click(add);
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ symbol: 'BTCUSDT', condition: { kind: 'above', level: '100000' } });
  // Its toast arrives with code of its own: left alone it would come up on the page of the next file.
  await waitFor(() => expect(document.querySelector('.Toastify__toast')).not.toBeNull());
  fireEvent.change(input, { target: { value: '> 90000' } });
  expect(alerts.getByText(/^Already true at 97,884.23/)).toBeTruthy();
  fireEvent.change(input, { target: { value: 'drops 5% in 1x' } });
  expect(alerts.getByRole('status').textContent).toContain('1x');
});
