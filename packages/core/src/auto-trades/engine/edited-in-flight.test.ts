import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { walletBalances } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import type { OrderInFlight } from '../position/position-state.ts';

// New settings for a position that has an order on its way: what the order does then counts for the new settings.

const entry = { ...botConfig().entry, trigger: { kind: 'immediate' as const }, trailing: { enabled: false }, maxSpreadPct: '5' };
const quiet = (over: Partial<AutoTradeConfigInput> = {}) =>
  botConfig({
    entry,
    stopLoss: { mode: 'none' },
    trailingCost: { enabled: false },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
    ...over,
  });
const free = () => ({ ...NORMAL, feeAsset: 'none' as const });

describe('levels taken away', () => {
  test('while the slice of one is sold: what is left still has a take profit', () => {
    const ladder = [
      { gainPct: '1', sellPct: '30' },
      { gainPct: '2', sellPct: '30' },
      { gainPct: '3', sellPct: '40' },
    ];
    const exit = { order: { type: 'Limit' as const, timeoutSec: 3600 } };
    // The second slice rests in the book.
    let rests = false;
    const fateOf = (order: OrderInFlight) => ({ ...free(), delay: rests && order.side === 'Sell' ? 2 : 0 });
    const bot = botStage(quiet({ takeProfit: { levels: ladder }, exit }), { fateOf });
    bot.walk([1000, 1000, 1011, 1011]);
    rests = true;
    bot.walk([1021], { from: START + 300_000 });
    expect([bot.state(), bot.context().order?.level, bot.context().levelsDone]).toEqual(['reducing', 1, 1]);
    const config = quiet({ takeProfit: { levels: [{ gainPct: '5', sellPct: '100' }] }, exit: {} });
    bot.tell({ type: 'settings', config, version: 2, applyToOpen: true, at: START + 301_000 });
    bot.walk([1021, 1022, 1023, 1024], { from: START + 330_000 });
    expect([bot.state(), bot.context().quantity]).toEqual(['open', '0.40001']);
    bot.walk([1050, 1052, 1053, 1054, 1055], { from: START + 600_000 });
    expect(bot.kinds().at(-1)).toBe('Exit TakeProfit');
    expect(bot.wallet.sums).toMatchObject({ reserved: '0', invested: '0' });
  });
});

describe('rebuys taken away while one is bought, and given back later', () => {
  test('the next level buys, and nothing is set aside for nothing', () => {
    const limit = { ...entry, order: { type: 'Limit' as const, offsetPct: '1', timeoutSec: 3600 } };
    const deep = { levels: [{ dropPct: '1' }, { dropPct: '2' }], minMinutesBetween: 0 };
    const bot = botStage(quiet({ entry: limit, rebuys: deep }), { fateOf: free });
    bot.walk([1000, 989, 989, 979], { stepMs: 10_000 });
    expect([bot.state(), bot.context().order?.purpose]).toEqual(['adding', 'rebuy']);
    const none = quiet({ entry: limit, rebuys: { levels: [] } });
    bot.tell({ type: 'settings', config: none, version: 2, applyToOpen: true, at: START + 35_000 });
    bot.walk([960, 960], { from: START + 40_000, stepMs: 1000 });
    expect([bot.state(), bot.wallet.sums.reserved, bot.context().rebuysDone]).toEqual(['open', '0', 1]);
    const again = quiet({ entry: { ...limit, order: { type: 'Market' } }, rebuys: deep });
    bot.tell({ type: 'settings', config: again, version: 3, applyToOpen: true, at: START + 45_000 });
    expect(bot.wallet.sums.reserved).not.toBe('0');
    bot.walk([930, 930], { from: START + 50_000, stepMs: 10_000 });
    expect(bot.context().rebuysDone).toBe(2);
    expect(bot.kinds().filter((kind) => kind === 'Buy Rebuy')).toHaveLength(2);
    expect(bot.wallet.sums.reserved).toBe('0');
    expect(walletBalances(bot.wallet.sums)).toBe(true);
  });
});

describe('the crumb of a slice', () => {
  test('that nobody would take ends with its slice, not with a person', () => {
    const levels = [
      { gainPct: '1', sellPct: '50' },
      { gainPct: '9', sellPct: '50' },
    ];
    const exit = { order: { type: 'Limit' as const, timeoutSec: 60, onTimeout: 'market' as const } };
    const small = { ...entry, size: { mode: 'fixed' as const, value: '60' } };
    // What is worth less than five is refused, as the exchange does.
    const fateOf = (order: OrderInFlight) => ({
      ...free(),
      share: order.type === 'Limit' ? 0.9 : 1,
      kind: Number(order.quantity) * 1000 < 5 ? ('refused' as const) : ('normal' as const),
    });
    const bot = botStage(quiet({ entry: small, takeProfit: { levels }, exit }), { fateOf });
    bot.walk([1000, 1000, 1011, 1011]);
    expect([bot.state(), bot.context().order?.purpose]).toEqual(['reducing', 'takeProfit']);
    bot.walk([1005, 1005, 1005, 1005, 1005], { from: START + 200_000 });
    expect([bot.state(), bot.context().attention, bot.context().levelsDone]).toEqual(['open', null, 1]);
  });
});

test('a protected cost that was spent is drawn again by new settings of it, and by no others', () => {
  const trailingCost = { enabled: true, armGainPct: '1', distancePct: '0.5', stepPct: '0.1', expiryMin: 1, onExpiry: 'disarm' as const };
  const bot = botStage(quiet({ trailingCost }), { fateOf: free });
  const HALF = 30_000;
  bot.walk([1000, 1000, 1011, 1011, 1011]);
  expect([bot.state(), bot.context().lineDisarmed]).toEqual(['open', true]);
  const edit = (config: AutoTradeConfigInput, version: number) =>
    bot.tell({ type: 'settings', config: quiet(config), version, applyToOpen: true, at: START + 5 * HALF });
  edit({ ...quiet({ trailingCost }), timeStop: { hours: 900 } }, 2);
  bot.walk([1012], { from: START + 6 * HALF });
  expect(bot.state()).toBe('open');
  edit({ ...quiet({ trailingCost: { ...trailingCost, onExpiry: 'rearm' } }) }, 3);
  bot.walk([1013], { from: START + 7 * HALF });
  expect(bot.state()).toBe('protected');
});

test('a rebuy whose rebound is asked for no more buys, also where the wallet cannot pay the new levels', () => {
  const followed = { levels: [{ dropPct: '1' }], trailingReboundPct: '1', minMinutesBetween: 0 };
  const bot = botStage(quiet({ rebuys: followed }), { fateOf: free, balance: '2500' });
  bot.walk([1000, 1000, 985, 984]);
  expect([bot.state(), bot.context().rebuyLow, bot.context().rebuysDone]).toEqual(['open', '984', 0]);
  const deeper = quiet({
    rebuys: { ...followed, levels: [{ dropPct: '1' }, { dropPct: '2' }, { dropPct: '3' }], trailingReboundPct: '0' },
  });
  bot.tell({ type: 'settings', config: deeper, version: 2, applyToOpen: true, at: START + 100_000 });
  expect(bot.logs.map(({ code }) => code)).toContain('LADDER_KEPT');
  bot.walk([985, 985], { from: START + 101_000, stepMs: 1000 });
  expect([bot.context().rebuysDone, bot.kinds().at(-1)]).toEqual([1, 'Buy Rebuy']);
});
