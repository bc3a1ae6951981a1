import type { AutoTrade, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { digits } from '@pilotfish/core/money/figure';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';
import { BEGIN, flat, line, MINUTE } from './path-market.ts';

// A coin is redenominated under its own ticker: trading halts, 1 old coin becomes 100 new ones, and trading goes on at a
// hundredth of the price. The owner of a bot is asked what it was; nothing is sold before that.

const [OLD, NEW] = [60_000, 600];
/** When trading goes on, and when the price falls to the stop; minutes of the market. */
const [RESUMES, FALLS] = [31, 96];
const closes = [...flat(OLD, 26), ...flat(NEW, FALLS - 26), ...line(NEW, 560, 4), ...flat(560, 30)];
const stage = botStageOfEachTest({
  wallet: '5000',
  path: { closes, quiet: 20 },
  tapes: true,
  config: { stopLoss: { mode: 'percent', pct: '5' }, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
});
const { ask, detail, enabled, get, isIn, pass, replayed, story, until } = stage;

const setStatus = (status: 'TRADING' | 'BREAK') => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status });
const positionOf = async (bot: AutoTrade) => (await detail(bot)).positions[0]!;
const jumpsTold = async () =>
  (await get<{ items: { code: string }[] }>('/bff/v2/notifications')).items.filter(({ code }) => code === 'bot-price-jump').length;

/** The exchange gives new coins for old ones: a hundred for each. */
async function redenominate(quantity: string): Promise<void> {
  const body = JSON.stringify({ apiKey: stage.keys.apiKey, asset: 'BTC', amount: (Number(quantity) * 99).toFixed(8) });
  const { status } = await stage.time.during(fetch(`${stage.simulator.origin}/sim/v1/deposits`, { method: 'POST', body }));
  expect(status).toBe(200);
}
const minute = () => Math.floor((stage.simulator.clock.now() - BEGIN) / MINUTE);

test('nothing is sold over the jump; the owner is told each hour, carries the position over, and its stop sells at the right level', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  const held = await positionOf(bot);
  const carryOver = <Body = AutoTradePosition>(factor: string) => ask<Body>(bot, `positions/${held.id}/carry-over`, { factor });
  expect(await carryOver<{ code: string }>('100')).toMatchObject({ status: 409, body: { code: 'no-jump' } });
  setStatus('BREAK');
  await redenominate(digits(held.quantity));
  while (minute() < RESUMES) await pass(MINUTE);
  setStatus('TRADING');
  await until('its being asked', isIn(bot, 'NeedsAttention'));
  expect(await positionOf(bot)).toMatchObject({
    attention: 'PRICE_JUMP',
    allowed: expect.arrayContaining(['resume', 'carryOver', 'sell', 'detach']),
    jump: { before: String(OLD), price: String(NEW), factor: '100' },
  });
  // Which unit a price would be of is not known yet; what is said is not that nothing is held.
  for (const [what, body] of [
    ['target-price', { targetPrice: '700' }],
    ['levels', { stop: '590' }],
  ] as const) {
    const path = `/bff/v2/auto-trades/${bot.id}/positions/${held.id}/${what}`;
    const refused = await stage.user.call<{ code: string; detail: string }>(path, { method: 'PATCH', body });
    expect(refused).toMatchObject({ status: 409, body: { code: 'not-ready', detail: expect.stringMatching(/^The price jumped/) } });
  }
  await until('the notification', async () => (await jumpsTold()) === 1, 0);
  // Enabling the bot says nothing of what it was.
  expect((await ask(bot, 'enable')).status).toBe(200);
  await pass(59 * MINUTE);
  expect(await jumpsTold()).toBe(1);
  await pass(3 * MINUTE);
  await until('its being told again', async () => (await jumpsTold()) === 2, 0);
  expect(await story(bot)).toEqual(['Entry Immediate', 'Buy Entry']);

  const ofAccount = async () => (await get<{ items: OpenPosition[] }>('/bff/v2/positions/open')).items[0]!;
  const before = await ofAccount();
  expect(before.broken.map(({ code }) => code)).toContain('MISSING_COST');
  expect(await carryOver<{ code: string }>('0')).toMatchObject({ status: 400 });
  expect((await carryOver('100')).body).toMatchObject({ state: 'Open', attention: null, invested: held.invested, jump: null });
  const carried = await positionOf(bot);
  expect(Number(carried.quantity)).toBeCloseTo(Number(held.quantity) * 100, 8);
  expect(Number(carried.averageCost)).toBeCloseTo(Number(held.averageCost) / 100, 4);
  // The account's own position has followed: the new coins are no deposit of unknown cost.
  const after = await ofAccount();
  expect([after.quantity, after.cost, after.broken]).toEqual([before.quantity, before.cost, []]);
  while (minute() < FALLS) await pass(MINUTE);
  expect(await story(bot)).toEqual(['Entry Immediate', 'Buy Entry']);
  await until('the stop', async () => (await story(bot)).includes('Exit StopLoss'));
  const loss = Number((await detail(bot)).realised);
  expect(loss).toBeLessThan(-40);
  expect(loss).toBeGreaterThan(-80);
  expect(replayed(bot).map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(await story(bot));
}, 120_000);
