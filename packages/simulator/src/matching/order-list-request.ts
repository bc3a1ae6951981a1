import type { MarketView } from '../market/market-view.ts';
import { ApiError, orderRejected } from '../rest/api-error.ts';
import { RequestParameters } from '../rest/request-parameters.ts';
import { ORDER_TYPES, type OrderRequest, type OrderType } from './order.ts';
import type { OrderListRequest } from './order-list.ts';
import { clientId, type PartNames, readOrderPart, readPair } from './order-request.ts';

export type ListKind = 'oco' | 'oto' | 'otoco' | 'opo' | 'opoco';

const LEG_TYPES: readonly OrderType[] = ['STOP_LOSS', 'STOP_LOSS_LIMIT', 'LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'];
const WORKING_TYPES: readonly OrderType[] = ['LIMIT', 'LIMIT_MAKER'];

const prefixed =
  (prefix: string) =>
  (field: string): string =>
    `${prefix}${field[0]!.toUpperCase()}${field.slice(1)}`;

const part = (prefix: string, side: string, quantity: string | undefined, types: readonly OrderType[]): PartNames => ({
  name: prefixed(prefix),
  clientId: `${prefix}ClientOrderId`,
  side,
  quantity,
  types,
});

/** Reads an order list of one of the five kinds. */
export function readOrderList(kind: ListKind, parameters: RequestParameters, view: MarketView): OrderListRequest {
  const pair = readPair(parameters, view);
  const listClientOrderId = clientId(parameters, 'listClientOrderId');
  if (kind === 'oco') {
    const [above, below] = ['above', 'below'].map((prefix) => {
      checkLegType(parameters, prefix);
      return readOrderPart(parameters, pair, part(prefix, 'side', 'quantity', LEG_TYPES));
    });
    return { contingencyType: 'OCO', listClientOrderId, working: undefined, legs: pairOf(above!, below!), paysPending: false };
  }
  const paysPending = kind === 'opo' || kind === 'opoco';
  const quantity = paysPending ? undefined : 'pendingQuantity';
  checkType(parameters, 'workingType', WORKING_TYPES, 'Order type not supported as a working order.');
  const working = readOrderPart(parameters, pair, part('working', 'workingSide', 'workingQuantity', WORKING_TYPES));
  const prefixes = kind === 'oto' || kind === 'opo' ? ['pending'] : ['pendingAbove', 'pendingBelow'];
  const legs = prefixes.map((prefix) => {
    if (prefixes.length === 2) checkLegType(parameters, prefix);
    return readOrderPart(parameters, pair, part(prefix, 'pendingSide', quantity, prefixes.length === 2 ? LEG_TYPES : ORDER_TYPES));
  });
  if (paysPending && (working.side !== 'BUY' || legs[0]!.side !== 'SELL'))
    throw orderRejected('The working order must buy and the pending orders must sell.');
  return {
    contingencyType: 'OTO',
    listClientOrderId,
    working,
    legs: legs.length === 2 ? pairOf(legs[0]!, legs[1]!) : legs,
    paysPending,
  };
}

/** The older way to ask for an OCO: a limit and a stop without above and below. */
export function readPlainPair(parameters: RequestParameters, view: MarketView): OrderListRequest {
  const stopLimit = parameters.has('stopLimitPrice');
  const values = new Map<string, string>();
  const copy = (from: string, to: string): void => {
    const value = parameters.text(from);
    if (value !== undefined) values.set(to, value);
  };
  const stop = parameters.text('side') === 'SELL' ? 'below' : 'above';
  const limit = stop === 'below' ? 'above' : 'below';
  for (const name of ['symbol', 'side', 'quantity', 'selfTradePreventionMode', 'listClientOrderId']) copy(name, name);
  values.set(`${limit}Type`, 'LIMIT_MAKER');
  values.set(`${stop}Type`, stopLimit ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS');
  for (const [from, to] of [
    ['price', `${limit}Price`],
    ['limitClientOrderId', `${limit}ClientOrderId`],
    ['limitIcebergQty', `${limit}IcebergQty`],
    ['limitStrategyId', `${limit}StrategyId`],
    ['limitStrategyType', `${limit}StrategyType`],
    ['stopPrice', `${stop}StopPrice`],
    ['stopLimitPrice', `${stop}Price`],
    ['stopLimitTimeInForce', `${stop}TimeInForce`],
    ['stopClientOrderId', `${stop}ClientOrderId`],
    ['stopIcebergQty', `${stop}IcebergQty`],
    ['stopStrategyId', `${stop}StrategyId`],
    ['stopStrategyType', `${stop}StrategyType`],
    ['trailingDelta', `${stop}TrailingDelta`],
  ] as const) {
    copy(from, to);
  }
  return readOrderList('oco', new RequestParameters(values), view);
}

function checkType(parameters: RequestParameters, name: string, allowed: readonly OrderType[], message: string): void {
  const type = parameters.required(name);
  if (!(allowed as readonly string[]).includes(type)) {
    throw (ORDER_TYPES as readonly string[]).includes(type) ? new ApiError(-1159, message) : new ApiError(-1116, 'Invalid orderType.');
  }
}

function checkLegType(parameters: RequestParameters, prefix: string): void {
  const type = parameters.required(`${prefix}Type`);
  if ((LEG_TYPES as readonly string[]).includes(type)) return;
  throw (ORDER_TYPES as readonly string[]).includes(type)
    ? new ApiError(-1158, 'Order type not supported in OCO.')
    : new ApiError(-1116, 'Invalid orderType.');
}

/** A pair in the order stop leg, other leg. A stop loss lies above a buyer's price and below a seller's, the other one opposite. */
function pairOf(above: OrderRequest, below: OrderRequest): readonly [OrderRequest, OrderRequest] {
  const buys = above.side === 'BUY';
  const isStop = (order: OrderRequest): boolean => order.type.startsWith('STOP_LOSS');
  const isProfit = (order: OrderRequest): boolean => order.type.startsWith('TAKE_PROFIT');
  const isLimit = (order: OrderRequest): boolean => order.type === 'LIMIT_MAKER';
  if (isLimit(above) && isLimit(below)) throw new ApiError(-1168, 'At least one OCO order must be contingent.');
  if (buys && isLimit(above)) throw new ApiError(-1165, 'A limit order in a buy OCO must be below.');
  if (!buys && isLimit(below)) throw new ApiError(-1166, 'A limit order in a sell OCO must be above.');
  if (buys && isStop(below)) throw new ApiError(-1196, 'A stop loss order in a buy OCO must be above.');
  if (!buys && isStop(above)) throw new ApiError(-1197, 'A stop loss order in a sell OCO must be below.');
  if (buys && isProfit(above)) throw new ApiError(-1198, 'A take profit order in a buy OCO must be below.');
  if (!buys && isProfit(below)) throw new ApiError(-1199, 'A take profit order in a sell OCO must be above.');
  return buys ? [above, below] : [below, above];
}
