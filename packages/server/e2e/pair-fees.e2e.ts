import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail, EffectiveLadder } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { FieldError } from '@pilotfish/core/http/problem';
import { describe, expect, test } from 'vitest';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';
import { flat } from './path-market.ts';

// USDCUSDT costs nothing, BTCUSDT a thousandth: each coin of a bot is judged by its own fee, whatever their order.

const stage = botStageOfEachTest({
  path: { closes: flat(100_000, 600), quiet: 30, beside: { USDCUSDT: flat(1, 600) } },
  balances: { USDT: '20000' },
  wallet: '10000',
  config: { maxOpenPositions: 2, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
  tapes: true,
});
const { settings, enabled, detail, until } = stage;

type Checked = { readonly valid: boolean; readonly errors: readonly FieldError[]; readonly ladder: EffectiveLadder };
const check = async (symbols: readonly string[], over: Readonly<Record<string, unknown>> = {}): Promise<Checked> =>
  (await stage.user.call<Checked>('/bff/v2/auto-trades?validateOnly=true', { body: settings({ coins: { symbols }, ...over }) })).body;
const CLOSE_LINE = { trailingCost: { enabled: true, armGainPct: '0.15', distancePct: '0.1' } };

/** The price of a held coin and where it breaks even, by coin. */
const breakEvens = ({ positions }: AutoTradeDetail) =>
  Object.fromEntries(positions.map(({ symbol, averageCost, breakEven }) => [symbol, [Number(averageCost), Number(breakEven)]]));
const bothOpen = (bot: AutoTrade) => async () => (await detail(bot)).positions.filter(({ state }) => state === 'Open').length === 2;

describe.each([[['USDCUSDT', 'BTCUSDT']], [['BTCUSDT', 'USDCUSDT']]])('coins in the order %j', (symbols) => {
  test('settings are refused for the coin that they lose with, and named after it', async () => {
    expect((await check(['USDCUSDT'], CLOSE_LINE)).errors).toEqual([]);
    const { valid, errors } = await check(symbols, CLOSE_LINE);
    expect([valid, errors.map(({ code }) => code)]).toEqual([false, ['LINE_BELOW_COST']]);
    expect(errors[0]?.message).toContain('BTCUSDT');
    const created = await stage.user.call('/bff/v2/auto-trades', { body: settings({ coins: { symbols }, ...CLOSE_LINE }) });
    expect(created.status).toBe(422);
  });

  test('the preview plans exits above the cost of each coin with its own fee', async () => {
    const { ladder } = await check(symbols, { takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] } });
    const prices = Object.fromEntries(ladder.exits.map(({ symbol, price }) => [symbol, price]));
    expect(prices).toEqual({ USDCUSDT: '1.01', BTCUSDT: '101101' });
  });

  test('what is held breaks even by the fee of its pair, also after a restart', async () => {
    const bot = await enabled({ coins: { symbols } });
    await until('both positions being open', bothOpen(bot));
    const expectOwn = async () => {
      const { USDCUSDT, BTCUSDT } = breakEvens(await detail(bot));
      expect(USDCUSDT![1]! / USDCUSDT![0]!).toBeCloseTo(1, 8);
      expect(BTCUSDT![1]! / BTCUSDT![0]!).toBeCloseTo(1 / 0.999, 6);
    };
    await expectOwn();
    await stage.server.restart();
    await until('the bot being at work', async () => (await detail(bot)).evaluations.length === 2, 0);
    await expectOwn();
    const lines = readFileSync(join(stage.server.dataDir, 'tapes', `${bot.id}.jsonl`), 'utf8')
      .split('\n')
      .slice(0, -1);
    const told = lines.flatMap((line) => {
      const record = JSON.parse(line) as TapeRecord;
      return record.type === 'activated' ? [record.takerFees] : [];
    });
    // Nothing has to be asked for a start: the last known fees are on disk.
    expect(told).toEqual(told.map(() => ({ USDCUSDT: '0', BTCUSDT: '0.001' })));
    expect(told.length).toBeGreaterThan(1);
  });
});

test('a bot from before each pair had its own fee learns those of its coins when it is put to work', async () => {
  const bot = await stage.create({ coins: { symbols: [...BUYS_AT_ONCE.coins.symbols, 'USDCUSDT'] } });
  const { queries } = stage.server.context.database;
  await queries.updateTable('auto_trades').set({ taker_fees: '{}' }).where('id', '=', bot.id).execute();
  await stage.server.restart();
  expect((await stage.ask(bot, 'enable')).status).toBe(200);
  const stored = await stage.server.context.database.queries.selectFrom('auto_trades').select('taker_fees').executeTakeFirstOrThrow();
  expect(JSON.parse(stored.taker_fees)).toEqual({ BTCUSDT: '0.001', USDCUSDT: '0' });
});
