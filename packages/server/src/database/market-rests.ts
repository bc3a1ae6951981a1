import type { MarketRest } from '@pilotfish/core/admin/market-choice-contract';
import { marketSource } from '@pilotfish/core/prices/prices-contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

type Figure = Exclude<keyof MarketRest, 'market'>;

const open = sql`from auto_trade_positions position
  join auto_trades bot on bot.id = position.auto_trade_id join wallets wallet on wallet.id = bot.wallet_id
  where position.opened_at is not null and position.closed_at is null and position.state not in ('closed', 'detached')`;
/** Rows of each figure; raw SQL sees all markets, whichever the database is open for. */
const ROWS: Readonly<Record<Figure, RawBuilder<unknown>>> = {
  bots: sql`select market from auto_trades where state <> 'deleted'`,
  runningBots: sql`select market from auto_trades where state in ('running', 'paused', 'blocked')`,
  openPositions: sql`select position.market as market ${open}`,
  liveOpenPositions: sql`select position.market as market ${open} and wallet.mode = 'live'`,
  priceAlerts: sql`select market from price_alerts`,
  wallets: sql`select market from wallets`,
  ledgerEntries: sql`select market from ledger_entries`,
};

/** What lies at each market, whichever the server runs with; in the order of their names, without those at which nothing lies. */
export async function restsByMarket({ queries }: Pick<Database, 'queries'>): Promise<MarketRest[]> {
  const none = Object.fromEntries(Object.keys(ROWS).map((figure) => [figure, 0])) as Record<Figure, number>;
  const rests = new Map<string, MarketRest>();
  for (const [figure, rows] of Object.entries(ROWS)) {
    const counted = await sql<{ market: string; rows: number }>`select market, count(*) as rows from (${rows}) as found
      group by market`.execute(queries);
    for (const row of counted.rows) {
      const { data: market } = marketSource.safeParse(row.market);
      // Of a market that only another version knows: it rests as well, and is chosen there.
      if (market !== undefined) rests.set(market, { ...none, ...rests.get(market), market, [figure]: Number(row.rows) });
    }
  }
  return [...rests.values()].sort((one, other) => (one.market < other.market ? -1 : 1));
}
