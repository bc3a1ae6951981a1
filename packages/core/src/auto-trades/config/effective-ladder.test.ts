import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { botConfig, positionSettings, walletBook } from '../../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { add, compare, decimal, equals, lessThan, multiply, ONE, subtract, sum, toText } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import { levelOutcomes } from '../position/level-outcomes.ts';
import { newPosition, type PositionContext } from '../position/position-state.ts';
import type { AutoTradeConfig, AutoTradeConfigInput } from './auto-trade-config.ts';
import { effectiveLadder } from './effective-ladder.ts';
import type { RuleFacts } from './rule-facts.ts';

// What the plan says stands after each step: a position that bought just that must have the same stop, sells and cost.

const TAKER = '0.001';
const facts: RuleFacts = {
  pair: (symbol) => ({ ...btcusdt, symbol }),
  price: () => '64250.5',
  takerFee: () => TAKER,
  wallet: walletBook('1000000'),
};

const percent = (most: number) => fc.integer({ min: 1, max: most * 100 }).map((hundredths) => String(hundredths / 100));
const config: fc.Arbitrary<AutoTradeConfig> = fc
  .record({
    trigger: fc.constantFrom({ kind: 'immediate' as const }, { kind: 'drop' as const, dropPct: '2.5', lookbackMin: 60 }),
    basis: fc.constantFrom('lastBuy' as const, 'firstBuy' as const),
    levels: fc.array(fc.record({ dropPct: percent(12), sizeMultiplier: percent(4) }), { maxLength: 6 }),
    gains: fc.uniqueArray(percent(20), { minLength: 1, maxLength: 3, comparator: (a, b) => Number(a) === Number(b) }),
    stop: fc.option(fc.record({ pct: percent(40), basis: fc.constantFrom('avgCost' as const, 'firstBuy' as const) })),
  })
  .map(({ trigger, basis, levels, gains, stop }) =>
    botConfig({
      entry: { ...botConfig().entry, trigger },
      rebuys: { basis, levels },
      trailingCost: { enabled: false },
      takeProfit: {
        levels: gains.toSorted((a, b) => Number(a) - Number(b)).map((gainPct, at) => ({ gainPct, sellPct: at === 0 ? '50' : '25' })),
      },
      stopLoss: stop ? { mode: 'percent', ...stop } : { mode: 'none' },
    }),
  );

test('after each step the plan has the stop, the loss there and the sells of a position that bought just that', () => {
  fc.assert(
    fc.property(config, (of) => {
      const { rungs } = effectiveLadder(of, facts);
      for (const [step, rung] of rungs.entries()) {
        const bought = rungs.slice(0, step + 1);
        const quantity = sum(bought.map((each) => decimal(each.quantity)));
        const cost = multiply(sum(bought.map((each) => decimal(each.quote))), add(ONE, decimal(TAKER)));
        const held: PositionContext = {
          ...newPosition(positionSettings(of), 1, 'p1'),
          quantity: toText(quantity),
          cost: toText(cost),
          firstBuyPrice: digits(rungs[0]!.price),
        };
        const levels = levelOutcomes(held);
        const stop = levels.find(({ kind }) => kind === 'stopLoss');
        expect(rung.stopPrice).toBe(stop?.price ?? null);
        if (stop) {
          const lost = subtract(decimal('0'), decimal(stop.result!));
          expect(rung.lossAtStop).toBe(lessThan(lost, decimal('0')) ? '0' : toText(lost));
        }
        expect(rung.sells.map(({ price }) => price)).toEqual(levels.filter(({ kind }) => kind === 'takeProfit').map(({ price }) => price));
        expect(rung.invested).toBe(toText(cost));
        expect(Number(rung.averageCost)).toBeCloseTo(Number(rung.invested) / Number(toText(quantity)), 6);
      }
    }),
  );
});

test('what is invested rises step by step to the whole ladder with its fees; the last step is what the sums count', () => {
  fc.assert(
    fc.property(config, fc.integer({ min: 1, max: 3 }), (of, maxOpenPositions) => {
      const symbols = ['AUSDT', 'BUSDT'];
      const ladder = effectiveLadder({ ...of, maxOpenPositions, coins: { ...of.coins, symbols } }, facts);
      const last = symbols.map((symbol) => {
        const rungs = ladder.rungs.filter((rung) => rung.symbol === symbol);
        for (const [step, rung] of rungs.entries())
          if (step > 0) expect(compare(decimal(rungs[step - 1]!.invested), decimal(rung.invested))).toBeLessThanOrEqual(0);
        const quotes = sum(rungs.map(({ quote }) => decimal(quote)));
        expect(equals(decimal(rungs.at(-1)!.invested), multiply(quotes, add(ONE, decimal(TAKER))))).toBe(true);
        // The entry alone is what the sells of the plan are of.
        const exits = ladder.exits.filter((exit) => exit.symbol === symbol);
        expect(rungs[0]!.sells).toEqual(
          exits.map(({ price, quote, mergedInto }) => ({ price, quote: mergedInto === null ? quote : null })),
        );
        return rungs.at(-1)!;
      });
      const stops = last.flatMap(({ symbol, stopPrice, lossAtStop }) =>
        stopPrice === null || lossAtStop === null ? [] : [{ symbol, price: stopPrice, loss: lossAtStop }],
      );
      expect(ladder.stops).toEqual(stops);
      const losses = sum(stops.slice(0, maxOpenPositions).map(({ loss }) => decimal(loss)));
      expect(ladder.worstLoss).toBe(of.stopLoss.mode === 'none' ? null : toText(losses));
    }),
  );
});

test('a stop from the average moves down with every rebuy, and its loss grows', () => {
  const of = botConfig({
    entry: { ...botConfig().entry, trigger: { kind: 'immediate' } },
    rebuys: { levels: [{ dropPct: '2' }, { dropPct: '3', sizeMultiplier: '2' }] },
    stopLoss: { mode: 'percent', pct: '10' },
  });
  const { rungs } = effectiveLadder(of, { ...facts, price: () => '100000' });
  expect(rungs.map(({ invested, averageCost, stopPrice, lossAtStop }) => [invested, averageCost, stopPrice, lossAtStop])).toEqual([
    ['1001', '100100', '90090', '101.0009'],
    ['2001.5996', '99089.089108910891', '89180.18', '201.96140364'],
    ['4002.7105118', '97082.476638370119', '87374.22', '403.87386029'],
  ]);
});

test('a coin that cannot be planned yet, and a slot that filters have yet to fill, count in what can be tied up and lost', () => {
  const of = (coins: Partial<AutoTradeConfig['coins']>, stopLoss: AutoTradeConfigInput['stopLoss']): AutoTradeConfig => ({
    ...botConfig({
      stopLoss,
      entry: { ...botConfig().entry, trigger: { kind: 'immediate' } },
      rebuys: { levels: [{ dropPct: '2', sizeMultiplier: '3' }] },
    }),
    coins: { symbols: [], coinFilterIds: [], ...coins },
    maxOpenPositions: 3,
  });
  const stop = { mode: 'percent', pct: '10' } as const;
  const filters = { coinFilterIds: ['01890000-0000-7000-8000-00000000000f'] };
  const symbols = ['AUSDT', 'BUSDT', 'CUSDT'];
  const whole = effectiveLadder(of({ symbols }, stop), facts);
  const price = (symbol: string) => (symbol === 'AUSDT' ? '64250.5' : undefined);
  const cases = [
    effectiveLadder(of({ symbols }, stop), { ...facts, price }),
    effectiveLadder(of({ symbols }, stop), { ...facts, price: () => undefined }),
    effectiveLadder(of(filters, stop), { ...facts, filtered: ['AUSDT'] }),
    effectiveLadder(of(filters, stop), { ...facts, filtered: [] }),
  ];
  for (const { worstCaseTotal, worstLoss } of cases) {
    for (const [said, known] of [
      [worstCaseTotal, whole.worstCaseTotal],
      [worstLoss!, whole.worstLoss!],
    ] as const) {
      // Not less than with coins that are known but for rounding to lots, which makes orders smaller.
      expect(Number(said)).toBeGreaterThanOrEqual(Number(known) * 0.9999);
      expect(Number(said)).toBeLessThan(Number(known) * 1.01);
    }
  }
  // A named coin is one slot: two coins never need a third.
  const two = effectiveLadder(of({ symbols: symbols.slice(0, 2) }, stop), { ...facts, price: () => undefined });
  expect(Number(two.worstCaseTotal)).toBeCloseTo((Number(cases[1]!.worstCaseTotal) * 2) / 3, 4);
  // Without a stop everything can be lost, known coins or not; with one it is never said that there is none.
  expect(effectiveLadder(of({ symbols }, { mode: 'none' }), { ...facts, price }).worstLoss).toBeNull();
});
