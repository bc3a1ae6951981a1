import { decimal, sum, toText, ZERO } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeEachDialect } from '../../database/database-fixture.ts';
import type { EndedOne } from './ended-positions.ts';
import { type PaperExit, paperExits } from './paper-exits.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const AT = Date.UTC(2026, 0, 15, 12);
const [ACCOUNT, OTHER, BOT, FOREIGN, LIVE] = [id(1), id(2), id(3), id(4), id(5)];
const POSITION = id(9);

async function stage({ queries }: Database) {
  for (const account of [ACCOUNT, OTHER]) {
    const person = { username: account, username_key: account, email: account, email_key: account, email_confirmed: 0 as const };
    const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
    await queries
      .insertInto('accounts')
      .values({ id: account, ...person, ...rest, password_hash: '', created_at: AT, updated_at: AT })
      .execute();
  }
  for (const [bot, account, mode, name] of [
    [BOT, ACCOUNT, 'paper', 'Majors'],
    [LIVE, ACCOUNT, 'live', 'Own money'],
    [FOREIGN, OTHER, 'paper', 'Majors'],
  ] as const) {
    const money = { currency: 'USDT', mode, reserve_pct: '1', paper_key: null, paper_secret: null } as const;
    const wallet = { id: id(Number(bot.slice(-2)) + 10), account_id: account, name: `W ${mode}`, name_key: `w ${mode}` };
    await queries
      .insertInto('wallets')
      .values({ ...wallet, ...money, created_at: AT })
      .execute();
    const state = { state: 'running', context: '{}', config_version: 1, taker_fees: '{}', created_at: AT, updated_at: AT };
    // Deleted: without a name that is taken.
    const row = { id: bot, account_id: account, wallet_id: wallet.id, name, name_key: null };
    await queries
      .insertInto('auto_trades')
      .values({ ...row, ...state })
      .execute();
  }
  const ended: EndedOne[] = [];
  let unsettled = '';
  /** A fill of the bot, minutes after the start; text in its place is a row that is damaged. */
  const write = async (seq: number, kind: 'Buy' | 'Sell', told: object | string, autoTradeId = BOT) => {
    const row = { id: id(seq + 1000 * Number(autoTradeId.slice(-2))), auto_trade_id: autoTradeId, seq, run_no: 1, position_id: POSITION };
    const at = AT + seq * 60_000;
    const given = { at: new Date(at).toISOString(), mode: 'paper', reason: kind === 'Buy' ? 'Entry' : 'TakeProfit' };
    const body = typeof told === 'string' ? told : JSON.stringify({ ...given, ...told });
    await queries
      .insertInto('auto_trade_traces')
      .values({ ...row, kind, symbol: 'BTCUSDT', at, recorded_at: at, body })
      .execute();
  };
  const figures = {
    endedCounts: async () => new Map([[BOT, ended.length]]),
    endedOneByOne: async (_: string, cursor?: { closedAt: number }) =>
      ended.filter(({ closedAt }) => cursor === undefined || closedAt > cursor.closedAt),
    unsettled: async () => new Map([[BOT, unsettled]]),
  };
  /** The newest trace as the next question for bots finds it. */
  let newest: number | undefined;
  const answers = queries.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (newest === undefined) return result;
      const last = newest;
      newest = undefined;
      return { ...result, rows: result.rows.map((row) => (row.id === BOT ? { ...row, last } : row)) };
    },
  });
  const exits = paperExits(answers, figures, { error: () => undefined });
  return {
    write,
    of: (account = ACCOUNT, last?: number) => {
      newest = last;
      return exits.of(account);
    },
    end: ({ state = 'closed', fees, lateFees = '0' }: { state?: string; fees: string; lateFees?: string }, left = '') => {
      unsettled = left;
      const sums = { realised: ZERO, fees: decimal(fees), lateFees: decimal(lateFees), spent: ZERO, cost: ZERO, left: ZERO };
      const row = { id: POSITION, symbol: 'BTCUSDT', openedAt: AT, closedAt: AT };
      ended.splice(0, 1, { ...row, state, position: { ...sums, exitReason: null } });
    },
  };
}
const bought = (position: string, fee: string) => ({ before: { position: '0' }, after: { position, feeInQuote: fee } });
const sold = (before: string, position: string, realised: string, order: string, fee = '0.5') => ({
  clientOrderId: order,
  before: { position: before },
  after: { position, feeInQuote: fee, realised },
});
const shown = ({ at, reason, net, fees, boughtAt }: PaperExit) => [
  (at - AT) / 60_000,
  reason,
  toText(net),
  toText(fees),
  boughtAt === null ? null : (boughtAt - AT) / 60_000,
];

describeEachDialect('exits on paper', (open) => {
  test('fills of an order are one, with the share of the fees of their buys; only new traces are read', async (context) => {
    const { write, of } = await stage(await open(context));
    await write(1, 'Buy', bought('4', '4'));
    await write(2, 'Sell', sold('4', '3', '10', 'a'));
    await write(3, 'Sell', sold('3', '2', '12', 'a'));
    // Live money is the ledger's; and what is of other accounts is theirs.
    await write(4, 'Sell', { ...sold('3', '2', '1', 'x'), mode: 'live' }, LIVE);
    await write(4, 'Sell', sold('3', '2', '1', 'y'), FOREIGN);
    const first = await of();
    expect(first.exits.map(shown)).toEqual([[3, 'TakeProfit', '22', '3', 1]]);
    expect(first.exits[0]).toMatchObject({ autoTradeId: BOT, symbol: 'BTCUSDT', currency: 'USDT' });
    expect(first.bots.get(BOT)).toEqual({ name: 'Majors', walletId: id(13), walletName: 'W paper' });
    // Coins that left by themselves are no sale, and take their share along.
    await write(5, 'Sell', { ...sold('2', '1', '0', 'b', '0'), reason: 'SoldOutside' });
    await write(6, 'Sell', { ...sold('1', '0', '-3', 'c'), reason: 'StopLoss' });
    expect((await of()).exits.map(shown)).toEqual([
      [3, 'TakeProfit', '22', '3', 1],
      [6, 'StopLoss', '-3', '1.5', 1],
    ]);
    expect((await of(OTHER)).exits.map(({ net }) => toText(net))).toEqual(['1']);
  });

  test('what a bot writes while it is read is counted once', async (context) => {
    const { write, of } = await stage(await open(context));
    await write(1, 'Buy', bought('4', '4'));
    await write(2, 'Sell', sold('4', '3', '10', 'a'));
    await write(3, 'Sell', sold('3', '2', '12', 'b'));
    // The third came after the question for the newest.
    await of(ACCOUNT, 2);
    expect((await of()).exits.map(shown)).toEqual([
      [2, 'TakeProfit', '10', '1.5', 1],
      [3, 'TakeProfit', '12', '1.5', 1],
    ]);
  });

  test('a fee that gets its value after the end is of the last sale, so that all of it is what the bot came to', async (context) => {
    const { write, of, end } = await stage(await open(context));
    await write(1, 'Buy', bought('2', '0'));
    await write(2, 'Sell', sold('2', '1', '10', 'a'));
    await write(3, 'Sell', sold('1', '0', '5', 'b'));
    end({ fees: '1' }, 'one fee');
    expect((await of()).exits.map(shown)).toEqual([
      [2, 'TakeProfit', '10', '0.5', 1],
      [3, 'TakeProfit', '5', '0.5', 1],
    ]);
    end({ fees: '1.75', lateFees: '0.75' });
    const { exits } = await of();
    expect(exits.map(shown).at(-1)).toEqual([3, 'TakeProfit', '4.25', '1.25', 1]);
    expect(toText(sum(exits.map(({ net }) => net)))).toBe('14.25');
    // One that its owner took over: what it paid stays with it.
    end({ state: 'detached', fees: '9' }, ' ');
    expect(toText(sum((await of()).exits.map(({ fees }) => fees)))).toBe('1');
  });

  test('a row that cannot be read costs no other, and is said where it is a sale', async (context) => {
    const { write, of, end } = await stage(await open(context));
    await write(1, 'Buy', '{');
    await write(2, 'Sell', sold('2', '1', '10', 'a'));
    await write(3, 'Sell', JSON.stringify({ at: 'never' }));
    await write(4, 'Sell', { ...sold('1', '0', '5', 'b'), reason: 'Luck' });
    await write(5, 'Sell', '{', LIVE);
    end({ fees: '99' });
    const { exits, unread } = await of();
    expect(exits.map(shown)).toEqual([[2, 'TakeProfit', '10', '0.5', null]]);
    expect(unread).toEqual([3, 4].map((seq) => ({ at: AT + seq * 60_000, autoTradeId: BOT, symbol: 'BTCUSDT', currency: 'USDT' })));
    expect((await of()).unread).toHaveLength(2);
  });
});
