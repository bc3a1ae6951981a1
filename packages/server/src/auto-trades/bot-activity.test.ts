import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { botActivity } from './bot-activity.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const AT = Date.UTC(2026, 10, 27, 9);
const [LIVE, PAPER, GONE, FOREIGN] = [id(1), id(2), id(3), id(4)];

async function filled({ queries }: Pick<Database, 'queries'>): Promise<void> {
  const nobody = {
    email_confirmed: 0,
    password_hash: '',
    phone: null,
    phone_confirmed: 0,
    two_factor_confirmed: 1,
    totp_secret: null,
  } as const;
  for (const name of ['ann', 'bob'])
    await queries
      .insertInto('accounts')
      .values({
        ...nobody,
        id: name,
        username: name,
        username_key: name,
        email: name,
        email_key: name,
        language: 'en',
        created_at: 0,
        updated_at: 0,
        deleted_at: null,
      })
      .execute();
  const bot = async (botId: string, account: string, mode: 'live' | 'paper', state: string) => {
    const wallet = { id: `w${botId}`, account_id: account, name: botId, name_key: botId, currency: 'USDT', mode, reserve_pct: '1' };
    await queries
      .insertInto('wallets')
      .values({ ...wallet, paper_key: null, paper_secret: null, created_at: 0 })
      .execute();
    const more = { context: '{}', config_version: 1, taker_fees: '{}', created_at: 0, updated_at: 0 };
    await queries
      .insertInto('auto_trades')
      .values({ id: botId, account_id: account, wallet_id: wallet.id, name: `Bot ${botId.slice(-1)}`, name_key: botId, state, ...more })
      .execute();
  };
  await bot(LIVE, 'ann', 'live', 'running');
  await bot(PAPER, 'ann', 'paper', 'running');
  // What a bot made today does not go with it.
  await bot(GONE, 'ann', 'live', 'deleted');
  await bot(FOREIGN, 'bob', 'live', 'running');
}

const silent = { error: () => undefined };
let seq = 0;
const traceOf = (botId: string, kind: Trace['kind'], reason: string, after: Trace['after'], more: Partial<Trace> = {}): Trace => {
  seq += 1;
  return {
    seq,
    autoTradeId: botId,
    runNo: 1,
    positionId: id(100),
    kind,
    symbol: 'BTCUSDT',
    at: new Date(AT + seq).toISOString(),
    price: '100',
    bid: '100',
    ask: '100',
    configVersion: 1,
    reason,
    before: {},
    after,
    mode: botId === PAPER ? 'paper' : 'live',
    ...more,
  };
};
const store = async ({ queries }: Pick<Database, 'queries'>, traces: readonly Trace[]): Promise<void> => {
  await queries
    .insertInto('auto_trade_traces')
    .values(
      traces.map((trace) => ({
        id: id(1000 + trace.seq),
        auto_trade_id: trace.autoTradeId,
        seq: trace.seq,
        run_no: 1,
        position_id: trace.positionId,
        kind: trace.kind,
        symbol: trace.symbol,
        at: Date.parse(trace.at),
        recorded_at: Date.parse(trace.at),
        body: JSON.stringify(trace),
      })),
    )
    .execute();
};

describeEachDialect('what bots traded', (open, dialect) => {
  test('an order of several fills is one row with one result; of each mode its own totals', async (context) => {
    const database = await open(context);
    await filled(database);
    const [entry, rebuy, sell, lost] = ['e', 'r', 's', 'l'].map((clientOrderId) => ({ clientOrderId }));
    await store(database, [
      traceOf(LIVE, 'Sell', 'TakeProfit', { quantity: '9', realised: '900' }, { at: new Date(AT - 1).toISOString() }),
      traceOf(LIVE, 'Entry', 'Drop', {}),
      traceOf(LIVE, 'Buy', 'Entry', { quantity: '0.5', level: 0 }, entry),
      traceOf(LIVE, 'Buy', 'Entry', { quantity: '0.25', level: 0 }, entry),
      traceOf(LIVE, 'Buy', 'Rebuy', { quantity: '1', level: 2 }, rebuy),
      traceOf(LIVE, 'Sell', 'TakeProfit', { quantity: '1', realised: '10.5' }, sell),
      traceOf(LIVE, 'Sell', 'TakeProfit', { quantity: '0.75', realised: '-0.25' }, sell),
      traceOf(LIVE, 'Exit', 'TakeProfit', { realised: '10.25' }),
      traceOf(GONE, 'Sell', 'StopLoss', { quantity: '1', realised: '-4' }, lost),
      traceOf(PAPER, 'Sell', 'StopLoss', { quantity: '1', realised: '-3' }, lost),
      traceOf(FOREIGN, 'Sell', 'StopLoss', { quantity: '1', realised: '-77' }, lost),
    ]);
    const { items, totals } = await botActivity(database.queries, silent).since('ann', AT);
    expect(items.map(({ kind, code, botName, result, facts }) => [kind, code, botName, result, facts.quantity, facts.number])).toEqual([
      ['buy', 'entry', 'Bot 1', null, '0.75', undefined],
      ['buy', 'rebuy', 'Bot 1', null, '1', 2],
      ['sell', 'TakeProfit', 'Bot 1', '10.25', '1.75', undefined],
      ['sell', 'StopLoss', 'Bot 3', '-4', '1', undefined],
      ['sell', 'StopLoss', 'Bot 2', '-3', '1', undefined],
    ]);
    expect(totals).toEqual([
      { mode: 'live', currency: 'USDT', sells: 2, wins: 1, realised: '6.25' },
      { mode: 'paper', currency: 'USDT', sells: 1, wins: 0, realised: '-3' },
    ]);
  });

  test('coins that left by themselves are no sale; an end without a sale is said, an entry that bought nothing is not', async (context) => {
    const database = await open(context);
    await filled(database);
    await store(database, [
      traceOf(LIVE, 'Sell', 'SoldOutside', { quantity: '1', cost: '50' }, { positionId: id(201) }),
      traceOf(LIVE, 'Exit', 'SoldOutside', {}, { positionId: id(201) }),
      traceOf(LIVE, 'Exit', 'Delisted', {}, { positionId: id(202), symbol: 'ODDUSDT' }),
      traceOf(LIVE, 'Exit', 'Abandoned', {}, { positionId: id(203) }),
    ]);
    const { items, totals } = await botActivity(database.queries, silent).since('ann', AT);
    expect(items.map(({ kind, code, symbol, result }) => [kind, code, symbol, result])).toEqual([
      ['exit', 'SoldOutside', 'BTCUSDT', null],
      ['exit', 'Delisted', 'ODDUSDT', null],
    ]);
    expect(totals).toEqual([]);
  });

  test('a sale that cannot be read takes the total it belongs to with it, and nothing else', async (context) => {
    const database = await open(context);
    await filled(database);
    const sale = (bot: string, realised: string) => traceOf(bot, 'Sell', 'StopLoss', { quantity: '1', realised });
    const damaged = sale(PAPER, '-3');
    await store(database, [sale(LIVE, '-4'), sale(PAPER, '5'), damaged]);
    const row = database.queries.updateTable('auto_trade_traces').set({ body: '{"broken' });
    await row.where('id', '=', id(1000 + damaged.seq)).execute();
    const { items, totals } = await botActivity(database.queries, silent).since('ann', AT);
    expect(items.map(({ result }) => result)).toEqual(['-4', '5']);
    expect(totals).toEqual([{ mode: 'live', currency: 'USDT', sells: 1, wins: 0, realised: '-4' }]);
  });

  test('a sale with a fee that has no value says no result', async (context) => {
    const database = await open(context);
    await filled(database);
    const sale = (feeInQuote: string) => traceOf(LIVE, 'Sell', 'StopLoss', { quantity: '1', realised: '4', fee: '0.001', feeInQuote });
    await store(database, [sale('0.6'), sale('0')]);
    const { items } = await botActivity(database.queries, silent).since('ann', AT);
    expect(items.map(({ result }) => result)).toEqual(['4', null]);
  });

  test.runIf(dialect === 'sqlite')('traces of other days are not read', async (context) => {
    const { queries } = await open(context);
    const { rows } = await sql<{ detail: string }>`explain query plan
      select trace.id from auto_trades bot join auto_trade_traces trace on trace.auto_trade_id = bot.id
      where bot.account_id = 'ann' and bot.market = 'simulated' and trace.kind in ('Buy', 'Sell', 'Exit') and trace.at >= 1
      order by trace.at, trace.seq`.execute(queries);
    expect(rows.map(({ detail }) => detail).join('\n')).toMatch(/auto_trade_traces_time \(auto_trade_id=\? AND at>\?\)/);
  });
});
