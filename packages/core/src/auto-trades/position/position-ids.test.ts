import { expect, test } from 'vitest';
import {
  attemptHash,
  clientOrderIdFor,
  isPilotfishOrder,
  orderPrefixFor,
  positionIdFor,
  positionIdOfOldOrder,
  startOfOrder,
} from './position-ids.ts';

const POSITION = positionIdFor('bot', 1, 'BTCUSDT', 1);
const FIRST = orderPrefixFor('abc123', '0zik0zjabcdef');
const SECOND = orderPrefixFor('abc123', '0zik0zkabcdef');
/** What the exchange takes as `newClientOrderId`. */
const TAKEN = /^[.A-Z:/a-z0-9_-]{1,36}$/;

test('an attempt has one id for each start, and no other attempt or start has it', () => {
  const ids = [FIRST, SECOND].flatMap((prefix) =>
    [1, 2, 46_655].flatMap((step) => [0, 1, 35].map((attempt) => clientOrderIdFor(POSITION, step, attempt, prefix))),
  );
  expect(new Set(ids).size).toBe(18);
  for (const id of ids) expect(id).toMatch(TAKEN);
  expect(clientOrderIdFor(POSITION, 1, 0, FIRST)).toBe(clientOrderIdFor(POSITION, 1, 0, FIRST));
  expect(clientOrderIdFor(POSITION, 1, 0, SECOND).endsWith(attemptHash(POSITION, 1, 0))).toBe(true);
  expect(attemptHash(positionIdFor('bot', 1, 'BTCUSDT', 2), 1, 0)).not.toBe(attemptHash(POSITION, 1, 0));
});

test('an id says which installation and which start placed it; ids of others say nothing', () => {
  expect(startOfOrder(clientOrderIdFor(POSITION, 7, 0, FIRST))).toEqual({ tag: 'abc123', epoch: '0zik0zjabcdef' });
  for (const other of ['', 'mine', 'web_3f1', 'x-TKT5PX2F1234', `${FIRST}short`, `${FIRST}UPPERCASE123`]) {
    expect(startOfOrder(other)).toBeUndefined();
    expect(isPilotfishOrder(other)).toBe(false);
  }
  expect(() => orderPrefixFor('short', '0zik0zjabcdef')).toThrow(RangeError);
});

test('ids of version 0.1.0 are still known by their position', () => {
  const old = `${POSITION.replaceAll('-', '')}0030`;
  expect(clientOrderIdFor(POSITION, 3, 0)).toBe(old);
  expect(positionIdOfOldOrder(old)).toBe(POSITION);
  expect([isPilotfishOrder(old), startOfOrder(old)]).toEqual([true, undefined]);
  expect(positionIdOfOldOrder(clientOrderIdFor(POSITION, 3, 0, FIRST))).toBeUndefined();
});

test('more steps or attempts than an id has room for are an error', () => {
  expect(() => clientOrderIdFor(POSITION, 46_656, 0, FIRST)).toThrow(RangeError);
  expect(() => clientOrderIdFor(POSITION, 1, 36, FIRST)).toThrow(RangeError);
});
