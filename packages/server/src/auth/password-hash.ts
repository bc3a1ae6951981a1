import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@pilotfish/core/http/problem';
import type { Timers } from '@pilotfish/core/time/timers';
import type { AuthPolicy } from '../app/settings.ts';
import type { Random } from '../database/uuid.ts';

/** The library's `Algorithm.Argon2id`, an ambient enum that a single-file build cannot read. */
const ARGON2ID = 2;

export type PasswordHasher = {
  /** @param first goes before those that wait, however many: who has shown that they belong here */
  hash(password: string, first?: boolean): Promise<string>;
  /** With no hash (an unknown user) the same work is done and the answer is false. */
  verify(stored: string | undefined, password: string, first?: boolean): Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  isOutdated(stored: string): boolean;
};

/**
 * Argon2id with a cap: each running hash holds its memory and a thread that database, files and other cryptography
 * need too, so only `hashSlots` run at once and a short queue waits.
 * @throws AppError `rate-limited` when the queue is full
 */
export async function passwordHasher(policy: AuthPolicy, random: Random, timers: Pick<Timers, 'meanwhile'>): Promise<PasswordHasher> {
  const options = { algorithm: ARGON2ID, ...policy.argon2 };
  let running = 0;
  const waiting: (() => void)[] = [];

  const limited = async <Result>(work: () => Promise<Result>, first: boolean): Promise<Result> => {
    if (running >= policy.hashSlots) {
      if (!first && waiting.length >= policy.hashQueue) throw new AppError('rate-limited', { retryAfter: 5 });
      await new Promise<void>((resolve) => (first ? waiting.unshift(resolve) : waiting.push(resolve)));
    } else running += 1;
    try {
      return await timers.meanwhile(work());
    } finally {
      // The slot goes straight to the next in line.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  const nobody = await timers.meanwhile(hash(Buffer.from(random(24)).toString('base64'), { ...options, salt: random(16) }));
  const { memoryCost, timeCost, parallelism } = policy.argon2;
  const prefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  return {
    isOutdated: (stored) => !stored.startsWith(prefix),
    hash: (password, first = false) => limited(() => hash(password.normalize('NFKC'), { ...options, salt: random(16) }), first),
    verify: async (stored, password, first = false) => {
      const matches = await limited(() => verify(stored ?? nobody, password.normalize('NFKC')), first);
      return matches && stored !== undefined;
    },
  };
}
