import { AppError } from '@pilotfish/core/http/problem';

/** Files read at the same time over all accounts: a large one takes a processor for half a minute. */
const READ_AT_ONCE = 2;
const RETRY_SECONDS = 5;

/** One upload's place. `leave` may be called more than once. */
export type UploadPlace = {
  /** Waits for the turn. An abort gives it up and rejects with its reason. */
  readonly turn: (signal?: AbortSignal) => Promise<void>;
  readonly leave: () => void;
};

/**
 * One upload at a time per account, a few read at a time over all, the others in the order they came: neither disk nor
 * memory can be filled by sending many. A slow line keeps only its own account waiting, because turns begin when a
 * file is here.
 */
export function uploadPlaces(readAtOnce = READ_AT_ONCE) {
  const accounts = new Set<string>();
  const waiting: (() => void)[] = [];
  let free = readAtOnce;

  return {
    /** @throws AppError `rate-limited` while the account has an upload under way */
    enter: (accountId: string): UploadPlace => {
      if (accounts.has(accountId)) throw new AppError('rate-limited', { retryAfter: RETRY_SECONDS });
      accounts.add(accountId);
      let hasTurn = false;
      let hasLeft = false;
      return {
        turn: async (signal) => {
          signal?.throwIfAborted();
          if (free > 0) free -= 1;
          // Whoever leaves hands the turn over: it is not free in between.
          else
            await new Promise<void>((resolve, reject) => {
              waiting.push(resolve);
              const giveUp = () => {
                // Handed over already: it is taken, and given on by `leave`.
                const place = waiting.indexOf(resolve);
                if (place < 0) return;
                waiting.splice(place, 1);
                reject(signal?.reason as Error);
              };
              signal?.addEventListener('abort', giveUp, { once: true });
            });
          hasTurn = true;
        },
        leave: () => {
          if (hasLeft) return;
          hasLeft = true;
          accounts.delete(accountId);
          if (!hasTurn) return;
          const next = waiting.shift();
          if (next === undefined) free += 1;
          else next();
        },
      };
    },
  };
}
