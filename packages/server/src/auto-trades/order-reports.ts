import { UNLISTED } from '@pilotfish/core/auto-trades/position/position-state';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import { type ExecutionReport, executedBy } from '../exchange/payloads.ts';
import type { RunningBot } from './bot-runner.ts';
import type { OrderExecutor } from './order-executor.ts';
import type { OrderIntentsStore } from './order-intents-store.ts';
import { orderEnd } from './order-outcome.ts';

/** Cancels older than this are not gone on with: their orders are long over, or their keys are gone. */
const RESUME_MS = 7 * 86_400_000;

/** How a bot hears of its orders: by the account's stream, and by asking for those in flight. */
export function orderReports({
  running,
  intents,
  executor,
  settled,
  isAway,
  now,
}: {
  running: ReadonlyMap<string, RunningBot>;
  intents: Pick<OrderIntentsStore, 'intentOf' | 'pendingCancels'>;
  executor: Pick<OrderExecutor, 'reconcile' | 'submit'>;
  /** Resolves when every intent decided so far is written and handed to the executor. */
  settled: () => Promise<void>;
  /** Whether a pair was found to have left the exchange a short while ago. */
  isAway: (symbol: string) => boolean;
  now: () => number;
}) {
  let resumed = false;

  async function reconcileOrder(id: string, clientOrderId: string): Promise<void> {
    // An order decided a moment ago is sent first: asked for before that, it would count as absent.
    await settled();
    const intent = await intents.intentOf(clientOrderId);
    if (intent) await executor.reconcile(intent);
    else running.get(id)?.order({ type: 'lost', clientOrderId, code: 'NO_INTENT' });
  }

  return {
    /** An event of the account's stream. A fill is counted once, however often and wherever it is heard of. */
    onExecution: async (id: string, report: ExecutionReport): Promise<void> => {
      const bot = running.get(id);
      const clientOrderId = report.C === '' ? report.c : report.C;
      if (!bot || bot.executedOf(clientOrderId) === undefined) return;
      const orderId = report.i;
      if (report.x === 'NEW') bot.order({ type: 'accepted', clientOrderId, orderId });
      const executed = executedBy(report);
      if (executed === 'untold') return reconcileOrder(id, clientOrderId);
      if (executed === 'told') {
        bot.order({
          type: 'filled',
          clientOrderId,
          orderId,
          tradeId: report.t,
          price: report.L,
          quantity: report.l,
          quoteQuantity: report.Y,
          fee: report.n,
          feeAsset: report.N ?? '',
          feeInQuote: null,
          at: report.T,
        });
      }
      const end = orderEnd(report.X, report.eR);
      if (!end) return;
      const heard = bot.executedOf(clientOrderId);
      // An order that ended with more executed than was heard of is asked for before it counts as ended.
      if (heard !== undefined && compare(decimal(heard), decimal(report.z)) === 0) {
        bot.order({ type: 'ended', clientOrderId, ...end, code: end.status === 'REJECTED' ? report.r : null, at: report.T });
      } else await reconcileOrder(id, clientOrderId);
    },

    /**
     * Goes on cancelling what a process before this one was asked to cancel and may not have come to: nobody listens to
     * the orders of a position that its owner took over. Once; the executor itself goes on until an order is over.
     */
    resumeCancels: async (): Promise<void> => {
      if (resumed) return;
      resumed = true;
      for (const intent of await intents.pendingCancels(now() - RESUME_MS)) executor.submit(intent);
    },

    /**
     * Asks for every order in flight, all at once; one whose cancel was wanted and which still stands is cancelled again.
     * One that was lost with its pair is asked for when the pair may be back.
     */
    reconcile: async (bot: RunningBot): Promise<void> => {
      const due = bot.inFlight().filter(({ symbol, attention }) => attention !== UNLISTED || !isAway(symbol));
      await Promise.all(
        due.map(async ({ symbol, order }) => {
          await reconcileOrder(bot.bot.id, order.clientOrderId);
          if (order.cancelRequested && bot.executedOf(order.clientOrderId) !== undefined) {
            const intent = await intents.intentOf(order.clientOrderId);
            if (intent) executor.submit({ ...intent, kind: 'cancel', symbol });
          }
        }),
      );
    },
  };
}
