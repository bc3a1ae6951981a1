import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { EngineStep } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { digits } from '@pilotfish/core/money/figure';
import type { Timers } from '@pilotfish/core/time/timers';
import { paidIn, type WalletSums } from '@pilotfish/core/wallets/wallet-book';
import type { Database } from '../database/database.ts';
import type { AccountKey } from '../exchange-connection/trading-accounts.ts';
import type { NewLedgerRow, WalletsStore } from '../wallets/wallets-store.ts';
import type { AutoTradesStore, FillRow } from './auto-trades-store.ts';
import type { BotNotices, WrittenStep } from './bot-notices.ts';
import type { IntentRow, OrderIntentsStore } from './order-intents-store.ts';
import { withoutSettings } from './position-rows.ts';

/** One step of one bot, ready to be written: everything it caused, in the order it was caused. */
export type StepRecord = {
  readonly autoTradeId: string;
  readonly accountId: string;
  readonly accountKey: AccountKey;
  readonly walletId: string;
  readonly step: EngineStep;
  /** Sequence number of the step's first trace. */
  readonly firstSeq: number;
  /** Where the whole wallet stood after the step. */
  readonly walletSums: WalletSums;
  readonly recordedAt: number;
};

export type Committed = {
  readonly record: StepRecord;
  /** When it was decided, by the monotonic clock, ms: a process can stand still before it has committed. */
  readonly decidedAt: number;
  readonly traces: readonly StoredTrace[];
  readonly intents: readonly IntentRow[];
};
type Decided = { readonly record: StepRecord; readonly decidedAt: number };

/** Steps of one transaction at most: keeps a burst from holding the database for long. */
const BATCH = 500;

export type StepWriter = {
  push(record: StepRecord): void;
  /** Resolves when everything pushed so far is on disk. */
  settled(): Promise<void>;
};

/**
 * Writes steps in groups: state, traces, fills, wallet moves and order intents of a step are in one transaction, and
 * nothing of a step is acted on before that has committed. A failed commit stops the bots: what is in memory would no
 * longer be what is on disk.
 */
export function stepWriter(options: {
  database: Database;
  store: AutoTradesStore;
  intents: OrderIntentsStore;
  wallets: WalletsStore;
  newId: () => string;
  timers: Pick<Timers, 'running'>;
  /** What of it its owner is to be told, in the same transaction. */
  tell: BotNotices['steps'];
  onCommitted: (committed: readonly Committed[]) => void;
  onFailed: (error: unknown) => void;
}): StepWriter {
  const { database, store, wallets, newId } = options;
  let queue: Decided[] = [];
  let running: Promise<void> | undefined;
  let failed = false;

  function prepare({ record, decidedAt }: Decided): Committed & { ledger: NewLedgerRow[]; logs: AutoTradeLog[]; fills: FillRow[] } {
    const { context, symbol } = record.step;
    const traces: StoredTrace[] = [];
    const intents: IntentRow[] = [];
    const ledger: NewLedgerRow[] = [];
    const logs: AutoTradeLog[] = [];
    const fills: FillRow[] = [];
    const recordedAt = new Date(record.recordedAt).toISOString();
    for (const effect of context.effects) {
      if (effect.kind === 'trace') {
        const { trace } = effect;
        traces.push({ ...trace, seq: record.firstSeq + traces.length, id: newId(), recordedAt });
        if ((trace.kind === 'Buy' || trace.kind === 'Sell') && trace.tradeId) fills.push(fillOf(trace));
      } else if (effect.kind === 'log') {
        logs.push({
          id: newId(),
          at: recordedAt,
          positionId: context.positionId,
          symbol,
          code: effect.code,
          level: effect.level,
          facts: { ...effect.facts },
        });
      } else if (effect.kind === 'wallet') {
        ledger.push({ walletId: record.walletId, at: record.recordedAt, move: effect.entry, note: symbol, positionId: context.positionId });
      } else {
        const { order } = effect;
        intents.push({
          id: newId(),
          autoTradeId: record.autoTradeId,
          positionId: context.positionId,
          accountKey: record.accountKey,
          clientOrderId: order.clientOrderId,
          kind: effect.kind,
          symbol,
          order,
          maxSlippagePct: effect.kind === 'place' ? effect.maxSlippagePct : '0',
        });
      }
    }
    return { record, decidedAt, traces, intents, ledger, logs, fills };
  }

  async function write(batch: readonly Decided[]): Promise<void> {
    const prepared = batch.map(prepare);
    await database.transaction(async (queries) => {
      // Only the newest row of a position has to be written.
      const newest = new Map(batch.map(({ record }) => [record.step.context.positionId, record]));
      for (const { autoTradeId, step, recordedAt, walletSums } of newest.values()) {
        const { settings, number, positionId } = step.context;
        await store.savePosition(
          autoTradeId,
          {
            id: positionId,
            runNo: settings.runNo,
            symbol: settings.symbol,
            number,
            configVersion: settings.configVersion,
            takerFee: settings.takerFee,
            state: step.state,
            context: withoutSettings(step.context),
            walletRealised: walletSums.realised,
            walletPaidIn: paidIn(walletSums),
          },
          recordedAt,
          queries,
        );
      }
      await store.appendTraces(
        prepared.flatMap((each) => each.traces),
        queries,
      );
      await store.appendFills(
        prepared.flatMap((each) => each.fills),
        queries,
      );
      await wallets.append(
        prepared.flatMap((each) => each.ledger),
        queries,
      );
      for (const each of prepared) {
        await store.appendLogs(each.record.autoTradeId, each.logs, queries);
        await options.intents.appendIntents(each.intents, each.record.recordedAt, queries);
      }
      await options.tell(prepared.map(writtenOf), queries);
    });
    options.onCommitted(prepared);
  }

  async function run(): Promise<void> {
    // Lets the inputs of this turn of the event loop gather into one transaction.
    await new Promise<void>((done) => setImmediate(done));
    while (queue.length > 0 && !failed) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      try {
        await write(batch);
      } catch (error) {
        failed = true;
        queue = [];
        options.onFailed(error);
      }
    }
    // In the same turn as the last look at the queue, so that no push is left behind.
    running = undefined;
  }

  return {
    push: (record) => {
      if (failed) return;
      queue.push({ record, decidedAt: options.timers.running() });
      running ??= run();
    },
    settled: async () => {
      while (running) await running;
    },
  };
}

function writtenOf({
  record,
  traces,
  logs,
}: {
  record: StepRecord;
  traces: readonly StoredTrace[];
  logs: readonly AutoTradeLog[];
}): WrittenStep {
  const { config, quoteAsset, pricePrecision } = record.step.context.settings;
  return { accountId: record.accountId, autoTradeId: record.autoTradeId, config, currency: quoteAsset, pricePrecision, traces, logs };
}

function fillOf(trace: Omit<StoredTrace, 'id' | 'seq' | 'recordedAt'>): FillRow {
  const { after } = trace;
  return {
    auto_trade_id: trace.autoTradeId,
    position_id: trace.positionId,
    symbol: trace.symbol,
    trade_id: trace.tradeId!,
    order_id: trace.orderId ?? '',
    client_order_id: trace.clientOrderId ?? '',
    side: trace.kind === 'Buy' ? 'Buy' : 'Sell',
    price: digits(trace.price),
    quantity: String(after.quantity),
    quote_quantity: String(after.quoteQuantity),
    fee: String(after.fee),
    fee_asset: String(after.feeAsset),
    fee_in_quote: String(after.feeInQuote),
    at: Date.parse(trace.at),
  };
}
