import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { expect, test } from 'vitest';
import { stopServer } from './stop-server.ts';

const never = new Promise<never>(() => undefined);

/** A server that notes what it is told to do. */
function fakeServer(close: () => Promise<void> = async () => undefined) {
  const told: string[] = [];
  return {
    told,
    close: async () => {
      told.push('close');
      await close();
      told.push('closed');
    },
    write: async () => void told.push('written'),
  };
}

test('a server ends in order', async () => {
  const time = virtualTime();
  const server = fakeServer();
  await time.during(stopServer(Promise.resolve(server), { timers: time.timers, atOnce: never }));
  expect(server.told).toEqual(['close', 'closed', 'written']);
  expect(time.elapsed).toBe(0);
});

test('one that is still starting ends when it has started', async () => {
  const time = virtualTime();
  const server = fakeServer();
  const starting = time.timers.wait(3000).then(() => server);
  await time.during(stopServer(starting, { timers: time.timers, atOnce: never }));
  expect(server.told).toEqual(['close', 'closed', 'written']);
});

test.each([
  ['does not close', () => Promise.resolve(fakeServer(() => never))],
  ['cannot write', () => Promise.resolve({ ...fakeServer(() => never), write: () => never })],
  ['never starts', () => never],
])('one that %s is over within ten seconds', async (_what, start) => {
  const time = virtualTime();
  await time.during(stopServer(start(), { timers: time.timers, atOnce: never }));
  expect(time.elapsed).toBeLessThan(10_000);
});

test('what was decided is written where the rest does not end, and at a second signal at once', async () => {
  const time = virtualTime();
  const patient = fakeServer(() => never);
  await time.during(stopServer(Promise.resolve(patient), { timers: time.timers, atOnce: never }));
  expect(patient.told).toEqual(['close', 'written']);
  const before = time.elapsed;
  const hurried = fakeServer(() => never);
  await time.during(stopServer(Promise.resolve(hurried), { timers: time.timers, atOnce: Promise.resolve() }));
  expect(hurried.told).toEqual(['close', 'written']);
  expect(time.elapsed).toBe(before);
});

test('one that fails to start has nothing to end', async () => {
  const time = virtualTime();
  await time.during(stopServer(Promise.reject(new Error('port taken')), { timers: time.timers, atOnce: never }));
  expect(time.elapsed).toBe(0);
});
