import { decimal, toFloat } from '../../money/decimal.ts';
import type { PositionState } from '../position/auto-trade-position-machine.ts';
import { armPrice, averageCost, gainPrice, raisePrice } from '../position/position-lines.ts';
import { isUrgent } from '../position/position-orders.ts';
import { rebuyChase, rebuyFrom, rebuyPrice } from '../position/position-rebuy.ts';
import { guardDue } from '../position/position-resident.ts';
import { nextSlice } from '../position/position-slices.ts';
import type { PositionContext } from '../position/position-state.ts';
import { loadQuiet, Phase, type PositionColumns } from './decide.ts';

const HOUR_MS = 3_600_000;

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
  columns.dropFactor[slot] =
    trigger.kind === 'drop'
      ? (1 - Number(trigger.dropPct) / 100) * (1 + NUDGE)
      : trigger.kind === 'immediate'
        ? Number.POSITIVE_INFINITY
        : Number.NaN;
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
  columns.lineAt[slot] = context.line === null ? Number.NaN : (context.lineAt ?? 0);
  const raise = raisePrice(context);
  columns.raiseAt[slot] = raise ? toFloat(raise) : Number.NaN;
  const { expiryMin } = own.trailingCost;
  columns.lineExpiresAt[slot] = context.lineAt !== null && expiryMin > 0 ? context.lineAt + expiryMin * 60_000 : Number.NaN;
  const slice = nextSlice(context);
  columns.takeProfit[slot] = slice ? toFloat(slice.price) : Number.NaN;
  columns.target[slot] = number(context.targetPrice);
  loadTimedExits(columns, slot, context);
  loadRebuy(columns, slot, state, context);
  const guard = state === 'open' || state === 'protected' ? guardDue(context) : null;
  columns.guardAt[slot] = guard ? guard.at : Number.NaN;
  columns.guardAbove[slot] = guard?.above ? toFloat(guard.above) : Number.NEGATIVE_INFINITY;
  columns.deadline[slot] = deadlineOf(state, context);
  columns.lastFillAt[slot] = context.lastFillAt ?? Number.NaN;
  loadQuiet(columns, slot);
}

/** When an order times out, or a sale that pauses is tried again; NaN: nothing of it is waited for by time. */
function deadlineOf(state: PositionState, context: PositionContext): number {
  if (context.salePause) return context.salePause.until;
  const inFlight = context.order ?? (state === 'exitPending' ? context.resident : null);
  return inFlight && !inFlight.cancelRequested ? inFlight.deadline : Number.NaN;
}

/** What a time stop and exit conditions ask of the price; they hold everywhere without a bound of their own. */
function loadTimedExits(columns: PositionColumns, slot: number, context: PositionContext): void {
  const { timeStop, exit } = context.settings.config;
  const average = averageCost(context);
  columns.timeStopAt[slot] = timeStop && context.openedAt !== null ? context.openedAt + timeStop.hours * HOUR_MS : Number.NaN;
  const bound = timeStop?.onlyIfGainPctAbove ?? null;
  columns.timeStopAbove[slot] =
    bound !== null && average ? toFloat(average) * (1 + Number(bound) / 100) * (1 - NUDGE) : Number.NEGATIVE_INFINITY;
  const least = exit.minGainPct === null ? null : gainPrice(context, exit.minGainPct);
  columns.exitAbove[slot] = least ? toFloat(least) * (1 - NUDGE) : Number.NEGATIVE_INFINITY;
}

function loadRebuy(columns: PositionColumns, slot: number, state: PositionState, context: PositionContext): void {
  const price = state === 'open' || state === 'protected' ? rebuyPrice(context) : null;
  const chase = price && rebuyChase(context);
  const rebound = Number(context.settings.config.rebuys.trailingReboundPct);
  columns.rebuyAt[slot] = price ? toFloat(price) : Number.NaN;
  columns.rebuyFrom[slot] = price ? rebuyFrom(context) : Number.NaN;
  columns.rebuyLow[slot] = price ? number(context.rebuyLow) : Number.NaN;
  columns.rebuyRebound[slot] = rebound > 0 ? (1 + rebound / 100) * (1 - NUDGE) : Number.NaN;
  columns.rebuyChase[slot] = chase ? toFloat(chase) * (1 + NUDGE) : Number.NaN;
  columns.rebuyUntil[slot] = context.rebuyUntil ?? Number.NaN;
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
    case 'adding':
      // What is held already is guarded while the buy goes on, unless its exit waits for the end of it.
      return context.exitReason === null && Number(context.quantity) > 0 ? Phase.Adding : Phase.InFlight;
    case 'reducing':
    case 'exitPending':
      return context.order?.type !== 'Market' && !isUrgent(context.exitReason) ? Phase.GuardedInFlight : Phase.InFlight;
    default:
      return Phase.Idle;
  }
}
