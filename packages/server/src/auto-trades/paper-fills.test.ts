import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { paperFills } from './paper-fills.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const AT = Date.UTC(2026, 0, 15, 12);
const [ACCOUNT, OTHER, PAPER_BOT, LIVE_BOT, FOREIGN] = [id(1), id(2), id(3), id(4), id(5)];
const QUIET = { error: () => undefined };
const minutes = async ({ queries }: Database, log: Parameters<typeof paperFills>[1] = QUIET) =>
  (await paperFills(queries, log)(ACCOUNT, { symbol: 'BTCUSDT', limit: 10 })).map(({ at }) => at - AT);

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
  // By the second version each has a wallet of the other kind.
  for (const [bot, wallets] of [
    [PAPER_BOT, [13, 14]],
    [LIVE_BOT, [14, 13]],
    [FOREIGN, [15]],
  ] as const)
    for (const [index, wallet] of wallets.entries())
      await queries
        .insertInto('auto_trade_configs')
        .values({ auto_trade_id: bot, version: index + 1, config: JSON.stringify({ walletId: id(wallet) }), created_at: AT })
        .execute();
  let count = 0;
  return async (bot: string, minute: number, { symbol = 'BTCUSDT', version = 1 } = {}): Promise<void> => {
    count += 1;
    const position = id(100 + count);
    const rules = { run_no: 1, number: count, config_version: version, taker_fee: '0', state: 'open', context: '{}', realised: '0' };
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
  };
}

describeEachDialect('fills on paper in a pair', (open) => {
  test('of bots on paper of one account only, newest first, as many as asked for', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    await write(PAPER_BOT, 1);
    await write(PAPER_BOT, 3);
    await write(PAPER_BOT, 2, { symbol: 'ETHUSDT' });
    await write(LIVE_BOT, 4);
    await write(FOREIGN, 5);
    const ask = async (limit: number) =>
      (await paperFills(database.queries, QUIET)(ACCOUNT, { symbol: 'BTCUSDT', limit })).map(({ botName, at, quantity }) => [
        botName,
        at - AT,
        quantity,
      ]);
    expect(await ask(10)).toEqual([
      ['Bot 3', 3, '3'],
      ['Bot 3', 1, '1'],
    ]);
    expect(await ask(1)).toEqual([['Bot 3', 3, '3']]);
  });

  test('of a position the wallet of its time counts: a bot on paper may trade with real money by now, and the other way about', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    await write(PAPER_BOT, 1, { version: 2 });
    await write(PAPER_BOT, 2);
    await write(LIVE_BOT, 3, { version: 2 });
    await write(LIVE_BOT, 4);
    expect(await minutes(database)).toEqual([3, 2]);
  });

  test('settings that cannot be read cost the fills of their positions only', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    await write(PAPER_BOT, 1);
    await write(LIVE_BOT, 2, { version: 2 });
    await database.queries.updateTable('auto_trade_configs').set({ config: '{' }).where('auto_trade_id', '=', PAPER_BOT).execute();
    const errors: unknown[] = [];
    expect(await minutes(database, { error: (facts: unknown) => void errors.push(facts) } as never)).toEqual([2]);
    expect(errors).toMatchObject([{ table: 'auto_trade_configs', row: PAPER_BOT }]);
  });
});
