/**
 * The per-tick decision: plain numbers in columns, no allocation, no machine. Nearly every tick answers `None`;
 * anything else is re-checked in exact decimals before it becomes an event of the position's machine.
 */

/** What a slot is watched for. */
export const Phase = { Idle: 0, Watching: 1, Trailing: 2, Holding: 3, Protected: 4, InFlight: 5, GuardedInFlight: 6, Adding: 7 } as const;
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
  /** The price that the user set. */
  TargetPrice: 16,
  TimeStop: 17,
  Conditions: 18,
  Rebuy: 19,
  /** A new low below the next level while its rebound is awaited: a column write, stored, not traced. */
  RebuyLowered: 20,
  RebuyExpired: 21,
  RebuyChased: 22,
  /** An exit is due while a buy is on its way: the buy is taken back, and the exit judged by what it left. */
  WithdrawRebuy: 23,
  /** The stop that rests at the exchange is missing, or not the one that should. */
  Guard: 24,
} as const;
export type Decision = (typeof Decision)[keyof typeof Decision];

/**
 * The columns of so many coins, one entry per coin: eight bytes for each level and nothing else. Prices in quote, times in
 * venue ms; NaN means "no such level".
 */
export function createColumns(size: number) {
  const column = () => new Float64Array(size).fill(Number.NaN);
  return {
    phase: new Uint8Array(size),
    /** 1 − dropPct/100, or Infinity for an immediate entry. */
    dropFactor: column(),
    cooldownUntil: column(),
    /** Until when a verdict of the conditions that holds is good: for the entry, and for the exit. */
    entryUntil: column(),
    exitUntil: column(),
    /** Price whose gain is enough for an exit by conditions. */
    exitAbove: column(),
    low: column(),
    reboundFactor: column(),
    chasePrice: column(),
    trailUntil: column(),
    stop: column(),
    stopSince: column(),
    confirmMs: new Float64Array(size),
    arm: column(),
    line: column(),
    /** When the line was drawn. */
    lineAt: column(),
    /** Price from which a raise is worth a trace. */
    raiseAt: column(),
    lineExpiresAt: column(),
    takeProfit: column(),
    target: column(),
    timeStopAt: column(),
    timeStopAbove: column(),
    /** The next rebuy: its price, from when, and the low, rebound factor, chase and end of its trail (factor NaN: none). */
    rebuyAt: column(),
    rebuyFrom: column(),
    rebuyLow: column(),
    rebuyRebound: column(),
    rebuyChase: column(),
    rebuyUntil: column(),
    /** When the resident stop is due to be looked at, and the price that must be above its stop. */
    guardAt: column(),
    guardAbove: column(),
    /** Strictly between these prices, before this time, nothing can be decided for what is held. NaN: look closely. */
    quietAbove: column(),
    quietBelow: column(),
    quietUntil: column(),
    deadline: column(),
    lastFillAt: column(),
    /** Until when market data of the coin is complete: its newest price, or the last time the connection was up. */
    connectedAt: column(),
  };
}
export type PositionColumns = Readonly<ReturnType<typeof createColumns>>;

/** Columns with room for more coins; what was known stays where it is. */
export function grownColumns(columns: PositionColumns, size: number): PositionColumns {
  const grown = createColumns(size);
  for (const name of Object.keys(columns) as (keyof PositionColumns)[]) grown[name].set(columns[name] as never);
  return grown;
}

/**
 * First rule that holds for one coin at one tick, in the order: stop loss, protected cost, take profit or the user's
 * price, time stop, exit conditions, rebuy, resident stop, entry. Comparisons with NaN are false, so a level that does
 * not exist never fires. What is sold for its gain is judged by the bid, which is what a sale pays: the last trade may lie
 * a wide spread above it. `high` is the highest price of the look-back window. A tick not newer than the last fill is
 * ignored: the average it would be judged by is older.
 */
export function decide(
  columns: PositionColumns,
  slot: number,
  price: number,
  bid: number,
  at: number,
  high: number,
  dataGapMs: number,
): Decision {
  const phase = columns.phase[slot];
  if (phase === Phase.Idle) return Decision.None;
  if (phase === Phase.Watching) {
    if (at < columns.cooldownUntil[slot]!) return Decision.None;
    return price <= high * columns.dropFactor[slot]! || at <= columns.entryUntil[slot]! ? Decision.Triggered : Decision.None;
  }
  if (
    price > columns.quietAbove[slot]! &&
    price < columns.quietBelow[slot]! &&
    bid < columns.quietBelow[slot]! &&
    at < columns.quietUntil[slot]! &&
    !(at - columns.connectedAt[slot]! > dataGapMs)
  )
    return Decision.None;
  return decideActive(columns, slot, price, bid, at, dataGapMs);
}

/** Beyond what is quiet; apart, so that the check of the quiet is small enough to become a part of whoever asks. */
function decideActive(columns: PositionColumns, slot: number, price: number, bid: number, at: number, dataGapMs: number): Decision {
  const phase = columns.phase[slot];
  if (at <= columns.lastFillAt[slot]!) return Decision.None;
  if (phase === Phase.Trailing) return decideTrail(columns, slot, price, at);
  if (phase === Phase.InFlight) return at >= columns.deadline[slot]! ? Decision.OrderTimedOut : Decision.None;

  const since = columns.stopSince[slot]!;
  if (price <= columns.stop[slot]!) {
    if (columns.confirmMs[slot] === 0 || at - since >= columns.confirmMs[slot]!) return Decision.StopLoss;
    if (Number.isNaN(since)) return Decision.StopSuspected;
  } else if (!Number.isNaN(since)) return Decision.StopCleared;
  const line = columns.line[slot]!;
  // A line that the first price after the gap has drawn was not there during the gap.
  if (at - columns.connectedAt[slot]! > dataGapMs && columns.lineAt[slot]! < at) return Decision.LineGap;
  if (phase === Phase.Adding || phase === Phase.GuardedInFlight) {
    if (price <= line) return Decision.LineHit;
    if (at >= columns.deadline[slot]!) return Decision.OrderTimedOut;
    // A buy whose end was not asked for yet has a deadline.
    return phase === Phase.Adding && !Number.isNaN(columns.deadline[slot]!) && decideExit(columns, slot, bid, at) !== Decision.None
      ? Decision.WithdrawRebuy
      : Decision.None;
  }
  if (phase === Phase.Protected) {
    if (at >= columns.lineExpiresAt[slot]!) return Decision.LineTimedOut;
    if (price <= line) return Decision.LineHit;
    if (price >= columns.raiseAt[slot]!) return Decision.LineRaised;
  } else if (price >= columns.arm[slot]!) return Decision.LineArmed;
  const exit = decideExit(columns, slot, bid, at);
  return exit === Decision.None ? decideKept(columns, slot, price, at) : exit;
}

/**
 * What is due behind a decision from which nothing followed: a sale that would not pay its cost keeps no resting order
 * from its timeout, and a buy that cannot be made or is not allowed no stop from the exchange.
 */
export function decideBehind(columns: PositionColumns, slot: number, decision: Decision, price: number, at: number): Decision {
  switch (decision) {
    case Decision.LineHit:
      return at >= columns.deadline[slot]! ? Decision.OrderTimedOut : Decision.None;
    case Decision.Conditions:
      return decideKept(columns, slot, price, at);
    case Decision.Rebuy:
    case Decision.RebuyLowered:
      return decideGuard(columns, slot, price, at);
    default:
      return Decision.None;
  }
}

/** What is due while nothing of what is held is sold. */
function decideKept(columns: PositionColumns, slot: number, price: number, at: number): Decision {
  const rebuy = decideRebuy(columns, slot, price, at);
  return rebuy === Decision.None ? decideGuard(columns, slot, price, at) : rebuy;
}

const decideGuard = (columns: PositionColumns, slot: number, price: number, at: number): Decision =>
  at >= columns.guardAt[slot]! && price > columns.guardAbove[slot]! ? Decision.Guard : Decision.None;

function decideTrail(columns: PositionColumns, slot: number, price: number, at: number): Decision {
  if (at >= columns.trailUntil[slot]!) return Decision.TrailExpired;
  if (price > columns.chasePrice[slot]!) return Decision.TrailChased;
  const low = columns.low[slot]!;
  if (price < low) return Decision.Lowered;
  return price >= low * columns.reboundFactor[slot]! ? Decision.Enter : Decision.None;
}

function decideExit(columns: PositionColumns, slot: number, bid: number, at: number): Decision {
  if (bid >= columns.target[slot]!) return Decision.TargetPrice;
  if (bid >= columns.takeProfit[slot]!) return Decision.TakeProfit;
  if (at >= columns.timeStopAt[slot]! && bid > columns.timeStopAbove[slot]!) return Decision.TimeStop;
  return at <= columns.exitUntil[slot]! && bid >= columns.exitAbove[slot]! ? Decision.Conditions : Decision.None;
}

function decideRebuy(columns: PositionColumns, slot: number, price: number, at: number): Decision {
  const low = columns.rebuyLow[slot]!;
  if (Number.isNaN(low)) {
    if (!(price <= columns.rebuyAt[slot]! && at >= columns.rebuyFrom[slot]!)) return Decision.None;
    return Number.isNaN(columns.rebuyRebound[slot]!) ? Decision.Rebuy : Decision.RebuyLowered;
  }
  if (at >= columns.rebuyUntil[slot]!) return Decision.RebuyExpired;
  if (price > columns.rebuyChase[slot]!) return Decision.RebuyChased;
  if (price < low) return Decision.RebuyLowered;
  return price >= low * columns.rebuyRebound[slot]! && at >= columns.rebuyFrom[slot]! ? Decision.Rebuy : Decision.None;
}

/**
 * Writes the bounds of a slot between which nothing happens to what is held, from its levels: a tick within them costs
 * three comparisons, however many rules there are. Phases without such bounds get NaN, which says "look closely".
 */
export function loadQuiet(columns: PositionColumns, slot: number): void {
  const phase = columns.phase[slot]!;
  let above = Number.NaN;
  let below = Number.NaN;
  let until = Number.NaN;
  const held = phase === Phase.Holding || phase === Phase.Protected;
  // A stop in doubt, a low that is followed and a verdict that holds are looked at with every tick.
  const restless =
    !Number.isNaN(columns.stopSince[slot]!) || !Number.isNaN(columns.rebuyLow[slot]!) || !Number.isNaN(columns.exitUntil[slot]!);
  if (held && !restless) {
    above = highest(columns.stop[slot]!, highest(columns.rebuyAt[slot]!, phase === Phase.Protected ? columns.line[slot]! : Number.NaN));
    below = lowest(columns.takeProfit[slot]!, columns.target[slot]!);
    below = lowest(below, phase === Phase.Protected ? columns.raiseAt[slot]! : columns.arm[slot]!);
    until = lowest(columns.timeStopAt[slot]!, columns.guardAt[slot]!);
    until = lowest(until, phase === Phase.Protected ? columns.lineExpiresAt[slot]! : Number.NaN);
    if (Number.isNaN(above)) above = Number.NEGATIVE_INFINITY;
    if (Number.isNaN(below)) below = Number.POSITIVE_INFINITY;
    if (Number.isNaN(until)) until = Number.POSITIVE_INFINITY;
  }
  columns.quietAbove[slot] = above;
  columns.quietBelow[slot] = below;
  columns.quietUntil[slot] = until;
}

/** The higher and the lower of two levels either of which may not exist (NaN). */
export const highest = (a: number, b: number): number => (a >= b || Number.isNaN(b) ? a : b);
const lowest = (a: number, b: number): number => (a <= b || Number.isNaN(b) ? a : b);

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
        ? low <= top * columns.dropFactor[slot]! || from <= columns.entryUntil[slot]!
        : false;
    case Phase.Holding:
    case Phase.Protected:
      return !(
        low > columns.quietAbove[slot]! &&
        high < columns.quietBelow[slot]! &&
        until < columns.quietUntil[slot]! &&
        !(columns.phase[slot] === Phase.Protected && from - columns.connectedAt[slot]! > dataGapMs)
      );
    default:
      return true;
  }
}
