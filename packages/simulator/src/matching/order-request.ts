import { type Decimal, isZero, lessThan, ZERO } from '@pilotfish/core/money/decimal';
import type { Pair } from '../market/market-contract.ts';
import type { MarketView } from '../market/market-view.ts';
import { ApiError, illegalCharacters, invalidSymbol, missingParameter, orderRejected } from '../rest/api-error.ts';
import type { RequestParameters } from '../rest/request-parameters.ts';
import {
  isConditional,
  isMarketLike,
  ORDER_TYPES,
  type OrderRequest,
  type OrderType,
  PREVENTION_MODES,
  type Side,
  type TimeInForce,
} from './order.ts';

const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;

/** An id that a client chose, checked. */
export function clientId(parameters: RequestParameters, name: string): string | undefined {
  const id = parameters.text(name);
  if (id !== undefined && !CLIENT_ID.test(id)) throw illegalCharacters(name, '^[\\.A-Z\\:/a-z0-9_-]{1,36}$');
  return id;
}

export function readPair(parameters: RequestParameters, view: MarketView): Pair {
  const pair = view.find(parameters.required('symbol'));
  if (!pair) throw invalidSymbol();
  return pair;
}

/** Reads the parameters of a new order: which ones a type needs, which it refuses, and that each is well formed. */
export function readOrder(parameters: RequestParameters, view: MarketView): OrderRequest {
  return readOrderPart(parameters, readPair(parameters, view), {
    name: (field) => field,
    clientId: 'newClientOrderId',
    side: 'side',
    quantity: 'quantity',
    types: ORDER_TYPES,
  });
}

/** How the parameters of one order among several are called. */
export type PartNames = {
  /** Full name of a field such as `price` (`abovePrice`). */
  readonly name: (field: string) => string;
  readonly clientId: string;
  readonly side: string;
  /** Undefined where the quantity follows from another order. */
  readonly quantity: string | undefined;
  readonly types: readonly OrderType[];
};

/** Reads one order of a request. */
export function readOrderPart(parameters: RequestParameters, pair: Pair, names: PartNames): OrderRequest {
  const { name } = names;
  const side = readSide(parameters, names.side);
  parameters.required(name('type'));
  const type = parameters.choice(name('type'), names.types, new ApiError(-1116, 'Invalid orderType.'))!;
  if (parameters.has(name('pegPriceType'))) throw orderRejected('Pegged orders are not supported for this symbol.');

  const market = isMarketLike(type);
  const refuse = (field: string): void => {
    if (parameters.has(name(field))) throw new ApiError(-1106, `Parameter '${name(field)}' sent when not required.`);
  };
  const needed = (field: string): Decimal => {
    const amount = parameters.amount(field);
    if (amount === undefined) throw missingParameter(field);
    return amount;
  };
  let timeInForce: TimeInForce = 'GTC';
  if (market || type === 'LIMIT_MAKER') refuse('timeInForce');
  else {
    parameters.required(name('timeInForce'));
    timeInForce = parameters.choice(name('timeInForce'), ['GTC', 'IOC', 'FOK'], new ApiError(-1115, 'Invalid timeInForce.')) ?? 'GTC';
  }
  if (market) refuse('price');
  let trailingDelta: number | undefined;
  let stopPrice: Decimal = ZERO;
  if (isConditional(type)) {
    trailingDelta = parameters.integer(name('trailingDelta'));
    if (trailingDelta === 0) throw new ApiError(-1130, `Data sent for parameter '${name('trailingDelta')}' is not valid.`);
    if (trailingDelta === undefined || parameters.has(name('stopPrice'))) stopPrice = needed(name('stopPrice'));
  } else {
    refuse('stopPrice');
    refuse('trailingDelta');
  }
  const { quantity, quoteOrderQuantity } = readQuantity(parameters, type, names, refuse, needed);
  return {
    pair,
    side,
    type,
    timeInForce,
    quantity,
    quoteOrderQuantity,
    price: market ? ZERO : needed(name('price')),
    stopPrice,
    icebergQuantity: readIceberg(parameters, name('icebergQty'), { market, timeInForce, quantity }),
    trailingDelta,
    clientOrderId: clientId(parameters, names.clientId),
    strategyId: parameters.integer(name('strategyId')),
    strategyType: readStrategyType(parameters, name('strategyType')),
    selfTradePreventionMode: parameters.choice(
      'selfTradePreventionMode',
      PREVENTION_MODES,
      new ApiError(-1130, "Data sent for parameter 'selfTradePreventionMode' is not valid."),
    ),
  };
}

function readSide(parameters: RequestParameters, name: string): Side {
  parameters.required(name);
  return parameters.choice(name, ['BUY', 'SELL'], new ApiError(-1117, 'Invalid side.'))!;
}

function readQuantity(
  parameters: RequestParameters,
  type: OrderType,
  names: PartNames,
  refuse: (field: string) => void,
  needed: (field: string) => Decimal,
): { quantity: Decimal; quoteOrderQuantity: Decimal } {
  if (names.quantity === undefined) return { quantity: ZERO, quoteOrderQuantity: ZERO };
  let quantity: Decimal = ZERO;
  let quoteOrderQuantity: Decimal = ZERO;
  if (type === 'MARKET' && parameters.has('quoteOrderQty')) {
    refuse('quantity');
    quoteOrderQuantity = needed('quoteOrderQty');
  } else {
    refuse('quoteOrderQty');
    quantity = needed(names.quantity);
  }
  if (isZero(quantity) && isZero(quoteOrderQuantity)) throw new ApiError(-1013, 'Invalid quantity.');
  return { quantity, quoteOrderQuantity };
}

/** Zero is the same as none. Only an order that rests can hide a part of itself. */
function readIceberg(
  parameters: RequestParameters,
  name: string,
  order: { market: boolean; timeInForce: TimeInForce; quantity: Decimal },
): Decimal {
  const shown = parameters.amount(name) ?? ZERO;
  if (isZero(shown)) return ZERO;
  if (order.market || order.timeInForce !== 'GTC') throw orderRejected('Unsupported order combination');
  if (!isZero(order.quantity) && lessThan(order.quantity, shown)) throw orderRejected('IcebergQty exceeds QTY.');
  return shown;
}

function readStrategyType(parameters: RequestParameters, name: string): number | undefined {
  const strategyType = parameters.integer(name);
  if (strategyType !== undefined && strategyType < 1_000_000) throw new ApiError(-1134, `Parameter '${name}' must not be below 1000000.`);
  return strategyType;
}
