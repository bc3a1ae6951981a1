/**
 * The per-tick decision: plain numbers in columns, no allocation, no machine. Nearly every tick answers `None`;
 * anything else is re-checked in exact decimals before it becomes an event of the position's machine.
 */

/** What a slot is watched for. */
export const Phase = { Idle: 0, Watching: 1, Trailing: 2, Holding: 3, Protected: 4, InFlight: 5, GuardedInFlight: 6 } as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

export const Decision = {
  None: 0,
  /** The entry rule holds. */
  Triggered: 1,
  /** A new low while the rebound is awaited: a column write, stored, not traced. */
  Lowered: 2,
  TrailExpired: 3,
  TrailChased: 4,
  Enter: 5,
  StopSuspected: 6,
  StopCleared: 7,
  StopLoss: 8,
  LineArmed: 9,
  LineRaised: 10,
  LineHit: 11,
  LineTimedOut: 12,
  LineGap: 13,
  TakeProfit: 14,
  OrderTimedOut: 15,
} as const;
export type Decision = (typeof Decision)[keyof typeof Decision];

/** One entry per coin of a bot. Prices in quote, times in venue ms; NaN means "no such level". */
export type PositionColumns = {
  readonly phase: Uint8Array;
  /** 1 − dropPct/100, or Infinity for an immediate entry. */
  readonly dropFactor: Float64Array;
  readonly cooldownUntil: Float64Array;
  readonly low: Float64Array;
  readonly reboundFactor: Float64Array;
  readonly chasePrice: Float64Array;
  readonly trailUntil: Float64Array;
  readonly stop: Float64Array;
  readonly stopSince: Float64Array;
  readonly confirmMs: Float64Array;
  readonly arm: Float64Array;
  readonly line: Float64Array;
  /** Price from which a raise is worth a trace. */
  readonly raiseAt: Float64Array;
  readonly lineExpiresAt: Float64Array;
  readonly takeProfit: Float64Array;
  readonly deadline: Float64Array;
  readonly lastFillAt: Float64Array;
  readonly lastTickAt: Float64Array;
};

/** 50 bytes of levels per coin and nothing else. */
export function createColumns(size: number): PositionColumns {
  const column = () => new Float64Array(size).fill(Number.NaN);
  return {
    phase: new Uint8Array(size),
    dropFactor: column(),
    cooldownUntil: column(),
    low: column(),
    reboundFactor: column(),
    chasePrice: column(),
    trailUntil: column(),
    stop: column(),
    stopSince: column(),
    confirmMs: new Float64Array(size),
    arm: column(),
    line: column(),
    raiseAt: column(),
    lineExpiresAt: column(),
    takeProfit: column(),
    deadline: column(),
    lastFillAt: column(),
    lastTickAt: column(),
  };
}

/**
 * First rule that holds for one coin at one tick, in the order: stop loss, protected cost, take profit, entry.
 * Comparisons with NaN are false, so a level that does not exist never fires. `high` is the highest price of the
 * look-back window. A tick not newer than the last fill is ignored: the average it would be judged by is older.
 */
export function decide(columns: PositionColumns, slot: number, price: number, at: number, high: number, dataGapMs: number): Decision {
  const phase = columns.phase[slot];
  if (phase === Phase.Idle) return Decision.None;
  if (at <= columns.lastFillAt[slot]!) return Decision.None;
  if (phase === Phase.Watching) {
    if (at < columns.cooldownUntil[slot]!) return Decision.None;
    return price <= high * columns.dropFactor[slot]! ? Decision.Triggered : Decision.None;
  }
  if (phase === Phase.Trailing) {
    if (at >= columns.trailUntil[slot]!) return Decision.TrailExpired;
    if (price > columns.chasePrice[slot]!) return Decision.TrailChased;
    const low = columns.low[slot]!;
    if (price < low) return Decision.Lowered;
    return price >= low * columns.reboundFactor[slot]! ? Decision.Enter : Decision.None;
  }
  if (phase === Phase.InFlight) return at >= columns.deadline[slot]! ? Decision.OrderTimedOut : Decision.None;

  const since = columns.stopSince[slot]!;
  if (price <= columns.stop[slot]!) {
    if (columns.confirmMs[slot] === 0 || at - since >= columns.confirmMs[slot]!) return Decision.StopLoss;
    if (Number.isNaN(since)) return Decision.StopSuspected;
  } else if (!Number.isNaN(since)) return Decision.StopCleared;
  if (phase === Phase.GuardedInFlight && price <= columns.line[slot]!) return Decision.LineHit;
  if (phase === Phase.GuardedInFlight) return at >= columns.deadline[slot]! ? Decision.OrderTimedOut : Decision.None;

  if (phase === Phase.Protected) {
    if (at - columns.lastTickAt[slot]! > dataGapMs) return Decision.LineGap;
    if (at >= columns.lineExpiresAt[slot]!) return Decision.LineTimedOut;
    if (price <= columns.line[slot]!) return Decision.LineHit;
    if (price >= columns.raiseAt[slot]!) return Decision.LineRaised;
  } else if (price >= columns.arm[slot]!) return Decision.LineArmed;
  return price >= columns.takeProfit[slot]! ? Decision.TakeProfit : Decision.None;
}

/**
 * False when no tick of a bar can decide anything for this coin: the bar's extremes stay clear of every level and no
 * deadline falls into it. Errs towards true. It is what lets a backtest pass over quiet bars without walking them.
 * `top` is the highest price of the look-back window with this bar's own high in it.
 */
export function mayDecide(
  columns: PositionColumns,
  slot: number,
  low: number,
  high: number,
  top: number,
  from: number,
  until: number,
  dataGapMs: number,
): boolean {
  switch (columns.phase[slot]) {
    case Phase.Idle:
      return false;
    case Phase.Watching:
      return until >= columns.cooldownUntil[slot]! || Number.isNaN(columns.cooldownUntil[slot]!)
        ? low <= top * columns.dropFactor[slot]!
        : false;
    case Phase.Holding:
      return (
        low <= columns.stop[slot]! ||
        high >= columns.arm[slot]! ||
        high >= columns.takeProfit[slot]! ||
        !Number.isNaN(columns.stopSince[slot]!)
      );
    case Phase.Protected:
      return (
        low <= columns.stop[slot]! ||
        low <= columns.line[slot]! ||
        high >= columns.raiseAt[slot]! ||
        high >= columns.takeProfit[slot]! ||
        until >= columns.lineExpiresAt[slot]! ||
        from - columns.lastTickAt[slot]! > dataGapMs ||
        !Number.isNaN(columns.stopSince[slot]!)
      );
    default:
      return true;
  }
}
