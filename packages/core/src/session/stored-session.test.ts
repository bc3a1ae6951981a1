import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExpired, readSession, SESSION_KEY, writeSession } from './stored-session.ts';

const session = { accessToken: 'a', refreshToken: 'r', expiresAt: '2026-11-21T03:00:00.000Z' };

test('the key and the stored shape are the ones other programs may rely on', () => {
  expect(SESSION_KEY).toBe('user_jwt');
  expect(JSON.parse(writeSession({ ...session, recoveryCodes: ['x'] } as never))).toEqual(session);
  expect(readSession(writeSession(session))).toEqual(session);
});

describe('anything malformed is signed out', () => {
  test.each([
    ['nothing', null],
    ['empty', ''],
    ['not JSON', '{"accessToken":'],
    ['a string', '"token"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a missing field', JSON.stringify({ accessToken: 'a', refreshToken: 'r' })],
    ['an extra field', JSON.stringify({ ...session, role: 'Admin' })],
    ['a number for the expiry', JSON.stringify({ ...session, expiresAt: 1 })],
    ['a date that is none', JSON.stringify({ ...session, expiresAt: 'tomorrow' })],
    ['an empty token', JSON.stringify({ ...session, accessToken: '' })],
  ])('%s', (_, text) => {
    expect(readSession(text)).toBeUndefined();
  });
  test('arbitrary text never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readSession(text);
        expect(read === undefined || Object.keys(read).length === 3).toBe(true);
      }),
    );
  });
});

test('expired means the expiry has been reached', () => {
  const at = Date.parse(session.expiresAt);
  expect(isExpired(session, at - 1)).toBe(false);
  expect(isExpired(session, at)).toBe(true);
});
