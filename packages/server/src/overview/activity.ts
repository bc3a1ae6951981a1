import type { TradeMode } from '@pilotfish/core/http/wire';
import type { Activity, ActivityKind, ActivityTotals } from '@pilotfish/core/overview/overview-contract';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import type { Queries } from '../database/database.ts';
import { factsOf, linkIn } from '../notifications/notification-texts.ts';

/** Notifications that are events of the day; what bots bought and sold is read from their traces. */
const NOTIFIED: Readonly<Record<string, ActivityKind>> = {
  'bot-paused': 'pause',
  'bot-coin-paused': 'pause',
  'bot-blocked': 'block',
  'bot-halted': 'halt',
  'bot-frozen': 'halt',
  'bot-attention': 'attention',
  'bot-sale-given-up': 'attention',
  'bot-price-jump': 'attention',
  'bot-balance-jump': 'attention',
  'bot-stop-refused': 'attention',
};
/** The bot whose page a notification leads to. */
const botIn = (link: string | null): string | null => /^\/auto-trade\/detail\/([\da-f-]{36})$/.exec(link ?? '')?.[1] ?? null;

export type ActivityParts = {
  readonly trades: (accountId: string, from: number) => Promise<{ items: Activity[]; totals: ActivityTotals[] }>;
  /** Newest first. */
  readonly alerts: (accountId: string, from: number, limit: number) => Promise<Activity[]>;
  /** How far the server's clock is ahead of the market's, ms. */
  readonly aheadOfMarket: () => number;
};

/** What happened since a moment of the market, newest first: one question to each source. */
export function activityList(
  { queries, market }: { queries: Queries; market: MarketSource },
  { trades, alerts, aheadOfMarket }: ActivityParts,
) {
  async function modesOf(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, TradeMode>> {
    if (ids.length === 0) return new Map();
    const rows = await queries
      .selectFrom('auto_trades as bot')
      .innerJoin('wallets as wallet', 'wallet.id', 'bot.wallet_id')
      .select(['bot.id', 'wallet.mode'])
      .where('bot.account_id', '=', accountId)
      .where('bot.id', 'in', ids)
      .execute();
    return new Map(rows.map(({ id, mode }) => [id, mode]));
  }

  async function notified(accountId: string, from: number, limit: number): Promise<Activity[]> {
    const rows = await queries
      .selectFrom('notifications')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('created_at', '>=', from)
      .where('code', 'in', Object.keys(NOTIFIED))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    const modes = await modesOf(accountId, [...new Set(rows.flatMap(({ link }) => botIn(link) ?? []))]);
    return rows.flatMap((row): Activity[] => {
      const [facts, link, kind] = [factsOf(row), linkIn(row, market), NOTIFIED[row.code]];
      const autoTradeId = botIn(link);
      // A bot of another market is not of this home screen.
      if (kind === undefined || (link === null && row.link !== null)) return [];
      return [
        {
          id: `notification:${row.id}`,
          at: new Date(Number(row.at)).toISOString(),
          kind,
          code: row.code,
          facts,
          symbol: facts.symbol === undefined || facts.symbol === '' ? null : facts.symbol,
          autoTradeId,
          botName: facts.bot ?? null,
          mode: modes.get(autoTradeId ?? '') ?? null,
          result: null,
          currency: null,
          link,
        },
      ];
    });
  }

  return async (
    accountId: string,
    from: number,
    limit: number,
  ): Promise<{ items: Activity[]; complete: boolean; totals: ActivityTotals[] }> => {
    const wall = from + aheadOfMarket();
    const [traded, fired, told] = await Promise.all([
      trades(accountId, from),
      alerts(accountId, wall, limit + 1),
      notified(accountId, wall, limit + 1),
    ]);
    const all = [...traded.items, ...fired, ...told].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1));
    return { items: all.slice(0, limit), complete: all.length <= limit, totals: traded.totals };
  };
}
