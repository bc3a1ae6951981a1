import type { Database } from '../database/database.ts';

/** What the screener and coin filters need to know of a user's bots; they only read. */
export function botFacts({ queries }: Database) {
  return {
    /** Symbols in which a bot of the account holds something. */
    openSymbols: async (accountId: string): Promise<Set<string>> => {
      const rows = await queries
        .selectFrom('auto_trade_positions as position')
        .innerJoin('auto_trades as bot', 'bot.id', 'position.auto_trade_id')
        .select('position.symbol')
        .distinct()
        .where('bot.account_id', '=', accountId)
        .where('position.opened_at', 'is not', null)
        .where('position.closed_at', 'is', null)
        .where('position.state', 'not in', ['closed', 'detached'])
        .execute();
      return new Set(rows.map((row) => row.symbol));
    },
    /** Names of the account's bots whose present settings name a coin filter, those of other markets too: filters are of all. */
    botsUsing: async (accountId: string, coinFilterId: string): Promise<string[]> => {
      const rows = await queries
        .withoutPlugins()
        .selectFrom('auto_trades as bot')
        .innerJoin('auto_trade_configs as config', (join) =>
          join.onRef('config.auto_trade_id', '=', 'bot.id').onRef('config.version', '=', 'bot.config_version'),
        )
        .select(['bot.name', 'config.config'])
        .where('bot.account_id', '=', accountId)
        .where('bot.state', '!=', 'deleted')
        .orderBy('bot.name')
        .execute();
      return rows.filter(({ config }) => namesFilter(JSON.parse(config), coinFilterId)).map((row) => row.name);
    },
  };
}
export type BotFacts = ReturnType<typeof botFacts>;

function namesFilter(config: unknown, id: string): boolean {
  const ids = (config as { coins?: { coinFilterIds?: unknown } } | null)?.coins?.coinFilterIds;
  return Array.isArray(ids) && ids.includes(id);
}
