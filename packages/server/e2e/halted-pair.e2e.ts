import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// The exchange pauses trading of a coin while a bot is at work, and takes it up again: nobody has to lend a hand.

const stage = botStageOfEachTest({ wallet: '5000' });
const { ask, detail, enabled, get, isIn, story, until } = stage;

const setStatus = (status: 'TRADING' | 'BREAK' | 'END_OF_DAY' | 'CANCEL_ONLY') =>
  stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status });
/** Whatever the exchange calls it: none of them takes an order. */
const STANDSTILLS = ['BREAK', 'END_OF_DAY', 'CANCEL_ONLY'] as const;

test.each(STANDSTILLS)('a coin in %s is waited for, and bought once it trades again', async (status) => {
  setStatus(status);
  const bot = await enabled();
  await until('its watching the coin', async () => (await detail(bot)).evaluations.some(({ state }) => state === 'Watching'));
  for (let minute = 0; minute < 3; minute += 1) await stage.pass(60_000);
  await until('its being told that the coin pauses', async () => (await detail(bot)).evaluations[0]?.stoppedBy === 'coin-trading');
  expect(await detail(bot)).toMatchObject({
    state: 'Running',
    positions: [],
    evaluations: [
      {
        symbol: 'BTCUSDT',
        state: 'Watching',
        waitsFor: { code: 'trading' },
        rules: expect.arrayContaining([{ rule: 'coin-trading', observed: status, limit: null, pass: false }]) as unknown,
      },
    ],
  });
  expect(await story(bot)).toEqual([]);
  setStatus('TRADING');
  await until('the purchase', isIn(bot, 'Open'));
  expect((await detail(bot)).positions).toMatchObject([{ attention: null }]);
  await until(
    'nothing to be told of a pause',
    async () => (await detail(bot)).evaluations[0]?.rules.every(({ rule }) => rule !== 'coin-trading') === true,
  );
});

test.each(STANDSTILLS)(
  'what is held in %s stays held: a sale by hand is refused with its reason, and made once it trades again',
  async (status) => {
    const bot = await enabled();
    await until('the purchase', isIn(bot, 'Open'));
    const [held] = (await detail(bot)).positions;
    setStatus(status);
    const sell = () => ask(bot, `positions/${held!.id}/sell`);
    expect((await sell()).status).toBe(200);
    const logs = async () => (await get<{ items: AutoTradeLog[] }>(`/bff/v2/auto-trades/${bot.id}/logs`)).items;
    await until('the refusal', async () => (await logs()).some(({ code }) => code === 'ORDER_REFUSED'), 0);
    await until('its being held on', isIn(bot, 'Open'), 0);
    expect((await detail(bot)).positions).toMatchObject([{ quantity: held!.quantity, attention: null }]);
    setStatus('TRADING');
    expect((await sell()).status).toBe(200);
    await until('the sale', async () => (await story(bot)).includes('Exit Manual'));
  },
);

test('an order that waits when only cancels are taken is cancelled, and nothing of it counts', async () => {
  const waits = { type: 'Limit', offsetPct: '0.1', timeoutSec: 36_000, onTimeout: 'cancel' };
  const bot = await enabled({ entry: { ...BUYS_AT_ONCE.entry, order: waits } });
  const resting = async () => (await stage.openOrders()).length;
  await until('its order resting', async () => (await resting()) === 1);
  setStatus('CANCEL_ONLY');
  expect((await ask(bot, 'disable')).status).toBe(200);
  await until('its being cancelled', async () => (await resting()) === 0);
  expect((await stage.ordersAtExchange()).map(({ status, executedQty }) => [status, Number(executedQty)])).toEqual([['CANCELED', 0]]);
  await until('its money being free again', async () => (await stage.walletNow()).free === '5000');
});
