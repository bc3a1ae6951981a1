import type { OrderInput } from '@pilotfish/core/auto-trades/auto-trade-engine';
import type { OrderInFlight } from '@pilotfish/core/auto-trades/position-state';
import { compare, decimal, minimum, plusPercent, subtract } from '@pilotfish/core/money/decimal';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { RECV_WINDOW_MS } from '../exchange/exchange-rest.ts';
import type { OrderPayload, PlacedOrderPayload } from '../exchange/payloads.ts';
import type { AccountKey, TradingAccount, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { IntentRow, OrderIntentsStore } from './order-intents-store.ts';

/** Statuses after which an order does not change any more. */
const ENDED: Readonly<Record<string, 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED'>> = {
  FILLED: 'FILLED',
  CANCELED: 'CANCELED',
  EXPIRED: 'EXPIRED',
  EXPIRED_IN_MATCH: 'EXPIRED',
  REJECTED: 'REJECTED',
};
export const endedStatus = (status: string) => ENDED[status];

/** Thrown in the turn of signing when a kill switch is in force. */
class Halted extends Error {}

/** How long an entry may wait for an exchange that cannot be reached; exits wait for as long as it takes. */
const ENTRY_PATIENCE_MS = 10_000;
const RETRY_MS = [500, 1000, 2000, 5000, 10_000, 30_000] as const;

export type OrderExecutor = {
  /** Sends an intent that is on disk. Intents of one account leave one after the other. */
  submit(intent: IntentRow): void;
  /** Finds out what became of an order that may have left, and tells its bot. */
  reconcile(intent: IntentRow): Promise<void>;
  /** Fetches the executions of an order and tells its bot, then that it ended. */
  settle(autoTradeId: string, account: TradingAccount, order: OrderPayload, clientOrderId: string): Promise<void>;
  idle(): Promise<void>;
  stop(): void;
};

/**
 * Sends order intents to the exchange. The kill switch is looked at in the same turn in which a request is signed. An
 * answer that never came is settled by asking for the order, never by sending it again: an order that the exchange
 * does not know once its receive window is over was not executed and never will be.
 */
export function orderExecutor(options: {
  exchange: Exchange;
  accounts: TradingAccounts;
  store: OrderIntentsStore;
  isHalted: (autoTradeId: string) => boolean;
  /** Fills are delivered with the exchange's own amounts; the runner values fees. */
  deliver: (autoTradeId: string, input: OrderInput) => void;
  /** The key no longer works for this account. */
  onKeyRefused: (autoTradeId: string) => void;
  /** The account holds less than the wallet promised. */
  onUnderfunded: (autoTradeId: string) => void;
  now: () => number;
  log: Logger;
  wait?: (ms: number) => Promise<void>;
}): OrderExecutor {
  const { exchange, accounts, store, deliver, now, log } = options;
  const wait = options.wait ?? ((ms) => new Promise<void>((done) => setTimeout(done, ms)));
  const queues = new Map<string, Promise<void>>();
  let stopped = false;

  const refuse = async (intent: IntentRow, code: string): Promise<void> => {
    await store.setIntent(intent.id, 'refused', code, now());
    deliver(intent.autoTradeId, {
      type: 'ended',
      clientOrderId: intent.clientOrderId,
      status: 'REJECTED',
      code,
      at: intent.order.placedAt,
    });
  };

  async function settle(autoTradeId: string, account: TradingAccount, order: OrderPayload, clientOrderId: string): Promise<void> {
    const orderId = String(order.orderId);
    deliver(autoTradeId, { type: 'accepted', clientOrderId, orderId });
    let at = order.updateTime ?? order.transactTime ?? order.time ?? 0;
    if (decimal(order.executedQty).units > 0n) {
      for (const trade of await exchange.tradesOfOrder(account.signer, order.symbol, order.orderId)) {
        at = Math.max(at, trade.time);
        deliver(autoTradeId, {
          type: 'filled',
          clientOrderId,
          orderId,
          tradeId: String(trade.id),
          price: trade.price,
          quantity: trade.qty,
          quoteQuantity: trade.quoteQty,
          fee: trade.commission,
          feeAsset: trade.commissionAsset,
          feeInQuote: null,
          at: trade.time,
        });
      }
    }
    const status = endedStatus(order.status);
    if (status) deliver(autoTradeId, { type: 'ended', clientOrderId, status, code: null, at });
  }

  /** Asks until it is known what became of an order; one that is missing counts as absent from `notBefore` (wall ms) on. */
  async function resolve(intent: IntentRow, notBefore: number): Promise<void> {
    for (let attempt = 0; !stopped; attempt += 1) {
      if (attempt > 0) await wait(RETRY_MS[Math.min(attempt - 1, RETRY_MS.length - 1)]!);
      try {
        // Asked for each time: the keys may be new ones since the last try.
        const account = await accounts.get(intent.accountKey as AccountKey);
        const order = await exchange.order(account.signer, { symbol: intent.symbol, origClientOrderId: intent.clientOrderId });
        if ((order.time ?? intent.order.placedAt) + 1000 < intent.order.placedAt) {
          // The exchange frees ids of old orders: this one is not ours.
          await store.setIntent(intent.id, 'unknown', 'AMBIGUOUS', now());
          deliver(intent.autoTradeId, { type: 'lost', clientOrderId: intent.clientOrderId, code: 'AMBIGUOUS' });
          return;
        }
        await settle(intent.autoTradeId, account, order, intent.clientOrderId);
        await store.setIntent(intent.id, 'done', null, now());
        return;
      } catch (error) {
        const refused = error instanceof ExchangeError && error.kind === 'refused';
        if (refused && error.code === -2013) {
          // Unknown is not absent: only when it can no longer arrive was it never executed.
          if (now() >= notBefore) return refuse(intent, 'ABSENT');
          continue;
        }
        if (refused && isKeyError(error)) options.onKeyRefused(intent.autoTradeId);
        log.warn({ clientOrderId: intent.clientOrderId, reason: (error as Error).message }, 'the outcome of an order is not known yet');
      }
    }
  }

  async function place(intent: IntentRow): Promise<void> {
    const { order } = intent;
    const account = await accounts.get(intent.accountKey as AccountKey).catch(() => undefined);
    if (!account) {
      options.onKeyRefused(intent.autoTradeId);
      return refuse(intent, 'NOT_CONNECTED');
    }
    const patience = now() + ENTRY_PATIENCE_MS;
    for (let attempt = 0; !stopped; attempt += 1) {
      if (attempt > 0) await wait(RETRY_MS[Math.min(attempt - 1, RETRY_MS.length - 1)]!);
      let placed: PlacedOrderPayload;
      try {
        if (order.purpose === 'entry' && order.type === 'Market' && !(await bookHolds(intent))) return refuse(intent, 'SLIPPAGE');
        placed = await exchange.placeOrder(account.signer, orderParameters(intent.symbol, order), {
          urgent: order.side === 'Sell',
          beforeSigning: () => {
            if (options.isHalted(intent.autoTradeId)) throw new Halted('HALTED');
          },
        });
      } catch (error) {
        if (error instanceof Halted) return refuse(intent, 'HALTED');
        if (!(error instanceof ExchangeError)) throw error;
        if (error.kind === 'refused') {
          if (isKeyError(error)) options.onKeyRefused(intent.autoTradeId);
          if (error.code === -2010 && /duplicate/i.test(error.message)) return resolve(intent, now());
          if (order.purpose === 'entry' && error.code === -2010 && /insufficient balance/i.test(error.message))
            options.onUnderfunded(intent.autoTradeId);
          return refuse(intent, String(error.code ?? error.status ?? 'REFUSED'));
        }
        if (error.kind === 'unknown') {
          await store.setIntent(intent.id, 'unknown', error.message, now());
          return resolve(intent, now() + RECV_WINDOW_MS + 1000);
        }
        // Not sent at all: limited, or nobody there. Trying again is safe.
        if (order.purpose === 'entry' && now() > patience) return refuse(intent, error.kind === 'limited' ? 'RATE_LIMITED' : 'UNREACHABLE');
        continue;
      }
      // From here on the order stands: whatever fails now is settled by asking, never by placing again.
      await store.setIntent(intent.id, 'sent', null, now());
      const known: OrderPayload = {
        ...placed,
        price: order.price ?? '0',
        origQty: order.quantity,
        cummulativeQuoteQty: '0',
        type: order.type,
        side: order.side === 'Buy' ? 'BUY' : 'SELL',
      };
      try {
        await settle(intent.autoTradeId, account, known, intent.clientOrderId);
      } catch (error) {
        log.warn({ clientOrderId: intent.clientOrderId, reason: (error as Error).message }, 'a placed order could not be settled at once');
        return resolve(intent, now());
      }
      await store.setIntent(intent.id, 'done', null, now());
      return;
    }
  }

  /** True when the asks hold the quantity within the allowed distance from the best one. */
  async function bookHolds({ symbol, order, maxSlippagePct }: IntentRow): Promise<boolean> {
    const { asks } = await exchange.depth(symbol);
    const best = asks[0]?.[0];
    if (!best) return false;
    const worst = plusPercent(decimal(best), decimal(maxSlippagePct));
    let left = decimal(order.quantity);
    for (const [price, quantity] of asks) {
      if (left.units <= 0n || compare(decimal(price), worst) > 0) break;
      left = subtract(left, minimum(left, decimal(quantity)));
    }
    return left.units <= 0n;
  }

  async function cancel(intent: IntentRow): Promise<void> {
    const account = await accounts.get(intent.accountKey as AccountKey).catch(() => undefined);
    if (!account) return refuse(intent, 'NOT_CONNECTED');
    for (let attempt = 0; !stopped; attempt += 1) {
      if (attempt > 0) await wait(RETRY_MS[Math.min(attempt - 1, RETRY_MS.length - 1)]!);
      try {
        await exchange.cancelOrder(account.signer, { symbol: intent.symbol, origClientOrderId: intent.clientOrderId });
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        // Refused means it is not open any more, unknown that the answer was lost: both are asked for below.
        if (error.kind === 'limited' || error.kind === 'unreachable') continue;
      }
      return resolve(intent, now());
    }
  }

  function enqueue(intent: IntentRow, work: () => Promise<void>): Promise<void> {
    const before = queues.get(intent.accountKey) ?? Promise.resolve();
    const after = before.then(work).catch((error: unknown) => {
      log.error({ err: error, clientOrderId: intent.clientOrderId }, 'an order intent failed');
    });
    queues.set(intent.accountKey, after);
    return after;
  }

  return {
    submit: (intent) => void enqueue(intent, () => (intent.kind === 'place' ? place(intent) : cancel(intent))),
    reconcile: (intent) =>
      enqueue(intent, async () => {
        // A request of an earlier process is refused by the exchange once its receive window is over.
        return resolve(intent, Math.min(now(), intent.sentBy) + RECV_WINDOW_MS + 1000);
      }),
    settle,
    idle: async () => {
      await Promise.all(queues.values());
    },
    stop: () => {
      stopped = true;
    },
  };
}

const isKeyError = (error: ExchangeError): boolean => error.code === -2014 || error.code === -2015 || error.code === -1022;

export const orderParameters = (symbol: string, order: OrderInFlight) => ({
  symbol,
  side: order.side === 'Buy' ? 'BUY' : 'SELL',
  type: order.type === 'Market' ? 'MARKET' : 'LIMIT',
  ...(order.type === 'Limit' ? { timeInForce: 'GTC', price: order.price ?? undefined } : {}),
  quantity: order.quantity,
  newClientOrderId: order.clientOrderId,
});
