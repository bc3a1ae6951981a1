import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { newPosition } from '@pilotfish/core/auto-trades/position/position-state';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { emptySums } from '@pilotfish/core/wallets/wallet-book';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeEachDialect } from '../../database/database-fixture.ts';
import { autoTradesStore } from '../auto-trades-store.ts';
import { withoutSettings } from '../position-rows.ts';
import { unlistedPair } from '../unlisted-pair.ts';
import { botFiguresFeature } from './bot-figures.ts';
import { botHoldings } from './bot-holdings.ts';
import { figuresStore } from './figures-store.ts';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const NOW = Date.UTC(2026, 0, 15, 12);
const MIDNIGHT = Date.UTC(2026, 0, 15);
const [ACCOUNT, WALLET, DAMAGED, SOUND] = [id(1), id(2), id(3), id(4)];
const wallet = { id: WALLET, account_id: ACCOUNT, name: 'W', name_key: 'w', currency: 'USDT', mode: 'paper', reserve_pct: '1' } as const;
const silent = { error: () => undefined };

async function stage(database: Database) {
  const { queries } = database;
  const person = { username: 'a', username_key: 'a', email: 'a', email_key: 'a', email_confirmed: 0 as const, password_hash: '' };
  const rest = { phone: null, phone_confirmed: 0 as const, two_factor_confirmed: 1 as const, totp_secret: null, language: 'en' as const };
  await queries
    .insertInto('accounts')
    .values({ id: ACCOUNT, ...person, ...rest, created_at: NOW, updated_at: NOW })
    .execute();
  await queries
    .insertInto('wallets')
    .values({ ...wallet, paper_key: null, paper_secret: null, created_at: NOW })
    .execute();
  const store = autoTradesStore(database, silent);
  let count = 100;
  for (const botId of [DAMAGED, SOUND]) {
    const settings = { name: botId, walletId: WALLET, coins: { symbols: ['BTCUSDT'] }, entry: {}, stopLoss: { mode: 'none' } };
    const config = autoTradeConfigSchema.parse(settings);
    const bot = { id: botId, accountId: ACCOUNT, walletId: WALLET, name: botId, state: 'running' as const, context: newAutoTradeContext };
    await store.insert({ ...bot, config, configVersion: 1, takerFees: {}, createdAt: NOW, updatedAt: NOW }, queries);
    const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = unlistedPair('BTCUSDT', 'USDT');
    const own = { autoTradeId: botId, runNo: 1, mode: 'paper' as const, config, configVersion: 1, takerFee: '0.001' };
    for (const [state, openedAt, closedAt] of [
      ['open', MIDNIGHT + 1, null],
      ['closed', MIDNIGHT - 1, MIDNIGHT + 2],
    ] as const) {
      count += 1;
      const begun = newPosition({ ...own, symbol, baseAsset, quoteAsset, filters, pricePrecision }, count, id(count));
      const quantity = state === 'open' ? '1' : '0';
      const context = withoutSettings({ ...begun, quantity, cost: quantity === '1' ? '100' : '0', bought: '1', openedAt, closedAt });
      const place = { id: id(count), runNo: 1, symbol, number: count, configVersion: 1, takerFee: '0.001' };
      await store.savePosition(botId, { ...place, state, context }, NOW, queries);
      const trace = (seq: number, kind: 'Buy' | 'Sell', at: number, before: string, after: Trace['after']) => ({
        seq,
        autoTradeId: botId,
        runNo: 1,
        positionId: id(count),
        kind,
        symbol,
        at: new Date(at).toISOString(),
        price: '100',
        bid: '100',
        ask: '100',
        configVersion: 1,
        reason: 'Entry',
        mode: 'paper' as const,
        before: { position: before },
        after,
        id: id(count * 10 + seq),
        recordedAt: new Date(at).toISOString(),
      });
      const bought = { position: '1', quoteQuantity: '100', fee: '0', feeAsset: 'BTC', feeInQuote: '0' };
      const sold = { position: '0', matchedCost: '100', realised: '5' };
      await store.appendTraces(
        [trace(count * 2, 'Buy', openedAt, '0', bought), ...(closedAt === null ? [] : [trace(count * 2 + 1, 'Sell', closedAt, '1', sold)])],
        queries,
      );
    }
  }
  const figures = figuresStore(database, silent);
  const wallets = {
    list: async () => [
      { id: WALLET, accountId: ACCOUNT, name: 'W', currency: 'USDT', mode: 'paper' as const, reservePct: '1', createdAt: 0, terms: null },
    ],
    book: async () => ({ id: WALLET, currency: 'USDT', reservePct: '1', sums: { ...emptySums, deposits: '1000' } }),
  };
  const pair = unlistedPair('BTCUSDT', 'USDT');
  const market = { asOf: NOW, pair: () => pair, price: () => '110', board: { index: () => undefined, column: () => [] } } as never;
  const service = { store, running: () => undefined } as never;
  const holdings = botHoldings({ service, figures, wallets, market });
  const reader = { candles: async () => [{ openTime: new Date(MIDNIGHT - 60_000).toISOString(), close: '100' }] as never };
  /** As a server that has just started answers. */
  return async () => {
    const { handlers } = botFiguresFeature({ database, now: () => NOW }, { service, holdings, figures, wallets, market, reader });
    const all = await handlers.listAutoTradeFigures!({ account: { id: ACCOUNT } } as never);
    return new Map((all as { id: string; today: string | null; open: string | null }[]).map((each) => [each.id, each]));
  };
}

describeEachDialect('figures of bots beside one with a damaged row', (open) => {
  test.for([
    ['a fill', 'auto_trade_traces', 'body', ['Buy', 'Sell'], { today: null, open: '9.89' }],
    ['a position in a slot', 'auto_trade_positions', 'context', ['open'], undefined],
    ['a position that is over', 'auto_trade_positions', 'context', ['closed'], undefined],
    ['the settings of a position', 'auto_trade_configs', 'config', [], undefined],
  ] as const)('%s', async ([, table, column, which, expected], context) => {
    const database = await open(context);
    const figures = await stage(database);
    const sound = (await figures()).get(SOUND);
    // 9.89 of what is open, 5 sold, less what the price of midnight would have left.
    expect(sound).toMatchObject({ open: '9.89', today: '14.99' });
    expect((await figures()).get(DAMAGED)).toMatchObject({ open: '9.89', today: '14.99' });
    let damage = database.queries
      .updateTable(table)
      .set({ [column]: '{"broken' } as never)
      .where('auto_trade_id', '=', DAMAGED);
    if (which.length > 0) damage = damage.where((table === 'auto_trade_traces' ? 'kind' : 'state') as never, 'in', which as never);
    await damage.execute();
    const all = await figures();
    expect(all.get(SOUND)).toEqual(sound);
    if (expected) expect(all.get(DAMAGED)).toMatchObject(expected);
    else expect(all.get(DAMAGED)).toBeUndefined();
  });
});
