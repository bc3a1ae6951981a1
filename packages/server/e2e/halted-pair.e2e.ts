import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

// The exchange pauses trading of a coin while a bot is at work, and takes it up again: nobody has to lend a hand.

const stage = botStageOfEachTest({ wallet: '5000' });
const { ask, detail, enabled, get, isIn, story, until } = stage;

const setStatus = (status: 'TRADING' | 'BREAK') => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status });

test('a coin that pauses is waited for, and bought once it trades again', async () => {
  setStatus('BREAK');
  const bot = await enabled();
  await until('its watching the coin', async () => (await detail(bot)).evaluations.some(({ state }) => state === 'Watching'));
  for (let minute = 0; minute < 3; minute += 1) await stage.pass(60_000);
  await until('its being told that the coin pauses', async () => (await detail(bot)).evaluations[0]?.stoppedBy === 'coin-trading');
  expect(await detail(bot)).toMatchObject({
    state: 'Running',
    positions: [],
    evaluations: [{ symbol: 'BTCUSDT', state: 'Watching', waitsFor: { code: 'trading' } }],
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

test('what is held when the trading pauses stays held: a sale by hand is refused with its reason, and made once it trades again', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  const [held] = (await detail(bot)).positions;
  setStatus('BREAK');
  const sell = () => ask(bot, `positions/${held!.id}/sell`);
  expect((await sell()).status).toBe(200);
  const logs = async () => (await get<{ items: AutoTradeLog[] }>(`/bff/v2/auto-trades/${bot.id}/logs`)).items;
  await until('the refusal', async () => (await logs()).some(({ code }) => code === 'ORDER_REFUSED'), 0);
  await until('its being held on', isIn(bot, 'Open'), 0);
  expect((await detail(bot)).positions).toMatchObject([{ quantity: held!.quantity, attention: null }]);
  setStatus('TRADING');
  expect((await sell()).status).toBe(200);
  await until('the sale', async () => (await story(bot)).includes('Exit Manual'));
});
