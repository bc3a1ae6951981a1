import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { heartbeat } from './heartbeat.ts';
import { createLog } from './log.ts';
import { readSettings } from './settings.ts';

const MINUTE = 60_000;

let service: Server;
let calls: string[];
let status: number;
let time: VirtualTime;
let lines: string[];
const state = { held: true, full: false, heard: true };
let stop: () => Promise<void>;

beforeEach(async () => {
  [calls, status, lines, time] = [[], 200, [], virtualTime()];
  Object.assign(state, { held: true, full: false, heard: true });
  service = createServer((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok');
  });
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  await stop();
  await new Promise((closed) => service.close(closed));
});

async function begin(user = ''): Promise<string> {
  const address = `http://${user}127.0.0.1:${(service.address() as AddressInfo).port}/ping/SECRET-PATH`;
  const feature = heartbeat(
    {
      settings: readSettings({ PILOTFISH_HEARTBEAT_URL: address }),
      lease: { held: () => state.held, doubt: () => undefined },
      storage: { isFull: () => state.full, refused: () => undefined, onChange: () => undefined },
      now: time.now,
      timers: time.timers,
      log: createLog('trace', { write: (line: string) => lines.push(line) }),
    },
    { heardAt: () => (state.heard ? time.now() : 0) },
  );
  await feature.start?.();
  stop = async () => feature.stop?.();
  return address;
}
/** So many minutes, each with its call to the end. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await time.advance(MINUTE);
  }
}

test('the address is called each minute while bots may trade, and not while they may not', async () => {
  await begin();
  await pass(3);
  expect(calls).toEqual(Array.from({ length: 3 }, () => 'GET /ping/SECRET-PATH'));
  for (const [name, bad] of [
    ['held', false],
    ['full', true],
    ['heard', false],
  ] as const) {
    const before = state[name];
    state[name] = bad;
    await pass(2);
    expect(calls).toHaveLength(3);
    state[name] = before;
  }
  await pass(1);
  expect(calls).toHaveLength(4);
});

test('what goes wrong is told once, without the address, and redirects are not followed', async () => {
  await begin('ping:PASS-WORD@');
  status = 302;
  await pass(2);
  status = 500;
  await pass(1);
  expect(calls.every((call) => call.startsWith('GET /ping/SECRET-PATH Basic '))).toBe(true);
  status = 200;
  await pass(1);
  await new Promise((closed) => service.close(closed));
  await pass(1);
  const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg.split(':')[0]);
  expect(said).toEqual(['heartbeat.failed', 'heartbeat.back', 'heartbeat.failed']);
  expect(lines.join('')).not.toMatch(/SECRET-PATH|PASS-WORD/);
});
