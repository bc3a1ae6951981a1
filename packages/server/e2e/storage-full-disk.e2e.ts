import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';
import { mountSmallDisk } from './small-disk.ts';

const disk = process.env.PILOTFISH_TEST_DIALECT === 'postgres' ? undefined : mountSmallDisk(80);
if (!disk) console.warn('No disk of its own could be mounted: the full disk is tried by storage-full.e2e.ts only.');
afterAll(() => disk?.remove());

describe.skipIf(!disk)('a data folder on a disk that is full to the last byte', () => {
  const stage = botStageOfEachTest({
    disk: () => disk!.folder,
    tapes: true,
    wallet: '5000',
    config: {
      entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' }, maxSpreadPct: '5' },
      cooldown: { afterWinMin: 0, afterLossMin: 0 },
    },
  });
  const { ask, detail, enabled, until } = stage;
  afterEach(() => disk!.empty());

  const ready = async () => (await stage.server.call('/readyz')).status;
  const stateOf = async (bot: AutoTrade) => {
    const { state, stateReason } = await detail(bot);
    return [state, stateReason];
  };
  const holding = async (name = 'Now'): Promise<AutoTrade> => {
    const bot = await enabled({ name });
    await ask(bot, 'enter', { symbol: 'BTCUSDT' });
    await until('an open position', stage.isIn(bot, 'Open'));
    return bot;
  };
  const sell = async (bot: AutoTrade): Promise<void> => {
    await until('the bot at work', async () => (await detail(bot)).evaluations.length > 0, 0);
    const { id } = (await detail(bot)).positions[0]!;
    const answer = await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await until('the exit', async () => (await stage.kinds(bot)).includes('Exit'));
  };
  /** Only what is asked for next finds it out. */
  const fill = () => disk!.fill();

  const outbox = () => join(stage.server.dataDir, 'outbox');
  const mails = () =>
    (existsSync(outbox()) ? readdirSync(outbox()) : []).filter((name) =>
      readFileSync(join(outbox(), name), 'utf8').includes('Subject: Pilotfish: The server disk is full'),
    ).length;

  test('the first write that finds no room is a sale, and it is made and written; after a restart the next one, too', async () => {
    await stage.server.context.database.queries.updateTable('accounts').set({ email_confirmed: 1 }).execute();
    const [first, second] = [await holding(), await holding('Later')];
    fill();
    await sell(first);
    expect(await ready()).toBe(503);
    for (const bot of [first, second]) await until('the block', async () => (await stateOf(bot))[1] === 'storage-full', 0);
    await ask(first, 'enter', { symbol: 'BTCUSDT' });
    await until('the mail', async () => mails() === 1, 0);

    await stage.server.restart();
    expect(await ready()).toBe(503);
    await until('the mail of a start on a full disk', async () => mails() === 2, 0);
    await sell(second);
    expect(await stateOf(second)).toEqual(['Blocked', 'storage-full']);
    expect((await stage.ordersAtExchange()).map(({ side }) => side)).toEqual(['BUY', 'BUY', 'SELL', 'SELL']);

    disk!.empty();
    await until('room', async () => (await ready()) === 200);
    for (const bot of [first, second]) await until('the bot going on', async () => (await stateOf(bot))[0] === 'Running', 0);
    await ask(first, 'enter', { symbol: 'BTCUSDT' });
    await until('an open position again', stage.isIn(first, 'Open'));
    // Until the tape found no room it is whole: half a record would have been refused here.
    expect(stage.replayed(first).length).toBeGreaterThan(0);
  });

  test('the first write that finds no room is a halt', async () => {
    const bot = await holding();
    fill();
    const body = { scope: 'bot', autoTradeId: bot.id, liquidate: true };
    expect((await stage.user.call('/bff/v2/auto-trades/halt', { body })).status).toBe(200);
    expect((await stateOf(bot))[0]).toBe('Halted');
    await until('the exit', async () => (await stage.kinds(bot)).includes('Exit'));
    await stage.server.restart();
    expect((await stateOf(bot))[0]).toBe('Halted');
  });

  test('a start that finds neither room nor a reserve says so, and one with room works again', async () => {
    const bot = await holding();
    await expect(
      stage.server.restart(async () => {
        rmSync(join(stage.server.dataDir, 'reserve'));
        fill();
      }),
    ).rejects.toThrow(/The disk of the data folder .* is full\. Make room/);
    disk!.empty();
    await stage.server.restart();
    await until('the bot going on', async () => (await stateOf(bot))[0] === 'Running', 0);
  });
});
