import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { Trace, TraceKind } from '@pilotfish/core/auto-trades/trace';
import { MOST_COMPARED } from '@pilotfish/core/comparison/comparison-contract';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { uuidGenerator } from '../database/uuid.ts';
import type { WalletRow } from '../wallets/wallets-store.ts';
import { autoTradesStore, type BotRow } from './auto-trades-store.ts';
import { botComparison } from './bot-comparison.ts';

const NOW = Date.UTC(2026, 0, 15);
const MINUTE = 60_000;
let counter = 0;
const newId = uuidGenerator(
  () => NOW,
  (count) => Uint8Array.from({ length: count }, () => (counter = (counter * 31 + 7) & 255)),
);
type Position = { readonly at: number; readonly isBought: boolean };

describeEachDialect('two bots beside each other', (open) => {
  async function stage(database: Database) {
    const accountId = newId();
    const names = { username: 'a', username_key: 'a', email: 'a', email_key: 'a' };
    const flags = { email_confirmed: 0 as const, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const };
    await database.queries
      .insertInto('accounts')
      .values({
        id: accountId,
        ...names,
        ...flags,
        password_hash: '',
        phone: null,
        totp_secret: null,
        language: 'en',
        created_at: NOW,
        updated_at: NOW,
      })
      .execute();
    const store = autoTradesStore(database, { error: () => undefined });
    const bots: BotRow[] = [];
    for (const name of ['real', 'other']) {
      const [walletId, id] = [newId(), newId()];
      await database.queries
        .insertInto('wallets')
        .values({
          id: walletId,
          account_id: accountId,
          name,
          name_key: name,
          currency: 'USDT',
          mode: 'paper',
          reserve_pct: '1',
          paper_key: null,
          paper_secret: null,
          created_at: NOW,
        })
        .execute();
      const config = autoTradeConfigSchema.parse({
        name,
        walletId,
        coins: { symbols: ['BTCUSDT'] },
        entry: {},
        stopLoss: { mode: 'none' },
      });
      const bot = { id, accountId, walletId, name, state: 'running' as const, context: newAutoTradeContext, config };
      await store.insert({ ...bot, configVersion: 1, takerFees: { BTCUSDT: '0.001' }, createdAt: NOW, updatedAt: NOW }, database.queries);
      bots.push((await store.find(accountId, id))!);
    }
    const [real, other] = bots as [BotRow, BotRow];
    let seq = 0;
    let number = 0;
    /** Positions as they would be stored: an Entry, and of one that bought its buy, its sale and its end a second later. */
    const positions = async (all: readonly Position[]): Promise<string[]> => {
      const ids: string[] = [];
      const traces = all.flatMap(({ at, isBought }) => {
        const positionId = newId();
        ids.push(positionId);
        const row = (kind: TraceKind, reason: string, after: Trace['after']) => {
          seq += 1;
          const about = {
            seq,
            runNo: 1,
            kind,
            symbol: 'BTCUSDT',
            price: '100',
            bid: '100',
            ask: '100',
            configVersion: 1,
            mode: 'paper',
            before: {},
          };
          const body = {
            ...about,
            autoTradeId: real.id,
            positionId,
            at: new Date(at).toISOString(),
            reason,
            after,
            clientOrderId: `${seq}`,
          };
          return {
            id: newId(),
            auto_trade_id: real.id,
            seq,
            run_no: 1,
            position_id: positionId,
            kind,
            symbol: 'BTCUSDT',
            at,
            recorded_at: at,
            body: JSON.stringify(body),
          };
        };
        const fill = { quantity: '1', quoteQuantity: '100', feeInQuote: '0.1' };
        return isBought
          ? [
              row('Entry', 'Drop', {}),
              row('Buy', 'Entry', fill),
              row('Sell', 'TakeProfit', fill),
              row('Exit', 'TakeProfit', { realised: '-0.2' }),
            ]
          : [row('Entry', 'Drop', {}), row('Exit', 'Abandoned', { realised: '0' })];
      });
      for (const [index, { at, isBought }] of all.entries()) {
        number += 1;
        await database.queries
          .insertInto('auto_trade_positions')
          .values({
            id: ids[index]!,
            auto_trade_id: real.id,
            run_no: 1,
            symbol: 'BTCUSDT',
            number,
            config_version: 1,
            taker_fee: '0.001',
            state: 'closed',
            context: JSON.stringify({ fees: '0.2' }),
            realised: isBought ? '-0.2' : '0',
            opened_at: isBought ? at : null,
            closed_at: at,
            wallet_realised: null,
            wallet_paid_in: null,
            updated_at: at,
          })
          .execute();
      }
      for (let from = 0; from < traces.length; from += 100)
        await database.queries
          .insertInto('auto_trade_traces')
          .values(traces.slice(from, from + 100))
          .execute();
      return ids;
    };
    const switched = async (at: number, action: string, target: string) =>
      database.queries
        .insertInto('audit_log')
        .values({
          id: newId(),
          at,
          account_id: accountId,
          actor_id: null,
          action: `auto-trade.${action}`,
          target,
          outcome: 'success',
          address: '',
          device: '',
          request_id: '',
          details: null,
        })
        .execute();
    const calls = botComparison(
      { database },
      {
        store,
        wallets: { find: async (_, id) => ({ id, currency: 'USDT', mode: id === real.walletId ? 'live' : 'paper' }) as WalletRow },
        require: async () => real,
      },
    );
    const input = { params: { id: real.id }, query: {}, account: { id: accountId } };
    const compared = async () => (await calls.compareAutoTrade(input)).comparison!;
    return { real, other, positions, switched, compared, known: () => calls.listKnownPositions(input) };
  }

  test('entries that bought nothing take no place of positions that did', async (context) => {
    const { positions, compared } = await stage(await open(context));
    await positions([
      { at: NOW + MINUTE, isBought: true },
      ...Array.from({ length: MOST_COMPARED }, (_, index) => ({ at: NOW + (2 + index) * MINUTE, isBought: false })),
    ]);
    expect((await compared()).positions).toHaveLength(1);
  });

  test('a bot that was disabled or halted then is told from one that did not decide', async (context) => {
    const { real, other, positions, switched, compared } = await stage(await open(context));
    const at = (minute: number) => NOW + minute * MINUTE;
    for (const bot of [real, other]) await switched(at(0), 'enable', bot.id);
    await switched(at(2), 'disable', other.id);
    await switched(at(4), 'enable', other.id);
    await switched(at(6), 'halt', 'all');
    await switched(at(6), 'halt', 'BTCUSDT');
    await switched(at(8), 'enable', other.id);
    await switched(at(8), 'halt', real.id);
    await positions([1, 3, 5, 7, 9].map((minute) => ({ at: at(minute), isBought: true })));
    expect((await compared()).positions.map(({ reasons }) => reasons)).toEqual([
      ['notDecided'],
      ['halted'],
      ['notDecided'],
      ['disabled'],
      ['notDecided'],
    ]);
  });

  test('what the server halts by itself is halted, and one that was never enabled is not at work', async (context) => {
    const database = await open(context);
    const { other, positions, compared } = await stage(database);
    await positions([{ at: NOW + MINUTE, isBought: true }]);
    await database.queries.updateTable('auto_trades').set({ state: 'disabled' }).where('id', '=', other.id).execute();
    expect((await compared()).positions).toMatchObject([{ reasons: ['disabled'] }]);
    const halt = { scope_id: other.id, account_id: other.accountId, reason: 'set back', halted_at: NOW, liquidate: 0 };
    await database.queries.insertInto('halts').values(halt).execute();
    expect((await compared()).positions).toMatchObject([{ reasons: ['halted'] }]);
  });

  test('of ended positions those are known whose traces do not say all', async (context) => {
    const database = await open(context);
    const { positions, known } = await stage(database);
    const ids = await positions([1, 2, 3].map((minute) => ({ at: NOW + minute * MINUTE, isBought: true })));
    const change = (index: number, set: object) =>
      database.queries.updateTable('auto_trade_positions').set(set).where('id', '=', ids[index]!).execute();
    await change(0, { context: JSON.stringify({ fees: '0.5', lateFees: '0.3' }) });
    await change(1, { state: 'detached' });
    // Of a bot with thousands of positions those without a late fee are not even read.
    await change(2, { context: '… "lateFees":"0" …' });
    expect((await known()).sort((a, b) => (a.fees < b.fees ? 1 : -1))).toEqual([
      { positionId: ids[0], takenOverAt: null, realised: '-0.5', fees: '0.5' },
      { positionId: ids[1], takenOverAt: new Date(NOW + 2 * MINUTE).toISOString(), realised: '-0.2', fees: '0.2' },
    ]);
  });
});
