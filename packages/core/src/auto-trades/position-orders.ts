import { add, decimal, divide, HUNDRED, maximum, minimum, multiply, subtract, toText } from '../money/decimal.ts';
import { clientOrderIdFor } from './position-ids.ts';
import { sellableQuantity, takeProfitPrice, tooSmallToTrade, toTick } from './position-lines.ts';
import {
  type Effect,
  type MarketMoment,
  type OrderInFlight,
  type OrderPurpose,
  orderSettingsFor,
  type PlannedOrder,
  type PositionContext,
  type PositionEvent,
} from './position-state.ts';
import type { ExitReason } from './trace.ts';

/** Pieces that the steps of a position share: the orders it places and the lines it writes. */

export type Of<Type extends PositionEvent['type']> = Extract<PositionEvent, { type: Type }>;
export type Reducer<Type extends PositionEvent['type']> = (context: PositionContext, event: Of<Type>) => PositionContext;

export const next = (context: PositionContext, change: Partial<PositionContext>, effects: readonly Effect[] = []): PositionContext => ({
  ...context,
  ...change,
  effects,
});

/** Widens the extremes seen at decisions; they go into the Exit row. */
export const seen = (context: PositionContext, price: string): Pick<PositionContext, 'maxPrice' | 'minPrice'> => ({
  maxPrice: context.maxPrice ? toText(maximum(decimal(context.maxPrice), decimal(price))) : price,
  minPrice: context.minPrice ? toText(minimum(decimal(context.minPrice), decimal(price))) : price,
});

export const log = (code: string, level: 'info' | 'warning' | 'error', facts: Record<string, string | number | null> = {}): Effect => ({
  kind: 'log',
  code,
  level,
  facts,
});

type Placed = { readonly order: OrderInFlight; readonly step: number; readonly effect: Effect };

export function place(
  context: PositionContext,
  purpose: OrderPurpose,
  planned: PlannedOrder,
  at: number,
  repeat: { attempt: number; reprices: number; level: number | null } = { attempt: 0, reprices: 0, level: null },
): Placed {
  const settings = orderSettingsFor(context.settings.config, purpose);
  const step = repeat.attempt > 0 ? context.step : context.step + 1;
  const order: OrderInFlight = {
    clientOrderId: clientOrderIdFor(context.positionId, step, repeat.attempt),
    purpose,
    side: purpose === 'entry' ? 'Buy' : 'Sell',
    ...planned,
    placedAt: at,
    deadline: at + settings.timeoutSec * 1000,
    attempt: repeat.attempt,
    reprices: repeat.reprices,
    orderId: null,
    executed: '0',
    tradeIds: [],
    cancelRequested: false,
    level: repeat.level,
  };
  return { order, step, effect: { kind: 'place', order, maxSlippagePct: settings.maxSlippagePct } };
}

/** A sell of whole lots: at the market, or a limit at the bid plus the configured offset (0 takes the bid). Stop losses never rest. */
export function plannedSell(context: PositionContext, quantity: string, moment: MarketMoment, urgent: boolean): PlannedOrder {
  const { order } = context.settings.config.exit;
  const lots = toText(sellableQuantity(decimal(quantity), context.settings.filters));
  if (urgent || order.type === 'Market') return { type: 'Market', quantity: lots, price: null };
  const price = multiply(decimal(moment.bid), add(decimal('1'), multiply(decimal(order.offsetPct), decimal('0.01'))));
  return { type: 'Limit', quantity: lots, price: toText(toTick(price, context.settings.filters, 'up')) };
}

/** Reasons that must not wait in a resting order. */
export const isUrgent = (reason: ExitReason | null): boolean =>
  reason === 'StopLoss' || reason === 'TrailingCost' || reason === 'KillSwitch';

/** Lots that take-profit level `index` sells: its share of all that was bought, at most what is left. */
export function sliceQuantity(context: PositionContext, index: number): string {
  const level = context.settings.config.takeProfit.levels[index];
  if (!level) return '0';
  const share = divide(multiply(decimal(context.bought), decimal(level.sellPct)), HUNDRED, 28);
  return toText(sellableQuantity(minimum(share, decimal(context.quantity)), context.settings.filters));
}

/** The last level, or a slice after which the rest (or the slice itself) could not be traded: sell everything. */
export function sliceIsLast(context: PositionContext): boolean {
  const index = context.levelsDone;
  if (index >= context.settings.config.takeProfit.levels.length - 1) return true;
  const price = takeProfitPrice(context, index);
  if (!price) return true;
  const slice = decimal(sliceQuantity(context, index));
  const rest = subtract(decimal(context.quantity), slice);
  return tooSmallToTrade(slice, price, context.settings.filters) || tooSmallToTrade(rest, price, context.settings.filters);
}
