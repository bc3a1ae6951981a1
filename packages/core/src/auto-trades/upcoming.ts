import { type Decimal, decimal, multiply, plusPercent, toText } from '../money/decimal.ts';
import type { Money, Price, Quantity } from '../money/figure.ts';
import type { Evaluation } from './auto-trades-contract.ts';
import type { Inspection } from './engine/engine-inputs.ts';
import type { PositionState } from './position/auto-trade-position-machine.ts';
import { armPrice } from './position/position-lines.ts';
import { rebuyPrice } from './position/position-rebuy.ts';
import { highestFloor } from './position/position-resident.ts';
import { nextSlice } from './position/position-slices.ts';
import type { PositionContext } from './position/position-state.ts';
import { isoText } from './position/position-traces.ts';

const HOUR_MS = 3_600_000;

/** Something a coin of a bot waits for. Amounts are known before only where the rule says how much. */
export type Upcoming = {
  readonly code: string;
  readonly price: Price | null;
  readonly at: string | null;
  /** Sold or bought then, in coins and in the quote asset. */
  readonly quantity: Quantity | null;
  readonly quote: Money | null;
  readonly detail: string | null;
};

const NOTHING = { price: null, at: null, quantity: null, quote: null, detail: null } as const;
/** States in which a position is held and its levels are judged at every price. */
const JUDGED: ReadonlySet<PositionState> = new Set(['open', 'protected', 'adding']);
/** What ends only by its owner or by the exchange: no price of the coin changes anything until then. */
const STANDS_STILL: ReadonlySet<string> = new Set(['frozen', 'halted', 'trading', 'permission', 'pair-read', 'user']);

const sale = (code: string, price: Decimal, quantity: string): Upcoming => ({
  ...NOTHING,
  code,
  price: toText(price),
  quantity,
  quote: toText(multiply(price, decimal(quantity))),
});

/**
 * What one coin of a bot does next: of a held position every level that sells or buys, else what it waits for, where that
 * has a price or a time. A lower floor is left out: the higher one sells first.
 * @param looksForEntries false for a bot that buys nothing now
 */
export function upcomingOf(
  { state, context, gate }: Pick<Inspection, 'state' | 'context' | 'gate'>,
  { waitsFor }: Pick<Evaluation, 'waitsFor'>,
  looksForEntries: boolean,
): Upcoming[] {
  if (waitsFor && STANDS_STILL.has(waitsFor.code)) return [];
  const levels = JUDGED.has(state) ? levelsOf(context, looksForEntries && mayRebuy(gate)) : [];
  if (state === 'open' || state === 'protected') return levels;
  const isEntry = state === 'watching' || state === 'trailingEntry';
  if (!waitsFor || (isEntry && !looksForEntries)) return levels;
  // A rebound is entered above its low, not at it.
  const price =
    waitsFor.code === 'rebound' && context.entryLow !== null
      ? toText(plusPercent(decimal(context.entryLow), decimal(context.settings.config.entry.trailing.reboundPct)))
      : waitsFor.price;
  if (price === null && waitsFor.at === null) return levels;
  return [
    ...levels,
    { ...NOTHING, ...inFlight(state, context), code: waitsFor.code, price, at: waitsFor.at, detail: waitsFor.detail ?? null },
  ];
}

const mayRebuy = ({ permitted, acceptsEntries, botPause, coinPause }: Inspection['gate']): boolean =>
  permitted && acceptsEntries && botPause === null && coinPause === null;

/** How much the order that is waited for trades. */
const inFlight = (state: PositionState, { order }: PositionContext): Pick<Upcoming, 'quantity'> | undefined =>
  order && state !== 'watching' && state !== 'trailingEntry' ? { quantity: order.quantity } : undefined;

function levelsOf(context: PositionContext, rebuys: boolean): Upcoming[] {
  const { quantity, openedAt, settings } = context;
  const found: Upcoming[] = [];
  const floor = highestFloor(context);
  if (floor) found.push(sale(floor.mirrors === 'StopLoss' ? 'stop-loss' : 'protected-cost', floor.price, quantity));
  const arm = context.line === null ? armPrice(context) : null;
  if (arm) found.push({ ...NOTHING, code: 'arm', price: toText(arm) });
  if (context.targetPrice !== null) found.push(sale('target-price', decimal(context.targetPrice), quantity));
  const slice = nextSlice(context);
  if (slice) found.push(sale('take-profit', slice.price, slice.quantity));
  const level = rebuys && context.order === null && context.rebuyLow === null ? rebuyPrice(context) : null;
  if (level) found.push({ ...NOTHING, code: 'rebuy', price: toText(level), quote: context.ladder[context.rebuysDone]?.quote ?? null });
  const { timeStop } = settings.config;
  if (timeStop && openedAt !== null)
    found.push({ ...NOTHING, code: 'time-stop', at: isoText(openedAt + timeStop.hours * HOUR_MS), quantity });
  return found;
}
