import { decimal, toFloat } from '../money/decimal.ts';
import { Phase, type PositionColumns } from './decide.ts';
import type { PositionState } from './position-chart.ts';
import { armPrice, raisePrice, takeProfitPrice } from './position-lines.ts';
import { isUrgent } from './position-orders.ts';
import type { PositionContext } from './position-state.ts';

/** More than a double's error, less than any tick: levels that are multiplied in doubles err towards being asked about. */
const NUDGE = 1e-12;

const number = (text: string | null): number => (text === null ? Number.NaN : toFloat(decimal(text)));

/** Writes the levels of a slot from the exact context of its position. Coins not in `tradable` are not entered any more. */
export function loadColumns(
  columns: PositionColumns,
  slot: number,
  state: PositionState,
  context: PositionContext,
  tradable: ReadonlySet<string>,
): void {
  const own = context.settings.config;
  const trigger = own.entry.trigger;
  columns.phase[slot] = state === 'watching' && !tradable.has(context.settings.symbol) ? Phase.Idle : phaseOf(state, context);
  columns.dropFactor[slot] = trigger.kind === 'drop' ? (1 - Number(trigger.dropPct) / 100) * (1 + NUDGE) : Number.POSITIVE_INFINITY;
  columns.low[slot] = number(context.entryLow);
  columns.reboundFactor[slot] = (1 + Number(own.entry.trailing.reboundPct) / 100) * (1 - NUDGE);
  columns.chasePrice[slot] = number(context.triggerPrice) * (1 + Number(own.entry.trailing.maxChasePct) / 100) * (1 + NUDGE);
  columns.trailUntil[slot] = context.trailUntil ?? Number.NaN;
  columns.stop[slot] = number(context.stopPrice);
  columns.stopSince[slot] = context.stopSince ?? Number.NaN;
  columns.confirmMs[slot] = own.stopLoss.mode === 'percent' ? own.stopLoss.confirmSec * 1000 : 0;
  const arm = armPrice(context);
  columns.arm[slot] = arm ? toFloat(arm) : Number.NaN;
  columns.line[slot] = number(context.line);
  const raise = raisePrice(context);
  columns.raiseAt[slot] = raise ? toFloat(raise) : Number.NaN;
  const { expiryMin } = own.trailingCost;
  columns.lineExpiresAt[slot] = context.lineAt !== null && expiryMin > 0 ? context.lineAt + expiryMin * 60_000 : Number.NaN;
  const takeProfit = takeProfitPrice(context, context.levelsDone);
  columns.takeProfit[slot] = takeProfit ? toFloat(takeProfit) : Number.NaN;
  columns.deadline[slot] = context.order && !context.order.cancelRequested ? context.order.deadline : Number.NaN;
  columns.lastFillAt[slot] = context.lastFillAt ?? Number.NaN;
}

function phaseOf(state: PositionState, context: PositionContext): Phase {
  switch (state) {
    case 'watching':
      return Phase.Watching;
    case 'trailingEntry':
      return Phase.Trailing;
    case 'open':
      return Phase.Holding;
    case 'protected':
      return Phase.Protected;
    case 'entryPending':
      return Phase.InFlight;
    case 'reducing':
    case 'exitPending':
      return context.order?.type === 'Limit' && !isUrgent(context.exitReason) ? Phase.GuardedInFlight : Phase.InFlight;
    default:
      return Phase.Idle;
  }
}
