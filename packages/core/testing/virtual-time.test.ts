import { once } from 'node:events';
import { stat } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { quietProcess } from './quiet-process.ts';
import { until } from './until.ts';
import { VIRTUAL_START, virtualTime } from './virtual-time.ts';

const DAY = 86_400_000;
const FIVE_SECONDS = 5000;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

test('a day passes in no time, in order, and says how far it came', async () => {
  const time = virtualTime();
  const ran: string[] = [];
  const note = (what: string) => () => ran.push(`${what} ${time.now() - VIRTUAL_START}`);
  time.timers.after(2000, note('second'));
  time.timers.after(1000, note('first'));
  time.timers.after(2000, note('third, asked for after the second'));
  const stop = time.timers.every(DAY / 2, note('half a day'));
  time.timers.after(3000, note('never'))();
  void time.timers.wait(DAY).then(note('a day'));
  expect(await time.advance(DAY - 1)).toEqual({ time: VIRTUAL_START + DAY - 1, ran: 4 });
  expect(await time.advance(1)).toEqual({ time: VIRTUAL_START + DAY, ran: 2 });
  stop();
  expect(await time.advance(DAY)).toEqual({ time: VIRTUAL_START + 2 * DAY, ran: 0 });
  expect(ran).toEqual([
    'first 1000',
    'second 2000',
    'third, asked for after the second 2000',
    `half a day ${DAY / 2}`,
    `a day ${DAY}`,
    `half a day ${DAY}`,
  ]);
});

test('what a timer starts is over before the next one runs, also where it waits for a file, a socket or a thread', async () => {
  const time = virtualTime();
  const { timers } = time;
  const server = createServer((_, response) => void timers.after(500, () => response.end('late'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ran: [string, number][] = [];
  const works: Record<string, () => Promise<unknown>> = {
    file: () => readFile(import.meta.filename),
    digest: async () => {
      for (let round = 0; round < 20; round += 1) await crypto.subtle.digest('SHA-256', new Uint8Array(100_000));
    },
    zip: () => promisify(gzip)(Buffer.alloc(3_000_000, 'pilotfish')),
    thread: () => timers.meanwhile(promisify(gzip)(Buffer.alloc(3_000_000, 'fish'))),
    // Half a second of waiting is not work: the timers of that time run meanwhile.
    http: () => fetch(url).then((answer) => answer.text()),
  };
  let at = 0;
  for (const [name, work] of Object.entries(works)) {
    at += 100;
    timers.after(at, () => void work().then(() => ran.push([name, time.elapsed])));
    timers.after(at + 1, () => ran.push([`after ${name}`, time.elapsed]));
  }
  await time.advance(2000);
  expect(ran).toEqual([
    ['file', 100],
    ['after file', 101],
    ['digest', 200],
    ['after digest', 201],
    ['zip', 300],
    ['after zip', 301],
    ['thread', 400],
    ['after thread', 401],
    ['after http', 501],
    ['http', 1000],
  ]);
});

test('a deadline ends a request that nobody answers, as the one of the platform does', async () => {
  const time = virtualTime();
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const asked = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: time.timers.deadline(10_000) });
  await expect(time.during(asked)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(time.elapsed).toBe(10_000);
});

test('work that waits for timers is followed to its end, also two at once, and no further', async () => {
  const time = virtualTime();
  const wait = async (ms: number) => {
    await time.timers.wait(ms);
    await time.timers.wait(ms);
    return time.elapsed;
  };
  expect(await Promise.all([time.during(wait(100)), time.during(wait(150))])).toEqual([200, 300]);
  time.timers.every(1000, () => undefined);
  expect(await time.during(Promise.resolve('at once'))).toBe('at once');
  expect(time.elapsed).toBe(300);
});

test('while the clock is held, work that waits for a timer waits', async () => {
  const time = virtualTime();
  const release = time.hold();
  const waiting = time.during(time.timers.wait(1000));
  await time.advance(200);
  expect(await time.during(async () => time.elapsed)).toBe(200);
  release();
  await waiting;
  expect(time.elapsed).toBe(1000);
});

test('the wall clock can be set; timers and the running clock do not hear of it', async () => {
  const time = virtualTime();
  let ran = 0;
  time.timers.after(1000, () => {
    ran += 1;
  });
  time.setWall(time.now() + DAY);
  await time.settled();
  expect([ran, time.now(), time.timers.wall(), time.timers.running()]).toEqual([0, VIRTUAL_START + DAY, VIRTUAL_START + DAY, 0]);
  await time.advance(1000);
  expect([ran, time.now()]).toEqual([1, VIRTUAL_START + DAY + 1000]);
});

test('a wait in vain names the virtual time, and what can never end is ended', async () => {
  const time = virtualTime();
  await expect(until('the impossible', () => false, { time, patienceMs: FIVE_SECONDS })).rejects.toThrow(
    /the impossible did not happen within 5 s of virtual time 2026-01-15T12:00:06/,
  );
  await expect(time.during(new Promise(() => undefined))).rejects.toThrow(/no timer waits/);
});

test('a process that never comes to rest is told, with what goes on in it', async () => {
  let goesOn = true;
  const again = () => {
    if (goesOn) stat('.', again);
  };
  again();
  const settled = quietProcess({ longestMs: 100 }).settled();
  await expect(settled).rejects.toThrow(/does not come to rest: .*FSReqCallback/);
  goesOn = false;
});

test('a stream that breaks in the middle is not waited for by whoever comes later', async () => {
  const quiet = quietProcess();
  await quiet.settled();
  const before = quiet.busy();
  const stream = createGunzip();
  stream.on('error', () => undefined);
  stream.write('no archive');
  await new Promise((done) => stream.once('close', done));
  expect(quiet.busy()).toBe(before);
});
