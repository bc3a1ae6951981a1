import { positionIdOfOldOrder } from '@pilotfish/core/auto-trades/position/position-ids';
import type { OrderInFlight } from '@pilotfish/core/auto-trades/position/position-state';
import type { Percent } from '@pilotfish/core/money/figure';
import type { OrderPurpose } from '@pilotfish/core/orders/orders-contract';
import type { Database, Queries } from '../database/database.ts';
import type { AutoTradesTables } from './auto-trades-tables.ts';

export type IntentRow = {
  readonly id: string;
  readonly autoTradeId: string;
  readonly positionId: string;
  readonly accountKey: string;
  readonly clientOrderId: string;
  readonly kind: 'place' | 'cancel';
  readonly symbol: string;
  readonly order: OrderInFlight;
  readonly maxSlippagePct: Percent;
};
export type IntentStatus = 'pending' | 'sent' | 'done' | 'refused' | 'unknown';

/** Ids of one question at most: a statement has room for so many values only. */
const IDS_AT_ONCE = 500;

const toIntent = (row: AutoTradesTables['order_intents']): IntentRow => {
  const body = JSON.parse(row.body) as { order: OrderInFlight; maxSlippagePct: Percent };
  return {
    id: row.id,
    autoTradeId: row.auto_trade_id,
    // Version 0.1.0 kept it in the order id only.
    positionId: row.position_id ?? positionIdOfOldOrder(row.client_order_id) ?? '',
    accountKey: row.account_key,
    clientOrderId: row.client_order_id,
    kind: row.kind,
    symbol: row.symbol,
    ...body,
  };
};

/** The outbox of orders and the kill switches that keep it from being sent. */
export function orderIntentsStore({ queries }: Database) {
  return {
    appendIntents: async (intents: readonly IntentRow[], at: number, on: Queries): Promise<void> => {
      if (intents.length === 0) return;
      await on
        .insertInto('order_intents')
        .values(
          intents.map((intent) => ({
            id: intent.id,
            auto_trade_id: intent.autoTradeId,
            position_id: intent.positionId,
            account_key: intent.accountKey,
            client_order_id: intent.clientOrderId,
            kind: intent.kind,
            symbol: intent.symbol,
            body: JSON.stringify({ order: intent.order, maxSlippagePct: intent.maxSlippagePct }),
            status: 'pending' as const,
            detail: null,
            created_at: at,
            updated_at: at,
          })),
        )
        .execute();
    },
    setIntent: async (id: string, status: IntentStatus, detail: string | null, at: number): Promise<void> => {
      await queries.updateTable('order_intents').set({ status, detail, updated_at: at }).where('id', '=', id).execute();
    },
    /** The place intent of an order attempt, to learn whether it was ever sent. */
    intentOf: async (clientOrderId: string): Promise<(IntentRow & { status: IntentStatus }) | undefined> => {
      const row = await queries
        .selectFrom('order_intents')
        .selectAll()
        .where('client_order_id', '=', clientOrderId)
        .where('kind', '=', 'place')
        .executeTakeFirst();
      if (!row) return undefined;
      return { ...toIntent(row), status: row.status };
    },
    /** Which of an account's bots placed these orders, and what for, by client order id. */
    placedBy: async (
      accountId: string,
      clientOrderIds: readonly string[],
    ): Promise<ReadonlyMap<string, { id: string; name: string; purpose: OrderPurpose }>> => {
      const found = new Map<string, { id: string; name: string; purpose: OrderPurpose }>();
      for (let first = 0; first < clientOrderIds.length; first += IDS_AT_ONCE) {
        const rows = await queries
          .selectFrom('order_intents')
          .innerJoin('auto_trades', 'auto_trades.id', 'order_intents.auto_trade_id')
          .select(['order_intents.client_order_id', 'order_intents.body', 'auto_trades.id', 'auto_trades.name'])
          .where('auto_trades.account_id', '=', accountId)
          .where('order_intents.client_order_id', 'in', clientOrderIds.slice(first, first + IDS_AT_ONCE))
          .where('order_intents.kind', '=', 'place')
          .execute();
        for (const { client_order_id, body, id, name } of rows)
          found.set(client_order_id, { id, name, purpose: (JSON.parse(body) as { order: OrderInFlight }).order.purpose });
      }
      return found;
    },
    /** Those of these client order ids that we have placed, or meant to. */
    knownOrders: async (clientOrderIds: readonly string[]): Promise<ReadonlySet<string>> => {
      const known = new Set<string>();
      for (let first = 0; first < clientOrderIds.length; first += IDS_AT_ONCE) {
        const rows = await queries
          .selectFrom('order_intents')
          .select('client_order_id')
          .where('client_order_id', 'in', clientOrderIds.slice(first, first + IDS_AT_ONCE))
          .where('kind', '=', 'place')
          .execute();
        for (const row of rows) known.add(row.client_order_id);
      }
      return known;
    },
    /** Orders that count as never executed, or of which the exchange knew nothing any more, of late. */
    doubtful: async (since: number): Promise<IntentRow[]> => {
      const rows = await queries
        .selectFrom('order_intents')
        .selectAll()
        .where('kind', '=', 'place')
        .where('status', 'in', ['refused', 'unknown'])
        .where('detail', 'in', ['ABSENT', 'VANISHED'])
        .where('updated_at', '>=', since)
        .orderBy('id')
        .execute();
      return rows.map(toIntent);
    },
    /** Cancels of which nobody has heard yet whether they were done. */
    pendingCancels: async (since: number): Promise<IntentRow[]> => {
      const rows = await queries
        .selectFrom('order_intents')
        .selectAll()
        .where('status', '=', 'pending')
        .where('kind', '=', 'cancel')
        .where('created_at', '>=', since)
        .orderBy('id')
        .execute();
      return rows.map(toIntent);
    },
    halts: () => queries.selectFrom('halts').selectAll().execute(),
    /** `liquidate`: what the bot holds is sold; the only orders that are signed for it. */
    halt: async (
      scopeId: string,
      { accountId, reason, at, liquidate }: { accountId: string; reason: string; at: number; liquidate: boolean },
      on: Queries,
    ): Promise<void> => {
      const row = { account_id: accountId, reason, halted_at: at, liquidate: Number(liquidate) };
      await on
        .insertInto('halts')
        .values({ scope_id: scopeId, ...row })
        .onConflict((conflict) => conflict.column('scope_id').doUpdateSet(row))
        .execute();
    },
    liftHalt: async (scopeId: string, on: Queries = queries): Promise<void> => {
      await on.deleteFrom('halts').where('scope_id', '=', scopeId).execute();
    },
    ordersSince: async (since: number): Promise<number> => {
      const row = await queries
        .selectFrom('order_intents')
        .select((e) => e.fn.countAll<number>().as('total'))
        .where('kind', '=', 'place')
        .where('created_at', '>=', since)
        .executeTakeFirstOrThrow();
      return Number(row.total);
    },
  };
}
export type OrderIntentsStore = ReturnType<typeof orderIntentsStore>;
