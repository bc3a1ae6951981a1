const MINUTE = 60_000;
/** Minutes kept: four hours, the one that runs and the one before. */
const KEPT = 242;
/** Stands for the close of a minute that was heard in part. */
const UNKNOWN = -1;
const slot = (minute: number): number => ((minute % KEPT) + KEPT) % KEPT;
/** Minutes back that the screener measures changes from. */
const SPANS = [1, 5, 15, 60, 240];

/**
 * The last price of every minute of the last four hours, by the board's index: what short changes are measured from.
 * The exchange names only pairs that traded, so a silent pair keeps its price; while nothing was heard of the whole
 * market, prices are unknown until `seed` tells them. So is the close of the minute in which the market fell silent:
 * what was heard last in it is not its close.
 */
export function minuteCloses() {
  const rings: (Float64Array | undefined)[] = [];
  /** Minute each ring has written last. */
  let newest = new Float64Array(0);
  /** Minutes in which the market was heard at all: a pair that said nothing in one of them did not trade. */
  const heard = new Float64Array(KEPT).fill(Number.NaN);
  let cutAt = Number.NEGATIVE_INFINITY;

  const ring = (index: number): Float64Array => {
    if (index >= newest.length) {
      const wider = new Float64Array(Math.max(1024, 2 * index)).fill(Number.NaN);
      wider.set(newest);
      newest = wider;
    }
    const known = rings[index] ?? new Float64Array(KEPT).fill(Number.NaN);
    rings[index] = known;
    return known;
  };
  const write = (index: number, minute: number, price: number): void => {
    const closes = ring(index);
    const last = newest[index]!;
    // Slots between are of a lap before.
    if (minute > last) for (let m = Math.max(last + 1, minute - KEPT + 1); m < minute; m += 1) closes[slot(m)] = Number.NaN;
    if (!(minute <= last - KEPT)) closes[slot(minute)] = price;
    if (!(minute <= last)) newest[index] = minute;
  };

  /** Close of a minute, or of the last one in which the pair traded; NaN when the market was not heard in between. */
  const closeOf = (index: number, wanted: number): number => {
    const closes = rings[index];
    const last = newest[index];
    if (closes === undefined || last === undefined || Number.isNaN(last)) return Number.NaN;
    for (let minute = wanted; minute > last - KEPT; minute -= 1) {
      const close = minute > last ? Number.NaN : closes[slot(minute)]!;
      if (close === UNKNOWN) return Number.NaN;
      if (!Number.isNaN(close)) return close;
      if (heard[slot(minute)] !== minute) return Number.NaN;
    }
    return Number.NaN;
  };
  const before = (index: number, at: number, minutes: number): number => closeOf(index, Math.floor(at / MINUTE) - minutes - 1);

  return {
    /** @param at market time, ms */
    note: (index: number, at: number, price: number): void => {
      const minute = Math.floor(at / MINUTE);
      heard[slot(minute)] = minute;
      write(index, minute, price);
    },
    /** Nothing was heard after `at` for a while: the close of its minute is not known, whatever was heard in it before. */
    cut: (at: number): void => {
      cutAt = at;
      const minute = Math.floor(at / MINUTE);
      for (const index of rings.keys()) if (rings[index]) write(index, minute, UNKNOWN);
    },
    /** Market time after which the market was not heard for a while, lately. */
    get cutAt(): number {
      return cutAt;
    },
    /** Closes of past minutes, [open time ms, close], oldest first and with nothing missing in between; what was heard stays. */
    seed: (index: number, closes: readonly (readonly [number, number])[]): void => {
      // The last one may still run: the stream knows it better.
      for (const [openTime, close] of closes) {
        const minute = Math.floor(openTime / MINUTE);
        const last = newest[index];
        const known = last !== undefined && minute <= last && minute > last - KEPT ? ring(index)[slot(minute)]! : Number.NaN;
        if (!Number.isNaN(known) && known !== UNKNOWN) continue;
        write(index, minute, close);
      }
    },
    /** The price that stood `minutes` whole minutes before the minute of `at` began; NaN when it is not known. */
    before,
    /** Closes of the last `minutes` minutes before `at`, oldest first; none when any of them is not known. */
    last: (index: number, at: number, minutes: number): number[] => {
      const end = Math.floor(at / MINUTE);
      const found = Array.from({ length: minutes }, (_, n) => closeOf(index, end - minutes + n));
      return found.some(Number.isNaN) ? [] : found;
    },
    /** True when every change that is measured from minutes can be told. */
    complete: (index: number, at: number): boolean => SPANS.every((minutes) => !Number.isNaN(before(index, at, minutes))),
  };
}
export type MinuteCloses = ReturnType<typeof minuteCloses>;
