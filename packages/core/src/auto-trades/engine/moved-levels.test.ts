import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { digits } from '../../money/figure.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import { describePosition } from '../explain.ts';
import { advancePosition } from '../position/auto-trade-position-machine.ts';
import { type LevelsAsked, movedLevels } from '../position/position-levels.ts';
import { replayTape } from './tape.ts';

// An owner moves the levels of one position: they hold where they were put, whatever the settings say of others.

const entry = { ...botConfig().entry, trigger: { kind: 'immediate' as const }, trailing: { enabled: false }, maxSpreadPct: '5' };
const ladder = [
  { gainPct: '2', sellPct: '50' },
  { gainPct: '4', sellPct: '50' },
];
const LATER = START + 600_000;

/** A bot that has bought at 1000, with its stop at 970 less the fee's share, and what its owner does. */
function held(over: Partial<AutoTradeConfigInput> = {}) {
  const bot = botStage(
    botConfig({
      entry,
      stopLoss: { mode: 'percent', pct: '3' },
      trailingCost: { enabled: false },
      takeProfit: { levels: ladder },
      cooldown: { afterWinMin: 600, afterLossMin: 600 },
      ...over,
    }),
    { fateOf: () => ({ ...NORMAL, feeAsset: 'none' as const }) },
  );
  bot.walk([1000, 1000]);
  expect(bot.state()).toBe('open');
  return {
    bot,
    move: (asked: LevelsAsked) => {
      const { moved, problems } = movedLevels(bot.state(), bot.context(), asked);
      expect(problems).toEqual([]);
      bot.tell({ type: 'levels', positionId: bot.context().positionId, moved, at: LATER });
    },
    problems: (asked: LevelsAsked) => movedLevels(bot.state(), bot.context(), asked).problems,
    lines: () => describePosition(bot.state(), bot.context()).lines,
    walk: (...prices: number[]) => bot.walk(prices, { from: LATER + 1000 }),
  };
}

describe('a stop that was moved', () => {
  test('sells where it is, and one that was put back where the settings have it', () => {
    const { bot, move, walk, lines } = held();
    const own = lines().stopLoss;
    move({ stop: '990.001' });
    // On the tick below: it never sells early.
    expect([lines().stopLoss, lines().moved]).toEqual(['990', ['stop']]);
    expect(bot.logs.at(-1)).toMatchObject({ code: 'STOP_MOVED', facts: { price: '990' } });
    move({ stop: null });
    expect([lines().stopLoss, lines().moved, bot.context().moved]).toEqual([own, [], null]);
    walk(989, 989);
    expect(bot.state()).toBe('open');
    move({ stop: '985' });
    bot.walk([984, 984, 984], { from: LATER + 60_000 });
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
    expect(replayTape(bot.tape)).toEqual(bot.traces);
  });

  test('guards a position whose bot has none, and stays through a rebuy and a restart', () => {
    const { bot, move, lines } = held({ stopLoss: { mode: 'none' }, rebuys: { levels: [{ dropPct: '1' }], minMinutesBetween: 0 } });
    expect(lines().stopLoss).toBeNull();
    move({ stop: '980' });
    bot.walk([989, 989, 989], { from: LATER + 1000 });
    expect(bot.kinds()).toContain('Buy Rebuy');
    bot.restart();
    expect(lines().stopLoss).toBe('980');
    bot.walk([979, 979, 979], { from: LATER + 60_000 });
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  });

  test('takes the one that rests at the exchange with it', () => {
    const { bot, move, walk } = held({ protectiveStop: { enabled: true, limitOffsetPct: '0.5' } });
    walk(1000, 1000);
    expect(bot.context().resident).not.toBeNull();
    move({ stop: '990' });
    bot.walk([1001, 1001, 1001, 1001], { from: LATER + 30_000, stepMs: 10_000 });
    expect(bot.context().resident?.stopPrice).toBe('990');
    move({ stop: '950' });
    bot.walk([1001, 1001], { from: LATER + 90_000, stepMs: 1000 });
    expect(bot.context().resident?.stopPrice).toBe('950');
  });
});

test('the time below a stop goes on being counted while another level is moved', () => {
  const { bot, move, walk, lines } = held({ stopLoss: { mode: 'percent', pct: '3', confirmSec: 60 } });
  walk(969, 969);
  const since = bot.context().stopSince;
  expect(since).not.toBeNull();
  move({ takeProfit: [{ level: 2, price: '1100' }] });
  move({ stop: digits(lines().stopLoss!) });
  expect(bot.context().stopSince).toBe(since);
  // Below it was below a higher one, too, but not for certain below a lower one.
  move({ stop: '975' });
  expect(bot.context().stopSince).toBe(since);
  move({ stop: '969.5' });
  expect(bot.context().stopSince).toBeNull();
});

test('a take profit sells at the price it was moved to, the others at theirs', () => {
  const { bot, move, lines } = held();
  const [, second] = lines().takeProfit;
  move({ takeProfit: [{ level: 1, price: '1010.001' }] });
  expect(lines().takeProfit.map(({ price }) => price)).toEqual(['1010.01', second?.price]);
  bot.walk([1011, 1011, 1011], { from: LATER + 1000 });
  expect([bot.state(), bot.context().levelsDone]).toEqual(['open', 1]);
  expect(lines().moved).toEqual(['takeProfit.1']);
});

test('a level that an average has put below a moved one before it stands where it sells: behind that', () => {
  const { bot, move, lines } = held({ stopLoss: { mode: 'none' }, rebuys: { levels: [{ dropPct: '5' }], minMinutesBetween: 0 } });
  move({ takeProfit: [{ level: 1, price: '1030' }] });
  bot.walk([949, 949, 949], { from: LATER + 1000 });
  expect(bot.kinds()).toContain('Buy Rebuy');
  expect(lines().takeProfit.map(({ price }) => price)).toEqual(['1030', '1030']);
  move({ takeProfit: [{ level: 1, price: null }] });
  const [first, second] = lines().takeProfit.map(({ price }) => Number(price));
  expect([first! < second!, second! < 1030]).toEqual([true, true]);
});

test('trailing starts where its start was moved to', () => {
  const { bot, move, walk, lines } = held({ trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5', stepPct: '0.1' } });
  move({ trailingStart: '1015' });
  expect([lines().arm, lines().moved]).toEqual(['1015', ['trailingStart']]);
  walk(1013, 1013);
  expect(bot.state()).toBe('open');
  bot.walk([1015, 1015], { from: LATER + 30_000 });
  expect(bot.state()).toBe('protected');
});

test('trailing that keeps its cost starts above break-even, or its first line would lie above the price', () => {
  const trailing = { enabled: true, armGainPct: '1', distancePct: '0.5' } as const;
  const { bot, problems } = held({ trailingCost: trailing });
  const { breakEven } = describePosition(bot.state(), bot.context());
  const problem = { path: 'trailingStart', code: 'below_cost', limit: breakEven };
  expect([problems({ trailingStart: '990' }), problems({ trailingStart: digits(breakEven!) })]).toEqual([[problem], [problem]]);
  expect(problems({ trailingStart: String(Number(breakEven) + 0.01) })).toEqual([]);
  expect(held({ trailingCost: { ...trailing, floor: 'none' } }).problems({ trailingStart: '990' })).toEqual([]);
});

test('what cannot be had is said at its field, with its bound', () => {
  const { bot, problems, move } = held();
  expect(problems({ trailingStart: '1010' })).toEqual([{ path: 'trailingStart', code: 'no_trailing_start' }]);
  expect(problems({ stop: '0.001' })).toEqual([{ path: 'stop', code: 'too_small', limit: '0.01' }]);
  expect(problems({ takeProfit: [{ level: 3, price: '1010' }] })).toEqual([{ path: 'takeProfit.0.level', code: 'no_level', limit: '2' }]);
  expect(problems({ takeProfit: [{ level: 2, price: '1001' }] })).toMatchObject([{ path: 'takeProfit.0.price', code: 'level_order' }]);
  // Both at once: each is held against where the other goes.
  expect(
    problems({
      takeProfit: [
        { level: 1, price: '1050' },
        { level: 2, price: '1060' },
      ],
    }),
  ).toEqual([]);
  move({ takeProfit: [{ level: 1, price: '1010' }] });
  bot.walk([1011, 1011, 1011], { from: LATER + 1000 });
  expect(problems({ takeProfit: [{ level: 1, price: '1020' }] })).toEqual([{ path: 'takeProfit.0.level', code: 'level_done', limit: '2' }]);
});

test('a level whose order is in flight is not moved: that sells where it is, whatever was answered', () => {
  const order = { type: 'Limit', timeoutSec: 600 } as const;
  const config = botConfig({ entry, exit: { order }, trailingCost: { enabled: false }, takeProfit: { levels: ladder } });
  const bot = botStage(config, { fateOf: ({ side }) => ({ ...NORMAL, feeAsset: 'none', ...(side === 'Sell' ? { share: 0.3 } : {}) }) });
  bot.walk([1000, 1000]);
  bot.walk([1021], { from: LATER });
  expect([bot.state(), bot.context().order?.purpose]).toEqual(['reducing', 'takeProfit']);
  const moves = (level: number, price: string) => movedLevels(bot.state(), bot.context(), { takeProfit: [{ level, price }] }).problems;
  expect(moves(1, '1030')).toEqual([{ path: 'takeProfit.0.level', code: 'level_selling', limit: '1' }]);
  expect(moves(2, '1060')).toEqual([]);
});

test('a level that waits for the stop at the exchange to make way is being sold, too', () => {
  const { bot, problems } = held({ protectiveStop: { enabled: true } });
  bot.walk([1000, 1000], { from: LATER });
  expect([bot.state(), bot.context().resident?.cancelRequested]).toEqual(['open', false]);
  const moment = { at: LATER + 60_000, price: '1025', bid: '1025', ask: '1025' };
  const queued = advancePosition(bot.state(), bot.context(), { type: 'takeProfit.decided', ...moment })!;
  expect([queued.state, queued.context.order, queued.context.resident?.cancelRequested]).toEqual(['reducing', null, true]);
  const moves = (level: number) => movedLevels(queued.state, queued.context, { takeProfit: [{ level, price: '1060' }] }).problems;
  expect(moves(1)).toEqual([{ path: 'takeProfit.0.level', code: 'level_selling', limit: '1' }]);
  expect([moves(2), problems({ takeProfit: [{ level: 1, price: '1030' }] })]).toEqual([[], []]);
});

test('new settings leave what was moved, but for the level that they speak of themselves', () => {
  const { bot, move, lines } = held();
  move({ stop: '985', takeProfit: [{ level: 2, price: '1100' }] });
  const settings = (over: Partial<AutoTradeConfigInput>, version: number) =>
    bot.tell({
      type: 'settings',
      config: botConfig({
        entry,
        stopLoss: { mode: 'percent', pct: '3' },
        trailingCost: { enabled: false },
        takeProfit: { levels: ladder },
        ...over,
      }),
      version,
      applyToOpen: true,
      at: LATER + 1000,
    });
  settings({ maxOpenPositions: 2 }, 2);
  expect(lines().moved).toEqual(['stop', 'takeProfit.2']);
  settings({ stopLoss: { mode: 'percent', pct: '9' } }, 3);
  expect([lines().moved, Number(lines().stopLoss) < 920]).toEqual([['takeProfit.2'], true]);
  // Fewer levels than were moved: that of the missing one is said to be gone, too.
  settings({ stopLoss: { mode: 'percent', pct: '9' }, takeProfit: { levels: ladder.slice(0, 1) } }, 4);
  expect(bot.logs.map(({ code }) => code).filter((code) => code.endsWith('_PUT_BACK'))).toEqual(['STOP_PUT_BACK', 'TAKE_PROFIT_PUT_BACK']);
});

test('new settings put back no level that has sold where its owner put it', () => {
  const { bot, move } = held();
  move({ takeProfit: [{ level: 1, price: '1010' }] });
  bot.walk([1011, 1011], { from: LATER + 1000 });
  expect([bot.state(), bot.context().levelsDone]).toEqual(['open', 1]);
  const config = { ...bot.context().settings.config, takeProfit: { levels: [ladder[0]!, { gainPct: '6', sellPct: '50' }] } };
  bot.tell({ type: 'settings', config, version: 2, applyToOpen: true, at: LATER + 120_000 });
  expect([bot.context().settings.configVersion, bot.context().moved]).toEqual([2, null]);
  expect(bot.logs.map(({ code }) => code)).not.toContain('TAKE_PROFIT_PUT_BACK');
});

test('moved levels are those of one new coin after its unit changed', () => {
  const { bot, move } = held();
  move({ stop: '985', takeProfit: [{ level: 1, price: '1010' }] });
  const moment = { at: LATER, price: '100', bid: '100', ask: '100' };
  const jumped = advancePosition(bot.state(), bot.context(), { type: 'price.jumped', before: '1000', ...moment });
  // Until its owner said which unit counts none is moved: a price of the new one would be divided once more.
  expect(advancePosition(jumped!.state, jumped!.context, { type: 'levels.moved', moved: null, at: LATER })).toBeUndefined();
  expect(advancePosition(jumped!.state, jumped!.context, { type: 'target.set', price: '110', at: LATER })).toBeUndefined();
  const after = advancePosition(jumped!.state, jumped!.context, { type: 'position.carriedOver', factor: '10', ...moment });
  expect(after?.context).toMatchObject({ stopPrice: '98.5', moved: { stop: '98.5', trailingStart: null, takeProfit: ['101'] } });
  // Below the first tick it would never sell: the stop is that of the settings again.
  const small = advancePosition(jumped!.state, jumped!.context, { type: 'position.carriedOver', factor: '1000000', ...moment });
  expect(small?.context.moved?.stop).toBeNull();
});
