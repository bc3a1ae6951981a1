import { AppError } from '@pilotfish/core/http/problem';
import { expect, test } from 'vitest';
import { onceOf } from './once.ts';

function stage() {
  let keys = 0;
  const sent: string[] = [];
  const once = onceOf(() => `key ${++keys}`);
  const send = (outcome?: Error) => (key: string) => {
    sent.push(key);
    return outcome ? Promise.reject(outcome) : Promise.resolve('made');
  };
  return { once, send, sent };
}

test.each(['offline', 'timeout', 'internal'] as const)('the same asked for again after %s goes out under the same key', async (code) => {
  const { once, send, sent } = stage();
  await expect(once({ amount: '5' }, send(new AppError(code)))).rejects.toThrow();
  await expect(once({ amount: '5' }, send(new AppError(code)))).rejects.toThrow();
  expect(await once({ amount: '5' }, send())).toBe('made');
  expect(sent).toEqual(['key 1', 'key 1', 'key 1']);
});

test('something else, and anything after an answer, has a key of its own', async () => {
  const { once, send, sent } = stage();
  await expect(once({ amount: '5' }, send(new AppError('offline')))).rejects.toThrow();
  await expect(once({ amount: '6' }, send(new AppError('invalid')))).rejects.toThrow();
  await once({ amount: '6' }, send());
  await once({ amount: '6' }, send());
  expect(sent).toEqual(['key 1', 'key 2', 'key 3', 'key 4']);
});
