/** @module-tag smoke */
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const stage = botStageOfEachTest({
  wallet: '5000',
  config: {
    entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' }, maxSpreadPct: '5' },
  },
});
const { ask, enabled, until } = stage;

const holding = async (over: Readonly<Record<string, unknown>>): Promise<AutoTrade> => {
  const bot = await enabled(over);
  await ask(bot, 'enter', { symbol: 'BTCUSDT' });
  await until('an open position', stage.isIn(bot, 'Open'));
  return bot;
};
const told = async () =>
  (await stage.get<{ items: { code: string; text: string }[] }>('/bff/v2/notifications')).items.filter(({ code }) =>
    code.startsWith('server-was-down'),
  );
/** The machine is off for so long; what runs at the exchange goes on meanwhile. */
const off = (ms: number, meanwhile: () => Promise<void> = async () => undefined) =>
  stage.server.restart(async () => {
    await meanwhile();
    stage.time.setWall(stage.time.now() + ms);
  });

test('after hours without the server its owners are told how long, what was executed, and what has no stop', async () => {
  const naked = await holding({ name: 'Naked' });
  const guarded = await holding({
    name: 'Guarded',
    stopLoss: { mode: 'percent', pct: '5' },
    protectiveStop: { enabled: true, limitOffsetPct: '1' },
  });
  await until('the stop at the exchange', async () => (await stage.detail(guarded)).positions[0]?.lines.protectiveStop !== null);
  await stage.pass(2 * MINUTE);
  await off(3 * HOUR);
  await until('the word of it', async () => (await told()).length > 0);
  const [notice] = await told();
  expect(notice?.code).toBe('server-was-down-exposed');
  expect(notice?.text).toMatch(/^From 15 Jan 2026 \d\d:\d\d to 15 Jan 2026 \d\d:\d\d your bots neither bought nor sold\./);
  expect(notice?.text).toContain('Orders filled meanwhile: 0. Of 2 open positions, 1 have no stop at the exchange: BTCUSDT (Naked).');
  // Once for each time that it did not run, however often it is started then.
  await stage.pass(2 * MINUTE);
  await off(MINUTE);
  await stage.pass(2 * MINUTE);
  expect(await told()).toHaveLength(1);
  expect((await stage.detail(naked)).state).toBe('Running');
});

test('what is executed meanwhile is counted, and a server that dies before it has told tells it the next time', async () => {
  const bot = await enabled({
    entry: {
      size: { mode: 'fixed', value: '1000' },
      trigger: { kind: 'manual' },
      order: { type: 'Limit', offsetPct: '0.1', timeoutSec: 3600, onTimeout: 'cancel', maxReprices: 0, maxSlippagePct: '0.5' },
      maxSpreadPct: '5',
    },
  });
  await ask(bot, 'enter', { symbol: 'BTCUSDT' });
  await until('the resting order', async () => (await stage.ordersAtExchange()).length === 1, 0);
  await off(10 * MINUTE, async () => {
    for (let minute = 0; minute < 600 && (await stage.ordersAtExchange())[0]?.status !== 'FILLED'; minute += 1) {
      await stage.simulator.clock.advance(MINUTE);
      stage.time.setWall(stage.time.now() + MINUTE);
    }
  });
  await off(2 * MINUTE);
  await until('the word of it', async () => (await told()).length > 0);
  expect((await told())[0]?.text).toContain('Orders filled meanwhile: 1. Of 1 open positions, 1 have no stop');
});

test('nobody hears of a restart, nor who has nothing at work', async () => {
  const bot = await holding({});
  await off(4 * MINUTE);
  await stage.pass(2 * MINUTE);
  expect(await told()).toEqual([]);
  const { id } = (await stage.detail(bot)).positions[0]!;
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await until('the exit', async () => (await stage.kinds(bot)).includes('Exit'));
  await ask(bot, 'disable', { exits: 'continue' });
  await off(HOUR);
  await stage.pass(3 * MINUTE);
  expect(await told()).toEqual([]);
});
