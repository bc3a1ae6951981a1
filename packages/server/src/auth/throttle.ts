import { AppError } from '@pilotfish/core/http/problem';
import type { Database } from '../database/database.ts';
import { clientNetwork } from '../http/client-network.ts';

/** How many failures are free and how the delay grows after them. */
export type ThrottleRule = { readonly free: number };

export const RULES = {
  /** Passwords tried on one account name from one network, and from all networks together. */
  account: { free: 5 },
  accountTotal: { free: 100 },
  /** Anything that failed from one address. */
  address: { free: 30 },
  /** Second-factor codes tried on one account from one network, and from all: six digits, so the total stays small. */
  otp: { free: 10 },
  otpTotal: { free: 30 },
  /** Tries of one device that has signed in to the account before. */
  device: { free: 10 },
  /** Passwords tried in one session that lives, and codes tried in it. */
  stepUp: { free: 5 },
  /** Accounts created from one address. */
  create: { free: 20 },
  /** Set-up codes tried from one address. */
  setup: { free: 5 },
  /** Messages sent to one account or from one address. */
  message: { free: 3 },
} as const satisfies Record<string, ThrottleRule>;

/** What counts a network. */
const BY_NETWORK: ReadonlySet<string> = new Set<keyof typeof RULES>(['address', 'create', 'setup']);
/** What one success says nothing of: it takes back only its own try. */
const SHARED: ReadonlySet<string> = new Set<keyof typeof RULES>(['address', 'accountTotal', 'otpTotal']);

export type ThrottleKind = keyof typeof RULES;
export type Throttle = {
  /**
   * Counts a try before it is made, so that many at once cannot slip through.
   * @throws AppError `throttled` with the seconds to wait
   */
  reserve(kind: ThrottleKind, subject: string): Promise<void>;
  /** The try succeeded: what it counted for starts anew; what others count for, too, gets only this one try back. */
  succeed(kind: ThrottleKind, subject: string): Promise<void>;
  purge(): Promise<void>;
};

const FORGET_MS = 3600 * 1000;
const MAX_DELAY_SECONDS = 15 * 60;

/** Seconds to wait after that many failures: 0 while free, then 1, 2, 4 ... up to 15 minutes. */
export const delaySeconds = (failures: number, { free }: ThrottleRule): number =>
  failures <= free ? 0 : Math.min(MAX_DELAY_SECONDS, 2 ** Math.min(failures - free - 1, 20));

/** Addresses count by the network their holder has. */
const keyOf = (kind: ThrottleKind, subject: string): string => `${kind}:${BY_NETWORK.has(kind) ? clientNetwork(subject) : subject}`;

/** Growing delays, kept in the database so that every process of an instance counts together. */
export function databaseThrottle(
  database: Database,
  now: () => number,
  rules: Readonly<Record<ThrottleKind, ThrottleRule>> = RULES,
): Throttle {
  return {
    reserve: async (kind, subject) => {
      const key = keyOf(kind, subject);
      const time = now();
      const wait = await database.transaction(async (queries) => {
        const counted = await queries
          .insertInto('throttles')
          .values({ key, failures: 1, blocked_until: 0, updated_at: time })
          .onConflict((conflict) =>
            conflict
              .column('key')
              .doUpdateSet((e) => ({
                failures: e
                  .case()
                  .when('throttles.updated_at', '<', time - FORGET_MS)
                  .then(1)
                  .else(e('throttles.failures', '+', 1))
                  .end(),
                updated_at: time,
              }))
              .where('throttles.blocked_until', '<=', time),
          )
          .returning('failures')
          .executeTakeFirst();
        if (counted === undefined) {
          const row = await queries.selectFrom('throttles').select('blocked_until').where('key', '=', key).executeTakeFirst();
          return Math.max(1, Math.ceil(((row?.blocked_until ?? time) - time) / 1000));
        }
        const delay = delaySeconds(counted.failures, rules[kind]);
        if (delay > 0)
          await queries
            .updateTable('throttles')
            .set({ blocked_until: time + delay * 1000 })
            .where('key', '=', key)
            .execute();
        return 0;
      });
      if (wait > 0) throw new AppError('throttled', { retryAfter: wait, parameters: { retryAfter: wait } });
    },
    succeed: async (kind, subject) => {
      const key = keyOf(kind, subject);
      if (SHARED.has(kind))
        await database.queries
          .updateTable('throttles')
          .set((e) => ({ failures: e('failures', '-', 1) }))
          .where('key', '=', key)
          .where('failures', '>', 0)
          .execute();
      else await database.queries.deleteFrom('throttles').where('key', '=', key).execute();
    },
    purge: async () => {
      await database.queries
        .deleteFrom('throttles')
        .where('updated_at', '<', now() - FORGET_MS)
        .where('blocked_until', '<', now())
        .execute();
    },
  };
}
