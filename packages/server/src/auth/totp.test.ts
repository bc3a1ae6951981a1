import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { findById } from './accounts-store.ts';
import { matchingStep, newTotpSecret, takeStep, totpCode } from './totp.ts';

const RFC_SECRET = Secret.fromLatin1('12345678901234567890').base32;

describe('totp', () => {
  // RFC 6238 appendix B, SHA-1; its eight digits cut to our six.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s the code is %s', (seconds, code) => {
    expect(totpCode(RFC_SECRET, seconds * 1000)).toBe(code);
    expect(matchingStep(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test('one step early or late is accepted and named, two are not', () => {
    const secret = newTotpSecret(randomBytes);
    const time = 1_768_478_400_000;
    const step = time / 30_000;
    expect(matchingStep(secret, totpCode(secret, time - 30_000), time)).toBe(step - 1);
    expect(matchingStep(secret, totpCode(secret, time + 30_000), time)).toBe(step + 1);
    expect(matchingStep(RFC_SECRET, totpCode(RFC_SECRET, 59_000), 59_000 + 60_000)).toBeUndefined();
    expect(matchingStep(RFC_SECRET, totpCode(RFC_SECRET, 119_000), 59_000)).toBeUndefined();
  });

  test('secrets are 160 random bits in base32', () => {
    const secrets = Array.from({ length: 50 }, () => newTotpSecret(randomBytes));
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  test('agrees with oathtool', (context) => {
    const ask = (secret: string, time: number) =>
      execFileSync('oathtool', ['--totp', '--base32', `--now=@${time / 1000}`, secret], { stdio: 'pipe' })
        .toString()
        .trim();
    try {
      ask(RFC_SECRET, 0);
    } catch {
      return context.skip('oathtool is not installed');
    }
    for (let round = 0; round < 10; round += 1) {
      const secret = newTotpSecret(randomBytes);
      const time = 1_768_478_400_000 + round * 7_777_000;
      expect(totpCode(secret, time)).toBe(ask(secret, time));
    }
  });
});

describeEachDialect('accepted steps', (open) => {
  const account = (id: string) => ({
    id,
    username: id,
    username_key: id,
    email: id,
    email_key: id,
    email_confirmed: 0 as const,
    password_hash: '',
    phone: null,
    phone_confirmed: 0 as const,
    two_factor_confirmed: 1 as const,
    totp_secret: null,
    language: 'en',
    created_at: 0,
    updated_at: 0,
    deleted_at: null,
  });

  test('each step is accepted once, older ones never, other accounts are not affected', async (context) => {
    const { queries } = await open(context);
    await queries
      .insertInto('accounts')
      .values([account('ann'), account('bob')])
      .execute();
    expect(await takeStep(queries, 'ann', 100)).toBe(true);
    expect(await takeStep(queries, 'ann', 100)).toBe(false);
    expect(await takeStep(queries, 'ann', 99)).toBe(false);
    expect(await takeStep(queries, 'ann', 101)).toBe(true);
    expect(await takeStep(queries, 'bob', 100)).toBe(true);
    expect(await findById(queries, 'ann')).toBeDefined();
  });

  test('of 50 concurrent uses of one step exactly one is accepted', async (context) => {
    const { queries } = await open(context);
    await queries.insertInto('accounts').values(account('ann')).execute();
    const results = await Promise.all(Array.from({ length: 50 }, () => takeStep(queries, 'ann', 7)));
    expect(results.filter(Boolean)).toHaveLength(1);
  });
});
