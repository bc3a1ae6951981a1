import type { AutoTrade, AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

// The exchange refuses every order of a coin for this account: a few are sent, its owner is told why, and the coin rests.

const stage = botStageOfEachTest({
  wallet: '5000',
  config: { coins: { symbols: ['BTCUSDT', 'ETHUSDT'] }, maxOpenPositions: 2, cooldown: { afterWinMin: 0, afterLossMin: 0 } },
  tapes: true,
});
const { ask, detail, enabled, get, traces, until } = stage;

const NOT_PERMITTED = 'This symbol is not permitted for this account.';
const MOST = 1000;
const refuse = () =>
  stage.simulator.faults.apply({
    kind: 'request',
    method: 'POST',
    path: '/api/v3/order',
    symbol: 'BTCUSDT',
    times: MOST,
    status: 400,
    code: -2010,
    msg: NOT_PERMITTED,
  });
/** How many orders of the coin the exchange has refused. */
async function refusals(): Promise<number> {
  const waiting = await stage.time.during(fetch(`${stage.simulator.origin}/sim/v1/faults`).then((answer) => answer.json()));
  return MOST - (waiting as { requests: { times: number }[] }).requests[0]!.times;
}
const pauses = async (bot: AutoTrade) => (await detail(bot)).coinPauses;
const notices = async () => (await get<{ items: Notification[] }>('/bff/v2/notifications')).items;

test('a coin that is refused rests after three orders and three notifications, in the words of the exchange, until its owner enables the bot again', async () => {
  refuse();
  const bot = await enabled();
  for (let minute = 0; minute < 30; minute += 1) await stage.pass(60_000);
  expect(await refusals()).toBe(3);
  const [pause] = await pauses(bot);
  expect(pause).toMatchObject({ symbol: 'BTCUSDT', reason: 'refused', detail: NOT_PERMITTED });
  const told = (await notices()).filter(({ facts }) => facts.symbol === 'BTCUSDT').reverse();
  expect(told.map(({ code }) => code)).toEqual(['bot-entry', 'bot-entry-refused', 'bot-coin-paused']);
  expect(told.slice(1).every(({ text }) => text.includes(NOT_PERMITTED))).toBe(true);
  const { evaluations, positions } = await detail(bot);
  expect(evaluations.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({
    stoppedBy: 'coin-not-paused',
    waitsFor: { code: 'refused', detail: NOT_PERMITTED, at: pause!.until },
  });
  expect(positions.filter(({ symbol, state }) => symbol === 'ETHUSDT' && state === 'Open')).toHaveLength(1);
  const logs = (await get<{ items: AutoTradeLog[] }>(`/bff/v2/auto-trades/${bot.id}/logs`)).items;
  expect(logs.filter(({ code }) => code === 'ENTRIES_REFUSED')).toMatchObject([{ facts: { code: '-2010', detail: NOT_PERMITTED } }]);

  const run = await traces(bot);
  expect((await ask(bot, 'disable')).status).toBe(200);
  expect((await ask(bot, 'enable')).status).toBe(200);
  expect(await pauses(bot)).toEqual([]);
  stage.simulator.faults.clear();
  await until('the purchase', async () =>
    (await detail(bot)).positions.some(({ symbol, state }) => symbol === 'BTCUSDT' && state === 'Open'),
  );
  const rows = JSON.parse(JSON.stringify(stage.replayed(bot))) as { after: object }[];
  expect(rows.slice(0, run.length).map(({ after }) => after)).toEqual(run.map(({ after }) => after));
});

test('a start of the server and new settings of another kind: the first keeps the pause, the second ends it', async () => {
  refuse();
  const bot = await enabled({ coins: { symbols: ['BTCUSDT'] } });
  await until('the pause', async () => (await pauses(bot)).length > 0);
  const before = await pauses(bot);
  expect(await get('/bff/v2/auto-trades/figures')).toMatchObject([{ next: { waitsFor: { code: 'refused', detail: NOT_PERMITTED } } }]);
  await stage.server.restart();
  await until('the bot at work', async () => (await detail(bot)).evaluations.length > 0);
  await stage.pass(3 * 60_000);
  expect([await pauses(bot), await refusals()]).toEqual([before, 3]);
  const { status } = await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, {
    method: 'PUT',
    body: stage.settings({ coins: { symbols: ['BTCUSDT'] }, takeProfit: { levels: [{ gainPct: '40', sellPct: '100' }] } }),
  });
  expect(status).toBe(200);
  await until('one more order', async () => (await refusals()) > 3);
});
