import { isJump, STANDSTILL_MS } from './standstill.ts';

const MINUTE = 60_000;

/**
 * Highest price of the last `minutes` minutes, by minute buckets: a monotonic queue in typed arrays, O(1) amortised
 * per price and no allocation. The running minute counts whole; the oldest bucket leaves when its minute is over.
 */
export function createRollingHigh(minutes: number) {
  const size = minutes + 2;
  const bucketMinute = new Float64Array(size);
  const bucketHigh = new Float64Array(size);
  let head = 0;
  let count = 0;
  /** End of the newest minute and its high: most prices are below it and change nothing. */
  let newestEnd = 0;
  let newestHigh = 0;
  /** The newest price and when it was: what the next is held against after a standstill. */
  let newestAt = Number.NaN;
  let newestPrice = Number.NaN;
  const last = () => (head + count - 1) % size;
  return {
    /** A trade of the market. After a standstill with a jump the highs of before are of another unit: no fall is counted from them. */
    trade(at: number, price: number): void {
      if (at - newestAt > STANDSTILL_MS && isJump(newestPrice, price)) this.forget();
      this.add(at, price);
    },
    /** The high of a minute that was read after a gap: it may be the first one after a standstill. */
    read(at: number, price: number): void {
      if (at - newestAt > STANDSTILL_MS) this.trade(at, price);
      else this.fill(at, price);
    },
    /** Begins with nothing, as a new window does. */
    forget(): void {
      [head, count, newestEnd, newestHigh] = [0, 0, 0, 0];
    },
    /** The high of a past minute that was not heard of in its time: it counts for that minute, and leaves with it. */
    fill(at: number, price: number): void {
      const minute = Math.floor(at / MINUTE) * MINUTE;
      const known = this.entries();
      const later = known.findIndex(([begin]) => begin > minute);
      if (later < 0) {
        this.add(at, price);
        return;
      }
      this.forget();
      for (const [begin, high] of [...known.slice(0, later), [minute, price] as const, ...known.slice(later)]) this.add(begin, high);
    },
    /** Adds a price (or a candle's high) at a venue time in ms; a late one counts for the newest minute. */
    add(at: number, price: number): void {
      newestAt = at;
      newestPrice = price;
      if (at < newestEnd && price <= newestHigh) return;
      const newest = count > 0 ? bucketMinute[last()]! : 0;
      const minute = Math.max(Math.floor(at / MINUTE), newest);
      while (count > 0 && bucketMinute[head]! < minute - minutes) {
        head = (head + 1) % size;
        count -= 1;
      }
      if (count > 0 && bucketMinute[last()] === minute && bucketHigh[last()]! >= price) return;
      while (count > 0 && bucketHigh[last()]! <= price) count -= 1;
      const index = (head + count) % size;
      bucketMinute[index] = minute;
      bucketHigh[index] = price;
      count += 1;
      newestEnd = (minute + 1) * MINUTE;
      newestHigh = price;
    },
    /** The high that a price at `at` would be judged by, leaving out what is too old by then; 0 when nothing is left. */
    peek(at: number): number {
      const oldest = Math.floor(at / MINUTE) - minutes;
      for (let index = 0; index < count; index += 1) {
        const bucket = (head + index) % size;
        if (bucketMinute[bucket]! >= oldest) return bucketHigh[bucket]!;
      }
      return 0;
    },
    /** What is remembered, oldest first: added to a new window one after the other it says the same. */
    entries(): [at: number, price: number][] {
      return Array.from({ length: count }, (_, n): [number, number] => {
        const bucket = (head + n) % size;
        return [bucketMinute[bucket]! * MINUTE, bucketHigh[bucket]!];
      });
    },
    /** NaN before the first price. */
    get high(): number {
      return count > 0 ? bucketHigh[head]! : Number.NaN;
    },
  };
}
export type RollingHigh = ReturnType<typeof createRollingHigh>;
