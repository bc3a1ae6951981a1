import { isAssetName } from '@pilotfish/core/money/asset-name';
import { decimal, greaterThan, isDecimalText } from '@pilotfish/core/money/decimal';
import { CLOSED_ORDERS, type ClosedOrder } from '@pilotfish/core/positions/positions-contract';

/** What the closed list shows, as the address carries it. */
export type ClosedAddress = {
  exchange: 'Binance' | undefined;
  currency: string | undefined;
  /** As typed: may be no decimal yet. */
  min: string;
  max: string;
  order: ClosedOrder;
  onlyBroken: boolean;
  page: number;
  pageSize: number;
};
export const PAGE_SIZES = [25, 50, 100] as const;

const isOrder = (text: string | null): text is ClosedOrder => CLOSED_ORDERS.some((order) => order === text);

/** Reads what the address says; nonsense is as if it were not there. */
export function readClosedAddress(query: URLSearchParams): ClosedAddress {
  const page = Number(query.get('page'));
  const pageSize = Number(query.get('pageSize'));
  const order = query.get('order');
  const currency = query.get('currency');
  return {
    exchange: query.get('exchange') === 'Binance' ? 'Binance' : undefined,
    currency: currency !== null && isAssetName(currency) ? currency : undefined,
    min: query.get('excludedPnl.min') ?? '',
    max: query.get('excludedPnl.max') ?? '',
    order: isOrder(order) ? order : 'closedAt-desc',
    onlyBroken: query.get('onlyBrokenPositions') === 'true',
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    pageSize: PAGE_SIZES.find((size) => size === pageSize) ?? PAGE_SIZES[0],
  };
}

/** The address with some of it changed; what is as usual is left out, and a new filter begins on the first page. */
export function writeClosedAddress(query: URLSearchParams, changes: Partial<ClosedAddress>): URLSearchParams {
  const next = { ...readClosedAddress(query), ...('page' in changes ? {} : { page: 1 }), ...changes };
  const written = new URLSearchParams(query);
  const put = (key: string, value: string | undefined, usual = '') => {
    if (value === undefined || value === usual) written.delete(key);
    else written.set(key, value);
  };
  put('exchange', next.exchange);
  put('currency', next.currency);
  put('excludedPnl.min', next.min);
  put('excludedPnl.max', next.max);
  put('order', next.order, 'closedAt-desc');
  put('onlyBrokenPositions', next.onlyBroken ? 'true' : undefined);
  put('page', String(next.page), '1');
  put('pageSize', String(next.pageSize), String(PAGE_SIZES[0]));
  return written;
}

export type BoundProblem = 'not-a-decimal' | 'min-above-max';
/** What is wrong with the two bounds as they are typed; a bound that stands alone is open-ended. */
export function boundsProblem({ min, max }: Pick<ClosedAddress, 'min' | 'max'>): { min?: BoundProblem; max?: BoundProblem } {
  const [minOk, maxOk] = [min === '' || isDecimalText(min), max === '' || isDecimalText(max)];
  if (minOk && maxOk && min !== '' && max !== '' && greaterThan(decimal(min), decimal(max)))
    return { min: 'min-above-max', max: 'min-above-max' };
  return { ...(minOk ? {} : { min: 'not-a-decimal' as const }), ...(maxOk ? {} : { max: 'not-a-decimal' as const }) };
}

/** The query of the call; bounds that cannot be asked are left out. */
export function closedQuery(address: ClosedAddress) {
  const problems = boundsProblem(address);
  const { exchange, currency, min, max, order, onlyBroken, page, pageSize } = address;
  return {
    ...(exchange ? { exchange } : {}),
    ...(currency ? { currency } : {}),
    ...(min !== '' && !problems.min ? { 'excludedPnl.min': min } : {}),
    ...(max !== '' && !problems.max ? { 'excludedPnl.max': max } : {}),
    ...(onlyBroken ? { onlyBrokenPositions: 'true' as const } : {}),
    order,
    page,
    pageSize,
  };
}
export type ClosedQuery = ReturnType<typeof closedQuery>;
