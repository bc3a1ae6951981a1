import { expect, test } from 'vitest';
import { afterEcho } from './own-writes.ts';

test('a late echo of an own write is no change from elsewhere', () => {
  expect(afterEcho({ from: '', sent: ['eth'] }, 'eth')).toEqual({ from: 'eth', sent: [] });
  // Of two writes the router may tell only the second.
  expect(afterEcho({ from: '', sent: ['e', 'eth'] }, 'eth')).toEqual({ from: 'eth', sent: [] });
  expect(afterEcho({ from: '', sent: ['e', 'eth'] }, 'e')).toEqual({ from: 'e', sent: ['eth'] });
});
test('anything else is', () => {
  expect(afterEcho({ from: '', sent: ['eth'] }, 'btc')).toBeUndefined();
  expect(afterEcho({ from: 'eth', sent: [] }, '')).toBeUndefined();
});
