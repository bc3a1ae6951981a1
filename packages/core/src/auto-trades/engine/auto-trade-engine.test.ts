import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { runs } from '../../../testing/tiers.ts';
import { grammarViolation } from '../../../testing/trace-grammar.ts';
import { add, compare, decimal, subtract, sum, toText } from '../../money/decimal.ts';
import { walletBalances } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import type { Trace } from '../trace.ts';

type Moment = { at: number; price: number };

/** A bot and an exchange: prices in, what was written out. A restart rebuilds the engine from its steps. */
function stage(config: AutoTradeConfig, restartAt: ReadonlySet<number> = new Set()) {
  const bot = botStage(config, { dataGapMs: 120_000 });
  const run = (moments: readonly Moment[]) => {
    for (const [index, { at, price }] of moments.entries()) {
      if (restartAt.has(index + 1)) bot.restart();
      bot.tick(price, at);
      expect(walletBalances(bot.wallet.sums)).toBe(true);
    }
  };
  return { run, traces: bot.traces, wallet: bot.wallet, engine: () => bot.engine, codes: () => bot.logs.map(({ code }) => code) };
}

const walk = (prices: readonly number[]): Moment[] => prices.map((price, index) => ({ at: START + index * 30_000, price }));
const kinds = (traces: readonly Pick<Trace, 'kind' | 'reason'>[]) => traces.map((trace) => `${trace.kind} ${trace.reason}`);

describe('one market story per rule', () => {
  const entry = [1000, 1000, 985, 980, 983, 983];
  test('a drop, a rebound, a rising protected cost, and a sale at it', () => {
    const { run, traces } = stage(botConfig());
    run(walk([...entry, 993, 1000, 1005, 999, 999]));
    expect(kinds(traces)).toEqual([
      'Entry Drop',
      'Buy Entry',
      'CostMovedUp Armed',
      'CostMovedUp Raised',
      'Sell TrailingCost',
      'Exit TrailingCost',
    ]);
    expect(Number(traces.at(-1)?.after.realised)).toBeGreaterThan(0);
  });
  test('the stop loss sells when the price falls on', () => {
    const { run, traces } = stage(botConfig());
    run(walk([...entry, 970, 950, 950]));
    expect(kinds(traces)).toEqual(['Entry Drop', 'Buy Entry', 'Sell StopLoss', 'Exit StopLoss']);
    expect(Number(traces.at(-1)?.after.realised)).toBeLessThan(0);
  });
  test('a jump below the protected cost that would lose after fees sells nothing', () => {
    const { run, traces } = stage(botConfig());
    run(walk([...entry, 995, 980, 980]));
    expect(kinds(traces).slice(2)).toEqual(['CostMovedUp Armed', 'TrailingCostExpired BelowFloor']);
  });
  test('two take-profit levels sell half each, the second everything left', () => {
    const { run, traces } = stage(
      botConfig({
        trailingCost: { enabled: false },
        takeProfit: {
          levels: [
            { gainPct: '1', sellPct: '50' },
            { gainPct: '2', sellPct: '50' },
          ],
        },
      }),
    );
    run(walk([...entry, 995, 995, 1005, 1005]));
    expect(kinds(traces).slice(2)).toEqual(['Sell TakeProfit', 'Sell TakeProfit', 'Exit TakeProfit']);
  });
  test('no rebound in time: the entry lapses and nothing is reserved', () => {
    const { run, traces, codes, wallet } = stage(
      botConfig({ entry: { ...botConfig().entry, trailing: { enabled: true, reboundPct: '5', expiryMin: 1, maxChasePct: '9' } } }),
    );
    run(walk([1000, 985, 984, 984, 984]));
    expect(traces).toEqual([]);
    expect(codes()).toContain('ENTRY_TRAIL_EXPIRED');
    expect(wallet.sums.reserved).toBe('0');
  });
  test('a limit order that is never reached is abandoned and its money comes back', () => {
    const limit = { type: 'Limit' as const, offsetPct: '2', timeoutSec: 60 };
    const { run, traces, wallet } = stage(botConfig({ entry: { ...botConfig().entry, order: limit } }));
    run(walk([...entry, 984, 985, 986, 986]));
    expect(kinds(traces)).toEqual(['Entry Drop', 'Exit Abandoned']);
    expect(wallet.sums).toMatchObject({ free: '10000', reserved: '0', invested: '0' });
  });
  test('a confirmed stop waits, and forgets when the price comes back', () => {
    const config = botConfig({ stopLoss: { mode: 'percent', pct: '3', confirmSec: 60 }, trailingCost: { enabled: false } });
    const back = stage(config);
    back.run(walk([...entry, 950, 960, 950]));
    expect(kinds(back.traces)).not.toContain('Exit StopLoss');
    const gone = stage(config);
    gone.run(walk([...entry, 950, 950, 950, 950]));
    expect(kinds(gone.traces)).toContain('Exit StopLoss');
  });
  test('the cooldown keeps the coin quiet after a loss', () => {
    const { run, traces } = stage(botConfig({ cooldown: { afterLossMin: 60 } }));
    run(walk([...entry, 950, 950, 940, 930, 935, 935, 940]));
    expect(traces.filter((trace) => trace.kind === 'Entry')).toHaveLength(1);
  });
  test('an entry the wallet cannot pay is not made', () => {
    const { run, traces, engine } = stage(botConfig({ entry: { ...botConfig().entry, size: { mode: 'fixed', value: '20000' } } }));
    run(walk(entry));
    expect(traces).toEqual([]);
    expect(engine().inspect('BTCUSDT')?.plan).toMatchObject({ ok: false, rule: 'budget' });
  });
});

describe('on random markets', () => {
  const steps = fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 20, maxLength: 400 });
  const prices = (moves: readonly number[]) => {
    let price = 100_000;
    return walk(moves.map((move) => (price = Math.max(1000, price + Math.round((price * move) / 10_000)))).map((ticks) => ticks / 100));
  };
  const config = botConfig({
    takeProfit: {
      levels: [
        { gainPct: '1', sellPct: '40' },
        { gainPct: '3', sellPct: '60' },
      ],
    },
    trailingCost: { enabled: true, armGainPct: '0.8', distancePct: '0.4', stepPct: '0.05', expiryMin: 20 },
    stopLoss: { mode: 'percent', pct: '2' },
    cooldown: { afterWinMin: 0, afterLossMin: 1 },
  });

  test('traces obey the grammar, quantities and results add up, the line never falls', () => {
    fc.assert(
      fc.property(steps, (moves) => {
        const { run, traces } = stage(config);
        run(prices(moves));
        for (const id of new Set(traces.map((trace) => trace.positionId))) {
          const rows = traces.filter((trace) => trace.positionId === id);
          expect(grammarViolation(rows, false)).toBeUndefined();
          let held = decimal('0');
          let line = decimal('0');
          for (const row of rows) {
            if (row.kind === 'Buy' || row.kind === 'Sell') {
              const change = decimal(String(row.after.quantity));
              const inBase = row.after.feeAsset === 'BTC' ? decimal(String(row.after.fee)) : decimal('0');
              held = row.kind === 'Buy' ? subtract(add(held, change), inBase) : subtract(held, change);
              // Σ Buy (net) − Σ Sell is the position after every row.
              expect(toText(held)).toBe(row.after.position);
            }
            if (row.kind === 'CostMovedUp') {
              expect(compare(decimal(String(row.after.line)), line)).toBe(1);
              line = decimal(String(row.after.line));
            }
            if (row.kind === 'TrailingCostExpired') line = decimal('0');
          }
          const exit = rows.find((row) => row.kind === 'Exit');
          if (!exit) continue;
          const sold = sum(rows.filter((row) => row.kind === 'Sell').map((row) => decimal(String(row.after.realised))));
          expect(toText(sold)).toBe(exit.after.realised);
          expect(toText(held)).toBe(exit.after.dust);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  test('restarted at any moment it decides the same', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 8 }), (moves, restarts) => {
        const whole = stage(config);
        whole.run(prices(moves));
        const broken = stage(config, new Set(restarts));
        broken.run(prices(moves));
        expect(broken.traces).toEqual(whole.traces);
        expect(broken.wallet.sums).toEqual(whole.wallet.sums);
      }),
      { numRuns: runs(100) },
    );
  });
});
