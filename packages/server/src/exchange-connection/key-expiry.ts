import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';

const DAY_MS = 86_400_000;
/** Days before the end of a key at which its owner is told, nearest first. */
const TOLD_DAYS = [1, 7, 14] as const;
/** How often the exchange is asked how long keys may trade. */
const LOOK_MS = 6 * 3_600_000;
/** After a start others come first. */
const FIRST_LOOK_MS = 60_000;

export type KeyExpiry = ReturnType<typeof keyExpiry>;

/**
 * Tells owners of keys that soon may trade no more: 14, 7 and 1 days before, once each.
 * @param parts.endOf epoch ms at which the account's key stops trading; undefined where it does not. Asks the exchange
 */
export function keyExpiry(
  { database, log, notifier, now, timers }: Pick<AppContext, 'database' | 'log' | 'notifier' | 'now' | 'timers'>,
  parts: { readonly accounts: () => Promise<readonly string[]>; readonly endOf: (accountId: string) => Promise<number | undefined> },
) {
  let cancels: Cancel[] = [];
  let running: Promise<void> | undefined;
  let stopped = false;

  async function tell(accountId: string, endsAt: number): Promise<void> {
    const left = endsAt - now();
    const days = TOLD_DAYS.find((each) => left <= each * DAY_MS);
    if (days === undefined || left <= 0) return;
    const told = await notifier.enqueue(database.queries, {
      accountId,
      kind: 'exchange-connection',
      code: 'exchange-key-ends',
      facts: { endsAt },
      link: '/user/exchange-connect',
      // Another key, or the same one prolonged, ends at another time.
      key: `key-ends:${endsAt}:${days}`,
    });
    if (told) notifier.wake();
  }
  async function look(): Promise<void> {
    for (const accountId of await parts.accounts()) {
      if (stopped) return;
      try {
        const endsAt = await parts.endOf(accountId);
        if (endsAt !== undefined) await tell(accountId, endsAt);
      } catch (error) {
        // Keys that are refused and an exchange that is away are told of elsewhere; this is asked again in hours.
        log.info({ reason: (error as { code?: string }).code ?? (error as Error).name }, 'how long a key may trade could not be asked');
      }
    }
  }
  const begin = (): void => {
    running ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'keys that end could not be looked for'))
      .finally(() => {
        running = undefined;
      });
  };

  return {
    look,
    start: (): void => {
      cancels = [timers.after(FIRST_LOOK_MS, begin), timers.every(LOOK_MS, begin)];
    },
    stop: async (): Promise<void> => {
      stopped = true;
      for (const cancel of cancels) cancel();
      await running;
    },
  };
}
