import { isPilotfishOrder } from '@pilotfish/core/auto-trades/position/position-ids';
import { ordersInFlight, type PositionContext } from '@pilotfish/core/auto-trades/position/position-state';
import { compare, decimal, isPositive, sum, toText } from '@pilotfish/core/money/decimal';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import type { ExecutionReport } from '../exchange/payloads.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';
import { type IntentRow, orderIntentsStore } from './order-intents-store.ts';

/** A fill is looked at when its bot has had the time to count it. */
const SETTLE_MS = 5000;
/** How often, and for how long, orders that count as never executed are asked for again. */
const ASK_MS = 10 * 60_000;
const DOUBT_MS = 24 * 3_600_000;

type Executed = { readonly quantity: string; readonly quote: string; readonly orderId: string };

/**
 * Finds what was executed of our orders and belongs to no position: of an order that counted as absent, or that came
 * after its position was over. Nothing is traded on it: its owner is told, once for each order.
 */
export function strayFills(
  { database, notifier, now, newId, timers, log }: Pick<AppContext, 'database' | 'notifier' | 'now' | 'newId' | 'timers' | 'log'>,
  parts: {
    readonly exchange: Pick<Exchange, 'order'>;
    readonly accounts: Pick<TradingAccounts, 'get'>;
    readonly store: Pick<AutoTradesStore, 'appendLogs'>;
    /** What the order in flight of a running bot has executed; undefined when it is not in flight there. */
    readonly executedOf: (autoTradeId: string, clientOrderId: string) => string | undefined;
    /** Resolves when everything that bots were told so far is on disk. */
    readonly written: () => Promise<void>;
    readonly settleMs?: number;
  },
) {
  const { queries } = database;
  const intents = orderIntentsStore(database);
  const looking = new Map<string, Cancel>();
  let timer: Cancel | undefined;

  /** The position has the order: it will hear of it, or has asked for its owner already. */
  async function isAwaited({ autoTradeId, positionId, clientOrderId }: IntentRow): Promise<boolean> {
    if (parts.executedOf(autoTradeId, clientOrderId) !== undefined) return true;
    const row = await queries.selectFrom('auto_trade_positions').select('context').where('id', '=', positionId).executeTakeFirst();
    if (!row) return false;
    const context = JSON.parse(row.context) as Pick<PositionContext, 'order' | 'resident'>;
    return ordersInFlight(context).some((order) => order.clientOrderId === clientOrderId);
  }

  async function counted(clientOrderId: string): Promise<string> {
    const rows = await queries.selectFrom('auto_trade_fills').select('quantity').where('client_order_id', '=', clientOrderId).execute();
    return toText(sum(rows.map(({ quantity }) => decimal(quantity))));
  }

  async function judge(intent: IntentRow, executed: Executed): Promise<void> {
    await parts.written();
    if (await isAwaited(intent)) return;
    const known = await counted(intent.clientOrderId);
    if (compare(decimal(executed.quantity), decimal(known)) <= 0) return;
    await tell(intent, executed, known);
  }

  async function tell(
    { autoTradeId, positionId, clientOrderId, symbol, order }: IntentRow,
    executed: Executed,
    known: string,
  ): Promise<void> {
    const bot = await queries
      .selectFrom('auto_trades')
      .innerJoin('wallets', 'wallets.id', 'auto_trades.wallet_id')
      .select(['auto_trades.account_id', 'auto_trades.name', 'wallets.currency'])
      .where('auto_trades.id', '=', autoTradeId)
      .executeTakeFirst();
    if (!bot) return log.error({ autoTradeId, symbol, clientOrderId, ...executed }, 'an order of a bot that is gone was executed');
    const { quantity, quote, orderId } = executed;
    const bought = order.side === 'Buy';
    const isNew = await database.transaction(async (on) => {
      const fresh = await notifier.enqueue(on, {
        accountId: bot.account_id,
        kind: 'bot-attention',
        code: bought ? 'bot-stray-buy' : 'bot-stray-sell',
        facts: { bot: bot.name, symbol, quantity, quote, currency: bot.currency },
        link: `/auto-trade/detail/${autoTradeId}`,
        key: `stray:${clientOrderId}`,
      });
      const facts = { quantity, quote, counted: known, orderId };
      const line = {
        id: newId(),
        at: new Date(now()).toISOString(),
        positionId,
        symbol,
        code: bought ? 'STRAY_BUY' : 'STRAY_SELL',
        level: 'error',
        facts,
      } as const;
      if (fresh) await parts.store.appendLogs(autoTradeId, [line], on);
      return fresh;
    });
    if (!isNew) return;
    notifier.wake();
    log.error(
      { autoTradeId, positionId, symbol, clientOrderId, ...executed, counted: known },
      'an order was executed that counts for no position: it is told, and nothing is done about it',
    );
  }

  /** The order as the exchange has it now. Undefined: it does not know it, or cannot be asked. */
  async function ask(intent: IntentRow): Promise<Executed | undefined> {
    try {
      const { signer } = await parts.accounts.get(intent.accountKey as AccountKey);
      const order = await parts.exchange.order(signer, { symbol: intent.symbol, origClientOrderId: intent.clientOrderId });
      // The exchange frees ids of old orders: an older one is not ours.
      if ((order.time ?? intent.order.placedAt) + 1000 < intent.order.placedAt || !isPositive(decimal(order.executedQty))) return undefined;
      return {
        quantity: toText(decimal(order.executedQty)),
        quote: toText(decimal(order.cummulativeQuoteQty)),
        orderId: order.orderId,
      };
    } catch (error) {
      if (!(error instanceof ExchangeError && error.kind === 'refused'))
        log.info(
          { clientOrderId: intent.clientOrderId, reason: (error as Error).message },
          'an order that is in doubt could not be asked for',
        );
      return undefined;
    }
  }

  async function look(clientOrderId: string, reported: Executed): Promise<void> {
    const intent = await intents.intentOf(clientOrderId);
    // Everything else on the account is its owner's, or of another installation.
    if (intent) await judge(intent, reported);
  }

  const failed = (error: unknown) => log.error({ err: error }, 'whether an execution belongs to a position could not be found out');

  async function recheck(): Promise<void> {
    for (const intent of await intents.doubtful(now() - DOUBT_MS)) {
      const executed = await ask(intent);
      if (executed) await judge(intent, executed).catch(failed);
    }
  }

  return {
    /** An event of any account's stream. */
    onExecution: (report: ExecutionReport): void => {
      const clientOrderId = report.C === '' ? report.c : report.C;
      if (report.x !== 'TRADE' || !isPilotfishOrder(clientOrderId)) return;
      const executed = { quantity: toText(decimal(report.z)), quote: toText(decimal(report.Z ?? report.Y)), orderId: report.i };
      // Several fills of one order are looked at together, by the newest of them.
      looking.get(clientOrderId)?.();
      const timeout = timers.after(parts.settleMs ?? SETTLE_MS, () => {
        looking.delete(clientOrderId);
        look(clientOrderId, executed).catch(failed);
      });
      looking.set(clientOrderId, timeout);
    },
    recheck,
    feature: {
      handlers: {},
      start: async () => {
        timer = timers.every(ASK_MS, () => void recheck().catch(failed));
        void recheck().catch(failed);
      },
      stop: async () => {
        timer?.();
        for (const cancel of looking.values()) cancel();
        looking.clear();
      },
    } satisfies Feature,
  };
}
