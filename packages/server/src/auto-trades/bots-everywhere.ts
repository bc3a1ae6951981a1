import { OCCUPIED } from '@pilotfish/core/auto-trades/engine/engine-slots';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { UnreadableBot } from './unreadable-bots.ts';

/** A bot of a market that this server does not work with: nothing of it runs, and it goes on once its market is chosen again. */
export type BotElsewhere = UnreadableBot & { readonly market: MarketSource };

/** What is asked of an account's bots in all markets, also in those that this server does not work with. */
export function botsEverywhere({ queries, market }: Pick<Database, 'queries' | 'market'>) {
  return {
    /** Markets in which live bots of the account run, or hold positions or orders. */
    liveMarkets: async (accountId: string): Promise<ReadonlySet<string>> => {
      const { rows } = await sql<{ market: string }>`select distinct bot.market as market
        from auto_trades bot join wallets wallet on wallet.id = bot.wallet_id
        where bot.account_id = ${accountId} and wallet.mode = 'live' and (bot.state = 'running' or exists (
          select 1 from auto_trade_positions position
          where position.auto_trade_id = bot.id and position.state in (${sql.join([...OCCUPIED])})))`.execute(queries);
      return new Set(rows.map((row) => row.market));
    },
    /** Bots of the account in the other markets, readable or not; those that were deleted left out. */
    elsewhere: async (accountId: string): Promise<BotElsewhere[]> => {
      const { rows } = await sql<BotElsewhere>`select id, account_id as "accountId", name, state, market from auto_trades
        where account_id = ${accountId} and market <> ${market} and state <> 'deleted' order by id`.execute(queries);
      return rows;
    },
    /** Ids of all bots, readable or not; those that were deleted left out. */
    idsOf: async (accountId: string): Promise<string[]> => {
      const all = queries.withoutPlugins().selectFrom('auto_trades').select('id').where('state', '!=', 'deleted');
      return (await all.where('account_id', '=', accountId).orderBy('id').execute()).map(({ id }) => id);
    },
  };
}
