import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import type { BotFill } from './fill-origins.ts';
import { paperFills } from './paper-fills.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const AT = Date.UTC(2026, 0, 15, 12);
const [ACCOUNT, OTHER, PAPER_BOT, LIVE_BOT, FOREIGN] = [id(1), id(2), id(3), id(4), id(5)];
const NONE: ReadonlyMap<string, BotFill> = new Map();

async function stage({ queries }: Database) {
  const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
  for (const account of [ACCOUNT, OTHER]) {
    const person = { username: account, username_key: account, email: account, email_key: account, email_confirmed: 0 as const };
    await queries
      .insertInto('accounts')
      .values({ id: account, ...person, ...rest, password_hash: '', created_at: AT, updated_at: AT })
      .execute();
  }
  for (const [account, bot, mode] of [
    [ACCOUNT, PAPER_BOT, 'paper'],
    [ACCOUNT, LIVE_BOT, 'live'],
    [OTHER, FOREIGN, 'paper'],
  ] as const) {
    const wallet = id(Number(bot.slice(-2)) + 10);
    const money = { currency: 'USDT', mode, reserve_pct: '1', paper_key: null, paper_secret: null } as const;
    await queries
      .insertInto('wallets')
      .values({ id: wallet, account_id: account, name: mode, name_key: mode, ...money, created_at: AT })
      .execute();
    const state = { state: 'running', context: '{}', config_version: 1, taker_fees: '{}', created_at: AT, updated_at: AT };
    await queries
      .insertInto('auto_trades')
      .values({ id: bot, account_id: account, wallet_id: wallet, name: `Bot ${bot.slice(-1)}`, name_key: bot, ...state })
      .execute();
  }
  let count = 0;
  return async (bot: string, minute: number, symbol = 'BTCUSDT'): Promise<string> => {
    count += 1;
    const position = id(100 + count);
    const rules = { run_no: 1, number: count, config_version: 1, taker_fee: '0', state: 'open', context: '{}', realised: '0' };
    await queries
      .insertInto('auto_trade_positions')
      .values({ id: position, auto_trade_id: bot, symbol, ...rules, opened_at: AT, closed_at: null, updated_at: AT })
      .execute();
    const figures = { price: '10', quantity: String(minute), quote_quantity: '10', fee: '0', fee_asset: 'USDT', fee_in_quote: '0' };
    const names = { trade_id: `${count}`, order_id: '1', client_order_id: 'c' };
    await queries
      .insertInto('auto_trade_fills')
      .values({ auto_trade_id: bot, position_id: position, symbol, ...names, side: 'Buy', ...figures, at: AT + minute })
      .execute();
    return position;
  };
}

describeEachDialect('fills on paper in a pair', (open) => {
  test('of bots on paper of one account only, newest first, as many as asked for', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    await write(PAPER_BOT, 1);
    await write(PAPER_BOT, 3);
    await write(PAPER_BOT, 2, 'ETHUSDT');
    await write(LIVE_BOT, 4);
    await write(FOREIGN, 5);
    const ask = async (limit: number) =>
      (await paperFills(database.queries, ACCOUNT, { symbol: 'BTCUSDT', limit, live: { fills: NONE } })).map(
        ({ botName, at, quantity }) => [botName, at - AT, quantity],
      );
    expect(await ask(10)).toEqual([
      ['Bot 3', 3, '3'],
      ['Bot 3', 1, '1'],
    ]);
    expect(await ask(1)).toEqual([['Bot 3', 3, '3']]);
  });

  test('nothing that its bot bought with real money before it moved to a wallet on paper', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    const real = await write(PAPER_BOT, 1);
    await write(PAPER_BOT, 2);
    const fill = { autoTradeId: PAPER_BOT, positionId: real, symbol: 'BTCUSDT', tradeId: '1', side: 'Buy', at: AT, reason: null } as const;
    const live = { fills: new Map([['BTCUSDT 1', fill]]) };
    const found = await paperFills(database.queries, ACCOUNT, { symbol: 'BTCUSDT', limit: 10, live });
    expect(found.map(({ at }) => at - AT)).toEqual([2]);
  });
});
