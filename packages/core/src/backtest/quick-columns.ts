import { loadQuiet, Phase } from '../auto-trades/decide.ts';
import type { QuickBook, QuickOrder } from './quick-position.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** More than a double's error, less than any tick: as `position-columns.ts` does it. */
const NUDGE = 1e-12;

/** Writes what the ticks of a quick run are compared with: the columns of `position-columns.ts`, those of each phase. */
export function createQuickColumns({ config, columns, state, held, lines, quote, traces }: QuickBook) {
  const { entry, trailingCost, stopLoss, timeStop } = config;
  const { trigger, trailing } = entry;
  const timeBound = timeStop?.onlyIfGainPctAbove ?? null;
  const aboveAverage = timeBound === null ? Number.NaN : 1 + Number(timeBound) / 100;
  const chase = 1 + Number(trailing.maxChasePct) / 100;
  const lifetime = trailingCost.expiryMin > 0 ? trailingCost.expiryMin * MINUTE_MS : Number.NaN;
  columns.dropFactor[0] = trigger.kind === 'drop' ? (1 - Number(trigger.dropPct) / 100) * (1 + NUDGE) : Number.POSITIVE_INFINITY;
  columns.reboundFactor[0] = (1 + Number(trailing.reboundPct) / 100) * (1 - NUDGE);
  columns.confirmMs[0] = stopLoss.mode === 'percent' ? stopLoss.confirmSec * 1000 : 0;

  return {
    /** The coin is looked at, and nothing is followed. */
    watch(): void {
      state.triggerPrice = 0;
      state.low = 0;
      columns.phase[0] = Phase.Watching;
    },
    /** A low is followed until this time. */
    trail(until: number): void {
      columns.phase[0] = Phase.Trailing;
      columns.quietAbove[0] = Number.NaN;
      columns.low[0] = quote(state.low);
      columns.trailUntil[0] = until;
      columns.chasePrice[0] = quote(state.triggerPrice) * chase * (1 + NUDGE);
    },
    lower(): void {
      columns.low[0] = quote(state.low);
    },
    /** An order is on its way, and nothing else is looked at. */
    fly(sent: QuickOrder, deadline: number): void {
      state.order = sent;
      columns.phase[0] = Phase.InFlight;
      columns.quietAbove[0] = Number.NaN;
      columns.deadline[0] = deadline;
    },
    /** The price is below the stop since then; NaN: it is not. */
    doubtStop(since: number): void {
      columns.stopSince[0] = since;
      loadQuiet(columns, 0);
    },
    /** What a fill changes of the levels of what is held. */
    loadHeld(): void {
      columns.deadline[0] = Number.NaN;
      state.breakEven = Number.NaN;
      if (traces) state.average = lines.averageOf(held);
      const slice = lines.slice(held);
      columns.takeProfit[0] = slice ? quote(slice.price) : Number.NaN;
      columns.timeStopAt[0] = timeStop ? state.openedAt + timeStop.hours * HOUR_MS : Number.NaN;
      columns.timeStopAbove[0] = timeBound === null ? Number.NEGATIVE_INFINITY : lines.average(held) * aboveAverage * (1 - NUDGE);
    },
    /** What is held is judged: the stop, the line and what draws or raises it. */
    hold(): void {
      const { line, stop, lineAt } = state;
      const drawn = !Number.isNaN(line);
      columns.phase[0] = drawn ? Phase.Protected : Phase.Holding;
      columns.stop[0] = quote(stop);
      columns.line[0] = quote(line);
      columns.arm[0] = !trailingCost.enabled || state.disarmed || drawn ? Number.NaN : quote(lines.arm(held));
      columns.raiseAt[0] = drawn ? quote(lines.raiseAt(line)) : Number.NaN;
      columns.lineExpiresAt[0] = drawn ? lineAt + lifetime : Number.NaN;
      loadQuiet(columns, 0);
    },
  };
}
export type QuickColumns = ReturnType<typeof createQuickColumns>;
