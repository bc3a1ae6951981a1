import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

// The exchange lists pairs that this account may not trade: they are not bought, and no order of them leaves.

/** Paths that are asked of the exchange. */
let asked: string[];
beforeEach(() => {
  asked = [];
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    asked.push(`${init?.method ?? 'GET'} ${new URL(input instanceof Request ? input.url : input).pathname}`);
    return fetch(input, init);
  });
});
afterEach(() => void vi.restoreAllMocks());

const stage = botStageOfEachTest({ wallet: '5000', config: { coins: { symbols: ['BTCUSDT', 'ETHUSDT'] }, maxOpenPositions: 2 } });
const { ask, detail, enabled, story, until } = stage;

/** The server reads the pairs every quarter of an hour, and its bots look at them once a minute. */
async function setPermissions(permissionSets: string[][]): Promise<void> {
  stage.simulator.faults.apply({ kind: 'row', symbol: 'BTCUSDT', fields: { permissionSets } });
  await stage.time.advance(15 * 60_000);
  await stage.pass(65_000);
}

test('a pair that needs another permission is left out of what a bot buys, with its reason, and bought once it needs it no more', async () => {
  const bot = await enabled({ entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' } } });
  await until('the bot at work', async () => (await detail(bot)).evaluations.length === 2);
  await setPermissions([['SPOT'], ['TRD_GRP_004']]);
  const { evaluations } = await detail(bot);
  expect(evaluations.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({
    stoppedBy: 'coin-permitted',
    waitsFor: { code: 'permission' },
  });
  expect(evaluations.find(({ symbol }) => symbol === 'ETHUSDT')?.stoppedBy).not.toBe('coin-permitted');

  const byHand = await ask<{ entered: boolean; evaluation: { stoppedBy: string } }>(bot, 'enter', { symbol: 'BTCUSDT' });
  expect(byHand.body).toMatchObject({ entered: false, evaluation: { stoppedBy: 'coin-permitted' } });
  expect(await stage.ordersAtExchange()).toEqual([]);

  const { body } = await stage.user.call<{ errors: object[] }>('/bff/v2/auto-trades?validateOnly=true', {
    body: stage.settings({ name: 'Other' }),
  });
  expect(body.errors).toMatchObject([{ path: 'coins.symbols.0', code: 'SYMBOL_NOT_PERMITTED', actual: 'BTCUSDT' }]);

  await setPermissions([['SPOT', 'TRD_GRP_004']]);
  expect((await ask(bot, 'enter', { symbol: 'BTCUSDT' })).body).toMatchObject({ entered: true });
  await until('the purchase', async () => (await story(bot)).some((line) => line.startsWith('Buy')));
});

test('a refused order has asked at once what the account may trade and what the pair needs', async () => {
  const bot = await enabled({ entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' } } });
  await until('the bot at work', async () => (await detail(bot)).evaluations.length === 2);
  await stage.pass(30_000);
  stage.simulator.faults.apply({ kind: 'row', symbol: 'BTCUSDT', fields: { permissionSets: [['SPOT'], ['TRD_GRP_004']] } });
  asked.length = 0;
  expect((await ask(bot, 'enter', { symbol: 'BTCUSDT' })).body).toMatchObject({ entered: true });
  await stage.time.settled();
  const after = asked.slice(asked.indexOf('POST /api/v3/order') + 1);
  expect(after).toEqual(expect.arrayContaining(['GET /api/v3/account', 'GET /api/v3/exchangeInfo']));
  await stage.pass(65_000);
  expect((await detail(bot)).evaluations.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({ stoppedBy: 'coin-permitted' });
});
