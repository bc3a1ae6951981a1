import { type AutoTradeConfig, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { AutoTradeContext, AutoTradeStateName } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { TakerFees } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { type ClosedTrade, soldCost } from '@pilotfish/core/auto-trades/engine/protections';
import type { PositionState } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import type { PositionContext } from '@pilotfish/core/auto-trades/position/position-state';
import { type StoredTrace, traceSchema } from '@pilotfish/core/auto-trades/trace';
import { decimal, subtract, toText } from '@pilotfish/core/money/decimal';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import { foldName } from '../auth/accounts-store.ts';
import type { Database, Queries } from '../database/database.ts';
import { keyInMarket } from '../database/market-scope.ts';
import { storedRows } from '../database/stored-rows.ts';
import { type AutoTradesTables, HAS_UNVALUED_FEES } from './auto-trades-tables.ts';
import { botLogsStore } from './bot-logs-store.ts';

export type BotRow = {
  readonly id: string;
  readonly accountId: string;
  readonly walletId: string;
  readonly name: string;
  readonly state: AutoTradeStateName;
  readonly context: AutoTradeContext;
  readonly config: AutoTradeConfig;
  readonly configVersion: number;
  /** The last that the exchange told of its coins, by symbol. */
  readonly takerFees: TakerFees;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** A position as it lies in storage: its settings are found by bot, config version and pair. */
export type PositionRow = {
  readonly id: string;
  readonly runNo: number;
  readonly symbol: string;
  readonly number: number;
  readonly configVersion: number;
  readonly takerFee: string;
  readonly state: PositionState;
  readonly context: Omit<PositionContext, 'settings' | 'effects'>;
};

/** A closed position with a fee that has no value yet, of whatever bot and run. */
export type UnvaluedPosition = PositionRow & { readonly autoTradeId: string; readonly accountId: string };

/** A stored position as it is worked with. */
export const toPosition = (row: Selectable<AutoTradesTables['auto_trade_positions']>): PositionRow => ({
  id: row.id,
  runNo: row.run_no,
  symbol: row.symbol,
  number: row.number,
  configVersion: row.config_version,
  takerFee: row.taker_fee,
  state: row.state as PositionState,
  context: JSON.parse(row.context) as PositionRow['context'],
});

/** Closed positions that the protections of a bot look at, at most. */
const MOST_HISTORY = 1000;

export function autoTradesStore({ queries, market }: Database, log: Pick<Logger, 'error'>) {
  const nameKey = (name: string) => keyInMarket(market, foldName(name));
  const readable = storedRows(log);
  const bots = () =>
    queries
      .selectFrom('auto_trades as bot')
      .innerJoin('auto_trade_configs as config', (join) =>
        join.onRef('config.auto_trade_id', '=', 'bot.id').onRef('config.version', '=', 'bot.config_version'),
      )
      .selectAll('bot')
      .select('config.config')
      .where('bot.state', '!=', 'deleted');
  type Joined = Awaited<ReturnType<ReturnType<typeof bots>['executeTakeFirstOrThrow']>>;
  const toBot = (row: Joined): BotRow => ({
    id: row.id,
    accountId: row.account_id,
    walletId: row.wallet_id,
    name: row.name,
    state: row.state as AutoTradeStateName,
    context: JSON.parse(row.context) as AutoTradeContext,
    config: autoTradeConfigSchema.parse(JSON.parse(row.config)),
    configVersion: row.config_version,
    takerFees: JSON.parse(row.taker_fees) as TakerFees,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
  const toTrace = (row: { id: string; recorded_at: number; body: string }): StoredTrace => ({
    ...traceSchema.parse(JSON.parse(row.body)),
    id: row.id,
    recordedAt: new Date(row.recorded_at).toISOString(),
  });
  return {
    /** Those that can be read; of the others `unreadableBots` knows. */
    all: async (): Promise<BotRow[]> => readable('auto_trades', await bots().orderBy('bot.id').execute(), toBot),
    list: async (accountId: string): Promise<BotRow[]> =>
      readable('auto_trades', await bots().where('bot.account_id', '=', accountId).orderBy('bot.id').execute(), toBot),
    find: async (accountId: string, id: string): Promise<BotRow | undefined> => {
      const row = await bots().where('bot.account_id', '=', accountId).where('bot.id', '=', id).executeTakeFirst();
      return row && toBot(row);
    },
    nameTaken: async (accountId: string, name: string, except?: string): Promise<boolean> => {
      const row = await queries
        .selectFrom('auto_trades')
        .select('id')
        .where('account_id', '=', accountId)
        .where('name_key', '=', nameKey(name))
        .executeTakeFirst();
      return row !== undefined && row.id !== except;
    },
    insert: async (bot: BotRow, on: Queries): Promise<void> => {
      await on
        .insertInto('auto_trades')
        .values({
          id: bot.id,
          account_id: bot.accountId,
          wallet_id: bot.walletId,
          name: bot.name,
          name_key: nameKey(bot.name),
          state: bot.state,
          context: JSON.stringify(bot.context),
          config_version: bot.configVersion,
          taker_fees: JSON.stringify(bot.takerFees),
          created_at: bot.createdAt,
          updated_at: bot.updatedAt,
        })
        .execute();
      await on
        .insertInto('auto_trade_configs')
        .values({ auto_trade_id: bot.id, version: bot.configVersion, config: JSON.stringify(bot.config), created_at: bot.updatedAt })
        .execute();
    },
    /** A new config version; answers false when another one was saved in between. */
    saveConfig: async (bot: BotRow, config: AutoTradeConfig, takerFees: TakerFees, at: number, on: Queries): Promise<boolean> => {
      const result = await on
        .updateTable('auto_trades')
        .set({
          name: config.name,
          name_key: nameKey(config.name),
          config_version: bot.configVersion + 1,
          taker_fees: JSON.stringify(takerFees),
          wallet_id: config.walletId,
          updated_at: at,
        })
        .where('id', '=', bot.id)
        .where('config_version', '=', bot.configVersion)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return false;
      await on
        .insertInto('auto_trade_configs')
        .values({ auto_trade_id: bot.id, version: bot.configVersion + 1, config: JSON.stringify(config), created_at: at })
        .execute();
      return true;
    },
    /** What the exchange takes of a bot's coins now, for a start at which it cannot be asked. */
    saveTakerFees: async (id: string, takerFees: TakerFees): Promise<void> => {
      await queries
        .updateTable('auto_trades')
        .set({ taker_fees: JSON.stringify(takerFees) })
        .where('id', '=', id)
        .execute();
    },
    saveState: async (
      id: string,
      state: AutoTradeStateName,
      context: AutoTradeContext,
      at: number,
      on: Queries = queries,
    ): Promise<void> => {
      await on
        .updateTable('auto_trades')
        .set({ state, context: JSON.stringify(context), updated_at: at, ...(state === 'deleted' ? { name_key: null } : {}) })
        .where('id', '=', id)
        .execute();
    },
    config: async (id: string, version: number): Promise<AutoTradeConfig> => {
      const row = await queries
        .selectFrom('auto_trade_configs')
        .select('config')
        .where('auto_trade_id', '=', id)
        .where('version', '=', version)
        .executeTakeFirstOrThrow();
      return autoTradeConfigSchema.parse(JSON.parse(row.config));
    },
    /** Every version of a bot's settings, newest first. */
    configVersions: async (id: string): Promise<{ version: number; createdAt: string; config: AutoTradeConfig }[]> => {
      const rows = await queries
        .selectFrom('auto_trade_configs')
        .select(['version', 'config', 'created_at'])
        .where('auto_trade_id', '=', id)
        .orderBy('version', 'desc')
        .execute();
      return rows.map(({ version, config, created_at }) => ({
        version,
        createdAt: new Date(created_at).toISOString(),
        config: autoTradeConfigSchema.parse(JSON.parse(config)),
      }));
    },
    /** Positions of a bot, newest first; `runNo` narrows to one run. */
    positions: async (autoTradeId: string, more: { runNo?: number; limit?: number } = {}): Promise<PositionRow[]> => {
      let query = queries.selectFrom('auto_trade_positions').selectAll().where('auto_trade_id', '=', autoTradeId);
      if (more.runNo !== undefined) query = query.where('run_no', '=', more.runNo);
      return (
        await query
          .orderBy('updated_at', 'desc')
          .orderBy('id')
          .limit(more.limit ?? 10_000)
          .execute()
      ).map(toPosition);
    },
    /** The newest position of each coin of a run. */
    newestPositions: async (autoTradeId: string, runNo: number): Promise<PositionRow[]> => {
      const newest = queries
        .selectFrom('auto_trade_positions')
        .select((e) => ['symbol', e.fn.max('number').as('number')])
        .where('auto_trade_id', '=', autoTradeId)
        .where('run_no', '=', runNo)
        .groupBy('symbol')
        .as('newest');
      const rows = await queries
        .selectFrom('auto_trade_positions as position')
        .innerJoin(newest, (join) => join.onRef('newest.symbol', '=', 'position.symbol').onRef('newest.number', '=', 'position.number'))
        .selectAll('position')
        .where('position.auto_trade_id', '=', autoTradeId)
        .where('position.run_no', '=', runNo)
        .orderBy('position.symbol')
        .execute();
      return rows.map(toPosition);
    },
    /** Closed positions of a run with a fee that still has no value. */
    awaitingFees: async (autoTradeId: string, runNo: number): Promise<PositionRow[]> =>
      (
        await queries
          .selectFrom('auto_trade_positions')
          .selectAll()
          .where('auto_trade_id', '=', autoTradeId)
          .where('run_no', '=', runNo)
          .where(HAS_UNVALUED_FEES)
          .execute()
      ).map(toPosition),
    /** Closed positions of all bots, deleted ones too, that changed since and have a fee without a value. */
    unvalued: async (since: number): Promise<UnvaluedPosition[]> => {
      const rows = await queries
        .selectFrom((query) =>
          query.selectFrom('auto_trade_positions').selectAll().where(HAS_UNVALUED_FEES).where('updated_at', '>=', since).as('position'),
        )
        .innerJoin('auto_trades as bot', 'bot.id', 'position.auto_trade_id')
        .selectAll('position')
        .select('bot.account_id')
        .execute();
      return rows.map((row) => ({ ...toPosition(row), autoTradeId: row.auto_trade_id, accountId: row.account_id }));
    },
    /** Realised results of every position of a bot, all runs, decimal texts. */
    realised: async (autoTradeId: string): Promise<string[]> =>
      (await queries.selectFrom('auto_trade_positions').select('realised').where('auto_trade_id', '=', autoTradeId).execute()).map(
        (row) => row.realised,
      ),
    /** What the protections judge by: positions of a run closed since a venue time, oldest first; not those that bought nothing. */
    closedTrades: async (autoTradeId: string, runNo: number, since: number, walletRealised: string): Promise<ClosedTrade[]> => {
      const rows = await queries
        .selectFrom('auto_trade_positions')
        .select(['symbol', 'closed_at', 'context', 'wallet_realised', 'wallet_paid_in'])
        .where('auto_trade_id', '=', autoTradeId)
        .where('run_no', '=', runNo)
        .where('state', '=', 'closed')
        .where('closed_at', '>', since)
        .where('opened_at', 'is not', null)
        .orderBy('closed_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MOST_HISTORY)
        .execute();
      return rows.reverse().flatMap((row) => {
        const context = JSON.parse(row.context) as PositionRow['context'];
        const cost = soldCost({ ...context, spent: context.spent ?? context.cost });
        if (cost === null) return [];
        const trade = {
          symbol: row.symbol,
          closedAt: Number(row.closed_at),
          realised: toText(subtract(decimal(context.realised), decimal(context.lateFees ?? '0'))),
          cost,
          walletRealised: row.wallet_realised ?? walletRealised,
          ...(row.wallet_paid_in === null ? {} : { paidIn: row.wallet_paid_in }),
        };
        return [trade];
      });
    },
    /** When a fill was executed, venue ms. */
    filledAt: async (positionId: string, tradeId: string): Promise<number | undefined> =>
      (
        await queries
          .selectFrom('auto_trade_fills')
          .select('at')
          .where('position_id', '=', positionId)
          .where('trade_id', '=', tradeId)
          .executeTakeFirst()
      )?.at,
    savePosition: async (
      autoTradeId: string,
      position: PositionRow & { readonly walletRealised?: string; readonly walletPaidIn?: string },
      at: number,
      on: Queries,
    ): Promise<void> => {
      const row = {
        config_version: position.configVersion,
        state: position.state,
        context: JSON.stringify(position.context),
        realised: position.context.realised,
        opened_at: position.context.openedAt,
        closed_at: position.context.closedAt,
        updated_at: at,
      };
      const ended = position.state === 'closed';
      const wallet = {
        wallet_realised: (ended && position.walletRealised) || null,
        wallet_paid_in: (ended && position.walletPaidIn) || null,
      };
      await on
        .insertInto('auto_trade_positions')
        .values({
          id: position.id,
          auto_trade_id: autoTradeId,
          run_no: position.runNo,
          symbol: position.symbol,
          number: position.number,
          taker_fee: position.takerFee,
          ...row,
          ...wallet,
        })
        // Where the wallet stood when the position was closed stays, whatever is written to the position later.
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((e) => ({
            ...row,
            wallet_realised: e.fn.coalesce(e.ref('auto_trade_positions.wallet_realised'), e.ref('excluded.wallet_realised')),
            wallet_paid_in: e.fn.coalesce(e.ref('auto_trade_positions.wallet_paid_in'), e.ref('excluded.wallet_paid_in')),
          })),
        )
        .execute();
    },
    lastSeq: async (autoTradeId: string): Promise<number> => {
      const row = await queries
        .selectFrom('auto_trade_traces')
        .select((e) => e.fn.max('seq').as('seq'))
        .where('auto_trade_id', '=', autoTradeId)
        .executeTakeFirst();
      return Number(row?.seq ?? 0);
    },
    appendTraces: async (traces: readonly StoredTrace[], on: Queries): Promise<void> => {
      if (traces.length === 0) return;
      await on
        .insertInto('auto_trade_traces')
        .values(
          traces.map(({ id, recordedAt, ...trace }) => ({
            id,
            auto_trade_id: trace.autoTradeId,
            seq: trace.seq,
            run_no: trace.runNo,
            position_id: trace.positionId,
            kind: trace.kind,
            symbol: trace.symbol,
            at: Date.parse(trace.at),
            recorded_at: Date.parse(recordedAt),
            body: JSON.stringify(trace),
          })),
        )
        .execute();
    },
    traces: async (
      autoTradeId: string,
      query: { page: number; pageSize: number; kind?: string | undefined; positionId?: string | undefined },
    ): Promise<{ items: StoredTrace[]; total: number }> => {
      let all = queries.selectFrom('auto_trade_traces').where('auto_trade_id', '=', autoTradeId);
      if (query.kind !== undefined) all = all.where('kind', '=', query.kind);
      if (query.positionId !== undefined) all = all.where('position_id', '=', query.positionId);
      const { total } = await all.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await all
        .selectAll()
        .orderBy('seq', 'desc')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute();
      return { items: rows.map(toTrace), total: Number(total) };
    },
    lastTrace: async (autoTradeId: string): Promise<StoredTrace | null> => {
      const row = await queries
        .selectFrom('auto_trade_traces')
        .selectAll()
        .where('auto_trade_id', '=', autoTradeId)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? toTrace(row) : null;
    },
    positionTraces: async (autoTradeId: string, positionId: string): Promise<StoredTrace[]> =>
      (
        await queries
          .selectFrom('auto_trade_traces')
          .selectAll()
          .where('auto_trade_id', '=', autoTradeId)
          .where('position_id', '=', positionId)
          .orderBy('seq')
          .execute()
      ).map(toTrace),
    /** Realised results of the sells of a bot since a venue time, decimal texts. */
    realisedSince: async (autoTradeId: string, since: number): Promise<string[]> => {
      const rows = await queries
        .selectFrom('auto_trade_traces')
        .select('body')
        .where('auto_trade_id', '=', autoTradeId)
        .where('kind', '=', 'Sell')
        .where('at', '>=', since)
        .execute();
      return rows.map(({ body }) => String(traceSchema.parse(JSON.parse(body)).after.realised ?? '0'));
    },
    ...botLogsStore(queries),
    appendFills: async (fills: readonly FillRow[], on: Queries): Promise<void> => {
      if (fills.length > 0)
        await on
          .insertInto('auto_trade_fills')
          .values([...fills])
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    },
    fills: (autoTradeId: string, positionId: string) =>
      queries
        .selectFrom('auto_trade_fills')
        .selectAll()
        .where('auto_trade_id', '=', autoTradeId)
        .where('position_id', '=', positionId)
        .orderBy('at')
        .orderBy('trade_id')
        .execute(),
  };
}
export type AutoTradesStore = ReturnType<typeof autoTradesStore>;

export type FillRow = AutoTradesTables['auto_trade_fills'];
