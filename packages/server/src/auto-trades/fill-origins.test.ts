import { fillKey } from '@pilotfish/core/positions/position-origin';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { fillOrigins } from './fill-origins.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const AT = Date.UTC(2026, 0, 15, 12);
const [ACCOUNT, OTHER, BOT, FOREIGN] = [id(1), id(2), id(3), id(4)];

async function stage({ queries }: Database) {
  for (const [account, wallet, bot] of [
    [ACCOUNT, id(11), BOT],
    [OTHER, id(12), FOREIGN],
  ] as const) {
    const person = { username: account, username_key: account, email: account, email_key: account, email_confirmed: 0 as const };
    const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
    await queries
      .insertInto('accounts')
      .values({ id: account, ...person, ...rest, password_hash: '', created_at: AT, updated_at: AT })
      .execute();
    const money = { currency: 'USDT', mode: 'live', reserve_pct: '1', paper_key: null, paper_secret: null } as const;
    await queries
      .insertInto('wallets')
      .values({ id: wallet, account_id: account, name: 'Main', name_key: 'main', ...money, created_at: AT })
      .execute();
    const state = { state: 'running', context: '{}', config_version: 1, taker_fees: '{}', created_at: AT, updated_at: AT };
    await queries
      .insertInto('auto_trades')
      .values({ id: bot, account_id: account, wallet_id: wallet, name: 'Majors', name_key: 'majors', ...state })
      .execute();
  }
  return async (autoTradeId: string, seq: number, kind: 'Buy' | 'Sell', text: object | string) => {
    const row = { id: id(seq + (autoTradeId === BOT ? 1000 : 2000)), auto_trade_id: autoTradeId, seq, run_no: 1, position_id: id(9) };
    const stored = typeof text === 'string' ? text : JSON.stringify(text);
    await queries
      .insertInto('auto_trade_traces')
      .values({ ...row, kind, symbol: 'BTCUSDT', at: AT + seq, recorded_at: AT + seq, body: stored })
      .execute();
  };
}

describeEachDialect('which bot brought about a fill', (open) => {
  test('its own, with the reason of a sale, and what came since the last question', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    const origins = fillOrigins(database.queries, { error: () => undefined });
    await write(BOT, 1, 'Buy', { tradeId: '7', reason: 'Entry', mode: 'live' });
    await write(BOT, 2, 'Sell', { tradeId: '8', reason: 'TakeProfit', mode: 'live' });
    await write(FOREIGN, 1, 'Sell', { tradeId: '9', reason: 'StopLoss', mode: 'live' });
    const first = await origins.of(ACCOUNT);
    expect(first.bots).toEqual(new Map([[BOT, { name: 'Majors', walletId: id(11), walletName: 'Main' }]]));
    expect([...first.fills.keys()]).toEqual([fillKey('BTCUSDT', '7'), fillKey('BTCUSDT', '8')]);
    expect(first.fills.get(fillKey('BTCUSDT', '8'))).toEqual({
      autoTradeId: BOT,
      positionId: id(9),
      symbol: 'BTCUSDT',
      tradeId: '8',
      side: 'Sell',
      at: AT + 2,
      reason: 'TakeProfit',
    });
    await write(BOT, 3, 'Sell', { tradeId: '10', reason: 'StopLoss', mode: 'live' });
    expect((await origins.of(ACCOUNT)).fills.get(fillKey('BTCUSDT', '10'))?.reason).toBe('StopLoss');
  });

  test('never one on paper, and a damaged row costs no other', async (context) => {
    const database = await open(context);
    const write = await stage(database);
    const origins = fillOrigins(database.queries, { error: () => undefined });
    await write(BOT, 1, 'Buy', { tradeId: '7', reason: 'Entry', mode: 'paper' });
    await write(BOT, 2, 'Sell', '{"tradeId":');
    await write(BOT, 3, 'Sell', { tradeId: '8', reason: 'of another version', mode: 'live' });
    await write(BOT, 4, 'Sell', { tradeId: '9', reason: 'Manual', mode: 'live' });
    const [one, other] = await Promise.all([origins.of(ACCOUNT), origins.of(ACCOUNT)]);
    expect([...one.fills.keys()]).toEqual([fillKey('BTCUSDT', '9')]);
    expect([one.unread, other.unread, (await origins.of(ACCOUNT)).unread]).toEqual([2, 2, 2]);
  });
});
