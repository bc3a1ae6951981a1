import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { SyncWish } from './history-sync.ts';

/** The market or the exchange is not there yet: a reading begins when it is. */
const RETRY_MS = { first: 1000, most: 60_000 };

type Waiting = { wishes: SyncWish[]; attempt: number; timer: Cancel | undefined; isBusy: boolean };

const isOfGap = ({ gapSince }: SyncWish): boolean => gapSince !== undefined;

/** The wishes with one for all their gaps: a look after the last gap sees what any of them did. */
function withOneGap(wishes: readonly SyncWish[]): SyncWish[] {
  const gapSince = Math.min(...wishes.flatMap((wish) => wish.gapSince ?? []));
  const first = wishes.findIndex(isOfGap);
  return wishes.flatMap((wish, index) => (!isOfGap(wish) ? [wish] : index === first ? [{ gapSince }] : []));
}

/**
 * What is to be read of each account as soon as a reading can begin. A wish that waits for the exchange is kept when
 * another comes: each of them names pairs that the other does not. Gaps that wait become one, so that a connection which
 * comes and goes does not queue up a look for each time.
 */
export function historyWishes(start: (accountId: string, wish: SyncWish) => Promise<unknown>, timers: Pick<Timers, 'after'>, log: Logger) {
  const waiting = new Map<string, Waiting>();
  let stopped = false;

  async function begin(accountId: string): Promise<void> {
    const own = waiting.get(accountId);
    if (own === undefined || own.isBusy) return;
    own.isBusy = true;
    own.timer?.();
    for (let wish = own.wishes[0]; wish !== undefined && !stopped; wish = own.wishes[0]) {
      try {
        await start(accountId, wish);
        own.attempt = 0;
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'internal';
        log.warn({ code, reason: (error as Error).message }, 'the reading of a trade history could not begin');
        if (error instanceof AppError && error.family === 'connectivity') {
          const pause = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** own.attempt);
          own.attempt += 1;
          own.isBusy = false;
          own.wishes = withOneGap(own.wishes);
          if (!stopped && waiting.get(accountId) === own) own.timer = timers.after(pause, () => void begin(accountId));
          return;
        }
      }
      own.wishes.shift();
    }
    if (waiting.get(accountId) === own) waiting.delete(accountId);
  }

  return {
    /** Begins a reading now, or once the exchange answers. */
    read: (accountId: string, wish: SyncWish = {}): void => {
      if (stopped) return;
      const own = waiting.get(accountId) ?? { wishes: [], attempt: 0, timer: undefined, isBusy: false };
      waiting.set(accountId, own);
      const text = JSON.stringify(wish);
      // The one that begins right now may have looked already: only what still waits says the same.
      const begun = own.isBusy ? own.wishes.slice(0, 1) : [];
      const queued = own.wishes.slice(begun.length);
      if (!queued.some((each) => JSON.stringify(each) === text)) own.wishes = [...begun, ...withOneGap([...queued, wish])];
      void begin(accountId);
    },
    forget: (accountId: string): void => {
      waiting.get(accountId)?.timer?.();
      waiting.delete(accountId);
    },
    stop: (): void => {
      stopped = true;
      for (const { timer } of waiting.values()) timer?.();
    },
  };
}
