import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import { BY_HAND } from '../auto-trades/exit-reason-contract.ts';
import { decimal, sum, toText } from '../money/decimal.ts';
import { clockNames, dayAfter } from '../time/calendar-day.ts';
import { type PerformanceFigures, type PerformanceInput, performanceOf, rangeOf } from './performance.ts';
import { type PerformanceReason, performanceReason, performanceSchema } from './performance-contract.ts';
import { atOnce, type CountedExit, type UncountedExit } from './performance-exits.ts';

const BOTS = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002', BY_HAND];
const WALLET = '01890000-0000-7000-8000-0000000000aa';
const HOUR = 3_600_000;
const exit = (day: string, net: string, more: Partial<CountedExit> = {}): CountedExit => ({
  at: Date.parse(`${day}T12:00:00.000Z`),
  day,
  hour: 12,
  whose: BOTS[0]!,
  walletId: WALLET,
  coin: 'BTC',
  reason: 'TakeProfit',
  net: decimal(net),
  fees: decimal('0.1'),
  heldMs: HOUR,
  isExit: true,
  ...more,
});
const NO_MONEY: PerformanceInput['equity'] = { points: [], flows: [], benchmark: { asset: 'BTC', priceAt: () => undefined } };
const figures = (exits: readonly CountedExit[], more: Partial<PerformanceInput> = {}): PerformanceFigures => {
  const input: PerformanceInput = {
    exits,
    uncounted: [],
    range: { from: '2026-11-01', to: '2026-11-30', today: '2026-11-27' },
    filter: {},
    held: [],
    names: {
      bots: new Map([
        [BOTS[0]!, 'Majors'],
        [BOTS[1]!, 'dips'],
      ]),
      wallets: new Map([[WALLET, 'Main']]),
    },
    equity: NO_MONEY,
    ...more,
  };
  return atOnce(performanceOf(input));
};

const money = fc
  .bigInt({ min: -(10n ** 14n), max: 10n ** 14n })
  .chain((units) => fc.integer({ min: 0, max: 12 }).map((scale) => ({ units, scale })));
const anExit = fc
  .record({
    at: fc.integer({ min: Date.UTC(2026, 8, 20), max: Date.UTC(2026, 11, 10) }),
    whose: fc.constantFrom(...BOTS),
    coin: fc.constantFrom('BTC', 'ETH', 'SOL'),
    reason: fc.constantFrom(...performanceReason.options),
    net: money,
    fees: money,
    heldMs: fc.option(fc.integer({ min: 0, max: 1e9 })),
    isExit: fc.boolean(),
  })
  .map((each): CountedExit => ({ ...each, ...clockNames('America/New_York')(each.at), walletId: each.whose === BY_HAND ? null : WALLET }));
const aFilter = fc.record(
  {
    bots: fc.subarray(BOTS),
    coins: fc.subarray(['BTC', 'ETH']),
    reasons: fc.subarray<PerformanceReason>(['StopLoss', 'hand', 'conversion', 'TakeProfit']),
    hour: fc.integer({ min: 0, max: 23 }),
  },
  { requiredKeys: [] },
);

test('every list adds up to the result, the exits and the wins, to the last digit, whatever the filter', () => {
  fc.assert(
    fc.property(fc.array(anExit, { maxLength: 60 }), fc.option(aFilter, { nil: {} }), (unsorted, filter) => {
      const exits = unsorted.toSorted((one, other) => one.at - other.at);
      const found = figures(exits, { filter, range: { from: '2026-09-01', to: '2026-12-31', today: '2026-12-31' } });
      for (const list of [found.days, found.bots, found.wallets, found.coins, found.reasons, found.hours]) {
        expect(toText(sum(list.map(({ net }) => decimal(net))))).toBe(found.net);
        expect(list.reduce((total, each) => total + each.exits, 0)).toBe(found.exits);
        expect(list.reduce((total, each) => total + each.wins, 0)).toBe(found.wins);
      }
      expect(toText(sum(found.year.months.map(({ net }) => decimal(net))))).toBe(found.year.net);
      // All of these exits are of one year, which is all in the range.
      expect(found.year.net).toBe(found.net);
      expect(toText(sum([decimal(found.won), decimal(`-${found.lost as string}`.replace(/^-0$/, '0'))]))).toBe(found.net);
      expect(toText(sum(found.days.map(({ fees }) => decimal(fees))))).toBe(found.fees);
    }),
    { numRuns: runs(200) },
  );
});

test('days, result and year end with today, also where an exit is dated after it', () => {
  const exits = [exit('2026-11-27', '5'), exit('2026-11-28', '7')];
  const found = figures(exits);
  expect([found.net, found.year.net, found.days.at(-1)?.day, found.days.at(-1)?.net]).toEqual(['5', '5', '2026-11-27', '5']);
  expect(toText(sum(found.days.map(({ net }) => decimal(net))))).toBe(found.net);
});

test('what passes the filter is what was asked for, and the year is that of the end whatever the range', () => {
  const exits = [
    exit('2026-02-03', '100'),
    exit('2026-11-02', '5', { coin: 'ETH', hour: 3 }),
    exit('2026-11-05', '-2', { whose: BOTS[1]!, reason: 'StopLoss' }),
    exit('2026-11-05', '7', { whose: BY_HAND, walletId: null, reason: 'hand' }),
  ];
  const found = figures(exits);
  expect([found.net, found.exits, found.year.year, found.year.net]).toEqual(['10', 3, 2026, '110']);
  expect(found.year.months).toHaveLength(11);
  expect(found.year.months[1]).toEqual({ month: '2026-02', exits: 1, net: '100' });
  expect(found.bots.map(({ id, name, net }) => [id, name, net])).toEqual([
    [BY_HAND, null, '7'],
    [BOTS[0], 'Majors', '5'],
    [BOTS[1], 'dips', '-2'],
  ]);
  expect(found.wallets.map(({ id, name, net }) => [id, name, net])).toEqual([
    [null, null, '7'],
    [WALLET, 'Main', '3'],
  ]);
  const net = (filter: PerformanceInput['filter']) => figures(exits, { filter }).net;
  expect([net({ bots: [BOTS[1]!, BY_HAND] }), net({ coins: ['ETH'] }), net({ reasons: ['StopLoss'] }), net({ hour: 3 })]).toEqual([
    '5',
    '5',
    '-2',
    '5',
  ]);
  expect(net({ bots: ['01890000-0000-7000-8000-0000000000ff'] })).toBe('0');
  expect(figures(exits, { filter: { coins: ['ETH'] } }).year.net).toBe('5');
  // What can be chosen stays, with what is only held.
  const { choices } = figures(exits, { filter: { coins: ['ETH'] }, held: [{ whose: BOTS[1]!, coin: 'SOL' }] });
  expect(choices).toEqual({
    bots: [
      { id: BOTS[1], name: 'dips' },
      { id: BOTS[0], name: 'Majors' },
      { id: BY_HAND, name: null },
    ],
    coins: ['BTC', 'ETH', 'SOL'],
    reasons: ['StopLoss', 'TakeProfit', 'hand'],
    first: '2026-02-03',
  });
});

test('rates, averages, fees and runs of what was sold', () => {
  const found = figures([
    exit('2026-11-01', '10', { fees: decimal('1') }),
    exit('2026-11-02', '-4', { heldMs: 3 * HOUR }),
    exit('2026-11-02', '-1', { heldMs: null }),
    exit('2026-11-03', '0'),
    exit('2026-11-04', '-3'),
  ]);
  expect(found).toMatchObject({
    net: '2',
    exits: 5,
    wins: 1,
    losses: 3,
    winRatePct: '20',
    profitFactor: '1.25',
    won: '10',
    lost: '8',
    averageExit: '0.4',
    averageWin: '10',
    averageLoss: toText(decimal('-2.66666667')),
    fees: '1.4',
    // Of 10 won after a fee of 1, and 0.1 that a fee of 0.1 took whole.
    feesPct: toText(decimal('12.6126')),
    returnPct: null,
    sharpe: null,
    more: {
      averageHoldMs: 1.5 * HOUR,
      longestLosingRun: 2,
      daysWithGain: 1,
      daysWithExit: 4,
      best: { day: '2026-11-01', net: '10' },
      worst: { day: '2026-11-02', net: '-5' },
    },
  });
  expect(found.days).toHaveLength(27);
  expect(found.days[1]).toMatchObject({ day: '2026-11-02', exits: 2, net: '-5', fees: '0.2', equity: null, flow: '0' });
});

test('coins that paid a fee are in every sum and are no exit', () => {
  const crumbs = { coin: 'BNB', whose: BY_HAND, walletId: null, reason: 'conversion', isExit: false, heldMs: null } as const;
  const found = figures([exit('2026-11-01', '10'), exit('2026-11-02', '-4', crumbs), exit('2026-11-03', '-1')]);
  expect(found).toMatchObject({ net: '5', exits: 2, wins: 1, losses: 1, won: '10', lost: '5', averageExit: '4.5', averageLoss: '-1' });
  expect(found.more).toMatchObject({ longestLosingRun: 1, daysWithExit: 2, worst: { day: '2026-11-03' } });
  expect(found.days[1]).toMatchObject({ exits: 0, net: '-4' });
});

test('a long history is summed in steps', () => {
  const many = Array.from({ length: 5000 }, () => exit('2026-11-05', '1'));
  const steps = performanceOf({
    exits: many,
    uncounted: [],
    range: { from: '2026-11-01', to: '2026-11-30', today: '2026-11-27' },
    filter: {},
    held: [],
    names: { bots: new Map(), wallets: new Map() },
    equity: NO_MONEY,
  });
  expect(steps.next()).toEqual({ done: false, value: undefined });
  expect(figures(many)).toMatchObject({ net: '5000', exits: 5000, year: { net: '5000' } });
});

test('nothing sold yet', () => {
  expect(figures([])).toMatchObject({
    net: '0',
    exits: 0,
    winRatePct: null,
    profitFactor: null,
    averageExit: null,
    averageWin: null,
    feesPct: null,
    bots: [],
    more: { averageHoldMs: null, best: null, worst: null },
    choices: { first: null },
  });
});

test('what is left out is counted by its cause, in the range and under the filter', () => {
  const { net: _, fees: __, heldMs: ___, isExit: ____, ...traits } = exit('2026-11-05', '0');
  const uncounted: UncountedExit[] = [
    { ...traits, cause: 'excluded' },
    { ...traits, cause: 'cost-unknown', coin: 'ETH' },
    { ...traits, cause: 'cost-unknown', day: '2026-10-31' },
    // Its reason cannot be read: it may be the chosen one.
    { ...traits, cause: 'unread', reason: null },
  ];
  const leftOut = (filter: PerformanceInput['filter']) => figures([], { uncounted, filter }).leftOut;
  expect(leftOut({})).toEqual([
    { cause: 'cost-unknown', count: 1 },
    { cause: 'excluded', count: 1 },
    { cause: 'unread', count: 1 },
  ]);
  expect(leftOut({ reasons: ['StopLoss'] })).toEqual([{ cause: 'unread', count: 1 }]);
  expect(leftOut({ coins: ['ETH'] })).toEqual([{ cause: 'cost-unknown', count: 1 }]);
});

const point = (day: string, equity: string) => ({ day, at: Date.parse(`${day}T23:50:00.000Z`), equity });
const flow = (day: string, value: string) => ({ day, at: Date.parse(`${day}T12:00:00.000Z`), value: decimal(value) });
const withMoney = (
  points: PerformanceInput['equity']['points'],
  flows: PerformanceInput['equity']['flows'] = [],
  priceAt: (at: number) => string | undefined = () => undefined,
): Partial<PerformanceInput> => ({ equity: { points, flows, benchmark: { asset: 'BTC', priceAt } } });

test('equity by day: what was paid in is no gain, a fall lasts until it is made up for', () => {
  const points = [
    point('2026-10-31', '1000'),
    point('2026-11-01', '1100'),
    point('2026-11-02', '1590'),
    point('2026-11-03', '1431'),
    point('2026-11-05', '1600'),
  ];
  const found = figures([exit('2026-11-01', '100'), exit('2026-11-05', '50')], withMoney(points, [flow('2026-11-02', '500')]));
  expect(found.days.slice(0, 5).map(({ equity, flow: paid, drawdownPct }) => [equity, paid, drawdownPct])).toEqual([
    ['1100', '0', '0'],
    // 10 of 1,600 were lost on it.
    ['1590', '500', toText(decimal('-0.625'))],
    ['1431', '0', toText(decimal('-10.5625'))],
    [null, '0', null],
    ['1600', '0', '0'],
  ]);
  // 150 of the 1,000 of the day before and the 500 paid in.
  expect(found.returnPct).toBe('10');
  expect(found.drawdown).toEqual({ pct: '-10.5625', from: '2026-11-01', to: '2026-11-05', days: 4, recovered: true });
  expect(figures([], withMoney(points.slice(0, 4))).drawdown).toMatchObject({ from: '2026-11-02', to: '2026-11-03', recovered: false });
  expect(figures([], withMoney(points.slice(0, 2))).drawdown).toMatchObject({ pct: '0', days: 0, recovered: true });
});

test('where points begin later than the range there is no worth at its start, and one point is below nothing', () => {
  const late = [point('2026-11-04', '1000'), point('2026-11-05', '900')];
  const found = figures([exit('2026-11-02', '100')], withMoney(late));
  expect(found).toMatchObject({ net: '100', returnPct: null, drawdown: { pct: '-10', from: '2026-11-04' } });
  expect(figures([exit('2026-11-02', '100')], withMoney(late.slice(0, 1)))).toMatchObject({ returnPct: null, drawdown: null });
});

test('the same money in another coin, over the same days and with the same flows', () => {
  const points = [point('2026-11-01', '1000'), point('2026-11-02', '1650')];
  const prices = new Map(points.map(({ at }, index) => [at, ['100', '90'][index]!]));
  const found = figures(
    [],
    withMoney(points, [flow('2026-11-02', '500')], (at) => prices.get(at)),
  );
  // 10 coins at 100, and 500 at 90 that stay 500.
  expect(found.days.slice(0, 2).map(({ benchmark }) => benchmark)).toEqual(['1000', '1400']);
  expect(found.benchmark).toEqual({ asset: 'BTC', pct: toText(decimal('-6.6667')), equityPct: '10' });
  expect(figures([], withMoney(points)).benchmark).toBeNull();
});

test('a filter that narrows leaves no equity: it is that of everything', () => {
  const points = [point('2026-11-01', '1000'), point('2026-11-02', '1100')];
  const found = figures([exit('2026-11-02', '5')], { ...withMoney(points, [], () => '1'), filter: { coins: ['BTC'] } });
  expect(found).toMatchObject({ net: '5', returnPct: null, benchmark: null, drawdown: null });
  expect(found.days[0]).toMatchObject({ equity: null, drawdownPct: null, benchmark: null });
  expect(figures([exit('2026-11-02', '5')], { ...withMoney(points), filter: { coins: [] } }).returnPct).toBe('0.5');
});

test('a result from before equity is known has no percentage of it', () => {
  const points = [point('2026-11-05', '1000'), point('2026-11-06', '1100')];
  const pct = (...days: string[]) =>
    figures(
      days.map((day) => exit(day, '50')),
      withMoney(points),
    ).returnPct;
  expect([pct('2026-11-05', '2026-11-06'), pct('2026-11-04', '2026-11-06')]).toEqual(['10', null]);
});

test('Sharpe and Sortino need fourteen days that follow each other', () => {
  const gains = [1, -0.5, 2, 0.3, -1, 0.8, 1.1, -0.2, 0.4, 0.9, -0.7, 1.5, 0.2, 0.6, -0.1].map((pct) => pct / 100);
  const points = [point('2026-11-01', '1000')];
  let equity = 1000;
  for (const [index, gain] of gains.entries()) {
    equity *= 1 + gain;
    points.push(point(dayAfter('2026-11-01', index + 1), equity.toFixed(10)));
  }
  const mean = gains.reduce((total, each) => total + each, 0) / gains.length;
  const deviation = Math.sqrt(gains.reduce((total, each) => total + (each - mean) ** 2, 0) / (gains.length - 1));
  const below = Math.sqrt(gains.reduce((total, each) => total + Math.min(each, 0) ** 2, 0) / gains.length);
  const found = figures([], withMoney(points));
  expect(Number(found.sharpe)).toBeCloseTo((mean / deviation) * Math.sqrt(365), 3);
  expect(Number(found.sortino)).toBeCloseTo((mean / below) * Math.sqrt(365), 3);
  expect(figures([], withMoney(points.slice(0, -2)))).toMatchObject({ sharpe: null, sortino: null });
  // Without one day there are two daily returns fewer.
  expect(figures([], withMoney(points.filter((_, index) => index !== 5)))).toMatchObject({ sharpe: null, sortino: null });
  const still = points.map((each) => ({ ...each, equity: '1000' }));
  expect(figures([], withMoney(still))).toMatchObject({ sharpe: null, sortino: null, drawdown: { pct: '0' } });
});

test('the range: since the first exit until today, never longer than an answer may be', () => {
  const today = '2026-11-27';
  expect(rangeOf({}, '2026-03-01', today)).toEqual({ from: '2026-03-01', to: today, today });
  expect(rangeOf({}, null, today)).toEqual({ from: today, to: today, today });
  expect(rangeOf({ to: '2026-01-05' }, '2026-03-01', today)).toMatchObject({ from: '2026-01-05', to: '2026-01-05' });
  expect(rangeOf({ from: '2027-01-01' }, '2026-03-01', today)).toMatchObject({ from: '2027-01-01', to: '2027-01-01' });
  const long = rangeOf({ from: '1990-01-01' }, null, today);
  expect(figures([], { range: long }).days).toHaveLength(3660);
  expect(figures([], { range: rangeOf({ from: '2027-01-01' }, null, today) }).days).toEqual([]);
});

test('the answer is what the contract says', () => {
  const points = [point('2026-11-01', '1000'), point('2026-11-02', '1100')];
  const found = figures(
    [exit('2026-11-02', '-5'), exit('2026-11-03', '2', { whose: BY_HAND, walletId: null })],
    withMoney(points, [], () => '1'),
  );
  const rest = { mode: 'live', currency: 'USDT', timeZone: 'UTC', open: { result: null, positions: 0 }, asOf: '2026-11-27T12:00:00.000Z' };
  expect(performanceSchema.parse({ ...found, ...rest })).toEqual({ ...found, ...rest });
});
