import type { Logger } from 'pino';
import * as z from 'zod';
import type { Queries } from '../database/database.ts';
import { storedRows } from '../database/stored-rows.ts';

/** A fill of a bot on paper; `at` in venue ms. */
export type PaperFill = {
  readonly autoTradeId: string;
  readonly botName: string;
  readonly id: string;
  readonly at: number;
  readonly side: 'Buy' | 'Sell';
  readonly price: string;
  readonly quantity: string;
};

const settings = z.object({ walletId: z.string() });

/**
 * The newest fills of an account's bots on paper in a pair, newest first. A bot may move from a wallet on paper to one with
 * real money, and back, but not while it holds something: whose money a position had is that of the wallet in its settings.
 */
export function paperFills(queries: Queries, log: Pick<Logger, 'error'>) {
  const readable = storedRows(log);

  /** The versions of settings by which bots traded the pair on paper, by bot. */
  async function versionsOnPaper(accountId: string, symbol: string): Promise<Map<string, { botName: string; versions: number[] }>> {
    const wallets = await queries
      .selectFrom('wallets')
      .select('id')
      .where('account_id', '=', accountId)
      .where('mode', '=', 'paper')
      .execute();
    const onPaper = new Set(wallets.map(({ id }) => id));
    const bots = new Map<string, { botName: string; versions: number[] }>();
    if (onPaper.size === 0) return bots;
    const rows = await queries
      .selectFrom('auto_trades as bot')
      .innerJoin('auto_trade_configs as config', 'config.auto_trade_id', 'bot.id')
      .where('bot.account_id', '=', accountId)
      .where((where) =>
        where.exists(
          where
            .selectFrom('auto_trade_positions as position')
            .select('position.id')
            .whereRef('position.auto_trade_id', '=', 'bot.id')
            .whereRef('position.config_version', '=', 'config.version')
            .where('position.symbol', '=', symbol),
        ),
      )
      .select(['bot.id', 'bot.name', 'config.version', 'config.config'])
      .execute();
    const read = await readable('auto_trade_configs', rows, ({ config, ...row }) => ({
      ...row,
      ...settings.parse(JSON.parse(config)),
    }));
    for (const { id, name: botName, version, walletId } of read) {
      if (!onPaper.has(walletId)) continue;
      const own = bots.get(id) ?? { botName, versions: [] };
      own.versions.push(version);
      bots.set(id, own);
    }
    return bots;
  }

  return async (accountId: string, { symbol, limit }: { readonly symbol: string; readonly limit: number }): Promise<PaperFill[]> => {
    const bots = await versionsOnPaper(accountId, symbol);
    if (bots.size === 0) return [];
    // By way of the positions: fills have no index of their bots.
    const rows = await queries
      .selectFrom('auto_trade_positions as position')
      .innerJoin('auto_trade_fills as fill', 'fill.position_id', 'position.id')
      .where('position.symbol', '=', symbol)
      .where('fill.symbol', '=', symbol)
      .where((where) =>
        where.or(
          [...bots].map(([id, { versions }]) =>
            where.and([where('position.auto_trade_id', '=', id), where('position.config_version', 'in', versions)]),
          ),
        ),
      )
      .select(['fill.auto_trade_id', 'fill.position_id', 'fill.trade_id', 'fill.at', 'fill.side', 'fill.price', 'fill.quantity'])
      .orderBy('fill.at', 'desc')
      .orderBy('fill.trade_id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ auto_trade_id: autoTradeId, position_id, trade_id, at, side, price, quantity }) => ({
      autoTradeId,
      botName: bots.get(autoTradeId)?.botName ?? '',
      id: `${position_id}:${trade_id}`,
      at: Number(at),
      side,
      price,
      quantity,
    }));
  };
}
