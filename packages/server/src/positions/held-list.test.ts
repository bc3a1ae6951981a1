import { add, type Decimal, decimal, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { heldTotals } from '@pilotfish/core/positions/held-totals';
import { expect, test } from 'vitest';
import { botRow, type HeldByBot, handRow } from './held-list.ts';
import type { Look } from './position-reader.ts';
import type { Valued } from './position-view.ts';

const filters = { stepSize: '0.0001', minQty: '0.0001', minNotional: '5', maxQty: '0', marketMaxQty: '0' };
const market = {
  pair: (symbol: string) => (symbol === 'GONEUSDT' ? undefined : { symbol, pricePrecision: 2, filters }),
  price: () => '100',
  board: { index: () => undefined },
} as never;
const look = {
  market,
  facts: { compared: undefined, cursors: undefined, hasPrice: () => true },
  takerOf: () => decimal('0.001'),
  texts: { text: (_: string, key: string) => key },
  language: 'en',
  dayOf: () => '2026-01-14',
} as unknown as Look;

const bot = (quantity: string, cost: string, more: Partial<HeldByBot> = {}): HeldByBot => ({
  autoTradeId: 'bot',
  botName: 'Dip',
  positionId: 'p',
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  state: 'Open',
  quantity: decimal(quantity),
  cost: decimal(cost),
  realised: ZERO,
  taker: decimal('0.001'),
  stop: decimal('90'),
  target: null,
  rebuys: [],
  breakEven: null,
  openedAt: '2026-01-15T00:00:00.000Z',
  next: null,
  attention: null,
  ...more,
});
const ledger = (quantity: string, cost: string, more: { reasons?: string[]; override?: object } = {}): Valued =>
  ({
    of: {
      id: 'ledger',
      position: {
        symbol: 'BTCUSDT',
        baseAsset: 'BTC',
        quoteAsset: 'USDT',
        quantity: decimal(quantity),
        cost: decimal(cost),
        openedAt: Date.UTC(2026, 0, 14),
        closedAt: null,
        reasons: new Set(more.reasons ?? []),
        unmatched: { quantity: decimal('1') },
        unknownCost: decimal('1'),
      },
      override: more.override,
    },
    price: decimal('100'),
    figures: { breakEven: decimal('77') },
  }) as never;
const hand = (valued: Valued, bots: readonly HeldByBot[]) => handRow(valued, bots, look, [1, 2]);
const total = (rows: readonly (HeldPositionRow | undefined)[], of: (row: HeldPositionRow) => unknown): string =>
  toText(rows.reduce<Decimal>((sum, row) => add(sum, decimal(String(of(row!)))), ZERO));

test('what is held by hand is what the ledger has less what its bots hold', () => {
  const bots = [bot('0.1', '9.5'), bot('0.25', '26')];
  const rows = [...bots.map((each) => botRow(each, market, [])), hand(ledger('1.5', '140'), bots)];
  expect([total(rows, ({ quantity }) => quantity), total(rows, ({ cost }) => cost), total(rows, ({ value }) => value)]).toEqual([
    '1.5',
    '140',
    '150',
  ]);
  expect(rows[2]).toMatchObject({
    autoTradeId: null,
    positionId: 'ledger',
    quantity: '1.15',
    cost: '104.5',
    // 115 less the fee of a tenth of a percent, and the cost.
    result: '10.385',
    resultPct: '9.9378',
    stop: null,
    atRisk: null,
    costGap: null,
  });
  expect(rows[0]).toMatchObject({ result: '0.49', stop: '90', atRisk: '0.999' });
  // Nothing of it is a bot's: the ledger's own break-even, which knows what was sold before.
  expect(hand(ledger('1', '90'), [])).toMatchObject({ quantity: '1', cost: '90', breakEven: '77' });
});

test.each([
  ['its bots count as much cost as the ledger', ledger('1.5', '35.5'), 'bots-cost-more'],
  ['its bots count more cost than the ledger', ledger('1.5', '20'), 'bots-cost-more'],
  ['the position is broken', ledger('1.5', '140', { reasons: ['OVERSOLD'] }), 'broken'],
])('its cost is not said when %s', (_, valued, costGap) => {
  const row = hand(valued, [bot('0.1', '9.5'), bot('0.25', '26')])!;
  expect(row).toMatchObject({ costGap, cost: null, averageCost: null, breakEven: null, result: null, resultPct: null, value: '115' });
  expect(row.broken.map(({ code }) => code)).toEqual(costGap === 'broken' ? ['OVERSOLD'] : []);
});

test('what bots leave over is no position when it is nothing, or could not be sold', () => {
  expect(hand(ledger('0.35', '35'), [bot('0.35', '35')])).toBeUndefined();
  expect(hand(ledger('0.3', '30'), [bot('0.35', '35')])).toBeUndefined();
  // 4.9 of at least 5.
  expect(hand(ledger('0.399', '40'), [bot('0.35', '35')])).toBeUndefined();
  expect(hand(ledger('0.4', '40'), [bot('0.35', '35')])).toMatchObject({ quantity: '0.05', value: '5' });
  // The ledger itself decides what of it is dust.
  expect(hand(ledger('0.01', '1'), [])).toMatchObject({ quantity: '0.01' });
});

test('sums are of each currency, without what is broken, left out or without a price', () => {
  const rows = [
    botRow(bot('1', '90'), market, []),
    botRow(bot('1', '90', { stop: null }), market, []),
    botRow(bot('1', '90', { symbol: 'GONEUSDT' }), market, []),
    botRow(bot('2', '1', { symbol: 'ETHBTC', quoteAsset: 'BTC', stop: decimal('80') }), market, []),
    hand(ledger('1', '90', { reasons: ['OVERSOLD'] }), [])!,
    hand(ledger('1', '90', { override: { excluded: true, targetPrice: '120' } }), [])!,
  ];
  expect(rows[2]).toMatchObject({ price: null, value: null, result: null, atRisk: null, stop: '90' });
  expect(rows[5]).toMatchObject({ target: '120', excludedFromTotals: true });
  expect(heldTotals(rows)).toEqual([
    {
      currency: 'BTC',
      value: '200',
      cost: '1',
      result: '198.8',
      resultPct: '19880',
      atRisk: '39.96',
      withoutStop: 0,
      count: 1,
      leftOut: 0,
    },
    { currency: 'USDT', value: '200', cost: '180', result: '19.8', resultPct: '11', atRisk: '9.99', withoutStop: 1, count: 2, leftOut: 3 },
  ]);
  expect(heldTotals([])).toEqual([]);
});
