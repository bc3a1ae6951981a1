import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { uuidGenerator } from './uuid.ts';

test('ids are valid version 7 UUIDs carrying the clock', () => {
  const id = uuidGenerator(() => 1_700_000_000_000, randomBytes)();
  expect(z.uuidv7().safeParse(id).success).toBe(true);
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000);
});

test('ids increase within one millisecond, over a full counter and when the clock steps back', () => {
  let time = 1_700_000_000_000;
  const next = uuidGenerator(() => time, randomBytes);
  const ids = Array.from({ length: 10_000 }, next);
  time -= 5_000;
  ids.push(next());
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});
