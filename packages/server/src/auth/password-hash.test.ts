import { randomBytes } from 'node:crypto';
import { realTimers } from '@pilotfish/core/time/timers';
import { describe, expect, test } from 'vitest';
import { DEFAULT_AUTH_POLICY } from '../app/settings.ts';
import { passwordHasher } from './password-hash.ts';

const cheap = { ...DEFAULT_AUTH_POLICY, argon2: { memoryCost: 64, timeCost: 1, parallelism: 1 } };

describe('password hashing', () => {
  test('is Argon2id with the OWASP minimum: 19 MiB, 2 passes, 1 lane', async () => {
    const hasher = await passwordHasher(DEFAULT_AUTH_POLICY, randomBytes, realTimers);
    expect(await hasher.hash('plain walking stick')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('the right password fits, another does not, and equal passwords hash differently', async () => {
    const hasher = await passwordHasher(cheap, randomBytes, realTimers);
    const stored = await hasher.hash('plain walking stick');
    expect(await hasher.verify(stored, 'plain walking stick')).toBe(true);
    expect(await hasher.verify(stored, 'plain walking stuck')).toBe(false);
    expect(await hasher.hash('plain walking stick')).not.toBe(stored);
  });

  test('one text in two Unicode forms is one password', async () => {
    const hasher = await passwordHasher(cheap, randomBytes, realTimers);
    const stored = await hasher.hash('göreceğiz'.normalize('NFC'));
    expect(await hasher.verify(stored, 'göreceğiz'.normalize('NFD'))).toBe(true);
  });

  test('an unknown user never fits', async () => {
    const hasher = await passwordHasher(cheap, randomBytes, realTimers);
    expect(await hasher.verify(undefined, '')).toBe(false);
  });

  test('beyond the queue a hash is refused, and the slots come back', async () => {
    const hasher = await passwordHasher({ ...cheap, hashSlots: 1, hashQueue: 2 }, randomBytes, realTimers);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => hasher.hash('plain walking stick')));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(results[3]).toMatchObject({ reason: { code: 'rate-limited', retryAfter: 5 } });
    expect(await hasher.hash('again')).toContain('argon2id');
  });
});
