import { expect, test } from 'vitest';
import { patchBody } from './patch-body.ts';

test('a plain object stays as it is', () => {
  expect(patchBody({ targetPrice: '1' }, ['targetPrice'])).toEqual({ targetPrice: '1' });
  expect(patchBody(undefined, [])).toBeUndefined();
});

test('a JSON Patch becomes the object', () => {
  const patch = [
    { op: 'replace', path: '/targetPrice', value: '2' },
    { op: 'add', path: '/roles', value: ['Admin'] },
  ];
  expect(patchBody(patch, ['targetPrice', 'roles'])).toEqual({ targetPrice: '2', roles: ['Admin'] });
});

test.each([
  ['another operation', { op: 'remove', path: '/targetPrice' }],
  ['an unknown field', { op: 'add', path: '/isAdmin', value: true }],
  ['a nested path', { op: 'add', path: '/targetPrice/0', value: 1 }],
  ['no leading slash', { op: 'add', path: 'targetPrice', value: 1 }],
  ['the prototype', { op: 'add', path: '/__proto__', value: { admin: true } }],
  ['no operation at all', 'x'],
])('%s is refused', (_, operation) => {
  expect(() => patchBody([operation], ['targetPrice', '__proto__'])).toThrow(expect.objectContaining({ code: 'invalid' }));
});
