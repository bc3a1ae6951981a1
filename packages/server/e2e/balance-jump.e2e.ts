import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';
import { BEGIN, flat, MINUTE } from './path-market.ts';

// A coin is redenominated 1 : 2 while its trading is halted. Half the price could be a fall; the balance says that it is none.

const RESUMES = 34;
const stage = botStageOfEachTest({
  wallet: '5000',
  path: { closes: [...flat(60_000, 28), ...flat(30_000, 60)], quiet: 20 },
  tapes: true,
  config: { stopLoss: { mode: 'percent', pct: '5' }, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
});
const { ask, detail, enabled, get, isIn, pass, replayed, story, until } = stage;

const setStatus = (status: 'TRADING' | 'BREAK') => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'BTCUSDT', status });

test('what the account holds after the halt is asked before its stop sells, and the owner carries the position over', async () => {
  const bot = await enabled();
  await until('the purchase', isIn(bot, 'Open'));
  const held = (await detail(bot)).positions[0]!;
  setStatus('BREAK');
  await until('its being known that the coin does not trade', async () => (await detail(bot)).evaluations[0]?.waitsFor?.code === 'trading');
  // Its balance is remembered at the next look.
  await pass(MINUTE);
  stage.simulator.faults.apply({ kind: 'redenomination', asset: 'BTC', factor: '2' });
  while (stage.simulator.clock.now() < BEGIN + RESUMES * MINUTE) await pass(MINUTE);
  setStatus('TRADING');
  await until('its being asked', isIn(bot, 'NeedsAttention'));
  expect((await detail(bot)).positions).toMatchObject([
    { attention: 'BALANCE_JUMP', jump: { before: '60000', price: '30000', factor: '2' } },
  ]);
  await until(
    'the notification',
    async () => (await get<{ items: { code: string }[] }>('/bff/v2/notifications')).items.some(({ code }) => code === 'bot-balance-jump'),
    0,
  );
  expect((await ask(bot, `positions/${held.id}/carry-over`, { factor: '2' })).status).toBe(200);
  await pass(2 * MINUTE);
  const [carried] = (await detail(bot)).positions;
  expect(carried).toMatchObject({ state: 'Open', attention: null, invested: held.invested });
  expect(Number(carried?.quantity)).toBeCloseTo(Number(held.quantity) * 2, 8);
  expect(await story(bot)).toEqual(['Entry Immediate', 'Buy Entry']);
  expect(replayed(bot).map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(await story(bot));
}, 120_000);
