import { type Decimal, isZero, ZERO } from '@pilotfish/core/money/decimal';
import type { MarketView } from '../market/market-view.ts';
import { ApiError, illegalCharacters, invalidSymbol, missingParameter, orderRejected } from '../rest/api-error.ts';
import type { RequestParameters } from '../rest/request-parameters.ts';
import { isConditional, isMarketLike, ORDER_TYPES, type OrderRequest, type TimeInForce } from './order.ts';

const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;
const PREVENTION_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER'] as const;
const NOT_SUPPORTED: Record<string, string> = {
  icebergQty: 'Iceberg orders are not supported for this symbol.',
  trailingDelta: 'Trailing stop orders are not supported for this symbol.',
  pegPriceType: 'Pegged orders are not supported for this symbol.',
};

/** An id that a client chose, checked. */
export function clientId(parameters: RequestParameters, name: string): string | undefined {
  const id = parameters.text(name);
  if (id !== undefined && !CLIENT_ID.test(id)) throw illegalCharacters(name, '^[\\.A-Z\\:/a-z0-9_-]{1,36}$');
  return id;
}

/** Reads the parameters of a new order: which ones a type needs, which it refuses, and that each is well formed. */
export function readOrder(parameters: RequestParameters, view: MarketView): OrderRequest {
  const pair = view.find(parameters.required('symbol'));
  if (!pair) throw invalidSymbol();
  parameters.required('side');
  const side = parameters.choice('side', ['BUY', 'SELL'], new ApiError(-1117, 'Invalid side.'));
  parameters.required('type');
  const type = parameters.choice('type', ORDER_TYPES, new ApiError(-1116, 'Invalid orderType.'));
  if (!side || !type) throw missingParameter('side');
  for (const [name, message] of Object.entries(NOT_SUPPORTED)) if (parameters.has(name)) throw orderRejected(message);

  const market = isMarketLike(type);
  const refuse = (name: string): void => {
    if (parameters.has(name)) throw new ApiError(-1106, `Parameter '${name}' sent when not required.`);
  };
  const needed = (name: string): Decimal => {
    const amount = parameters.amount(name);
    if (amount === undefined) throw missingParameter(name);
    return amount;
  };
  let timeInForce: TimeInForce = 'GTC';
  if (market || type === 'LIMIT_MAKER') refuse('timeInForce');
  else {
    parameters.required('timeInForce');
    timeInForce = parameters.choice('timeInForce', ['GTC', 'IOC', 'FOK'], new ApiError(-1115, 'Invalid timeInForce.')) ?? 'GTC';
  }
  if (market) refuse('price');
  if (!isConditional(type)) refuse('stopPrice');
  let quantity: Decimal = ZERO;
  let quoteOrderQuantity: Decimal = ZERO;
  if (type === 'MARKET' && parameters.has('quoteOrderQty')) {
    refuse('quantity');
    quoteOrderQuantity = needed('quoteOrderQty');
  } else {
    refuse('quoteOrderQty');
    quantity = needed('quantity');
  }
  if (isZero(quantity) && isZero(quoteOrderQuantity)) throw new ApiError(-1013, 'Invalid quantity.');
  const strategyType = parameters.integer('strategyType');
  if (strategyType !== undefined && strategyType < 1_000_000) {
    throw new ApiError(-1130, "Data sent for parameter 'strategyType' is not valid.");
  }
  return {
    pair,
    side,
    type,
    timeInForce,
    quantity,
    quoteOrderQuantity,
    price: market ? ZERO : needed('price'),
    stopPrice: isConditional(type) ? needed('stopPrice') : ZERO,
    clientOrderId: clientId(parameters, 'newClientOrderId'),
    strategyId: parameters.integer('strategyId'),
    strategyType,
    selfTradePreventionMode:
      parameters.choice(
        'selfTradePreventionMode',
        PREVENTION_MODES,
        new ApiError(-1130, "Data sent for parameter 'selfTradePreventionMode' is not valid."),
      ) ?? 'EXPIRE_MAKER',
  };
}
