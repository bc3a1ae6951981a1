import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

// The exchange pauses trading of a coin while a bot is at work, and takes it up again: nobody has to lend a hand.

const stage = botStageOfEachTest({ wallet: '5000' });
const { detail, enabled, isIn, story, until } = stage;

const setStatus = (status: 'TRADING' | 'BREAK') => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status });

test('a coin that pauses is waited for, and bought once it trades again', async () => {
  setStatus('BREAK');
  const bot = await enabled();
  await until('its watching the coin', async () => (await detail(bot)).evaluations.some(({ state }) => state === 'Watching'));
  for (let minute = 0; minute < 3; minute += 1) await stage.simulator.clock.advance(60_000);
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
