import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { isId } from '@pilotfish/core/http/id-text';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { isAssetName } from '@pilotfish/core/money/asset-name';
import { decimal, greaterThan, isDecimalText } from '@pilotfish/core/money/decimal';
import { CLOSED_ORDERS, type ClosedExit, type ClosedOrder, closedExit } from '@pilotfish/core/positions/positions-contract';
import { isDay } from '@pilotfish/core/time/calendar-day';

/** Days counted back from today, so that a link goes on with the calendar. */
export const PERIODS = ['all', 'today', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/** What the closed list shows, as the address carries it. */
export type ClosedAddress = {
  exchange: 'Binance' | undefined;
  currency: string | undefined;
  /** As typed: may be no decimal yet. */
  min: string;
  max: string;
  order: ClosedOrder;
  onlyBroken: boolean;
  coin: string | undefined;
  /** The id of a bot, or `hand`. */
  bot: string | undefined;
  exit: ClosedExit | undefined;
  result: 'win' | 'loss' | undefined;
  /** A name, or days of one's own, both included. */
  period: Period | { from: string; to: string };
  page: number;
  pageSize: number;
};
export const PAGE_SIZES = [25, 50, 100] as const;

/** Filters that leave everything. */
export const NO_FILTERS = {
  exchange: undefined,
  currency: undefined,
  min: '',
  max: '',
  onlyBroken: false,
  coin: undefined,
  bot: undefined,
  exit: undefined,
  result: undefined,
  period: 'all',
} as const satisfies Partial<ClosedAddress>;

/** Whether fewer than all closed positions may be listed. */
export const isFiltered = (address: ClosedAddress): boolean =>
  Object.entries(NO_FILTERS).some(([key, none]) => address[key as keyof typeof NO_FILTERS] !== none);

const isOrder = (text: string | null): text is ClosedOrder => CLOSED_ORDERS.some((order) => order === text);

/** Reads what the address says; nonsense is as if it were not there. */
export function readClosedAddress(query: URLSearchParams): ClosedAddress {
  const page = Number(query.get('page'));
  const pageSize = Number(query.get('pageSize'));
  const order = query.get('order');
  const currency = query.get('currency');
  const [coin, bot, exit, result, from, to, period] = (['coins', 'bots', 'exits', 'result', 'from', 'to', 'period'] as const).map((key) =>
    query.get(key),
  ) as [string | null, string | null, string | null, string | null, string | null, string | null, string | null];
  return {
    exchange: query.get('exchange') === 'Binance' ? 'Binance' : undefined,
    currency: currency !== null && isAssetName(currency) ? currency : undefined,
    min: query.get('excludedPnl.min') ?? '',
    max: query.get('excludedPnl.max') ?? '',
    order: isOrder(order) ? order : 'closedAt-desc',
    onlyBroken: query.get('onlyBrokenPositions') === 'true',
    coin: coin !== null && isAssetName(coin) ? coin : undefined,
    bot: bot !== null && (bot === BY_HAND || isId(bot)) ? bot : undefined,
    exit: closedExit.options.find((each) => each === exit),
    result: result === 'win' || result === 'loss' ? result : undefined,
    period: isDay(from) && isDay(to) && from <= to ? { from, to } : (PERIODS.find((each) => each === period) ?? 'all'),
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
  put('coins', next.coin);
  put('bots', next.bot);
  put('exits', next.exit);
  put('result', next.result);
  const { period } = next;
  put('period', typeof period === 'object' ? undefined : period, 'all');
  put('from', typeof period === 'object' ? period.from : undefined);
  put('to', typeof period === 'object' ? period.to : undefined);
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

/** First and last day of a period. @param today `2026-11-25`, of the reader */
export function daysOf(period: ClosedAddress['period'], today: string): { from?: string; to?: string } {
  if (typeof period === 'object') return period;
  if (period === 'all') return {};
  return { from: { today, month: `${today.slice(0, 7)}-01`, year: `${today.slice(0, 4)}-01-01` }[period] };
}

/** The query of the call; bounds that cannot be asked are left out. @param today of the reader */
export function closedQuery(address: ClosedAddress, today: string, mode: TradeMode) {
  const problems = boundsProblem(address);
  const { exchange, currency, min, max, order, onlyBroken, page, pageSize, coin, bot, exit, result, period } = address;
  return {
    // An earlier server knows no mode and lists what is live.
    ...(mode === 'paper' ? { mode } : {}),
    ...(exchange ? { exchange } : {}),
    ...(currency ? { currency } : {}),
    ...(min !== '' && !problems.min ? { 'excludedPnl.min': min } : {}),
    ...(max !== '' && !problems.max ? { 'excludedPnl.max': max } : {}),
    ...(onlyBroken ? { onlyBrokenPositions: 'true' as const } : {}),
    ...(coin ? { coins: coin } : {}),
    ...(bot ? { bots: bot } : {}),
    ...(exit ? { exits: exit } : {}),
    ...(result ? { result } : {}),
    ...daysOf(period, today),
    order,
    page,
    pageSize,
  };
}
export type ClosedQuery = ReturnType<typeof closedQuery>;
