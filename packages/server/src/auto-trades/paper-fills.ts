import type { Queries } from '../database/database.ts';
import type { FillOrigins } from './fill-origins.ts';

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

/**
 * The newest fills in a pair by the bots whose wallet is on paper, newest first.
 * @param live the account's fills with real money: a bot may have traded with it before it got its wallet on paper
 */
export async function paperFills(
  queries: Queries,
  accountId: string,
  { symbol, limit, live }: { symbol: string; limit: number; live: Pick<FillOrigins, 'fills'> },
): Promise<PaperFill[]> {
  const bots = await queries
    .selectFrom('auto_trades as bot')
    .innerJoin('wallets as wallet', 'wallet.id', 'bot.wallet_id')
    .where('bot.account_id', '=', accountId)
    .where('wallet.mode', '=', 'paper')
    .select(['bot.id', 'bot.name'])
    .execute();
  if (bots.length === 0) return [];
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const liveOnes = new Set(
    [...live.fills.values()].flatMap((fill) => (fill.symbol === symbol && names.has(fill.autoTradeId) ? [fill.positionId] : [])),
  );
  // By way of the positions: fills have no index of their bots.
  let query = queries
    .selectFrom('auto_trade_positions as position')
    .innerJoin('auto_trade_fills as fill', 'fill.position_id', 'position.id')
    .where('position.auto_trade_id', 'in', [...names.keys()])
    .where('position.symbol', '=', symbol)
    .where('fill.symbol', '=', symbol);
  if (liveOnes.size > 0) query = query.where('position.id', 'not in', [...liveOnes]);
  const rows = await query
    .select(['fill.auto_trade_id', 'fill.position_id', 'fill.trade_id', 'fill.at', 'fill.side', 'fill.price', 'fill.quantity'])
    .orderBy('fill.at', 'desc')
    .orderBy('fill.trade_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ auto_trade_id: autoTradeId, position_id, trade_id, at, side, price, quantity }) => ({
    autoTradeId,
    botName: names.get(autoTradeId) ?? '',
    id: `${position_id}:${trade_id}`,
    at: Number(at),
    side,
    price,
    quantity,
  }));
}
