import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

/** The disk that the reserve lies on: SQLite is told how large its file may become, and says then that the disk is full. */
const disk = { full: false, hasRoom: true };
const limit = (pages: number) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(stage.server.context.database.queries);
const pages = async () =>
  Number(Object.values((await sql`pragma page_count`.execute(stage.server.context.database.queries)).rows[0] as object)[0]);
const RESERVED_PAGES = 2000;

const stage = botStageOfEachTest({
  wallet: '5000',
  config: {
    entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' }, maxSpreadPct: '5' },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
  },
  reserve: {
    hold: () => {
      if (disk.full) void limit(1_000_000);
      disk.full = false;
    },
    release: () => void pages().then((now) => limit(now + RESERVED_PAGES)),
    free: () => (disk.hasRoom ? 64 : 8) * 1024 * 1024,
  },
});
const { ask, detail, enabled, until } = stage;
beforeEach(() => {
  Object.assign(disk, { full: false, hasRoom: true });
});

/** From here on nothing more fits. */
async function fill(): Promise<void> {
  Object.assign(disk, { full: true, hasRoom: false });
  await sql`vacuum`.execute(stage.server.context.database.queries);
  await limit(await pages());
}
const ready = async () => (await stage.server.call('/readyz')).status;
const outbox = () => join(stage.server.dataDir, 'outbox');
const mails = () => (existsSync(outbox()) ? readdirSync(outbox()).map((name) => readFileSync(join(outbox(), name), 'utf8')) : []);
const stateOf = async (bot: Parameters<typeof detail>[0]) => {
  const { state, stateReason } = await detail(bot);
  return [state, stateReason];
};

describe.skipIf(process.env.PILOTFISH_TEST_DIALECT === 'postgres')('a disk that is full', () => {
  test('bots say why they buy nothing, exits are made and written, people are told, and all goes on when there is room', async () => {
    await stage.server.context.database.queries.updateTable('accounts').set({ email_confirmed: 1 }).execute();
    const bot = await enabled();
    await ask(bot, 'enter', { symbol: 'BTCUSDT' });
    await until('an open position', stage.isIn(bot, 'Open'));
    expect(await ready()).toBe(200);
    await fill();
    // Whatever is written next finds it out.
    await until('the full disk', async () => {
      await stage.user.call('/bff/v2/wallets', {
        body: { name: `W${Math.round(stage.time.elapsed)}`, mode: 'paper', initialBalance: '1000' },
      });
      return (await ready()) === 503;
    });
    await until('the block', async () => (await stateOf(bot))[1] === 'storage-full', 0);
    expect(await stateOf(bot)).toEqual(['Blocked', 'storage-full']);
    expect(stage.server.logged()).toContain('storage.full');
    await until('the mail', async () => mails().some((mail) => mail.includes('The server disk is full')), 0);
    // Nothing is bought; what is held is sold, and that is written.
    await until('the bot at work', async () => (await detail(bot)).evaluations.length > 0, 0);
    const { id } = (await detail(bot)).positions[0]!;
    await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
    await until('the exit', async () => (await stage.kinds(bot)).includes('Exit'));
    await ask(bot, 'enter', { symbol: 'BTCUSDT' });
    await stage.pass(5000);
    expect((await stage.ordersAtExchange()).map(({ side }) => side)).toEqual(['BUY', 'SELL']);

    disk.hasRoom = true;
    await until('room', async () => (await ready()) === 200);
    await until('the bot going on', async () => (await stateOf(bot))[0] === 'Running', 0);
    await ask(bot, 'enter', { symbol: 'BTCUSDT' });
    await until('an open position again', stage.isIn(bot, 'Open'));
  });
});
