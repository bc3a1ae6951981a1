import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { type Fate, NORMAL } from '../../../testing/test-exchange.ts';
import { walletBalances } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfigInput } from '../config/auto-trade-config.ts';
import type { OrderInFlight } from '../position/position-state.ts';
import { replayTape } from './tape.ts';

// The account has less of the coin than the books: fees of other bots, a sale by hand, a transfer.

const entry = { ...botConfig().entry, trigger: { kind: 'immediate' as const }, trailing: { enabled: false }, maxSpreadPct: '5' };
const config = (over: Partial<AutoTradeConfigInput> = {}) =>
  botConfig({
    entry,
    stopLoss: { mode: 'percent', pct: '5' },
    trailingCost: { enabled: false },
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    cooldown: { afterWinMin: 600, afterLossMin: 600 },
    ...over,
  });
/** One coin is bought at 1000; `away` of it leaves the account. */
function bought(
  over: Partial<AutoTradeConfigInput>,
  away: string,
  fateOf: (order: OrderInFlight) => Fate = () => ({ ...NORMAL, feeAsset: 'none' }),
) {
  const bot = botStage(config({ entry: { ...entry, size: { mode: 'fixed', value: '1010' } }, ...over }), { fateOf });
  bot.walk([1000, 1000], { stepMs: 1000 });
  expect([bot.state(), bot.context().quantity]).toEqual(['open', '1.00998']);
  bot.exchanges.get('BTCUSDT')!.take(away);
  return bot;
}
type Bot = ReturnType<typeof bought>;
const walk = (bot: Bot, prices: readonly number[], from = START + 10_000) => bot.walk(prices, { from, stepMs: 1000 });
const sales = (bot: Bot) => bot.traces.filter(({ kind }) => kind === 'Sell').map(({ reason, after }) => [reason, after.quantity]);

test('a stop sells the part that is there, in whole lots, and books the difference at its cost', () => {
  const bot = bought({}, '0.00625999');
  walk(bot, [940, 940, 940, 940]);
  expect(sales(bot)).toEqual([
    ['SoldOutside', '0.00625999'],
    ['StopLoss', '1.00372'],
  ]);
  expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  const [outside, sold] = bot.traces.filter(({ kind }) => kind === 'Sell');
  expect(outside!.after).toMatchObject({ cost: '6.25999', realised: '0', free: '1.00372001', asset: 'BTC' });
  // 1.00372 were bought for 1003.72 and sold at 940, or thereabouts.
  expect(Number(sold!.after.realised)).toBeCloseTo(1.00372 * (940 - 1000), 0);
  const { sums } = bot.wallet;
  expect([walletBalances(sums), sums.invested, sums.reserved]).toEqual([true, '0', '0']);
  // The difference left the budget; nothing was lost or earned by it.
  expect(Number(sums.withdrawals)).toBeCloseTo(6.26, 1);
  expect(sums.realised).toBe(sold!.after.realised);
  expect(JSON.stringify(replayTape(bot.tape))).toBe(JSON.stringify(bot.traces));
});

test.each([
  ['nothing of it is there', '1.00998'],
  ['what is there is too little to sell', '1.00700'],
])('where %s the position is over, sold by others', (_, away) => {
  const bot = bought({}, away);
  walk(bot, [940, 940, 940]);
  expect(bot.kinds().slice(-2)).toEqual(['Sell SoldOutside', 'Exit SoldOutside']);
  expect([bot.wallet.sums.invested, bot.wallet.sums.realised, walletBalances(bot.wallet.sums)]).toEqual(['0', '0', true]);
  expect(bot.placed).toHaveLength(2);
});

test('what only a fallen price makes too little is not given up with a crumb of it', () => {
  const small = { entry: { ...entry, size: { mode: 'fixed' as const, value: '11' } }, stopLoss: { mode: 'none' as const } };
  const bot = botStage(config(small), { fateOf: () => ({ ...NORMAL, feeAsset: 'none' }) });
  bot.walk([1000, 1000], { stepMs: 1000 });
  bot.exchanges.get('BTCUSDT')!.take('0.0002');
  walk(bot, [460]);
  bot.tell({ type: 'exit', positionId: bot.context().positionId, reason: 'Manual' });
  walk(bot, [460, 460], START + 20_000);
  expect(bot.kinds().filter((kind) => kind.startsWith('Exit'))).toEqual(['Exit Manual']);
  expect(Number(bot.wallet.sums.realised)).toBeLessThan(-5);
});

test('an exit that may rest goes on resting, whatever is missing', () => {
  const exit = { order: { type: 'Limit' as const, offsetPct: '0.5', timeoutSec: 600, onTimeout: 'market' as const } };
  const bot = bought({ exit, takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] } }, '0.01');
  walk(bot, [1021, 1021]);
  expect(bot.placed.slice(1).map(({ type, quantity }) => [type, quantity])).toEqual([
    ['Limit', '1.00998'],
    ['Limit', '0.99998'],
  ]);
});

test('an exit that was offered again and sold nothing did not end the position', () => {
  const exit = { order: { type: 'Limit' as const, offsetPct: '1', timeoutSec: 5, onTimeout: 'reprice' as const, maxReprices: 1 } };
  const bot = bought({ exit, takeProfit: { levels: [{ gainPct: '2', sellPct: '100' }] } }, '0');
  for (let second = 0; second < 20 && bot.context().order?.cancelRequested !== true; second += 1)
    walk(bot, [1021], START + 10_000 + second * 1000);
  expect(bot.placed).toHaveLength(2);
  // Just before the order ends, and after: the next one finds nothing.
  bot.exchanges.get('BTCUSDT')!.take('2', 'with orders');
  walk(bot, [1021, 1021, 1021], START + 20_000);
  expect(bot.kinds().slice(-2)).toEqual(['Sell SoldOutside', 'Exit SoldOutside']);
  expect(bot.placed.map(({ reprices }) => reprices)).toEqual([0, 0, 1]);
});

test('a position that others sold ends no row of losses', () => {
  const lossy = {
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
    protections: { lossStreak: { count: 2, lookbackHours: 24, pauseHours: 1 } },
  };
  const bot = bought(lossy, '0');
  walk(bot, [940, 940, 940]);
  expect(bot.kinds().at(-1)).toBe('Buy Entry');
  bot.exchanges.get('BTCUSDT')!.take('9');
  walk(bot, [880, 880, 880, 880], START + 20_000);
  expect(bot.kinds()).toContain('Exit SoldOutside');
  expect(bot.engine.history).toHaveLength(1);
  walk(bot, [820, 820, 820], START + 40_000);
  expect(bot.notices.map(({ protection }) => protection)).toEqual(['lossStreak']);
});

describe('a share of the take profit', () => {
  const levels = [
    { gainPct: '2', sellPct: '50' },
    { gainPct: '10', sellPct: '50' },
  ];
  test('is made of what is there', () => {
    const bot = bought({ takeProfit: { levels } }, '0.70998');
    walk(bot, [1021, 1021, 1021, 1021]);
    expect(sales(bot)).toEqual([
      ['SoldOutside', '0.70998'],
      ['TakeProfit', '0.15'],
    ]);
    expect([bot.state(), bot.context().quantity]).toEqual(['open', '0.15']);
    walk(bot, [1101, 1101, 1101], START + 20_000);
    expect(bot.kinds().at(-1)).toBe('Exit TakeProfit');
  });
  test('keeps the protected cost', () => {
    const trailingCost = { enabled: true, armGainPct: '1', distancePct: '0.5', expiryMin: 600 };
    const bot = bought({ takeProfit: { levels }, trailingCost }, '0.70998');
    walk(bot, [1011, 1021, 1021]);
    expect([bot.state(), bot.context().line !== null]).toEqual(['reducing', true]);
    walk(bot, [1021, 1021], START + 20_000);
    expect(bot.state()).toBe('protected');
  });
});

test('the rest of an exit of which a part was sold', () => {
  const exit = { order: { type: 'Market' as const } };
  const shares = [0.4, 1, 1, 1];
  const bot = bought({ exit }, '0', ({ purpose }) => ({
    ...NORMAL,
    feeAsset: 'none',
    share: purpose === 'exit' ? shares.shift()! : 1,
  }));
  walk(bot, [940, 940]);
  bot.exchanges.get('BTCUSDT')!.take('0.3');
  walk(bot, [940, 939, 938, 937, 936, 935]);
  expect(bot.state()).toBe('watching');
  expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
});

describe('a stop that is to rest at the exchange', () => {
  const guarded = { protectiveStop: { enabled: true, limitOffsetPct: '0.5' } };
  const resting = (bot: Bot) => bot.context().resident?.quantity;
  test('stands for what is there', () => {
    const bot = botStage(config(guarded), { fateOf: () => ({ ...NORMAL, feeAsset: 'none' }) });
    bot.walk([1000], { stepMs: 1000 });
    bot.exchanges.get('BTCUSDT')!.trade('1000', START + 500);
    bot.exchanges.get('BTCUSDT')!.take('0.01');
    bot.drain();
    walk(bot, [1000, 1000, 1000, 1000]);
    expect(bot.kinds()).toContain('Sell SoldOutside');
    expect(resting(bot)).toBe(bot.context().quantity);
    walk(bot, [949, 944, 944, 944]);
    expect(bot.kinds().at(-1)).toBe('Exit StopLoss');
  });
  test('and that finds nothing ends the position, and is not cancelled', () => {
    const bot = botStage(config(guarded), { fateOf: () => ({ ...NORMAL, feeAsset: 'none' }) });
    bot.walk([1000], { stepMs: 1000 });
    bot.exchanges.get('BTCUSDT')!.trade('1000', START + 500);
    bot.exchanges.get('BTCUSDT')!.take('2');
    bot.drain();
    walk(bot, [1000, 1000, 1000]);
    expect([bot.kinds().at(-1), bot.cancelled]).toEqual(['Exit SoldOutside', []]);
  });
});
