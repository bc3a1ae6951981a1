import type { MarketRest } from '@pilotfish/core/admin/market-choice-contract';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import type { Database } from './database.ts';

/** How much lies at each market, over all accounts. */
export async function restsByMarket({ queries }: Pick<Database, 'queries'>, market: MarketSource): Promise<MarketRest[]> {
  const count = async (table: 'wallets' | 'price_alerts' | 'ledger_entries') =>
    (
      await queries
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;
  const bots = await queries
    .selectFrom('auto_trades')
    .innerJoin('wallets', 'wallets.id', 'auto_trades.wallet_id')
    .where('auto_trades.name_key', 'is not', null)
    .select(['auto_trades.id', 'auto_trades.state', 'wallets.mode'])
    .execute();
  const open = await queries
    .selectFrom('auto_trade_positions')
    .where('state', '!=', 'closed')
    .where('opened_at', 'is not', null)
    .select('auto_trade_id')
    .execute();
  const live = new Set(bots.filter(({ mode }) => mode === 'live').map(({ id }) => id));
  return [
    {
      market,
      bots: bots.length,
      runningBots: bots.filter(({ state }) => !['draft', 'disabled', 'deleted'].includes(state)).length,
      openPositions: open.length,
      liveOpenPositions: open.filter(({ auto_trade_id }) => live.has(auto_trade_id)).length,
      wallets: await count('wallets'),
      priceAlerts: await count('price_alerts'),
      ledgerEntries: await count('ledger_entries'),
    },
  ];
}
