import type { AutoTradeDetail, AutoTradePosition, Evaluation, PositionLevel } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { bannerOf, sendsExits, waitingElsewhere } from './banner-kind.ts';
import { choiceOf, coinsOf, firstCoin, focusOf, TABS, tabsOf } from './chosen-coin.ts';
import { levelRows, placeOfPrice, saleAt } from './chosen-levels.ts';
import { phaseOf, placeOf } from './position-phase.ts';

const NO_LINES = {
  trigger: null,
  entryLow: null,
  arm: null,
  protectedCost: null,
  peak: null,
  stopLoss: null,
  takeProfit: [],
  rebuys: [],
  target: null,
  protectiveStop: null,
  timeStopAt: null,
  moved: [],
};
const position = (symbol: string, over: Partial<AutoTradePosition> = {}): AutoTradePosition =>
  ({
    id: `p-${symbol}`,
    symbol,
    state: 'Open',
    quantity: '1',
    openedAt: '2030-01-02T00:00:00.000Z',
    breakEven: '100.2',
    lines: NO_LINES,
    levels: [],
    ...over,
  }) as AutoTradePosition;
const watched = (symbol: string, price: string | null, to: string | null, over: Partial<Evaluation> = {}): Evaluation => ({
  symbol,
  at: null,
  price,
  state: 'Watching',
  rules: [],
  stoppedBy: null,
  waitsFor: to === null ? null : { code: 'drop', price: to, at: null },
  ...over,
});
const bot = (over: Partial<AutoTradeDetail>) => ({ positions: [], evaluations: [], coins: [], ...over }) as unknown as AutoTradeDetail;

test('tabs stand in an order that no price changes: held, the oldest first, being entered, watched as the bot picks', () => {
  const coins = coinsOf(
    bot({
      positions: [
        position('NEW', { openedAt: '2030-01-03T00:00:00.000Z' }),
        position('ENTERS', { state: 'TrailingEntry', quantity: '0', openedAt: null }),
        position('OLD'),
        position('OVER', { state: 'Closed', quantity: '0' }),
      ],
      coins: ['WATCHED', 'NEW', 'NEAR'],
      evaluations: [watched('NEAR', '100', '99.9'), watched('WATCHED', '100', '50')],
    }),
  );
  expect(coins.map(({ symbol }) => symbol)).toEqual(['OLD', 'NEW', 'ENTERS', 'WATCHED', 'NEAR']);
  expect(coins[4]).toMatchObject({ position: undefined, evaluation: { price: '100' } });
});

test('the chart begins with the coin of the next event: of a flat bot the one nearest to its entry', () => {
  const flat = bot({ coins: ['FAR', 'NEAR'], evaluations: [watched('FAR', '100', '50'), watched('NEAR', '100', '99')] });
  expect(firstCoin(flat)).toBe('NEAR');
  const held = { ...flat, evaluations: [...flat.evaluations, watched('HELD', '100', '150', { state: 'Open' })] };
  expect(firstCoin(held)).toBe('HELD');
  // Before the first price nothing is near.
  expect(firstCoin(bot({ coins: ['A', 'B'] }))).toBe('A');
  expect(firstCoin(bot({}))).toBeUndefined();
});

test('of many coins the first have a tab, and the chosen one wherever it stands', () => {
  const coins = coinsOf(bot({ coins: Array.from({ length: 40 }, (_, n) => `C${n}`) }));
  const { tabs, rest } = tabsOf(coins, 'C30');
  expect(tabs.map(({ symbol }) => symbol)).toEqual([...Array.from({ length: TABS }, (_, n) => `C${n}`), 'C30']);
  expect(rest).toHaveLength(40 - TABS - 1);
  expect(tabsOf(coins.slice(0, 3), 'C1')).toEqual({ tabs: coins.slice(0, 3), rest: [] });
});

test('what is chosen never becomes another coin, also when its position ends or it leaves the bot', () => {
  const over = position('AA', { state: 'Closed', quantity: '0' });
  const before = bot({ positions: [position('AA'), position('BB')], coins: ['AA', 'BB'] });
  expect(focusOf(before, 'AA')?.position?.id).toBe('p-AA');
  const sold = bot({ positions: [over, position('BB')], coins: ['AA', 'BB'] });
  expect(focusOf(sold, 'AA')).toMatchObject({ symbol: 'AA', position: undefined });
  expect(focusOf(sold, choiceOf('AA', 'p-AA'))?.position?.state).toBe('Closed');
  expect(focusOf(bot({ positions: [position('BB')], coins: ['BB'] }), 'AA')).toBeUndefined();
});

const level = (id: string, kind: PositionLevel['kind'], price: string, over: Partial<PositionLevel> = {}): PositionLevel => ({
  id,
  kind,
  number: null,
  price,
  quantity: '1',
  sellPct: null,
  quote: null,
  result: '0',
  distancePct: null,
  ...over,
});

test('levels stand by their price with the present one in its place, and a stop says that it rests at the exchange', () => {
  const held = position('AA', {
    levels: [
      level('stopLoss', 'stopLoss', '95.00'),
      level('arm', 'arm', '102', { quantity: null, result: null }),
      level('takeProfit-1', 'takeProfit', '105', { quantity: '0.5', sellPct: '50' }),
      level('takeProfit-2', 'takeProfit', '110', { quantity: null, sellPct: '1' }),
      level('rebuy-1', 'rebuy', '97', { quantity: null, quote: '50' }),
    ],
    lines: { ...NO_LINES, protectiveStop: '95' },
  });
  const rows = levelRows({ position: held, evaluation: undefined });
  expect(rows.map(({ id }) => id)).toEqual(['takeProfit-2', 'takeProfit-1', 'arm', 'breakEven', 'rebuy-1', 'stopLoss']);
  expect(rows.at(-1)).toMatchObject({ tone: 'loss', isAtExchange: true });
  expect(placeOfPrice(rows, '101')).toBe(3);
  expect([placeOfPrice(rows, '200'), placeOfPrice(rows, '1')]).toEqual([0, rows.length]);
  expect(held.levels!.map((each) => saleAt(each, held))).toEqual(['all', undefined, 'share', 'merged', undefined]);
  // One that rests elsewhere than any stop is a level of its own.
  const apart = { ...held, lines: { ...NO_LINES, protectiveStop: '94' } };
  expect(levelRows({ position: apart, evaluation: undefined }).at(-1)).toMatchObject({ id: 'protectiveStop', price: '94' });
});

test('a coin that is not held has the price at which it is entered, and one that is over has none', () => {
  expect(levelRows({ position: undefined, evaluation: watched('AA', '100', '98') })).toMatchObject([{ id: 'entry', price: '98' }]);
  const follows = position('AA', { state: 'TrailingEntry', quantity: '0', lines: { ...NO_LINES, trigger: '98', entryLow: '97' } });
  expect(levelRows({ position: follows, evaluation: undefined }).map(({ id }) => id)).toEqual(['entry', 'entryLow']);
  const ordered = watched('AA', '100', null, { waitsFor: { code: 'order', price: '99', at: null } });
  expect(levelRows({ position: undefined, evaluation: ordered })).toMatchObject([{ id: 'order', price: '99' }]);
  expect(levelRows({ position: position('AA', { state: 'Closed' }), evaluation: undefined })).toEqual([]);
});

test('the states of a position are five phases; what is over has passed all', () => {
  const phases = (['Watching', 'EntryPending', 'Open', 'Protected', 'Reducing', 'Closed'] as const).map((state) => phaseOf({ state }));
  expect(phases).toEqual(['watch', 'buy', 'hold', 'protect', 'sell', 'over']);
  expect(phaseOf(undefined)).toBe('watch');
  expect([placeOf('buy', 'hold'), placeOf('hold', 'hold'), placeOf('sell', 'hold'), placeOf('sell', 'over')]).toEqual([
    'past',
    'present',
    'ahead',
    'past',
  ]);
});

test('the banner names what is worst, with the one action that helps', () => {
  const calm = {
    state: 'Running',
    stateReason: null,
    pausedUntil: null,
    unreadPair: null,
    exits: 'continue',
    openPositions: 1,
    allowed: ['disable', 'halt'],
    withheld: [],
    mustAcknowledge: false,
  } as const;
  const of = (over: object) => bannerOf({ ...calm, ...over } as never);
  expect(of({})).toBeUndefined();
  expect(of({ unreadPair: 'AAUSDT', state: 'Halted' })).toEqual({ kind: 'unread' });
  expect(of({ state: 'Halted', allowed: ['acknowledge'] })).toEqual({ kind: 'halted', action: 'acknowledge' });
  expect(of({ state: 'Halted', allowed: [] })).toEqual({ kind: 'halted' });
  expect(of({ state: 'Disabled', exits: 'freeze', allowed: ['unfreeze'] })).toEqual({ kind: 'frozen', action: 'unfreeze' });
  // Without positions nothing is unprotected.
  expect(of({ state: 'Disabled', exits: 'freeze', openPositions: 0 })).toBeUndefined();
  expect(of({ state: 'Blocked', stateReason: 'trading-disabled' })).toEqual({ kind: 'blocked', path: '/user/exchange-connect' });
  expect(of({ state: 'Paused', stateReason: 'lossStreak', pausedUntil: '2030-01-01T00:00:00.000Z', allowed: ['resume'] })).toEqual({
    kind: 'paused',
    action: 'resume',
  });
  const sends = (over: object) => sendsExits({ ...calm, ...over } as never);
  expect([sends({}), sends({ state: 'Disabled' }), sends({ state: 'Halted' }), sends({ state: 'Disabled', exits: 'freeze' })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(sends({ unreadPair: 'AAUSDT' })).toBe(false);
  const stuck = position('BB', { state: 'NeedsAttention' });
  expect(waitingElsewhere([position('AA'), stuck], 'AA')).toEqual([stuck]);
  expect(waitingElsewhere([position('AA'), stuck], 'BB')).toEqual([]);
});
