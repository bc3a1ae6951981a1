import type { Timers } from '@pilotfish/core/time/timers';

/** Request weight of the exchange, per minute and address, shared by every key of this process. */
export type WeightBudget = {
  /**
   * Resolves when `weight` may be spent; `urgent` requests (exits, cancels) may use what is kept back for them.
   * @param owner whose request it is; none for what is asked for everybody
   */
  spend(weight: number, urgent: boolean, owner?: string): Promise<void>;
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
/** After a pause exits and cancels go first; what is ordinary waits so much longer, ms. */
const EXITS_FIRST = 1000;
/** Of the limit: what ordinary requests may use, and all of them together. */
const ORDINARY = 0.8;
const URGENT = 0.98;
/** What an owner may use in a minute without leaving room for one who comes later. */
const SMALL = 0.1;
/** Up to there goes whoever has used more than that; the rest of the ordinary is for those who come. */
const LARGE = 0.7;
/** Up to there goes whoever has used more than an equal share. */
const GREEDY = 0.4;

/**
 * Keeps below `limit` × 0.8 for ordinary requests (0.98 for urgent ones), counting on the exchange's clock minute and
 * trusting the larger of our own count and what the answers report. Ordinary weight is shared among owners: while there
 * is enough, anybody takes what it needs, but one with many bots cannot take what others come for.
 */
export function weightBudget(options: { limit: number; now: () => number; timers: Pick<Timers, 'wait'> }): WeightBudget {
  let minute = 0;
  let used = 0;
  let pausedUntil = 0;
  let limit = options.limit;
  /** Ordinary weight by owner, in this minute and the one before. */
  let spent = new Map<string, number>();
  let spentBefore = new Map<string, number>();
  const roll = () => {
    const current = Math.floor(options.now() / MINUTE);
    if (current !== minute) {
      spentBefore = current === minute + 1 ? spent : new Map();
      spent = new Map();
      minute = current;
      used = 0;
    }
  };
  /** How far the weight of everybody may go for this request. */
  const mostFor = (weight: number, urgent: boolean, owner: string | undefined): number => {
    if (urgent) return limit * URGENT;
    if (owner === undefined) return limit * ORDINARY;
    const mine = (spent.get(owner) ?? 0) + weight;
    const owners = new Set([...spent.keys(), ...spentBefore.keys(), owner]).size;
    if (owners > 1 && mine > (limit * ORDINARY) / owners) return limit * GREEDY;
    return limit * (mine > limit * SMALL ? LARGE : ORDINARY);
  };
  return {
    spend: async (weight, urgent, owner) => {
      for (;;) {
        roll();
        const now = options.now();
        const from = pausedUntil === 0 || urgent ? pausedUntil : pausedUntil + EXITS_FIRST;
        if (now >= from && (used + weight <= mostFor(weight, urgent, owner) || used === 0)) {
          used += weight;
          if (!urgent && owner !== undefined) spent.set(owner, (spent.get(owner) ?? 0) + weight);
          return;
        }
        await options.timers.wait(Math.max(50, now < from ? from - now : (minute + 1) * MINUTE - now), { ref: true });
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
