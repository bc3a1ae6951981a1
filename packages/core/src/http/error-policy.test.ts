import { describe, expect, test } from 'vitest';
import type { Backend } from './endpoint.ts';
import { BACKEND_PREFIX } from './endpoint-path.ts';
import { errorPolicy } from './error-policy.ts';

const policy = (backend: Backend, status: number, retried = false) => errorPolicy({ backend, status, retried, access: 'user' });

test.each([
  ['gateway', 401, false, 'remove-session'],
  ['gateway', 401, true, 'remove-session'],
  ['gateway', 403, false, 'none'],
  ['gateway', 400, false, 'none'],
  ['gateway', 500, false, 'none'],
  ['bff', 401, false, 'refresh-and-retry'],
  ['bff', 401, true, 'clear-session'],
  ['bff', 403, false, 'clear-storage'],
  ['bff', 403, true, 'clear-storage'],
  ['bff', 400, false, 'toast'],
  ['bff', 404, false, 'toast'],
  ['bff', 429, false, 'toast'],
  ['bff', 500, false, 'toast'],
  ['bff', 0, false, 'toast'],
] as const)('%s %i (retried: %s) → %s', (backend, status, retried, expected) => {
  expect(policy(backend, status, retried)).toBe(expected);
});

describe('over every status', () => {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
  test('storage is cleared by a BFF 403 and nothing else; a refresh is tried for a first BFF 401 and nothing else', () => {
    for (const backend of Object.keys(BACKEND_PREFIX) as Backend[])
      for (const status of statuses)
        for (const retried of [false, true]) {
          expect(policy(backend, status, retried) === 'clear-storage').toBe(backend === 'bff' && status === 403);
          expect(policy(backend, status, retried) === 'refresh-and-retry').toBe(backend === 'bff' && status === 401 && !retried);
        }
  });
  test('the refresh call never triggers a policy of its own', () => {
    for (const status of statuses) expect(errorPolicy({ backend: 'gateway', status, access: 'refresh', retried: false })).toBe('none');
  });
});
