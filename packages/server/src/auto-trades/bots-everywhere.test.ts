import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { account, NOW, OWNER } from '../positions/ledger-fixture.ts';
import { botFacts } from '../prices/bot-facts.ts';
import { botsEverywhere } from './bots-everywhere.ts';

describeEachDialect('bots of all markets', (open) => {
  async function bot(
    { queries }: Pick<Database, 'queries'>,
    id: string,
    {
      mode = 'live',
      state = 'disabled',
      held = 'closed',
      filter = '',
    }: { mode?: 'live' | 'paper'; state?: string; held?: string; filter?: string },
  ): Promise<void> {
    const common = { id, account_id: OWNER, name: id, name_key: id, created_at: NOW };
    await queries
      .insertInto('wallets')
      .values({ ...common, currency: 'USDT', mode, reserve_pct: '0', paper_key: null, paper_secret: null })
      .execute();
    await queries
      .insertInto('auto_trades')
      .values({ ...common, wallet_id: id, state, context: '{}', config_version: 1, updated_at: NOW, taker_fees: '{}' })
      .execute();
    const config = JSON.stringify({ coins: { coinFilterIds: [filter] } });
    await queries.insertInto('auto_trade_configs').values({ auto_trade_id: id, version: 1, config, created_at: NOW }).execute();
    const position = { id, auto_trade_id: id, run_no: 1, symbol: 'BTCUSDT', number: 1, config_version: 1, taker_fee: '0', state: held };
    const none = { opened_at: null, closed_at: null, wallet_realised: null, wallet_paid_in: null };
    await queries
      .insertInto('auto_trade_positions')
      .values({ ...position, ...none, context: '{}', realised: '0', updated_at: NOW } as never)
      .execute();
  }

  test('are found from any market: those that are live, those of a filter, those whose tapes go with the account', async (context) => {
    const { whole, ...here } = await open(context);
    await account(whole);
    const [there, third] = [await whole.forMarket('binance'), await whole.forMarket('binance-testnet')];
    await bot(here, 'a', { state: 'running', mode: 'paper', held: 'open' });
    await bot(there, 'b', { held: 'exitPending', filter: 'f' });
    await bot(there, 'c', { state: 'deleted', filter: 'f' });
    await bot(third, 'd', {});
    for (const database of [here, there, third]) {
      const everywhere = botsEverywhere(database);
      expect(await everywhere.liveMarkets(OWNER)).toEqual(new Set(['binance']));
      expect(await everywhere.idsOf(OWNER)).toEqual(['a', 'b', 'd']);
      expect(await botFacts(database).botsUsing(OWNER, 'f')).toEqual(['b']);
    }
    await bot(third, 'e', { state: 'running' });
    expect(await botsEverywhere(here).liveMarkets(OWNER)).toEqual(new Set(['binance', 'binance-testnet']));
  });
});
