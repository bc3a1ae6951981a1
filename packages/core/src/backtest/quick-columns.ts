import { loadQuiet, Phase } from '../auto-trades/decide.ts';
import { REPLACE_MS } from '../auto-trades/position-resident.ts';
import { type QuickBook, Stage } from './quick-position.ts';
import { compareProducts, costText } from './quick-scales.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** More than a double's error, less than any tick: as `position-columns.ts` does it. */
const NUDGE = 1e-12;

/** The stop that should rest at the exchange; `code`: one should, but no order of it is possible. Null: none should. */
export type QuickGuard =
  | { readonly lots: number; readonly stop: number; readonly limit: number; readonly mirrors: 'StopLoss' | 'TrailingCost' }
  | 'refused'
  | null;

/** Writes what the ticks of a coin are compared with: the columns of `position-columns.ts`, those of each phase. */
export function createQuickColumns({ config, columns, slot, scales, state, held, lines, quote, traces, rebuys: rungs }: QuickBook) {
  const { entry, trailingCost, stopLoss, timeStop, rebuys, protectiveStop, exit } = config;
  const leastGain = exit.minGainPct;
  const { trigger, trailing } = entry;
  const timeBound = timeStop?.onlyIfGainPctAbove ?? null;
  const aboveAverage = timeBound === null ? Number.NaN : 1 + Number(timeBound) / 100;
  const chase = 1 + Number(trailing.maxChasePct) / 100;
  const lifetime = trailingCost.expiryMin > 0 ? trailingCost.expiryMin * MINUTE_MS : Number.NaN;
  const rebound = Number(rebuys.trailingReboundPct);
  const apart = rebuys.minMinutesBetween * MINUTE_MS;
  const floors = trailingCost.floor === 'breakEven';
  if (trigger.kind === 'drop') columns.dropFactor[slot] = (1 - Number(trigger.dropPct) / 100) * (1 + NUDGE);
  else if (trigger.kind === 'immediate') columns.dropFactor[slot] = Number.POSITIVE_INFINITY;
  columns.reboundFactor[slot] = (1 + Number(trailing.reboundPct) / 100) * (1 - NUDGE);
  columns.confirmMs[slot] = stopLoss.mode === 'percent' ? stopLoss.confirmSec * 1000 : 0;
  columns.rebuyRebound[slot] = rebound > 0 ? (1 + rebound / 100) * (1 - NUDGE) : Number.NaN;
  columns.guardAbove[slot] = Number.NEGATIVE_INFINITY;

  /** What follows from what is held alone, found when it is asked for first; NaN: not yet. */
  let arm = Number.NaN;
  let breakEven = Number.NaN;
  /** The next rebuy, in units. */
  let rebuyAt = Number.NaN;

  const armAt = (): number => {
    if (Number.isNaN(arm)) arm = lines.arm(held);
    return arm;
  };
  const breakEvenAt = (): number => {
    if (Number.isNaN(breakEven)) breakEven = lines.breakEven(held);
    return breakEven;
  };

  /** What a fill changes of the levels of what is held. */
  function changed(): void {
    if (Number.isNaN(held.costFloat)) held.costFloat = Number(costText(held.cost));
    arm = Number.NaN;
    breakEven = Number.NaN;
    if (traces) state.average = lines.averageOf(held);
    const slice = lines.slice(held);
    columns.takeProfit[slot] = slice ? quote(slice.price) : Number.NaN;
    columns.timeStopAt[slot] = timeStop ? state.openedAt + timeStop.hours * HOUR_MS : Number.NaN;
    columns.timeStopAbove[slot] = timeBound === null ? Number.NEGATIVE_INFINITY : lines.average(held) * aboveAverage * (1 - NUDGE);
    columns.exitAbove[slot] = leastGain === null ? Number.NEGATIVE_INFINITY : lines.gainAt(held, leastGain) * (1 - NUDGE);
    rebuyAt = held.rebuysDone < rungs ? lines.rebuy(held) : Number.NaN;
  }

  function loadRebuy(holds: boolean): void {
    const due = holds && !Number.isNaN(rebuyAt);
    columns.rebuyAt[slot] = due ? quote(rebuyAt) : Number.NaN;
    if (!due) {
      columns.rebuyLow[slot] = Number.NaN;
      return;
    }
    columns.rebuyFrom[slot] = state.lastBuyAt + apart;
    columns.rebuyLow[slot] = quote(state.rebuyLow);
    columns.rebuyChase[slot] = quote(rebuyAt) * chase * (1 + NUDGE);
    columns.rebuyUntil[slot] = state.rebuyUntil;
  }

  /** The highest floor in force; 0: nothing guards the position. */
  function floor(): number {
    const { stop, line } = state;
    if (!Number.isNaN(line) && !(line < stop)) return line;
    return Number.isNaN(stop) ? 0 : stop;
  }
  /** The stop that should rest at the exchange for what is held while the market stands at `price`. */
  function guard(price: number): QuickGuard {
    const at = floor();
    if (!protectiveStop.enabled || at === 0) return null;
    const mirrors = at === state.line && !(state.line < state.stop) ? 'TrailingCost' : 'StopLoss';
    let limit = lines.guardLimit(at);
    if (mirrors === 'TrailingCost' && floors) limit = Math.max(limit, breakEvenAt());
    const lots = lines.sellable(held.quantity);
    if (lines.tooSmall(lots, limit)) return 'refused';
    if (compareProducts(limit, scales.askDown.one, price, scales.askDown.units) < 0) return 'refused';
    return { lots, stop: at, limit, mirrors };
  }
  const follows = (plan: QuickGuard): boolean => {
    const { resident } = state;
    if (!plan || plan === 'refused' || !resident) return false;
    return resident.stop === plan.stop && resident.limit === plan.limit && resident.lots === plan.lots;
  };
  function loadGuard(holds: boolean): void {
    columns.guardAt[slot] = Number.NaN;
    if (!holds || !protectiveStop.enabled) return;
    const at = floor();
    const { resident } = state;
    if (!resident) {
      if (at === 0) return;
      columns.guardAt[slot] = state.residentRetryAt;
      columns.guardAbove[slot] = quote(at);
      return;
    }
    if (resident.cancel) return;
    columns.guardAbove[slot] = Number.NEGATIVE_INFINITY;
    if (at === 0) columns.guardAt[slot] = 0;
    else if (!follows(guard(at))) columns.guardAt[slot] = at >= resident.stop ? resident.placedAt + REPLACE_MS : 0;
  }

  function phase(): Phase {
    switch (state.stage) {
      case Stage.Watching:
        return Phase.Watching;
      case Stage.Trailing:
        return Phase.Trailing;
      case Stage.Open:
        return Phase.Holding;
      case Stage.Protected:
        return Phase.Protected;
      case Stage.EntryPending:
      case Stage.Adding:
        return state.exitReason === null && held.quantity > 0 ? Phase.Adding : Phase.InFlight;
      default:
        return (state.order === null || state.order.limit > 0) && state.exitReason !== 'StopLoss' && state.exitReason !== 'TrailingCost'
          ? Phase.GuardedInFlight
          : Phase.InFlight;
    }
  }

  return {
    changed,
    armAt,
    breakEvenAt,
    rebuyAt: (): number => rebuyAt,
    guard,
    follows,
    load(): void {
      const now = phase();
      columns.phase[slot] = now;
      columns.quietAbove[slot] = Number.NaN;
      const { verdict } = state;
      columns.entryUntil[slot] = trigger.kind === 'conditions' && verdict?.entry === true ? verdict.validUntil : Number.NaN;
      columns.exitUntil[slot] = exit.conditions !== null && verdict?.exit === true ? verdict.validUntil : Number.NaN;
      if (now === Phase.Watching) return;
      if (now === Phase.Trailing) {
        columns.low[slot] = quote(state.low);
        columns.trailUntil[slot] = state.trailUntil;
        columns.chasePrice[slot] = quote(state.triggerPrice) * chase * (1 + NUDGE);
        return;
      }
      const { order, resident, line } = state;
      const late = order ?? (state.stage === Stage.ExitPending ? resident : null);
      columns.deadline[slot] = late && !late.cancel ? late.deadline : Number.NaN;
      if (now === Phase.InFlight || held.quantity === 0) return;
      const drawn = !Number.isNaN(line);
      const holds = now === Phase.Holding || now === Phase.Protected;
      columns.stop[slot] = quote(state.stop);
      columns.stopSince[slot] = state.stopSince;
      columns.line[slot] = quote(line);
      columns.lineAt[slot] = drawn ? state.lineAt : Number.NaN;
      columns.arm[slot] = !trailingCost.enabled || state.disarmed || drawn ? Number.NaN : quote(armAt());
      columns.raiseAt[slot] = drawn ? quote(lines.raiseAt(line)) : Number.NaN;
      columns.lineExpiresAt[slot] = drawn ? state.lineAt + lifetime : Number.NaN;
      loadRebuy(holds);
      loadGuard(holds);
      loadQuiet(columns, slot);
    },
  };
}
export type QuickColumns = ReturnType<typeof createQuickColumns>;
