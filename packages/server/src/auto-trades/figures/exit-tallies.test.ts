import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { PositionState } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import { type Decimal, decimal, toText } from '@pilotfish/core/money/decimal';
import { CompiledQuery, type KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import type { Database, Queries } from '../../database/database.ts';
import { describeEachDialect } from '../../database/database-fixture.ts';
import { uuidGenerator } from '../../database/uuid.ts';
import { autoTradesStore } from '../auto-trades-store.ts';
import { exitTallies } from './exit-tallies.ts';
import { figuresStore } from './figures-store.ts';

const NOW = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;
const ACCOUNT = 'account';
let counter = 0;
const newId = uuidGenerator(
  () => NOW,
  (count) => Uint8Array.from({ length: count }, () => (counter = (counter * 31 + 7) & 255)),
);
const text = (value: Decimal | null) => value && toText(value);

describeEachDialect('figures of bots', (open, dialect) => {
  /** An account with a wallet; bots and positions of it are put in as they are needed. */
  async function stage(database: Database) {
    const { queries } = database;
    const [accountId, walletId] = [newId(), newId()];
    const person = { username: 'a', username_key: 'a', email: 'a', email_key: 'a', email_confirmed: 0 as const, password_hash: '' };
    const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
    await queries
      .insertInto('accounts')
      .values({ id: accountId, ...person, ...rest, created_at: NOW, updated_at: NOW })
      .execute();
    const wallet = { id: walletId, account_id: accountId, name: 'W', name_key: 'w', currency: 'USDT', mode: 'paper' as const };
    await queries
      .insertInto('wallets')
      .values({ ...wallet, reserve_pct: '1', paper_key: null, paper_secret: null, created_at: NOW })
      .execute();
    const store = autoTradesStore(database, { error: () => undefined });
    async function bot(name: string): Promise<string> {
      const settings = { name, walletId, coins: { symbols: ['BTCUSDT'] }, entry: {}, stopLoss: { mode: 'none' } };
      const config = autoTradeConfigSchema.parse(settings);
      const row = { id: newId(), accountId, walletId, name, state: 'running' as const, context: newAutoTradeContext, config };
      await store.insert({ ...row, configVersion: 1, takerFees: {}, createdAt: NOW, updatedAt: NOW }, queries);
      return row.id;
    }
    let number = 0;
    async function position(
      autoTradeId: string,
      closedAt: number | null,
      realised: string,
      given: { state?: PositionState; openedAt?: number | null; context?: object; id?: string } = {},
    ): Promise<string> {
      const { state = closedAt === null ? 'open' : 'closed', openedAt = (closedAt ?? NOW) - HOUR, id = newId() } = given;
      number += 1;
      const context = {
        realised,
        openedAt,
        closedAt,
        fees: '0.5',
        lateFees: '0',
        exitReason: 'TakeProfit',
        unvalued: [],
        ...given.context,
      };
      const row = { id, runNo: 1, symbol: 'BTCUSDT', number, configVersion: 1, takerFee: '0.001', state, context: context as never };
      await store.savePosition(autoTradeId, row, NOW + number, queries);
      return id;
    }
    return { bot, position, figures: figuresStore(database, { error: () => undefined }) };
  }
  const told = (tallies: ReturnType<typeof exitTallies>, id: string) =>
    tallies.of(ACCOUNT, [id]).then((all) => {
      const { exits, realised, fees } = all.get(id)!;
      const { curve, ...figures } = exits.figures(decimal('100'));
      return { exits: figures.exits, realised: text(realised), fees: text(fees), curve: curve.map(({ value }) => text(value)) };
    });

  test('what ended is counted once, whatever comes later and in whatever order', async (context) => {
    const { bot, position, figures } = await stage(await open(context));
    const [id, other] = [await bot('One'), await bot('Other')];
    const tallies = exitTallies(figures, 60);
    expect(await told(tallies, id)).toEqual({ exits: 0, realised: '0', fees: '0', curve: [] });
    await position(id, NOW, '10');
    await position(id, NOW + 2 * HOUR, '-4');
    await position(other, NOW, '99');
    // What bought nothing, what its owner took over, and what is still open.
    await position(id, NOW + HOUR, '0', { openedAt: null, context: { fees: '0' } });
    await position(id, NOW + HOUR, '1', { state: 'detached' });
    await position(id, null, '7');
    expect(await told(tallies, id)).toEqual({ exits: 2, realised: '7', fees: '1.5', curve: ['10', '6'] });
    expect(await told(tallies, id)).toEqual({ exits: 2, realised: '7', fees: '1.5', curve: ['10', '6'] });
    await position(id, NOW + 3 * HOUR, '2');
    expect((await told(tallies, id)).curve).toEqual(['10', '6', '8']);
    // Told late by the exchange: it was sold before what is known already.
    await position(id, NOW + HOUR, '-1');
    expect(await told(tallies, id)).toEqual({ exits: 4, realised: '8', fees: '2.5', curve: ['10', '9', '5', '7'] });
    expect((await told(tallies, other)).curve).toEqual(['99']);
  });

  test('two that ask at once count the same exits once', async (context) => {
    const { bot, position, figures } = await stage(await open(context));
    const id = await bot('One');
    const tallies = exitTallies(figures, 60);
    await position(id, NOW, '10');
    expect((await Promise.all([told(tallies, id), told(tallies, id)])).map(({ realised }) => realised)).toEqual(['10', '10']);
  });

  test('a fee that is valued after the exit leaves its result', async (context) => {
    const { bot, position, figures } = await stage(await open(context));
    const id = await bot('One');
    const tallies = exitTallies(figures, 60);
    const fee = (tradeId: string) => ({ tradeId, fee: '0.001', feeAsset: 'BNB' });
    const sold = await position(id, NOW, '10', { context: { unvalued: [fee('1'), fee('2')] } });
    expect(await told(tallies, id)).toMatchObject({ realised: '10', curve: ['10'] });
    const later = (context_: object) => position(id, NOW, '10', { id: sold, context: context_ });
    await later({ unvalued: [fee('2')], lateFees: '0.25', fees: '0.75' });
    expect(await told(tallies, id)).toMatchObject({ realised: '9.75', fees: '0.75', curve: ['9.75'] });
    await later({ unvalued: [], lateFees: '0.5', fees: '1' });
    expect(await told(tallies, id)).toMatchObject({ exits: 1, realised: '9.5', fees: '1', curve: ['9.5'] });
  });

  test('fifty bots are asked of as few times as one, each time by an index', async (context) => {
    const database = await open(context);
    const { bot, position } = await stage(database);
    const asked: CompiledQuery[] = [];
    const compiled = new WeakMap<object, CompiledQuery>();
    const recorded: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        compiled.set(queryId, database.queries.getExecutor().compileQuery(node, queryId));
        return node;
      },
      // Parts of a question are transformed, too; asked is only the whole of it.
      transformResult: async ({ queryId, result }) => {
        asked.push(compiled.get(queryId)!);
        return result;
      },
    };
    const store = figuresStore({ queries: database.queries.withPlugin(recorded) as Queries, dialect }, { error: () => undefined });
    const tallies = exitTallies(store, 60);
    const ids: string[] = [];
    for (let n = 0; n < 50; n += 1) {
      const id = await bot(`Bot ${n}`);
      ids.push(id);
      await position(id, NOW, '1');
      await position(id, null, '2');
    }
    await tallies.of(ACCOUNT, ids);
    const questions = async () => {
      asked.length = 0;
      await tallies.of(ACCOUNT, ids);
      for (const question of [store.occupied, store.stamps, store.configsOf, store.lastEvents]) await question(ids);
      await store.closedSince(ids, NOW);
      await store.fillsOf(ids, NOW);
      return asked.length;
    };
    expect(await questions()).toBe(8);
    // What ended meanwhile is read of the bots that it ended of.
    await position(ids[3]!, NOW + HOUR, '5');
    expect(await questions()).toBe(10);
    if (dialect !== 'sqlite') return;
    for (const { sql, parameters } of asked) {
      const { rows } = await database.queries.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
      );
      for (const { detail } of rows) expect(detail, sql).not.toMatch(/^SCAN/);
      if (sql.includes('count(*)')) expect(rows.map(({ detail }) => detail).join(), sql).toContain('COVERING INDEX');
      if (sql.includes('unvalued')) expect(rows.map(({ detail }) => detail).join(), sql).toContain('auto_trade_positions_unvalued');
    }
  });
});
