import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { positionIdFor } from '@pilotfish/core/auto-trades/position/position-ids';
import { newPosition, type PositionSettings } from '@pilotfish/core/auto-trades/position/position-state';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { uuidGenerator } from '../database/uuid.ts';
import { autoTradesStore } from './auto-trades-store.ts';
import { autoTradesMigrations } from './auto-trades-tables.ts';
import { withoutSettings } from './position-rows.ts';

const NOW = Date.UTC(2026, 0, 15);
let counter = 0;
const newId = uuidGenerator(
  () => NOW,
  (count) => Uint8Array.from({ length: count }, () => (counter = (counter * 31 + 7) & 255)),
);

describeEachDialect('bots', (open) => {
  async function stage(database: Database) {
    const [accountId, walletId, id] = [newId(), newId(), newId()];
    const account = {
      id: accountId,
      username: 'a',
      username_key: 'a',
      email: 'a',
      email_key: 'a',
      email_confirmed: 0 as const,
      password_hash: '',
    };
    const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
    await database.queries
      .insertInto('accounts')
      .values({ ...account, ...rest, created_at: NOW, updated_at: NOW })
      .execute();
    const wallet = { id: walletId, account_id: accountId, name: 'W', name_key: 'w', currency: 'USDT', mode: 'paper' as const };
    await database.queries
      .insertInto('wallets')
      .values({ ...wallet, reserve_pct: '1', paper_key: null, paper_secret: null, created_at: NOW })
      .execute();
    const store = autoTradesStore(database, { error: () => undefined });
    const config = autoTradeConfigSchema.parse({
      name: 'Bot',
      walletId,
      coins: { symbols: ['BTCUSDT'] },
      entry: {},
      stopLoss: { mode: 'none' },
    });
    const bot = { id, accountId, walletId, name: 'Bot', state: 'running' as const, context: newAutoTradeContext, config };
    await store.insert({ ...bot, configVersion: 1, takerFees: { BTCUSDT: '0.001' }, createdAt: NOW, updatedAt: NOW }, database.queries);
    const save = (state: 'open' | 'closed', change: object, walletRealised: string, walletPaidIn: string, number = 1) => {
      const context = newPosition({ config } as PositionSettings, number, positionIdFor(id, 1, 'BTCUSDT', number));
      return store.savePosition(
        id,
        {
          id: context.positionId,
          runNo: 1,
          symbol: 'BTCUSDT',
          number,
          configVersion: 1,
          takerFee: '0.001',
          state,
          context: withoutSettings({ ...context, ...change }),
          walletRealised,
          walletPaidIn,
        },
        NOW,
        database.queries,
      );
    };
    return { store, id, save };
  }

  test('protections judge by where the wallet stood when a position was closed, whatever is booked to it later', async (context) => {
    const { store, id, save } = await stage(await open(context));
    await save('open', { openedAt: 5, realised: '1' }, '40', '900');
    await save('closed', { openedAt: 5, closedAt: 10, realised: '3', spent: '100' }, '42', '1000');
    // A fee that is valued hours afterwards, when others have lost and money came.
    await save('closed', { openedAt: 5, closedAt: 10, realised: '3', spent: '100', lateFees: '0.5' }, '-77', '5000');
    // An entry that bought nothing is no trade: between two losses it ends no streak.
    await save('closed', { openedAt: null, closedAt: 20, exitReason: 'Abandoned' }, '42', '1000', 2);
    expect(await store.closedTrades(id, 1, 0, '-77')).toEqual([
      { symbol: 'BTCUSDT', closedAt: 10, realised: '2.5', cost: '100', walletRealised: '42', paidIn: '1000' },
    ]);
  });

  test('a bot from before each pair had its own fee keeps the one it was given, as that of its first coin', async (context) => {
    const database = await open(context);
    const { store, id } = await stage(database);
    const { queries } = database;
    await sql`alter table auto_trades add column taker_fee text not null default '0.00075'`.execute(queries);
    await sql`alter table auto_trades drop column taker_fees`.execute(queries);
    await autoTradesMigrations['0126-taker-fees']!.up(queries);
    expect((await store.all()).map(({ takerFees }) => takerFees)).toEqual([{ BTCUSDT: '0.00075' }]);
    await store.saveTakerFees(id, { BTCUSDT: '0.001', USDCUSDT: '0' });
    expect((await store.all())[0]?.takerFees).toEqual({ BTCUSDT: '0.001', USDCUSDT: '0' });
  });
});
