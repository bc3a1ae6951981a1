import { AppError } from '@pilotfish/core/http/problem';
import { decimal, toText } from '@pilotfish/core/money/decimal';
import { type Order, orderStatus } from '@pilotfish/core/orders/orders-contract';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Feature } from '../app/feature.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { type UnreadRow, unreadOf } from '../exchange/exchange-rows.ts';
import type { OrderPayload } from '../exchange/payloads.ts';
import type { Signer } from '../exchange/signing.ts';
import type { TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';

/** Waits before the questions what became of a cancel whose answer was lost. */
const ASK_AGAIN_MS = [0, 300, 1000, 2500] as const;
/** The exchange does not let go of an order it does not know, or that is over. */
const UNKNOWN_TO_CANCEL = -2011;

type OrderCalls = Pick<Exchange, 'cancelOrder' | 'openOrders' | 'order'>;
type OrderKey = { readonly symbol: string; readonly orderId: string };

/**
 * Cancels an order once. A cancel whose answer was lost, or that came too late, is settled by asking what the order
 * is: it is never sent a second time, and what is answered is what the exchange says.
 * @throws AppError `exchange-unreachable` when nobody could say; the order may stand or not
 */
export async function cancelOnce(exchange: OrderCalls, signer: Signer, key: OrderKey, timers: Pick<Timers, 'wait'>): Promise<OrderPayload> {
  try {
    return await exchange.cancelOrder(signer, key);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const isOver = error.kind === 'refused' && error.code === UNKNOWN_TO_CANCEL;
    if (error.kind !== 'unknown' && !isOver) throw toAppErrorFromExchange(error);
    let last = error;
    for (const pause of ASK_AGAIN_MS) {
      if (pause > 0) await timers.wait(pause, { ref: true });
      try {
        return await exchange.order(signer, key);
      } catch (problem) {
        if (!(problem instanceof ExchangeError)) throw problem;
        last = problem;
        if (problem.kind === 'refused') break;
      }
    }
    const told = toAppErrorFromExchange(last);
    // Whatever the questions were refused for, it says nothing of the cancel: it may have been carried out.
    throw told.code === 'unknown-order' ? told : new AppError('exchange-unreachable', { cause: last });
  }
}

/** Open orders of the connected account, straight from the exchange. */
export function ordersFeature({
  exchange,
  accounts,
  onUnread,
  trading,
  audit,
  timers,
  placedBy,
}: {
  exchange: OrderCalls;
  accounts: Pick<TradingAccounts, 'get'>;
  /** Open orders of the account that could not be read. */
  onUnread: (accountId: string, unread: readonly UnreadRow[]) => void;
  trading: Pick<TradingPermission, 'require'>;
  audit: AuditLog;
  timers: Pick<Timers, 'wait'>;
  /** Which of the account's bots placed these orders, by client order id. */
  placedBy: (accountId: string, clientOrderIds: readonly string[]) => Promise<ReadonlyMap<string, NonNullable<Order['bot']>>>;
}): Feature {
  const told = async (accountId: string, orders: readonly OrderPayload[]): Promise<Order[]> => {
    const bots = await placedBy(accountId, orders.map(clientOrderIdOf));
    return orders.map((order) => toOrder(order, bots.get(clientOrderIdOf(order)) ?? null));
  };
  return {
    handlers: {
      listOpenOrders: async ({ params, account }) => {
        const { signer } = await accounts.get(`live:${account.id}`);
        const orders = await exchange.openOrders(signer, params.symbol === 'all' ? undefined : params.symbol).catch((error: unknown) => {
          throw toAppErrorFromExchange(error);
        });
        if (params.symbol === 'all') onUnread(account.id, unreadOf(orders));
        return (await told(account.id, orders)).sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
      },
      cancelOrder: async ({ params, account, origin }) => {
        const { signer } = await accounts.get(`live:${account.id}`);
        await trading.require(account.id);
        const { symbol, orderId } = params;
        await audit.record({ accountId: account.id, action: 'order.cancel', target: `${symbol} ${orderId}`, origin });
        const cancelled = await cancelOnce(exchange, signer, { symbol, orderId }, timers);
        return (await told(account.id, [cancelled]))[0]!;
      },
    },
  };
}

const canonical = (text: string): string => toText(decimal(text));

const clientOrderIdOf = (order: OrderPayload): string => order.origClientOrderId ?? order.clientOrderId;

function toOrder(order: OrderPayload, bot: Order['bot']): Order {
  const created = order.time ?? order.transactTime ?? 0;
  const stop = order.stopPrice && decimal(order.stopPrice).units !== 0n ? { stopPrice: canonical(order.stopPrice) } : {};
  return {
    orderId: order.orderId,
    clientOrderId: clientOrderIdOf(order),
    symbol: order.symbol,
    side: order.side === 'BUY' ? 'Buy' : 'Sell',
    type: order.type,
    status: orderStatus.parse(order.status),
    price: canonical(order.price),
    quantity: canonical(order.origQty),
    executedQuantity: canonical(order.executedQty),
    quoteQuantity: canonical(order.cummulativeQuoteQty),
    ...stop,
    bot,
    createdAt: new Date(created).toISOString(),
    updatedAt: new Date(order.updateTime ?? created).toISOString(),
  };
}
