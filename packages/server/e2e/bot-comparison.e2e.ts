import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Comparison } from '@pilotfish/core/comparison/comparison-contract';
import { decimal, subtract, sum, toText } from '@pilotfish/core/money/decimal';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

const stage = botStageOfEachTest({ wallet: '5000' });
const compared = (bot: AutoTrade, against = '') => stage.get<Comparison>(`/bff/v2/auto-trades/${bot.id}/comparison${against}`);

test('a live bot beside its twin on paper: what each did, where the difference comes from, and which settings differ', async () => {
  const real = await stage.create({ name: 'Real' });
  expect(await compared(real)).toMatchObject({ real: { name: 'Real', mode: 'live' }, other: null, candidates: [], comparison: null });

  const paper = (
    await stage.user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Paper', mode: 'paper', currency: 'USDT', initialBalance: '5000' } })
  ).body;
  const twin = await stage.create({ name: 'Twin', walletId: paper.id });
  const bold = await stage.create({ name: 'Bold', walletId: paper.id, takeProfit: { levels: [{ gainPct: '40', sellPct: '100' }] } });
  for (const bot of [real, twin]) expect((await stage.ask(bot, 'enable')).status).toBe(200);
  for (const bot of [real, twin]) await stage.until('it has bought', stage.isIn(bot, 'Open'));
  expect((await compared(real)).comparison).toMatchObject({ open: 1, positions: [{ symbol: 'BTCUSDT', gap: null, reasons: ['open'] }] });

  // The live one is sold by a person a while before the other.
  for (const bot of [real, twin]) {
    expect((await stage.ask(bot, 'disable')).status).toBe(200);
    const [position] = (await stage.detail(bot)).positions;
    expect((await stage.ask(bot, `positions/${position!.id}/sell`)).status).toBe(200);
    await stage.until('it has sold', stage.isIn(bot, 'Closed'));
    await stage.pass(30_000);
  }
  const found = await compared(real);
  expect(found).toMatchObject({
    currency: 'USDT',
    real: { id: real.id, mode: 'live' },
    other: { id: twin.id, mode: 'paper', differs: [] },
    candidates: [{ name: 'Twin' }, { name: 'Bold', differs: ['takeProfit.levels'] }],
    comparison: { open: 0, positions: [{ real: { exitReason: 'Manual', buys: 1 }, other: { exitReason: 'Manual', buys: 1 } }] },
  });
  const { real: happened, other, gap, positions } = found.comparison!;
  // What both really came to, by the bots' own account.
  for (const [bot, sums] of [
    [real, happened],
    [twin, other],
  ] as const)
    expect(sums.result).toBe((await stage.get<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`)).realised);
  const { total, ...parts } = gap;
  expect(toText(sum(Object.values(parts).map((part) => decimal(part))))).toBe(total);
  expect(total).toBe(toText(subtract(decimal(other.result), decimal(happened.result))));
  expect(total).not.toBe('0');
  expect(positions[0]?.reasons).toContain('byHand');

  // Whichever of the two is asked about, what happened is what the live one did.
  expect(await compared(twin)).toMatchObject({ real: { id: real.id }, other: { id: twin.id }, comparison: found.comparison });
  expect(await compared(real, `?against=${bold.id}`)).toMatchObject({
    other: { name: 'Bold', differs: ['takeProfit.levels'] },
    comparison: { other: { positions: 0 }, positions: [{ other: null, reasons: ['disabled'] }] },
  });
  // A bot of somebody else is none to compare with, nor is the bot itself.
  const stranger = await stage.server.register();
  const path = `/bff/v2/auto-trades/${real.id}/comparison`;
  expect((await stranger.call(path)).status).toBe(404);
  for (const against of [real.id, real.walletId]) expect((await stage.user.call(`${path}?against=${against}`)).status).toBe(404);
  expect((await stage.user.call(`${path}?against=twin`)).status).toBe(400);
});
