import { decimal, toText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import type { FoldedPosition } from '@pilotfish/core/positions/folded-position';
import { positionFigures } from '@pilotfish/core/positions/position-figures';
import type { ClosedRow, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../platform/use-address.ts';
import { boundsProblem, CLOSED, closedQuery, isFiltered } from './closed/closed-address.ts';
import { closedCsv, csvCell } from './closed/closed-csv.ts';
import { filterHeld, type HeldFilter, type OpenRow, readSort, sortHeld, writeSort } from './open/held-order.ts';
import { closingPreview, liveFigures, targetProgress } from './open/live-figures.ts';
import { openRows } from './open/open-rows.ts';
import { checkTarget } from './open/target-price.ts';

const position = (more: Partial<OpenPosition> = {}): OpenPosition => ({
  id: '0190a0b0-0000-7000-8000-000000000000',
  exchange: 'Binance',
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  number: 1,
  openedAt: '2026-01-01T00:00:00.000Z',
  quantity: '0.998',
  averageCost: '100.1001',
  breakEven: '90.38',
  averageAsOnExchange: '90',
  realised: '9.7898999',
  fees: '0.3',
  trades: 2,
  broken: [],
  excludedFromTotals: false,
  reopened: false,
  allowed: [],
  cost: '99.8998999',
  price: '110',
  value: '109.78',
  unrealised: '9.7703201',
  total: '19.56022',
  exitFee: '0.10978',
  returnPct: '9.78011',
  targetPrice: '120',
  targetDistancePct: '9.0909',
  resultAtTarget: '30',
  sparkline: [],
  ...more,
});

describe('figures at a newer price', () => {
  test.each(['110.01', '95.5', '0.00000001', '123456789.12345678'])('%s: to the last digit those of the ledger', (price) => {
    const held = position();
    const folded = {
      quantity: decimal(held.quantity),
      cost: decimal(held.cost),
      realised: decimal(held.realised ?? '0'),
      bought: decimal('200'),
      sold: decimal('109.89'),
      fills: { boughtQuote: decimal('200'), soldQuote: decimal('110'), boughtQuantity: decimal('2'), soldQuantity: decimal('1') },
      peakCost: decimal('200'),
      matchedCost: decimal('100'),
      reasons: new Set(),
    } as unknown as FoldedPosition;
    const exact = positionFigures(folded, { price: decimal(price), taker: decimal('0.001') });
    const live = liveFigures(held, price);
    expect(live.price).toBe(price);
    expect(live.value).toBe(toText(exact.value!));
    expect(live.exitFee).toBe(toText(exact.exitFee!));
    expect(live.unrealised).toBe(toText(exact.unrealised!));
    expect(live.total).toBe(toText(exact.total!));
    expect(Number(live.returnPct)).toBeCloseTo(Number(toText(exact.returnPct!)), 3);
  });
  test('without a price, or with what is no price, nothing changes', () => {
    const held = position();
    for (const price of [undefined, digits(held.price ?? ''), 'NaN', '0', '-1'])
      expect(liveFigures(held, price)).toMatchObject({ price: '110', value: '109.78', total: '19.56022' });
  });
  test('what is unknown stays unknown', () => {
    const live = liveFigures(
      position({ unrealised: null, total: null, returnPct: null, targetPrice: null, targetDistancePct: null }),
      '111',
    );
    expect(live).toMatchObject({ value: '110.778', unrealised: null, total: null, returnPct: null, targetDistancePct: null });
  });
  test('closing by hand: at cost adds nothing, at market what the market gives', () => {
    expect(closingPreview({ realised: '9', value: '120', cost: '100' })).toEqual({ atCost: '9', atMarket: '29' });
    expect(closingPreview({ realised: null, value: '120', cost: '100' })).toEqual({ atCost: null, atMarket: null });
  });
  test('the way to the target', () => {
    expect(targetProgress('100', '120', '110')).toBe(50);
    expect(targetProgress('100', '120', '90')).toBe(0);
    expect(targetProgress('100', '120', '500')).toBe(100);
    expect(targetProgress('100', '90', '95')).toBeUndefined();
  });
});

describe('a typed target', () => {
  test.each([
    ['', { kind: 'clear' }],
    ['0', { kind: 'not-positive' }],
    ['1e5', { kind: 'not-positive' }],
    ['120.50', { kind: 'ok', target: '120.5' }],
    ['120.505', { kind: 'off-tick', below: '120.5', above: '120.51' }],
    ['0.001', { kind: 'off-tick', below: '0.01', above: '0.01' }],
  ] as const)('%s', (typed, expected) => {
    expect(checkTarget(typed, '0.01')).toEqual(expected);
  });
  test('a pair without a tick takes any price', () =>
    expect(checkTarget('0.123456789', '0')).toEqual({ kind: 'ok', target: '0.123456789' }));
});

describe('the address of the closed list', () => {
  test('what is written is read again', () => {
    const changes = {
      exchange: 'Binance',
      currency: 'BTC',
      min: '-5',
      max: '5.5',
      order: 'realised-asc',
      onlyBroken: true,
      coin: 'BTC',
      bot: 'hand',
      exit: 'StopLoss',
      result: 'loss',
      period: { from: '2026-02-01', to: '2026-02-28' },
      page: 3,
      pageSize: 50,
    } as const;
    expect(readAddress(CLOSED, writeAddress(CLOSED, new URLSearchParams(), changes))).toEqual(changes);
  });
  test('a new filter begins on the first page, and the usual is left out', () => {
    const query = writeAddress(CLOSED, new URLSearchParams('page=4&order=symbol-asc&x=1'), { currency: 'USDT', order: 'closedAt-desc' });
    expect(query.toString()).toBe('x=1&currency=USDT');
  });
  test('nonsense is as if it were not there', () => {
    const usual = readAddress(CLOSED, new URLSearchParams());
    const odd =
      'page=-1&pageSize=7&order=size&currency=%3Cb%3E&exchange=Other&onlyBrokenPositions=1&coins=%3C&bots=me&exits=Luck&result=draw&from=2026-02-30&to=2026-03-01&period=week';
    expect(readAddress(CLOSED, new URLSearchParams(odd))).toEqual(usual);
  });
  test('bounds: open-ended, equal, crossed, and no number', () => {
    expect(boundsProblem({ min: '', max: '3' })).toEqual({});
    expect(boundsProblem({ min: '3', max: '3.0' })).toEqual({});
    expect(boundsProblem({ min: '3', max: '-3' })).toEqual({ min: 'min-above-max', max: 'min-above-max' });
    expect(boundsProblem({ min: '-', max: '3' })).toEqual({ min: 'not-a-decimal' });
    const crossed = readAddress(CLOSED, new URLSearchParams('excludedPnl.min=3&excludedPnl.max=1'));
    expect(closedQuery(crossed, '2026-11-25', 'live')).toEqual({ order: 'closedAt-desc', page: 1, pageSize: 25 });
  });
});

test('a period goes on with the calendar, and what narrows nothing is not asked', () => {
  const asked = (query: string) => closedQuery(readAddress(CLOSED, new URLSearchParams(query)), '2026-11-25', 'live');
  const rest = { order: 'closedAt-desc', page: 1, pageSize: 25 };
  expect(asked('period=month')).toEqual({ from: '2026-11-01', ...rest });
  expect(asked('period=year')).toEqual({ from: '2026-01-01', ...rest });
  expect(asked('period=today&coins=BTC&bots=hand&exits=StopLoss&result=win')).toEqual({
    from: '2026-11-25',
    coins: 'BTC',
    bots: 'hand',
    exits: 'StopLoss',
    result: 'win',
    ...rest,
  });
  const own = 'from=2026-10-01&to=2026-10-31';
  expect(asked(`${own}&period=year`)).toEqual({ from: '2026-10-01', to: '2026-10-31', ...rest });
  expect(writeAddress(CLOSED, new URLSearchParams(own), { period: 'month' }).toString()).toBe('period=month');
  expect([
    isFiltered(readAddress(CLOSED, new URLSearchParams('order=symbol-asc'))),
    isFiltered(readAddress(CLOSED, new URLSearchParams(own))),
  ]).toEqual([false, true]);
});

describe('the exported table', () => {
  test.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', "'+1"],
    ['@sum', "'@sum"],
    ['-cmd', "'-cmd"],
    ['-12.5', '-12.5'],
    ['a,b', '"a,b"'],
    ['BTCUSDT', 'BTCUSDT'],
  ])('%s', (value, cell) => expect(csvCell(value)).toBe(cell));
  test('what is not known is empty, never 0', () => {
    const { cost: _, price: _p, ...base } = position({ realised: null, fees: null, broken: [{ code: 'OVERSOLD', detail: '' }] });
    const closed = {
      ...base,
      closedAt: base.openedAt,
      closedBy: 'sell',
      matchedCost: '5',
      dust: '0',
      exit: 'StopLoss',
      byHand: false,
      bots: [{ id: 'a', name: '=Dip' }],
    } as unknown as ClosedRow;
    const [head, row] = closedCsv([closed])
      .replace('\uFEFF', '')
      .split('\r\n')
      .map((line) => line.split(','));
    expect(row?.[head?.indexOf('realised') ?? -1]).toBe('');
    expect(row?.[head?.indexOf('broken') ?? -1]).toBe('OVERSOLD');
    expect(row?.[head?.indexOf('bots') ?? -1]).toBe("'=Dip");
  });
});

const held = (more: Partial<OpenRow>): OpenRow => ({
  autoTradeId: null,
  botName: null,
  positionId: 'a',
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  state: 'Open',
  quantity: '1',
  averageCost: '100',
  cost: '100',
  costGap: null,
  price: '110',
  value: '110',
  result: '9.89',
  resultPct: '9.89',
  realised: null,
  stop: null,
  target: null,
  rebuys: [],
  breakEven: '100',
  atRisk: null,
  openedAt: '2026-01-01T00:00:00.000Z',
  next: null,
  attention: null,
  broken: [],
  excludedFromTotals: false,
  sparkline: [],
  ledger: null,
  ...more,
});
const BOT = '0190a0b0-0000-7000-8000-00000000000b';

describe('the open list', () => {
  const rows = [
    held({ positionId: 'a', symbol: 'BTCUSDT', result: '5', target: '121' }),
    held({ positionId: 'b', symbol: 'LINKUSDT', result: null, stop: '90', ledger: { id: 'l', broken: [{ code: 'GAP', detail: '' }] } }),
    held({ positionId: 'c', symbol: 'ADAUSDT', result: '-5', autoTradeId: BOT, target: '115.5', excludedFromTotals: true }),
  ];
  const sorted = (sort: string) => sortHeld(rows, readSort(sort)).map(({ positionId }) => positionId);
  const left = (filter: Partial<HeldFilter>) =>
    filterHeld(rows, { search: '', bot: undefined, state: undefined, ...filter }).map(({ positionId }) => positionId);
  test('is sorted both ways; the unknown comes last', () => {
    expect(sorted('-result')).toEqual(['a', 'c', 'b']);
    expect(sorted('result')).toEqual(['c', 'a', 'b']);
    expect(sorted('symbol')).toEqual(['c', 'a', 'b']);
    expect(sorted('targetDistancePct')).toEqual(['c', 'a', 'b']);
    expect(readSort('nonsense')).toEqual(readSort(writeSort(readSort(null))));
  });
  test('is searched as a Turkish keyboard types', () => {
    expect(left({ search: 'lınk' })).toEqual(['b']);
    expect(left({ search: 'LİNK/usdt' })).toEqual(['b']);
  });
  test('is narrowed by whose it is and by what is to be seen to', () => {
    expect(left({ bot: BOT })).toEqual(['c']);
    expect(left({ bot: 'hand' })).toEqual(['a', 'b']);
    expect(left({ state: 'no-stop' })).toEqual(['a', 'c']);
    // What is opened again and holds nothing has nothing to lose.
    expect(filterHeld([held({ quantity: '0' })], { search: '', bot: undefined, state: 'no-stop' })).toEqual([]);
    expect(left({ state: 'broken' })).toEqual(['b']);
    expect(left({ state: 'excluded' })).toEqual(['c']);
  });
  test('has every position that the ledger calls open, once, and marks a bot of which the ledger is broken', () => {
    const broken = [{ code: 'GAP', detail: 'x' } as const];
    const ledger = [
      position({ id: 'a' }),
      position({ id: 'l', symbol: 'LINKUSDT', broken }),
      position({ id: 'z', symbol: 'DOTUSDT', quantity: '0', value: '0', unrealised: '0', reopened: true }),
    ];
    const given = [held({}), held({ positionId: 'b', symbol: 'LINKUSDT', autoTradeId: BOT })];
    const all = openRows(given, ledger);
    expect(all.map(({ positionId }) => positionId)).toEqual(['a', 'b', 'z']);
    expect(all.map(({ ledger: whole }) => whole)).toEqual([null, { id: 'l', broken }, null]);
    expect(openRows(given, undefined).map(({ positionId }) => positionId)).toEqual(['a', 'b']);
  });
});
