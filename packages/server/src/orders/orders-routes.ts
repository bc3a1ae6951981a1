import { AppError } from '@pilotfish/core/http/problem';
import { decimal, toText } from '@pilotfish/core/money/decimal';
import { type Order, orderStatus } from '@pilotfish/core/orders/orders-contract';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { OrderPayload } from '../exchange/payloads.ts';
import type { TradingAccounts } from '../exchange-connection/trading-accounts.ts';

/** Open orders of the connected account, straight from the exchange. */
export function ordersFeature({ exchange, accounts }: { exchange: Exchange; accounts: TradingAccounts }): Feature {
  const refuse = (error: unknown): never => {
    throw error instanceof AppError ? error : toAppErrorFromExchange(error);
  };
  return {
    handlers: {
      listOpenOrders: async ({ params, account }) => {
        const { signer } = await accounts.get(`live:${account.id}`);
        const orders = await exchange.openOrders(signer, params.symbol === 'all' ? undefined : params.symbol).catch(refuse);
        return orders.map(toOrder);
      },
      cancelOrder: async ({ params, account }) => {
        const { signer } = await accounts.get(`live:${account.id}`);
        const cancelled = await exchange.cancelOrder(signer, { symbol: params.symbol, orderId: params.orderId }).catch(refuse);
        return toOrder(cancelled);
      },
    },
  };
}

const canonical = (text: string): string => toText(decimal(text));

function toOrder(order: OrderPayload): Order {
  const created = order.time ?? order.transactTime ?? 0;
  const stop = order.stopPrice && decimal(order.stopPrice).units !== 0n ? { stopPrice: canonical(order.stopPrice) } : {};
  return {
    orderId: String(order.orderId),
    clientOrderId: order.origClientOrderId ?? order.clientOrderId,
    symbol: order.symbol,
    side: order.side === 'BUY' ? 'Buy' : 'Sell',
    type: order.type,
    status: orderStatus.parse(order.status),
    price: canonical(order.price),
    quantity: canonical(order.origQty),
    executedQuantity: canonical(order.executedQty),
    quoteQuantity: canonical(order.cummulativeQuoteQty),
    ...stop,
    createdAt: new Date(created).toISOString(),
    updatedAt: new Date(order.updateTime ?? created).toISOString(),
  };
}
