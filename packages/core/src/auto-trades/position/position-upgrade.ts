import { decimal, isPositive, subtract, toText } from '../../money/decimal.ts';
import { averageCost, stopLossPrice, textOf } from './position-lines.ts';
import { CONTEXT_VERSION, newPosition, type PositionContext } from './position-state.ts';

/**
 * A stored context in its newest shape. The first shape had no version: it counted in `reserved` what was set aside at
 * the beginning, now it is what still is. Fields that were not known then have the value of a new position.
 */
export function upgradedContext(given: PositionContext): PositionContext {
  const stored = withFirstPrice(withNewFields(given));
  if ((stored as { version?: number }).version === CONTEXT_VERSION) return stored;
  const rest = subtract(decimal(stored.reserved), decimal(stored.cost));
  const left = isPositive(rest) ? toText(rest) : '0';
  return {
    ...newPosition(stored.settings, stored.number, stored.positionId),
    ...stored,
    version: CONTEXT_VERSION,
    reserved: left,
    entryReserve: stored.reserved,
    spent: stored.cost,
    lastBuyPrice: stored.firstBuyPrice,
    lastBuyAt: stored.openedAt,
  };
}

/** Fields that came after the shape had its version. */
const NEW_FIELDS = {
  refused: null,
  cooldownUntil: null,
  stopRefusal: null,
  knownPrice: null,
  jump: null,
  salePause: null,
  moved: null,
} satisfies Partial<PositionContext>;
const withNewFields = (stored: PositionContext): PositionContext =>
  Object.keys(NEW_FIELDS).every((name) => name in stored) ? stored : { ...NEW_FIELDS, ...stored };

/**
 * A report that said nothing was once booked as a first fill at 0: a stop counted from it never fires. The average of what
 * is held takes its place.
 */
function withFirstPrice(stored: PositionContext): PositionContext {
  if (stored.firstBuyPrice === null || isPositive(decimal(stored.firstBuyPrice))) return stored;
  const repaired = { ...stored, firstBuyPrice: textOf(averageCost(stored)) };
  return { ...repaired, stopPrice: textOf(stopLossPrice(repaired)) };
}
