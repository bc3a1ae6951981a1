import { type Decimal, decimal, toText } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Database } from '../database/database.ts';
import type { OrderPayload } from '../exchange/payloads.ts';
import type { AccountKey } from '../exchange-connection/trading-accounts.ts';
import { afterFills, type CountedFill, type Holdings } from './account-differences.ts';

/** Rows of one insert, and ids of one question at most: a statement has room for so many values only. */
const CHUNK = 100;
const IDS_AT_ONCE = 500;

/** What accounts at the exchange were found to hold, and which orders their owners were told of. */
export function accountStatesStore(database: Database) {
  const { queries } = database;
  /** The fills of all bots of a wallet, or of all live wallets of an account, that were written since. */
  async function fillsSince(key: AccountKey, since: number): Promise<CountedFill[]> {
    const [mode, id] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
    const rows = await queries
      .selectFrom('auto_trade_traces as trace')
      .innerJoin('auto_trades as bot', 'bot.id', 'trace.auto_trade_id')
      .innerJoin('wallets as wallet', 'wallet.id', 'bot.wallet_id')
      .select(['trace.kind', 'trace.symbol', 'trace.body'])
      .where('wallet.mode', '=', mode as 'live' | 'paper')
      .where(mode === 'live' ? 'wallet.account_id' : 'wallet.id', '=', id)
      .where('trace.kind', 'in', ['Buy', 'Sell'])
      .where('trace.recorded_at', '>', since)
      .execute();
    return rows.flatMap(({ kind, symbol, body }) => {
      const { after, reason } = JSON.parse(body) as {
        reason: string;
        after: Record<'quantity' | 'quoteQuantity' | 'fee' | 'feeAsset', string>;
      };
      // No fill: what was found to be away, at that time or before.
      if (reason === 'SoldOutside') return [];
      const { quantity, quoteQuantity, fee, feeAsset } = after;
      return [{ symbol, side: kind as 'Buy' | 'Sell', quantity, quoteQuantity, fee, feeAsset }];
    });
  }

  return {
    /** What an account has to hold now if only our bots traded since it was looked at; undefined when it never was. */
    expected: async (key: AccountKey, pair: (symbol: string) => Pair | undefined): Promise<Holdings | undefined> => {
      const row = await queries.selectFrom('account_states').selectAll().where('account_key', '=', key).executeTakeFirst();
      if (!row) return undefined;
      const before = new Map<string, Decimal>(
        Object.entries(JSON.parse(row.held) as Record<string, string>).map(([asset, amount]) => [asset, decimal(amount)]),
      );
      return afterFills(before, await fillsSince(key, row.at), pair);
    },
    /** Orders that the database did not know, and what each had executed when its owner was told. */
    toldOrders: async (key: AccountKey): Promise<ReadonlyMap<string, string>> => {
      const rows = await queries
        .selectFrom('unknown_orders')
        .select(['client_order_id', 'executed'])
        .where('account_key', '=', key)
        .execute();
      return new Map(rows.map((row) => [row.client_order_id, row.executed]));
    },
    /** Those of these ids that are positions here. */
    knownPositions: async (ids: readonly string[]): Promise<string[]> => {
      const known: string[] = [];
      for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
        const rows = await queries
          .selectFrom('auto_trade_positions')
          .select('id')
          .where('id', 'in', ids.slice(first, first + IDS_AT_ONCE))
          .execute();
        known.push(...rows.map(({ id }) => id));
      }
      return known;
    },
    /** Every coin that a bot ever had a position of. */
    tradedSymbols: async (autoTradeId: string): Promise<string[]> =>
      (await queries.selectFrom('auto_trade_positions').select('symbol').distinct().where('auto_trade_id', '=', autoTradeId).execute()).map(
        ({ symbol }) => symbol,
      ),
    save: async (state: {
      key: AccountKey;
      accountId: string;
      held: Holdings;
      at: number;
      told: readonly OrderPayload[];
    }): Promise<void> => {
      const { key, accountId, at } = state;
      const held = JSON.stringify(Object.fromEntries([...state.held].map(([asset, amount]) => [asset, toText(amount)])));
      await database.transaction(async (on) => {
        await on
          .insertInto('account_states')
          .values({ account_key: key, account_id: accountId, at, held })
          .onConflict((conflict) => conflict.column('account_key').doUpdateSet({ at, held }))
          .execute();
        const rows = state.told.map((order) => ({
          account_key: key,
          client_order_id: order.clientOrderId,
          account_id: accountId,
          symbol: order.symbol,
          side: order.side === 'BUY' ? ('Buy' as const) : ('Sell' as const),
          status: order.status,
          executed: toText(decimal(order.executedQty)),
          quote: toText(decimal(order.cummulativeQuoteQty)),
          found_at: at,
        }));
        for (let first = 0; first < rows.length; first += CHUNK)
          await on
            .insertInto('unknown_orders')
            .values(rows.slice(first, first + CHUNK))
            .onConflict((conflict) =>
              conflict.columns(['account_key', 'client_order_id']).doUpdateSet((e) => ({
                executed: e.ref('excluded.executed'),
                quote: e.ref('excluded.quote'),
                status: e.ref('excluded.status'),
                found_at: e.ref('excluded.found_at'),
              })),
            )
            .execute();
      });
    },
  };
}
export type AccountStatesStore = ReturnType<typeof accountStatesStore>;
