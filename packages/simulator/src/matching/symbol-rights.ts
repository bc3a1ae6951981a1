import { isPositive } from '@pilotfish/core/money/decimal';
import { type ApiError, orderRejected } from '../rest/api-error.ts';
import type { OrderRequest, OrderType } from './order.ts';

/** What every account of this exchange may trade by (`permissions` of account and symbols). */
export const ACCOUNT_PERMISSIONS: readonly string[] = ['SPOT'];

/** Every one of the sets must have a permission of the account; a list that is no list binds nobody. */
function isPermitted(sets: unknown): boolean {
  if (!Array.isArray(sets)) return true;
  return sets.every((set) => !Array.isArray(set) || set.length === 0 || ACCOUNT_PERMISSIONS.some((each) => set.includes(each)));
}

const NAMES: Readonly<Record<OrderType, string>> = {
  LIMIT: 'Limit',
  LIMIT_MAKER: 'Limit maker',
  MARKET: 'Market',
  STOP_LOSS: 'Stop loss',
  STOP_LOSS_LIMIT: 'Stop loss limit',
  TAKE_PROFIT: 'Take profit',
  TAKE_PROFIT_LIMIT: 'Take profit limit',
};

/** What a symbol takes by its row of exchangeInfo, as far as a fault has changed it. */
export type SymbolRow = Readonly<Record<string, unknown>>;

/** Why an account may not place this order at a symbol, in the words of the exchange; undefined where it may. */
export function rightsFailure(request: OrderRequest, row: SymbolRow): ApiError | undefined {
  if (!isPermitted(row.permissionSets)) return orderRejected('This symbol is not permitted for this account.');
  const types = row.orderTypes;
  if (Array.isArray(types) && !types.includes(request.type))
    return orderRejected(`${NAMES[request.type]} orders are not supported for this symbol.`);
  // Sic: the exchange writes "support".
  if (row.quoteOrderQtyMarketAllowed === false && isPositive(request.quoteOrderQuantity))
    return orderRejected('Quote order qty market orders are not support for this symbol.');
  if (row.icebergAllowed === false && isPositive(request.icebergQuantity))
    return orderRejected('Iceberg orders are not supported for this symbol.');
  if (row.allowTrailingStop === false && request.trailingDelta !== undefined)
    return orderRejected('Trailing stop orders are not supported for this symbol.');
  return undefined;
}

/** The same for an order list. */
export function listFailure(contingencyType: 'OCO' | 'OTO', row: SymbolRow): ApiError | undefined {
  if (contingencyType === 'OCO' && row.ocoAllowed === false) return orderRejected('OCO orders are not supported for this symbol');
  if (contingencyType === 'OTO' && row.otoAllowed === false) return orderRejected('OTO orders are not supported for this symbol');
  return undefined;
}
