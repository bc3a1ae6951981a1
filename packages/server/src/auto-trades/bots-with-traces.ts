import type { Queries } from '../database/database.ts';

/** The bots of an account, deleted ones too, with the wallet of each and the number of its newest trace. */
export const botsWithTraces = (queries: Queries, accountId: string) =>
  queries
    .selectFrom('auto_trades as bot')
    .innerJoin('wallets as wallet', 'wallet.id', 'bot.wallet_id')
    .where('bot.account_id', '=', accountId)
    .select((e) => [
      'bot.id',
      'bot.name',
      'wallet.id as wallet_id',
      'wallet.name as wallet_name',
      'wallet.currency',
      'wallet.mode',
      e
        .selectFrom('auto_trade_traces as trace')
        .whereRef('trace.auto_trade_id', '=', 'bot.id')
        .select('trace.seq')
        .orderBy('trace.seq', 'desc')
        .limit(1)
        .as('last'),
    ])
    .execute();
