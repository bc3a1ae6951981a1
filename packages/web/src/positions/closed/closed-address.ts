import { asset, exchangeName, type TradeMode } from '@pilotfish/core/http/wire';
import { decimal, greaterThan, isDecimalText } from '@pilotfish/core/money/decimal';
import { CLOSED_ORDERS, closedExit } from '@pilotfish/core/positions/positions-contract';
import * as z from 'zod';
import { type Address, daysField, flagField, pageField, under, whoseField } from '../../platform/use-address.ts';

/** Days counted back from today, so that a link goes on with the calendar. */
export const PERIODS = ['all', 'today', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

export const PAGE_SIZES = [25, 50, 100] as const;

/** What the closed list shows, as the address carries it. */
export const CLOSED = {
  exchange: exchangeName.optional(),
  currency: asset.optional(),
  /** As typed: may be no decimal yet. */
  min: under(['excludedPnl.min'], z.string().default('')),
  max: under(['excludedPnl.max'], z.string().default('')),
  order: z.enum(CLOSED_ORDERS).default('closedAt-desc'),
  onlyBroken: under(['onlyBrokenPositions'], flagField),
  coin: under(['coins'], asset.optional()),
  bot: under(['bots'], whoseField.optional()),
  exit: under(['exits'], closedExit.optional()),
  result: z.enum(['win', 'loss']).optional(),
  period: daysField('period', PERIODS, 'all'),
  page: pageField,
  pageSize: z.coerce
    .number<string>()
    .refine((size) => PAGE_SIZES.some((each) => each === size))
    .default(PAGE_SIZES[0]),
};
export type ClosedAddress = Address<typeof CLOSED>;

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
