import { expect, test } from 'vitest';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// The exchange takes a coin off its list while a server is at work: the market goes on knowing the pair until a restart.

const stage = botStageOfEachTest({ wallet: '5000' });
const { detail, enabled, until } = stage;

test.each([
  ['enters at once', BUYS_AT_ONCE.entry.trigger],
  ['looks for drops', { kind: 'drop', dropPct: '50', lookbackMin: 60 }],
])('a coin that left keeps none of the others from their exits: a bot that %s is changed', async (_, trigger) => {
  const both = { coins: { symbols: ['ETHUSDT', 'BTCUSDT'] }, maxOpenPositions: 2 };
  const bot = await enabled(both);
  const open = async () => (await detail(bot)).positions.filter(({ state }) => state === 'Open').length;
  await until('both being held', async () => (await open()) === 2);
  stage.simulator.faults.apply({ kind: 'symbol', symbol: 'ETHUSDT', status: 'DELISTED' });
  const body = { ...(await detail(bot)).config, coins: { symbols: ['BTCUSDT'] }, entry: { ...BUYS_AT_ONCE.entry, trigger } };
  const changed = await stage.user.call(`/bff/v2/auto-trades/${bot.id}?applyToOpen=true`, { method: 'PUT', body });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const { id } = (await detail(bot)).positions.find(({ symbol }) => symbol === 'BTCUSDT')!;
  const sell = () => stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await until('the sale being taken', async () => (await sell()).status === 200);
  await stage.untilStory(bot, 'Exit Manual');
  expect((await detail(bot)).positions.find(({ symbol }) => symbol === 'ETHUSDT')).toMatchObject({ state: 'Open', attention: null });
});
