import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { guardLoopback } from './loopback-guard.ts';

const guard = guardLoopback();
afterAll(() => guard.release());

test('the guard stops whoever calls outside, by name or address, by socket or fetch', async () => {
  const failure = await new Promise<Error>((resolve) => {
    connect({ host: '192.0.2.1', port: 443 }).once('error', resolve);
  });
  expect(failure.message).toContain('ECONNREFUSED');
  await expect(fetch('https://exchange.invalid/api/v3/time')).rejects.toThrow();
  expect(guard.attempts).toEqual(['192.0.2.1', 'exchange.invalid']);
});
