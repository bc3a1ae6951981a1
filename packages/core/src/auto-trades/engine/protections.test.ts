import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { botConfig, positionSettings, walletBook } from '../../../testing/auto-trade-fixtures.ts';
import { runs } from '../../../testing/tiers.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import { newPosition } from '../position/position-state.ts';
import { createBotPauses } from './bot-pauses.ts';
import { type ClosedTrade, guardHolds, judgeProtections, pausesInForce, protectionLookback, protectionReach } from './protections.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-03-10T12:00:00Z');
const OFF = { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } };
const protections = (over: NonNullable<AutoTradeConfigInput['protections']>) => botConfig({ protections: { ...OFF, ...over } }).protections;

/** Closed trades an hour apart, the last at noon; the wallet's curve follows them. */
function trades(results: readonly string[], symbol = 'BTCUSDT', cost = '100'): ClosedTrade[] {
  let total = 0;
  return results.map((realised, index) => {
    total += Number(realised);
    return { symbol, closedAt: NOON - (results.length - 1 - index) * HOUR, realised, cost, walletRealised: String(total) };
  });
}

describe('a streak of losses', () => {
  const rule = protections({ lossStreak: { count: 3, lookbackHours: 24, pauseHours: 6 } });
  test('pauses the bot for the set hours', () => {
    expect(judgeProtections(rule, trades(['5', '-1', '-1', '-1']), '1000').verdicts).toEqual([
      { protection: 'lossStreak', scope: 'bot', symbol: null, until: NOON + 6 * HOUR, observed: '3', limit: '3' },
    ]);
  });
  test.each([
    ['a win between them', ['-1', '-1', '1', '-1']],
    ['a result of nothing between them', ['-1', '-1', '0', '-1']],
    ['one loss too few', ['-1', '-1']],
  ])('does not pause after %s', (_, results) => {
    expect(judgeProtections(rule, trades(results), '1000').verdicts).toEqual([]);
  });
  test('does not count what is older than it looks back', () => {
    const [first, ...rest] = trades(['-1', '-1', '-1']);
    expect(judgeProtections(rule, [{ ...first!, closedAt: NOON - 24 * HOUR }, ...rest], '1000').verdicts).toEqual([]);
  });
});

describe('a fall of the wallet', () => {
  const rule = protections({ drawdown: { maxPct: '20', lookbackHours: 48, pauseHours: 12 } });
  test('counts from the highest point of the window, what was paid in being its base', () => {
    // 1,000 paid in, up to 1,100, down to 880: exactly 20 %.
    expect(judgeProtections(rule, trades(['100', '-220']), '1000').verdicts).toMatchObject([
      { protection: 'drawdown', until: NOON + 12 * HOUR, observed: '20', limit: '20' },
    ]);
    expect(judgeProtections(rule, trades(['100', '-219.99']), '1000').verdicts).toEqual([]);
  });
  test('is judged by what was in the wallet then: money that came or went since changes no pause', () => {
    const [last] = trades(['-200']);
    const told = [{ ...last!, paidIn: '1000' }];
    const at = NOON + HOUR;
    expect(pausesInForce(rule, told, { paidIn: '9000', since: 0, at })).toMatchObject([{ reason: 'drawdown' }]);
    expect(pausesInForce(rule, [{ ...last!, paidIn: '9000' }], { paidIn: '1000', since: 0, at })).toEqual([]);
  });
  test('begins where the wallet stood before the first trade of the window', () => {
    expect(judgeProtections(rule, trades(['-200']), '1000').verdicts).toHaveLength(1);
  });
});

test('a coin that earns too little is paused alone', () => {
  const rule = protections({ lowProfitCoin: { minTrades: 2, minProfitPct: '0.5', lookbackHours: 24, pauseHours: 3 } });
  const others = trades(['-50'], 'ETHUSDT');
  expect(judgeProtections(rule, [...others, ...trades(['0.4', '0.5'])], '1000').verdicts).toEqual([
    { protection: 'lowProfitCoin', scope: 'coin', symbol: 'BTCUSDT', until: NOON + 3 * HOUR, observed: '0.45', limit: '0.5' },
  ]);
  expect(judgeProtections(rule, [...others, ...trades(['0.5', '0.5'])], '1000').verdicts).toEqual([]);
});

describe('a loss of the day', () => {
  const rule = (tz: string) => protections({ dailyLoss: { amount: '10', tz } });
  test('pauses until the next midnight of the zone, and warns before', () => {
    expect(judgeProtections(rule('Europe/Istanbul'), trades(['-10']), '1000').verdicts).toMatchObject([
      { protection: 'dailyLoss', until: Date.parse('2026-03-10T21:00:00Z'), observed: '10' },
    ]);
    const near = judgeProtections(rule('UTC'), trades(['-9', '1']), '1000');
    expect(near.verdicts).toEqual([]);
    expect(near.warnings).toEqual([{ protection: 'dailyLoss', observed: '8', limit: '10' }]);
  });
  test('is the day of the zone, not of UTC', () => {
    const before = { ...trades(['-9'])[0]!, closedAt: Date.parse('2026-03-09T22:30:00Z') };
    expect(judgeProtections(rule('UTC'), [before, ...trades(['-1'])], '1000')).toEqual({ verdicts: [], warnings: [] });
    expect(judgeProtections(rule('Europe/Istanbul'), [before, ...trades(['-1'])], '1000').verdicts).toHaveLength(1);
  });
});

test('the guard over BTC holds until the price has come back, not only to where it began', () => {
  const guard = { dropPct: '5', windowMin: 60, resumePct: '2' };
  expect(guardHolds(guard, 95.1, 100, false)).toBe(false);
  expect(guardHolds(guard, 95, 100, false)).toBe(true);
  expect(guardHolds(guard, 97.9, 100, true)).toBe(true);
  expect(guardHolds(guard, 98, 100, true)).toBe(false);
});

test('looks back as far as the longest rule that is on', () => {
  expect(protectionLookback(protections({}))).toBe(0);
  expect(protectionLookback(protections({ drawdown: { maxPct: '1', lookbackHours: 48 }, dailyLoss: { amount: '1' } }))).toBe(48 * HOUR);
});

describe('after a restart', () => {
  const rule = protections({
    lossStreak: { count: 2, lookbackHours: 24, pauseHours: 6 },
    lowProfitCoin: { minTrades: 1, minProfitPct: '0', lookbackHours: 24, pauseHours: 2 },
  });
  const lost = trades(['-1', '-1', '-1']);
  const from = (since: number, at: number) => pausesInForce(rule, lost, { paidIn: '1000', since, at });

  test('the pauses in force are those that the closed positions had brought', () => {
    expect(from(Number.NEGATIVE_INFINITY, NOON + HOUR)).toEqual([
      { symbol: null, until: NOON + 6 * HOUR, reason: 'lossStreak' },
      { symbol: 'BTCUSDT', until: NOON + 2 * HOUR, reason: 'lowProfitCoin' },
    ]);
    expect(from(Number.NEGATIVE_INFINITY, NOON + 6 * HOUR)).toEqual([]);
  });
  test('what the owner lifted does not come back', () => {
    expect(from(NOON, NOON + HOUR)).toEqual([]);
    expect(from(NOON - HOUR, NOON + HOUR)).toHaveLength(2);
  });

  const hours = fc.integer({ min: 1, max: 72 });
  const rules = fc
    .record({
      lossStreak: fc.record({ count: fc.integer({ min: 0, max: 3 }), lookbackHours: hours, pauseHours: hours }),
      drawdown: fc.record({ maxPct: fc.constantFrom('0', '1', '5'), lookbackHours: hours, pauseHours: hours }),
      lowProfitCoin: fc.option(
        fc.record({ minTrades: fc.integer({ min: 1, max: 3 }), minProfitPct: fc.constant('0'), lookbackHours: hours, pauseHours: hours }),
        { nil: null },
      ),
      dailyLoss: fc.option(fc.record({ amount: fc.constant('30'), tz: fc.constantFrom('UTC', 'America/New_York') }), { nil: null }),
    })
    .map((each) => protections(each));
  const closings = fc.array(
    fc.record({ wait: fc.integer({ min: 1, max: 40 }), result: fc.integer({ min: -60, max: 50 }), eth: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 25,
    },
  );

  test('whoever read the closed positions at any moment knows the pauses of whoever was there all the time', () => {
    fc.assert(
      fc.property(rules, closings, (rule, list) => {
        const wallet = walletBook('1000');
        const pauses = createBotPauses({ protections: rule, wallet, history: [], pauses: [], references: [] });
        const stored: ClosedTrade[] = [];
        let at = NOON;
        for (const { wait, result, eth } of list) {
          for (let hour = 0; hour < wait; hour += 1) {
            at += HOUR / 2;
            pauses.pass(at);
            const since = at - protectionReach(rule);
            const read = stored.filter(({ closedAt }) => closedAt > since);
            const known = pausesInForce(rule, read, { paidIn: '1000', since: Number.NEGATIVE_INFINITY, at });
            const untils = (found: readonly { symbol: string | null; until: number }[]) =>
              Object.fromEntries(found.map(({ symbol, until }) => [symbol ?? 'bot', until]));
            expect(untils(known)).toEqual(untils(pauses.pauses));
          }
          const symbol = eth ? 'ETHUSDT' : 'BTCUSDT';
          const settings = { ...positionSettings(), symbol };
          const realised = String(result);
          wallet.sums = { ...wallet.sums, realised: String(Number(wallet.sums.realised) + result) };
          stored.push({ symbol, closedAt: at, realised, cost: '100', walletRealised: wallet.sums.realised, paidIn: '1000' });
          pauses.closed({ ...newPosition(settings, 1, 'p'), realised, spent: '100' }, at);
        }
      }),
      { numRuns: runs(300), endOnFailure: true },
    );
  });
});
