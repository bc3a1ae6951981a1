import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Connection } from '@pilotfish/core/account/account-security-contract';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Settings } from '../src/app/settings.ts';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// One data folder, two exchanges: a server runs with the one, then with the other, then with the first again.

let stage: ExchangeStage;
let other: Simulator;
let user: SignedInUser;
let id: string;
beforeEach(async () => {
  stage = await startExchangeStage(11);
  const { now, timers } = stage.time;
  other = await startSimulator({ market: testMarket(12), paused: true, now, timers });
  await stage.server.register();
  user = await stage.server.register();
  const { queries } = stage.server.context.database;
  ({ id } = await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow());
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stage?.close();
  if (other) await stage.time.during(other.close());
});

const HERE = (): Partial<Settings> => ({
  exchange: 'simulated',
  exchangeRestUrl: stage.simulator.origin,
  exchangeWsUrl: stage.simulator.wsOrigin,
});
const THERE = (): Partial<Settings> => ({ exchange: 'binance', exchangeRestUrl: other.origin, exchangeWsUrl: other.wsOrigin });
const until = (what: string, holds: () => Promise<boolean>) =>
  untilSeen(what, holds, {
    time: stage.time,
    stepMs: 1000,
    meanwhile: async () => {
      await stage.simulator.clock.advance(1000);
      await other.clock.advance(1000);
    },
  });
async function get<Body>(path: string): Promise<Body> {
  const { status, body } = await user.call<Body>(path);
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return body;
}
async function make<Body>(path: string, body: unknown): Promise<Body> {
  const answer = await user.call<Body>(path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const isRead = async () => (await user.call<unknown[]>('/bff/v1/pairs')).body.length > 0;
const FILE = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n2025-01-05 10:00:00,BTCUSDT,BUY,100,2BTC,200USDT,0.2USDT';
const upload = async (): Promise<ImportAnswer> => {
  const form = new FormData();
  form.append('file', new Blob([FILE]), 'trades.csv');
  return make('/bff/v2/import-trades/Binance', form);
};
const openWallet = () => make<Wallet>('/bff/v2/wallets', { name: 'Main', mode: 'paper', currency: 'USDT', initialBalance: '5000' });
const makeBot = async (wallet: Wallet) =>
  (await make<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { ...BUYS_AT_ONCE, walletId: wallet.id })).autoTrade;
const isHolding = async (bot: AutoTrade) =>
  (await get<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).positions.some(({ state }) => state === 'Open');
async function connect(simulator: Simulator): Promise<{ apiKey: string }> {
  const keys = await simulator.createAccount({ balances: { USDT: '10000' } });
  await make('/gateway/v2/account/connect/binance', { clientId: keys.apiKey, clientSecret: keys.apiSecret });
  return keys;
}
const isConnected = async () => (await user.call('/gateway/v2/account/connect/binance')).status === 200;

/** As if a live bot of the other market ran. */
async function whileHeldElsewhere(work: () => Promise<void>): Promise<void> {
  const { queries } = stage.server.context.database;
  await sql`insert into wallets (id, account_id, name, name_key, currency, mode, reserve_pct, created_at, market)
    values ('w', ${id}, 'W', 'binance w', 'USDT', 'live', '0', 1, 'binance')`.execute(queries);
  await sql`insert into auto_trades (id, account_id, wallet_id, name, name_key, state, context, config_version, created_at, updated_at, market)
    values ('b', ${id}, 'w', 'B', 'binance b', 'running', '{}', 1, 1, 1, 'binance')`.execute(queries);
  await work();
  await sql`delete from auto_trades where id = 'b'`.execute(queries);
}

const LISTS = ['auto-trades', 'wallets', 'price-alerts', 'import-trades/Binance', 'positions/open'];
/** What the user is shown: every list without what goes on with the clock and the market. */
const GOES_ON = /At$|^(?:asOf|price|lastPrice|value|exitFee|sparkline)$/;
async function shown(): Promise<string[]> {
  const lists = await Promise.all(LISTS.map((path) => get<unknown[] | { items: unknown[] }>(`/bff/v2/${path}`)));
  return lists.map((list) =>
    JSON.stringify('items' in list ? list.items : list, (name, value: unknown) => (GOES_ON.test(name) ? undefined : value)),
  );
}
const rowsOf = async (table: string, column = 'account_id'): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
    stage.server.context.database.queries,
  );
  return Number(rows[0]?.n);
};

test('keys of one exchange are never sent to another, and are there again when it is back', async () => {
  const keys = await connect(stage.simulator);
  expect(await isConnected()).toBe(true);
  const sent: { to: string; key: string | null }[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    sent.push({ to: String(input instanceof Request ? input.url : input), key: new Headers(init?.headers).get('x-mbx-apikey') });
    return real(input, init);
  });
  await stage.server.restart(undefined, THERE());
  await until('the market is read', isRead);
  expect(await isConnected()).toBe(false);
  await stage.time.advance(30_000);
  const there = sent.filter(({ to }) => to.startsWith(other.origin));
  expect(there.length).toBeGreaterThan(0);
  expect(there.filter(({ key }) => key === keys.apiKey)).toEqual([]);
  // Keys of the other one stand beside them.
  const own = await connect(other);
  await until('its account is read', async () => sent.some(({ to, key }) => to.startsWith(other.origin) && key === own.apiKey));
  expect(await rowsOf('exchange_connections')).toBe(2);
  expect(sent.filter(({ to, key }) => key === (to.startsWith(other.origin) ? keys : own).apiKey)).toEqual([]);

  await stage.server.restart(undefined, HERE());
  expect(await isConnected()).toBe(true);

  // Whoever looks after a theft sees the keys of every market, and ends them all from any.
  const ending = ({ apiKey }: { apiKey: string }) => `…${apiKey.slice(-4)}`;
  const LINKS = '/gateway/v1/account/connections';
  const links = async () => (await get<{ items: Connection[] }>(LINKS)).items.map(({ name }) => name).sort();
  expect(await links()).toEqual([`${ending(own)} (binance)`, ending(keys)].sort());
  await whileHeldElsewhere(async () => {
    const kept = await user.call<{ ended: number; kept: Connection[] }>(LINKS, { method: 'DELETE' });
    expect(kept.body).toMatchObject({ ended: 1, kept: [{ name: `${ending(own)} (binance)` }] });
  });
  expect((await user.call<{ ended: number }>(LINKS, { method: 'DELETE' })).body).toEqual({ ended: 1, kept: [] });
  expect(await links()).toEqual([]);
});

test('halting everything halts the bots of other markets, too, and sells nothing there', async () => {
  await until('the market is read', isRead);
  await whileHeldElsewhere(async () => {
    const { queries } = stage.server.context.database;
    expect(await make('/bff/v2/auto-trades/halt', { scope: 'all', reason: 'storm', liquidate: true })).toEqual({
      halted: 1,
      liquidating: 0,
    });
    const everywhere = queries.withoutPlugins();
    const bot = await everywhere.selectFrom('auto_trades').select(['state', 'context']).where('id', '=', 'b').executeTakeFirstOrThrow();
    expect({ ...bot, context: JSON.parse(bot.context) as unknown }).toEqual({
      state: 'halted',
      context: { reason: 'storm', pausedUntil: null, mustAcknowledge: true },
    });
    expect(await queries.selectFrom('halts').select(['reason', 'liquidate']).where('scope_id', '=', 'b').execute()).toEqual([
      { reason: 'storm', liquidate: 0 },
    ]);
    const { items } = await get<{ items: { title: string; link: string }[] }>('/bff/v2/notifications');
    expect(items[0]).toMatchObject({ title: expect.stringMatching(/\(Binance\)$/) as string, link: null });
    // Halted again it is no news.
    await make('/bff/v2/auto-trades/halt', { scope: 'all', reason: 'again' });
    expect((await get<{ items: unknown[] }>('/bff/v2/notifications')).items).toHaveLength(items.length);
  });
});

test('what was made in one market is not there in another, and is as it was when its market is back', async () => {
  await connect(stage.simulator);
  await until('the market is read', isRead);
  const bot = await makeBot(await openWallet());
  await make(`/bff/v2/auto-trades/${bot.id}/enable`, {});
  await make('/bff/v2/price-alerts', { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' }, enabled: false });
  expect((await upload()).counts).toMatchObject({ imported: 1 });
  await until('the bot holds something', () => isHolding(bot));
  await stage.time.advance(10_000);
  const before = await shown();
  const decided = async () =>
    Number(
      (
        await stage.server.context.database.queries
          .selectFrom('auto_trade_traces')
          .select((e) => e.fn.countAll<number>().as('n'))
          .where('auto_trade_id', '=', bot.id)
          .executeTakeFirstOrThrow()
      ).n,
    );
  const traced = await decided();

  await stage.server.restart(undefined, THERE());
  await until('the market is read', isRead);
  expect(await shown()).toEqual(LISTS.map(() => '[]'));
  for (const path of [`auto-trades/${bot.id}/detail`, `auto-trades/${bot.id}/traces`])
    expect((await user.call(`/bff/v2/${path}`)).status).toBe(404);
  // Settings that were written down for the market before are refused by the wallet that they name.
  const draft = { ...BUYS_AT_ONCE, walletId: bot.walletId };
  for (const query of ['', '?validateOnly=true']) {
    const refused = await user.call<{ valid?: boolean; errors: unknown[] }>(`/bff/v2/auto-trades${query}`, { body: draft });
    expect(refused.status).toBe(query === '' ? 422 : 200);
    expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'walletId', code: 'WALLET_UNKNOWN' })]);
  }
  for (const deed of ['enable', 'disable', 'halt'])
    expect((await user.call(`/bff/v2/auto-trades/${bot.id}/${deed}`, { body: {} })).status, deed).toBe(404);
  // What was told of it says where that was; here it is told without.
  const titles = async () =>
    (await get<{ items: { kind: string; title: string }[] }>('/bff/v2/notifications')).items.map(({ title }) => title);
  const bought = (await titles()).find((title) => title.includes('Simulated market'));
  expect(bought).toMatch(/ \(Simulated market\)$/);
  // The market of there moves far from what the bot of here would sell at.
  await other.clock.advance(20_000);
  await stage.time.advance(20_000);
  expect(await decided()).toBe(traced);
  // The same names are free, and the same file tells of other trades.
  const beside = await makeBot(await openWallet());
  expect(beside).toMatchObject({ name: bot.name });
  expect((await upload()).counts).toMatchObject({ imported: 1, duplicate: 0 });
  expect((await upload()).counts).toMatchObject({ imported: 0, duplicate: 1 });

  await stage.server.restart(async () => stage.time.setWall(stage.time.now() + 600_000), HERE());
  await until('the bot goes on', () => isHolding(bot));
  expect(await shown()).toEqual(before);
  expect((await titles()).filter((title) => bought!.startsWith(title))).toHaveLength(1);
  expect((await titles()).join()).not.toContain('Simulated market');
  const [position] = (await get<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).positions;
  const sell = `/bff/v2/auto-trades/${bot.id}/positions/${position!.id}/sell`;
  await until('it may be sold', async () => (await user.call(sell, { method: 'POST', body: {} })).status === 200);
  await until('it has sold', async () => !(await isHolding(bot)));
  // The server ran meanwhile, with the other market.
  await until('its owner is told of the time away', async () =>
    (await titles()).some((title) => title.startsWith('Market not in use for')),
  );
  expect((await titles()).join()).not.toContain('did not run');
});

test('an export holds all markets, and an account that is deleted in one is gone from all of them', async () => {
  await connect(stage.simulator);
  await until('the market is read', isRead);
  const bot = await makeBot(await openWallet());
  await make(`/bff/v2/auto-trades/${bot.id}/enable`, {});
  await upload();
  await stage.server.restart(undefined, THERE());
  await until('the market is read', isRead);
  await connect(other);
  await upload();

  const proven = async () => {
    const body = { password: user.password, otpCode: stage.server.nextCode(user.secretKey) };
    return { 'step-up': (await make<{ proof: string }>('/gateway/v1/account/step-up', body)).proof };
  };
  await user.call('/bff/v2/account/export', { method: 'POST', headers: await proven() });
  await until('the export is there', async () => (await get<{ state: string }>('/bff/v2/account/export')).state === 'ready');
  const { tables } = await get<{ tables: Record<string, { market?: string }[]> }>('/bff/v2/account/export/download');
  for (const table of ['ledger_entries', 'exchange_connections', 'import_batches'])
    expect(new Set(tables[table]!.map(({ market }) => market)), table).toEqual(new Set(['binance', 'simulated']));
  expect(tables.auto_trades!.map(({ market }) => market)).toEqual(['simulated']);

  const tape = join(stage.server.context.settings.dataDir, 'tapes', `${bot.id}.jsonl`);
  mkdirSync(dirname(tape), { recursive: true });
  writeFileSync(tape, '');
  const left = await user.call('/bff/v2/account/delete', { body: { username: user.username }, headers: await proven() });
  expect(left.status).toBe(204);
  const { queries } = stage.server.context.database;
  const everywhere = queries.withoutPlugins();
  expect(await rowsOf('exchange_connections')).toBe(0);
  expect(await everywhere.selectFrom('wallets').select('id').where('paper_key', 'is not', null).execute()).toEqual([]);
  expect(existsSync(tape)).toBe(false);
  // Back in its market it is not taken up: what it holds belongs to nobody who could be asked.
  expect(await everywhere.selectFrom('auto_trades').select('state').execute()).toEqual([{ state: 'halted' }]);
  expect(await everywhere.selectFrom('halts').select('scope_id').execute()).toEqual([{ scope_id: bot.id }]);
  // As the purge does it once its days are over.
  await queries.deleteFrom('accounts').where('deleted_at', 'is not', null).execute();
  for (const table of ['ledger_entries', 'auto_trades', 'wallets', 'import_batches', 'price_alerts'])
    expect(await rowsOf(table), table).toBe(0);
});
