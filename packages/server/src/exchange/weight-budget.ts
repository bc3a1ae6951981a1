/** Request weight of the exchange, per minute and address, shared by every key of this process. */
export type WeightBudget = {
  /** Resolves when `weight` may be spent; `urgent` requests (exits, cancels) may use what is kept back for them. */
  spend(weight: number, urgent: boolean): Promise<void>;
  /** What the exchange reported with an answer. */
  observe(used: number | undefined): void;
  /** After 429 or 418: nothing is sent until then. */
  pause(forMs: number): void;
  /** What the exchange says may be spent in a minute. */
  allow(perMinute: number): void;
  readonly used: number;
  readonly limit: number;
};

const MINUTE = 60_000;

/**
 * Keeps below `limit` × 0.8 for ordinary requests (0.98 for urgent ones), counting on the exchange's clock minute and
 * trusting the larger of our own count and what the answers report.
 */
export function weightBudget(options: { limit: number; now: () => number; wait?: (ms: number) => Promise<void> }): WeightBudget {
  const wait = options.wait ?? ((ms) => new Promise<void>((done) => setTimeout(done, ms)));
  let minute = 0;
  let used = 0;
  let pausedUntil = 0;
  let limit = options.limit;
  const roll = () => {
    const current = Math.floor(options.now() / MINUTE);
    if (current !== minute) {
      minute = current;
      used = 0;
    }
  };
  return {
    spend: async (weight, urgent) => {
      for (;;) {
        roll();
        const now = options.now();
        const most = limit * (urgent ? 0.98 : 0.8);
        if (now >= pausedUntil && (used + weight <= most || used === 0)) {
          used += weight;
          return;
        }
        await wait(Math.max(50, now < pausedUntil ? pausedUntil - now : (minute + 1) * MINUTE - now));
      }
    },
    observe: (reported) => {
      roll();
      if (reported !== undefined && reported > used) used = reported;
    },
    pause: (forMs) => {
      pausedUntil = Math.max(pausedUntil, options.now() + forMs);
    },
    allow: (perMinute) => {
      limit = perMinute;
    },
    get limit() {
      return limit;
    },
    get used() {
      roll();
      return used;
    },
  };
}
