import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { ExitReason } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { afterBuy, afterSell } from '@pilotfish/core/auto-trades/position/position-accounting';
import type { FillFacts } from '@pilotfish/core/auto-trades/position/position-state';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { add, decimal, divide, isPositive, multiply, subtract, sum, toText } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeEachDialect } from '../../database/database-fixture.ts';
import { autoTradesStore } from '../auto-trades-store.ts';
import { exitTallies } from './exit-tallies.ts';
import { figuresStore } from './figures-store.ts';
import { paperExits } from './paper-exits.ts';
import type { EndedOnPaper } from './paper-story.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const AT = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const [ACCOUNT, PAPER, LIVE, BOT, OTHER] = [id(1), id(2), id(3), id(4), id(5)];
const plus = (one: string, other: string): string => toText(add(decimal(one), decimal(other)));

async function stage(database: Database) {
  const { queries } = database;
  const person = { username: 'a', username_key: 'a', email: 'a', email_key: 'a', email_confirmed: 0 as const, password_hash: '' };
  const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
  await queries
    .insertInto('accounts')
    .values({ id: ACCOUNT, ...person, ...rest, created_at: AT, updated_at: AT })
    .execute();
  for (const [wallet, mode] of [
    [PAPER, 'paper'],
    [LIVE, 'live'],
  ] as const) {
    const row = { id: wallet, account_id: ACCOUNT, name: mode, name_key: mode, currency: 'USDT', mode, reserve_pct: '1' };
    await queries
      .insertInto('wallets')
      .values({ ...row, paper_key: null, paper_secret: null, created_at: AT })
      .execute();
  }
  const logged: unknown[] = [];
  const log = { error: (facts: unknown) => void logged.push(facts) } as never;
  const store = autoTradesStore(database, log);
  for (const bot of [BOT, OTHER]) {
    const settings = {
      name: `Bot ${bot.slice(-1)}`,
      walletId: PAPER,
      coins: { symbols: ['BTCUSDT'] },
      entry: {},
      stopLoss: { mode: 'none' },
    };
    const config = autoTradeConfigSchema.parse(settings);
    const row = {
      id: bot,
      accountId: ACCOUNT,
      walletId: PAPER,
      name: config.name,
      state: 'running' as const,
      context: newAutoTradeContext,
    };
    await store.insert({ ...row, config, configVersion: 1, takerFees: {}, createdAt: AT, updatedAt: AT }, queries);
  }

  let [seq, minute, count] = [0, 0, 100];
  /** A position as its bot counts it: every fill changes it as the machine does, and leaves a trace. */
  function begin(symbol = 'BTCUSDT', autoTradeId = BOT, mode: TradeMode = 'paper') {
    count += 1;
    const positionId = id(count);
    const base = { baseAsset: symbol.slice(0, 3) };
    const number = count;
    let held = { quantity: '0', cost: '0' };
    const context = {
      spent: '0' as string | undefined,
      realised: '0',
      fees: '0',
      lateFees: '0',
      openedAt: null as number | null,
      closedAt: null as number | null,
      exitReason: null as string | null,
    };
    async function tell(kind: 'Buy' | 'Sell', reason: string, before: string, after: object, order?: string): Promise<number> {
      seq += 1;
      minute += 1;
      const at = AT + minute * MINUTE;
      const iso = new Date(at).toISOString();
      const moment = { symbol, at: iso, price: '1', bid: '1', ask: '1', recordedAt: iso };
      const told = { seq, autoTradeId, runNo: 1, positionId, kind, configVersion: 1, reason, mode, before: { position: before }, after };
      await store.appendTraces([{ ...moment, ...told, id: id(10_000 + seq), ...(order && { clientOrderId: order }) } as never], queries);
      return at;
    }
    const fill = (quantity: string, price: string, fee: string): FillFacts => {
      const quoteQuantity = toText(multiply(decimal(quantity), decimal(price)));
      return { tradeId: String(seq), price, quantity, quoteQuantity, fee, feeAsset: 'USDT', feeInQuote: fee, at: 0 };
    };
    const position = {
      id: positionId,
      buy: async (quantity: string, price: string, fee = '0') => {
        const before = held.quantity;
        const { costAdded, received: _received, ...after } = afterBuy(held, fill(quantity, price, fee), base);
        held = after;
        context.spent = plus(context.spent ?? '0', costAdded);
        context.fees = plus(context.fees, fee);
        const at = await tell('Buy', 'Entry', before, { position: held.quantity, feeInQuote: fee });
        context.openedAt ??= at;
        return position;
      },
      sell: async (quantity: string, price: string, reason: ExitReason = 'TakeProfit', fee = '0', order?: string) => {
        const before = held.quantity;
        const { matchedCost, realised, quantity: left, cost } = afterSell(held, fill(quantity, price, fee), base);
        held = { quantity: left, cost };
        context.realised = plus(context.realised, realised);
        context.fees = plus(context.fees, fee);
        await tell('Sell', reason, before, { position: left, feeInQuote: fee, realised, matchedCost }, order);
        return position;
      },
      /** Some of it was sold by whoever: it leaves at its cost. */
      lose: async (quantity: string) => {
        const before = held.quantity;
        const { matchedCost, quantity: left, cost } = afterSell(held, fill(quantity, '1', '0'), base);
        held = { quantity: left, cost };
        context.spent = toText(subtract(decimal(context.spent ?? '0'), decimal(matchedCost)));
        await tell('Sell', 'SoldOutside', before, { position: left, feeInQuote: '0', realised: '0', matchedCost });
        return position;
      },
      end: async (exitReason: ExitReason | null, more: { state?: 'closed' | 'detached'; late?: string; first?: boolean } = {}) => {
        minute += 1;
        context.closedAt = AT + minute * MINUTE;
        context.exitReason = exitReason;
        if (more.late !== undefined) [context.lateFees, context.fees] = [more.late, plus(context.fees, more.late)];
        if (more.first) delete context.spent;
        const row = { id: positionId, runNo: 1, symbol, number, configVersion: 1, takerFee: '0', state: more.state ?? 'closed' };
        await store.savePosition(autoTradeId, { ...row, context: { ...context, ...held } as never }, context.closedAt, queries);
        return position;
      },
    };
    return position;
  }
  const figures = figuresStore(database, log);
  const reader = paperExits(queries, figures, log);
  return {
    queries,
    store,
    logged,
    begin,
    reader,
    /** As a server that has just started reads it. */
    fresh: () => paperExits(queries, figuresStore(database, log), log),
    tallies: () => exitTallies(figures, 10).of(ACCOUNT, [BOT, OTHER]),
    ended: async () => (await reader.ended(ACCOUNT)).positions,
  };
}
const shown = (row: EndedOnPaper) => [
  row.symbol,
  row.number,
  toText(row.realised),
  toText(row.fees),
  toText(row.matchedCost),
  toText(row.dust),
  row.trades,
  row.exit,
];
/** Repeatable, from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describeEachDialect('ended positions on paper', (open) => {
  test('what they came to, by what ended them; only what is new is read', async (context) => {
    const { begin, ended, fresh } = await stage(await open(context));
    expect(await ended()).toEqual([]);
    // Two fills of one order are two, the last sale is the reason, and crumbs stay.
    const first = await begin().buy('4', '100', '1');
    await first.sell('1', '120', 'TakeProfit', '0.5', 'a');
    await first.sell('1', '120', 'TakeProfit', '0.5', 'a');
    await first.sell('1.9', '90', 'StopLoss', '0.25');
    await first.end('StopLoss');
    // Nothing is held, nothing was bought: no position.
    await begin('ETHUSDT').end('Abandoned');
    // A fee that got its value late is in its result.
    await (await (await begin('ETHUSDT').buy('1', '10')).sell('1', '11', 'Manual')).end('Manual', { late: '0.3' });
    expect((await ended()).map(shown)).toEqual([
      ['BTCUSDT', 1, '18.775', '2.25', '390.975', '0.1', 4, 'StopLoss'],
      ['ETHUSDT', 1, '0.7', '0.3', '10', '0', 2, 'Manual'],
    ]);
    // Sold by whoever, after a half was sold or before; and one that its owner took over.
    const half = await (await begin().buy('2', '100')).sell('1', '110');
    await (await half.lose('1')).end('SoldOutside');
    await (await (await begin().buy('1', '100')).lose('1')).end('SoldOutside');
    const taken = await (await begin().buy('2', '100')).sell('1', '130', 'TakeProfit');
    await taken.end(null, { state: 'detached' });
    // The exit sold all but what was missing.
    const short = await (await begin().buy('2', '100')).lose('0.5');
    await (await short.sell('1.5', '90', 'StopLoss')).end('StopLoss');
    const rows = (await ended()).map(shown);
    expect(rows.slice(2)).toEqual([
      ['BTCUSDT', 2, '10', '0', '100', '0', 2, 'gone'],
      ['BTCUSDT', 3, '0', '0', '0', '0', 1, 'gone'],
      ['BTCUSDT', 4, '30', '0', '100', '0', 2, 'gone'],
      ['BTCUSDT', 5, '-15', '0', '150', '0', 2, 'StopLoss'],
    ]);
    expect((await fresh().ended(ACCOUNT)).positions.map(shown)).toEqual(rows);
  });

  test('by the mode of their fills, not of the wallet that the bot has now; a deleted bot keeps its name', async (context) => {
    const { begin, ended, reader, queries, store } = await stage(await open(context));
    const sold = async (mode: TradeMode, bot: string) =>
      (await (await begin('BTCUSDT', bot, mode).buy('1', '100')).sell('1', '110')).end('TakeProfit');
    const paper = await sold('paper', BOT);
    await sold('live', BOT);
    const last = await sold('paper', BOT);
    await sold('live', OTHER);
    expect((await ended()).map((row) => [row.id, row.number])).toEqual([
      [paper.id, 1],
      [last.id, 2],
    ]);
    await queries.updateTable('auto_trades').set({ wallet_id: LIVE }).where('id', '=', BOT).execute();
    await store.saveState(BOT, 'deleted', newAutoTradeContext, AT);
    const found = await reader.ended(ACCOUNT);
    expect(found.positions.map((row) => row.id)).toEqual([paper.id, last.id]);
    expect(found.bots.get(BOT)?.name).toBe('Bot 4');
  });

  test('a damaged row costs no other, and the log names it', async (context) => {
    const { begin, ended, fresh, queries, logged } = await stage(await open(context));
    const sold = async () => (await (await begin().buy('1', '100')).sell('1', '110')).end('TakeProfit', { late: '1' });
    const [first, second, third] = [await sold(), await sold(), await sold()];
    const damage = (position: string, text: string) =>
      queries.updateTable('auto_trade_positions').set({ context: text }).where('id', '=', position).execute();
    await damage(second.id, '{"fees');
    const numbers = async (reader = fresh()) => (await reader.ended(ACCOUNT)).positions.map((row) => [row.id, row.number]);
    const others = [
      [first.id, 1],
      [third.id, 3],
    ];
    expect(await numbers()).toEqual(others);
    expect(logged).toMatchObject([{ table: 'auto_trade_positions', row: second.id }]);
    // Sales of the others keep the fees that came late.
    expect((await fresh().of(ACCOUNT)).exits.map(({ net }) => toText(net))).toEqual(['9', '10', '9']);
    await damage(second.id, '{"fees":"much"}');
    expect(await numbers()).toEqual(others);

    // Of a position with a fill that cannot be read the rest is told; whether it is of paper says the other fill.
    await damage(second.id, JSON.stringify({ fees: '0', spent: '100', cost: '0', quantity: '0', exitReason: 'StopLoss' }));
    await queries
      .updateTable('auto_trade_traces')
      .set({ body: '{' })
      .where('position_id', '=', second.id)
      .where('kind', '=', 'Sell')
      .execute();
    const rows = (await fresh().ended(ACCOUNT)).positions;
    expect(rows.map((row) => row.id)).toEqual([first.id, second.id, third.id]);
    expect(shown(rows[1]!)).toEqual(['BTCUSDT', 2, '10', '0', '100', '0', 2, 'StopLoss']);
    expect(await ended()).toHaveLength(3);
  });

  test('what a context of the first shape does not say is told by its fills; late fees that come later count', async (context) => {
    const { begin, ended, queries } = await stage(await open(context));
    const position = await (await begin().buy('2', '100')).sell('2', '110');
    await position.end('TakeProfit', { first: true });
    expect((await ended()).map(shown)).toEqual([['BTCUSDT', 1, '20', '0', '200', '0', 2, 'TakeProfit']]);
    const fee = { tradeId: '1', fee: '1', feeAsset: 'BNB' };
    const set = (unvalued: object[], fees: string) =>
      queries
        .updateTable('auto_trade_positions')
        .set({ context: JSON.stringify({ fees, lateFees: fees, unvalued, cost: '0', quantity: '0', exitReason: 'TakeProfit' }) })
        .execute();
    await set([fee], '0');
    expect(toText((await ended())[0]!.realised)).toBe('20');
    await set([], '1.5');
    expect((await ended()).map(shown)).toEqual([['BTCUSDT', 1, '18.5', '1.5', '200', '0', 2, 'TakeProfit']]);
  });

  test('one that ends while it is read, with a fee that has no value yet, is read again', async (context) => {
    const database = await open(context);
    const { begin, queries } = await stage(database);
    const figures = figuresStore(database, { error: () => undefined });
    // Something else that ended is why it is read at all.
    await (await (await begin('ETHUSDT').buy('1', '10')).sell('1', '15')).end('TakeProfit');
    const position = await (await begin().buy('2', '100')).sell('2', '110');
    const set = (unvalued: object[], fees: string) =>
      queries
        .updateTable('auto_trade_positions')
        .set({ context: JSON.stringify({ fees, lateFees: fees, unvalued, cost: '0', quantity: '0', exitReason: 'TakeProfit' }) })
        .where('id', '=', position.id)
        .execute();
    let isFirst = true;
    const unsettled: typeof figures.unsettled = async (ids) => {
      const found = await figures.unsettled(ids);
      if (isFirst) {
        isFirst = false;
        await position.end('TakeProfit');
        await set([{ tradeId: '1', fee: '1', feeAsset: 'BNB' }], '0');
      }
      return found;
    };
    const reader = paperExits(queries, { ...figures, unsettled }, { error: () => undefined });
    const results = async () => (await reader.ended(ACCOUNT)).positions.map(({ realised }) => toText(realised));
    expect(await results()).toEqual(['5', '20']);
    await set([], '1.5');
    expect(await results()).toEqual(['5', '18.5']);
  });

  test('they add up to what the figures of the bots say, and to what performance counts', async (context) => {
    const { begin, ended, reader, tallies } = await stage(await open(context));
    const random = randomOf(7);
    const figure = (most: number) => (1 + random() * most).toFixed(4);
    for (let index = 0; index < 30; index += 1) {
      const bot = random() < 0.5 ? BOT : OTHER;
      const position = begin(random() < 0.5 ? 'BTCUSDT' : 'ETHUSDT', bot);
      let held = decimal('0');
      for (let buys = 0; buys <= random() * 3; buys += 1) {
        const quantity = figure(3);
        held = add(held, decimal(quantity));
        await position.buy(quantity, figure(100), figure(1));
      }
      const sells = Math.ceil(random() * 3);
      for (let sell = 1; sell <= sells; sell += 1) {
        const part = sell === sells ? held : divide(held, decimal('2'), 4);
        held = subtract(held, part);
        await position.sell(toText(part), figure(100), sell === sells ? 'StopLoss' : 'TakeProfit', figure(1));
      }
      await position.end('StopLoss', random() < 0.3 ? { late: figure(1) } : {});
    }
    const rows = await ended();
    expect(rows).toHaveLength(30);
    const totals = await tallies();
    for (const bot of [BOT, OTHER]) {
      const own = rows.filter(({ autoTradeId }) => autoTradeId === bot);
      const { realised, fees, exits } = totals.get(bot)!;
      expect(toText(sum(own.map((row) => row.realised)))).toBe(toText(realised));
      expect(toText(sum(own.map((row) => row.fees)))).toBe(toText(fees));
      const { exits: count, wins } = exits.figures(decimal('1000'));
      expect([own.length, own.filter((row) => isPositive(row.realised)).length]).toEqual([count, wins]);
    }
    const { exits } = await reader.of(ACCOUNT);
    expect(toText(sum(rows.map((row) => row.realised)))).toBe(toText(sum(exits.map(({ net }) => net))));
    for (const { openedAt, closedAt, trades } of rows) {
      expect(openedAt).toBeLessThan(closedAt);
      expect(trades).toBeGreaterThan(1);
    }
  });
});
