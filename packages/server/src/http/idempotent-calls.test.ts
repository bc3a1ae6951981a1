import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { idempotentCalls } from './idempotent-calls.ts';

const withAccount = async (database: Database) => {
  await database.queries
    .insertInto('accounts')
    .values({
      id: 'ann',
      username: 'ann',
      username_key: 'ann',
      email: 'a',
      email_key: 'a',
      email_confirmed: 0,
      password_hash: '',
      phone: null,
      phone_confirmed: 0,
      two_factor_confirmed: 1,
      totp_secret: null,
      language: 'en',
      created_at: 0,
      updated_at: 0,
      deleted_at: null,
    })
    .execute();
  return database;
};

describeEachDialect('idempotent calls', (open) => {
  const call = { accountId: 'ann', key: 'k1', endpoint: 'createWallet', request: { name: 'x' } };

  test('run once, whether repeated at the same time or later', async (context) => {
    const calls = idempotentCalls(await withAccount(await open(context)), () => 0);
    let runs = 0;
    const work = async () => {
      runs += 1;
      return { status: 201, answer: `{"run":${runs}}` };
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.once(call, work)));
    answers.push(await calls.once(call, work));
    expect(runs).toBe(1);
    for (const answer of answers) expect(answer).toEqual({ status: 201, answer: '{"run":1}' });
  });

  test('another request or endpoint under the same key is a conflict', async (context) => {
    const calls = idempotentCalls(await withAccount(await open(context)), () => 0);
    const work = async () => ({ status: 200, answer: '{}' });
    await calls.once(call, work);
    await expect(calls.once({ ...call, request: { name: 'y' } }, work)).rejects.toMatchObject({ code: 'conflict' });
    await expect(calls.once({ ...call, endpoint: 'other' }, work)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a failed first call may be tried again', async (context) => {
    const calls = idempotentCalls(await withAccount(await open(context)), () => 0);
    await expect(calls.once(call, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await calls.once(call, async () => ({ status: 200, answer: '{}' }))).toEqual({ status: 200, answer: '{}' });
  });

  test('are forgotten after a day', async (context) => {
    let time = 0;
    const calls = idempotentCalls(await withAccount(await open(context)), () => time);
    const work = async () => ({ status: 200, answer: String(time) });
    await calls.once(call, work);
    time = 86_400_001;
    await calls.purge();
    expect((await calls.once(call, work)).answer).toBe('86400001');
  });
});
