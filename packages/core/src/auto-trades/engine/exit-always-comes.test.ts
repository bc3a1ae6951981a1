import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { add, compare, decimal, multiply, subtract, toText } from '../../money/decimal.ts';
import { walletBalances } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import type { OrderInFlight } from '../position/position-state.ts';

// Ways in which a position could be left standing there for ever, or its money be given away too early.

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
const small = { ...entry, size: { mode: 'fixed' as const, value: '60' } };

describe('a remainder that nobody can sell', () => {
  const exit = { order: { type: 'Limit' as const, timeoutSec: 60, onTimeout: 'market' as const } };
  const config = quiet({ entry: small, takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] }, exit });
  /** The exit takes most of it; the exchange would refuse what is left. */
  const fateOf = (order: OrderInFlight) => ({ ...free(), share: order.purpose === 'exit' ? 0.95 : 1 });
  test('of an exit that sold the rest ends the position, however much of it that is', () => {
    const bot = botStage(config, { fateOf });
    bot.walk([1000, 1000, 1011, 1011]);
    expect([bot.state(), bot.context().order?.purpose]).toEqual(['exitPending', 'exit']);
    bot.walk([1005, 1005, 1005, 1005], { from: START + 120_000 });
    // Five percent of what was bought: more than the two that count as dust, and worth three of the five that an order needs.
    expect(bot.kinds().at(-1)).toBe('Exit TakeProfit');
    expect(bot.placed.map(({ purpose }) => purpose)).toEqual(['entry', 'exit']);
    expect(bot.engine.openPositions).toBe(0);
    expect(bot.wallet.sums).toMatchObject({ reserved: '0', invested: '0' });
    expect(walletBalances(bot.wallet.sums)).toBe(true);
    expect(bot.logs.find(({ code }) => code === 'DUST_LEFT')?.facts).toMatchObject({ quantity: '0.00299' });
  });
  test('joins the next position when the settings say so', () => {
    const bot = botStage({ ...config, dust: { policy: 'includeInNext', maxResidualPct: '2' } }, { fateOf });
    bot.walk([1000, 1000, 1011, 1011]);
    bot.walk([1005, 1005, 1005, 1005], { from: START + 120_000 });
    expect(bot.context().carriedQuantity).toBe('0.00299');
    expect(bot.wallet.sums.invested).toBe(bot.context().carriedCost);
  });
});

describe('a position that needs a person', () => {
  const stop = quiet({ stopLoss: { mode: 'percent', pct: '3' } });
  let refused = 0;
  const fateOf = (order: OrderInFlight) => ({
    ...free(),
    kind: order.purpose === 'exit' && refused-- > 0 ? ('refused' as const) : ('normal' as const),
  });
  const stuck = () => {
    refused = 2;
    const bot = botStage(stop, { fateOf });
    bot.walk([1000, 1000, 960, 960, 960, 960]);
    expect([bot.state(), bot.context().attention]).toEqual(['needsAttention', '-2010']);
    return bot;
  };
  test.each(['Manual', 'KillSwitch'] as const)('is sold when its owner says so (%s)', (reason) => {
    const bot = stuck();
    const { positionId } = bot.context();
    bot.tell({ type: 'exit', positionId, reason });
    expect([bot.state(), bot.context().attention]).toEqual(['exitPending', null]);
    bot.walk([961], { from: START + 300_000 });
    expect(bot.kinds().at(-1)).toBe(`Exit ${reason}`);
  });
  test('is not sold a second time while it is not known what became of its sale', () => {
    const bot = botStage(stop, { fateOf: (order) => ({ ...free(), kind: order.purpose === 'exit' ? 'lost' : 'normal' }) });
    bot.walk([1000, 1000, 960]);
    expect([bot.state(), bot.context().attention]).toEqual(['needsAttention', 'AMBIGUOUS']);
    bot.tell({ type: 'exit', positionId: bot.context().positionId, reason: 'KillSwitch' });
    expect([bot.state(), bot.placed.length]).toEqual(['needsAttention', 2]);
  });
});

describe('a stop at the exchange', () => {
  const guarded = quiet({ stopLoss: { mode: 'percent', pct: '3' }, protectiveStop: { enabled: true, limitOffsetPct: '0.5' } });
  /** The stop sells a third and then rests. */
  const fateOf = (order: OrderInFlight) => ({ ...free(), share: order.purpose === 'protect' ? 0.3 : 1 });
  test.each([
    ['late', 2],
    ['refused', 1],
  ] as const)('that was %s is placed again within seconds only if it came too late', (kind, placed) => {
    let stops = 0;
    const bot = botStage(guarded, {
      fateOf: (order) => ({ ...free(), kind: order.purpose === 'protect' && stops++ === 0 ? kind : 'normal' }),
    });
    bot.walk([1000, 1000, 1000, 1000, 1000, 1000], { stepMs: 1000 });
    expect(bot.placed.filter(({ purpose }) => purpose === 'protect')).toHaveLength(placed);
  });
  test('that sold a part and then rests does not hold up a kill switch under which no time passes', () => {
    const bot = botStage(guarded, { fateOf });
    bot.walk([1000, 1000, 1000, 969]);
    expect([bot.state(), bot.context().resident?.cancelRequested, bot.context().exitReason]).toEqual(['exitPending', false, 'StopLoss']);
    bot.tell({ type: 'frozen', frozen: true });
    const { positionId } = bot.context();
    bot.tell({ type: 'exit', positionId, reason: 'KillSwitch' });
    expect(bot.context().resident?.cancelRequested).toBe(true);
    // Asked again and again, as a switch does: nothing is cancelled or sold twice.
    bot.tell({ type: 'exit', positionId, reason: 'KillSwitch' });
    expect(bot.cancelled).toHaveLength(1);
    bot.walk([940, 940], { from: START + 200_000 });
    expect(bot.kinds().at(-1)).toBe('Exit KillSwitch');
    const net = bot.traces.reduce((held, { kind, after }) => {
      if (kind === 'Buy') return add(held, decimal(String(after.quantity)));
      return kind === 'Sell' ? subtract(held, decimal(String(after.quantity))) : held;
    }, decimal('0'));
    expect(toText(net)).toBe('0');
  });
  test('that sold everything while a rebuy was on its way is not said to have been refused', () => {
    const order = { type: 'Limit' as const, offsetPct: '20', timeoutSec: 3600 };
    const bot = botStage(
      quiet({
        entry: { ...entry, order: { type: 'Market' } },
        rebuys: { levels: [{ dropPct: '1' }], minMinutesBetween: 0 },
        stopLoss: { mode: 'percent', pct: '3' },
        protectiveStop: { enabled: true, limitOffsetPct: '0.5' },
      }),
      { fateOf: free },
    );
    bot.walk([1000, 1000, 1000], { stepMs: 10_000 });
    const later = quiet({ ...bot.context().settings.config, entry: { ...entry, order } });
    bot.tell({ type: 'settings', config: later, version: 2, applyToOpen: true, at: START + 25_000 });
    bot.walk([985, 985], { from: START + 30_000, stepMs: 10_000 });
    expect([bot.state(), bot.context().resident?.stopPrice]).toEqual(['adding', '970']);
    bot.walk([969, 969, 969, 969], { from: START + 60_000, stepMs: 1000 });
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
    expect(bot.logs.map(({ code }) => code)).not.toContain('PROTECTIVE_STOP_REFUSED');
  });
  test('of which nobody knows whether it stands takes the rebuy beside it back', () => {
    const order = { type: 'Limit' as const, offsetPct: '2', timeoutSec: 3600 };
    const bot = botStage(
      quiet({
        entry: { ...entry, order },
        rebuys: { levels: [{ dropPct: '1' }], minMinutesBetween: 0 },
        stopLoss: { mode: 'percent', pct: '10' },
        protectiveStop: { enabled: true, limitOffsetPct: '0.5' },
      }),
      { fateOf: free },
    );
    bot.walk([1000, 979, 985, 985, 968], { stepMs: 10_000 });
    expect([bot.state(), bot.context().order?.purpose]).toEqual(['adding', 'rebuy']);
    bot.order({ type: 'lost', clientOrderId: bot.context().resident!.clientOrderId, code: 'VANISHED' });
    expect([bot.state(), bot.context().order?.cancelRequested]).toEqual(['needsAttention', true]);
    expect(bot.cancelled).toEqual([bot.context().order?.clientOrderId]);
  });
});

describe('new settings while a rebuy is on its way', () => {
  const limit = { ...entry, order: { type: 'Limit' as const, offsetPct: '1', timeoutSec: 3600 } };
  const ladder = { levels: [{ dropPct: '1' }, { dropPct: '2' }], minMinutesBetween: 0 };
  test.each([
    ['no ladder', { levels: [], minMinutesBetween: 0 }],
    ['a smaller one', { levels: [{ dropPct: '1', sizeMultiplier: '0.1' }], minMinutesBetween: 0 }],
  ])('%s: what the order may cost stays set aside until it has ended', (_, rebuys) => {
    const bot = botStage(quiet({ entry: limit, rebuys: ladder }), { fateOf: free });
    bot.walk([1000, 989, 989, 979], { stepMs: 10_000 });
    const { order } = bot.context();
    expect([bot.state(), order?.purpose]).toEqual(['adding', 'rebuy']);
    const cost = decimal(String(Number(order!.quantity) * Number(order!.price)));
    bot.tell({ type: 'settings', config: quiet({ entry: limit, rebuys }), version: 2, applyToOpen: true, at: START + 35_000 });
    expect(compare(decimal(bot.wallet.sums.reserved), cost)).toBeGreaterThanOrEqual(0);
    expect(bot.wallet.sums.reserved).toBe(bot.context().reserved);
    bot.walk([960, 960], { from: START + 40_000, stepMs: 1000 });
    expect([bot.state(), bot.wallet.sums.reserved, bot.context().rebuysDone]).toEqual(['open', '0', 1]);
  });
});

describe('pauses of one coin', () => {
  const protections = { lowProfitCoin: { minTrades: 1, minProfitPct: '50', lookbackHours: 24, pauseHours: 2 }, lossStreak: { count: 0 } };
  const sold = quiet({
    takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
    protections,
  });
  const HOUR = 3_600_000;
  const halted = (at: number, until: number) => ({ type: 'pauseCoin' as const, symbol: 'BTCUSDT', until, reason: 'halt', at });
  const pause = (bot: ReturnType<typeof botStage>) => bot.engine.inspect('BTCUSDT')!.gate.coinPause?.reason;
  test('a halt that is lifted does not lift what a protection says', () => {
    const bot = botStage(sold, { fateOf: free });
    bot.walk([1000, 1000, 1011, 1011]);
    expect(pause(bot)).toBe('lowProfitCoin');
    bot.tell(halted(START + 100_000, START + 30 * HOUR));
    expect(pause(bot)).toBe('halt');
    bot.tell(halted(START + 110_000, START + 110_000));
    expect(pause(bot)).toBe('lowProfitCoin');
  });
  test('a protection does not shorten a halt, and a restart loses neither', () => {
    const bot = botStage(sold, { fateOf: free });
    bot.walk([1000, 1000]);
    bot.tell(halted(START + 40_000, START + 30 * HOUR));
    bot.walk([1011, 1011], { from: START + 60_000 });
    bot.restart();
    bot.tick(1000, START + 3 * HOUR);
    expect([pause(bot), bot.kinds().filter((kind) => kind.startsWith('Entry')).length]).toEqual(['halt', 1]);
    expect(bot.ends).toMatchObject([{ scope: 'coin', reason: 'lowProfitCoin' }]);
  });
});

describe('an order whose pair left the exchange', () => {
  const limit = { ...entry, order: { type: 'Limit' as const, offsetPct: '1', timeoutSec: 3600 } };
  const ladder = { levels: [{ dropPct: '1' }, { dropPct: '2' }], minMinutesBetween: 0 };
  const lost = (clientOrderId: string, code = 'UNLISTED') => ({ type: 'lost' as const, clientOrderId, code });
  function rebuying() {
    const bot = botStage(quiet({ entry: limit, rebuys: ladder }), { fateOf: free });
    bot.walk([1000, 989, 989, 979], { stepMs: 10_000 });
    expect([bot.state(), bot.context().order?.purpose]).toEqual(['adding', 'rebuy']);
    return { bot, order: bot.context().order! };
  }
  test('needs its owner, says why, and gives back what was set aside; what is heard of it later is counted once', () => {
    const { bot, order } = rebuying();
    expect(Number(bot.wallet.sums.reserved)).toBeGreaterThan(0);
    const held = bot.context().quantity;
    bot.order(lost(order.clientOrderId));
    expect([bot.state(), bot.context().attention, bot.wallet.sums.reserved]).toEqual(['needsAttention', 'UNLISTED', '0']);
    expect(bot.logs.map(({ code }) => code)).toContain('PAIR_UNLISTED');
    expect(bot.context().quantity).toBe(held);
    bot.order(lost(order.clientOrderId));
    expect(bot.logs.filter(({ code }) => code === 'NEEDS_ATTENTION')).toHaveLength(1);
    const fill = {
      type: 'filled' as const,
      clientOrderId: order.clientOrderId,
      orderId: '9',
      tradeId: '900',
      price: order.price!,
      quantity: order.quantity,
      quoteQuantity: toText(multiply(decimal(order.price!), decimal(order.quantity))),
      fee: '0',
      feeAsset: 'USDT',
      feeInQuote: '0',
      at: START + 60_000,
    };
    bot.order(fill);
    bot.order(fill);
    expect(bot.context().quantity).toBe(toText(add(decimal(held), decimal(order.quantity))));
    expect([bot.wallet.sums.invested, bot.wallet.sums.reserved]).toEqual([bot.context().cost, '0']);
    expect(walletBalances(bot.wallet.sums)).toBe(true);
    // It is back: the order has ended, and its owner lets it go on, without the rest of the ladder.
    bot.order({ type: 'ended', clientOrderId: order.clientOrderId, status: 'FILLED', code: null, at: START + 60_000 });
    bot.tell({ type: 'resume', positionId: bot.context().positionId });
    bot.walk([950, 900], { from: START + 120_000 });
    expect([bot.state(), bot.wallet.sums.reserved, bot.placed.length]).toEqual(['open', '0', 2]);
  });
  test('sets nothing aside again when its settings change', () => {
    const { bot, order } = rebuying();
    bot.order(lost(order.clientOrderId));
    const config = { ...bot.context().settings.config, name: 'Renamed' };
    bot.tell({ type: 'settings', config, version: 2, applyToOpen: true, at: START + 60_000 });
    expect([bot.context().settings.configVersion, bot.wallet.sums.reserved]).toEqual([2, '0']);
    expect(walletBalances(bot.wallet.sums)).toBe(true);
  });
  test('that was unclear before is told of again', () => {
    const { bot, order } = rebuying();
    bot.order(lost(order.clientOrderId, 'VANISHED'));
    expect(Number(bot.wallet.sums.reserved)).toBeGreaterThan(0);
    bot.order(lost(order.clientOrderId));
    expect([bot.context().attention, bot.wallet.sums.reserved]).toEqual(['UNLISTED', '0']);
  });
});
