import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confirmed, Enrolment } from '@pilotfish/core/auth/auth-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { createLog } from '../app/log.ts';
import { type RunningServer, startServer } from '../app/server.ts';
import { readSettings } from '../app/settings.ts';
import { totpCode } from '../auth/totp.ts';

// Whoever sends a request slowly, or never to its end, keeps no connection for long.

const TIMES = { request: 600, headers: 300, look: 50 };
let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-times-'));
  server = await startServer({
    settings: readSettings({ PILOTFISH_PORT: '0', PILOTFISH_DATA_DIR: folder }),
    log: createLog('silent'),
    processMetrics: false,
    features: accountFeatures,
    requestTimes: TIMES,
  });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Ended = { answer: string; afterMs: number };
/** Opens a connection, sends what `talk` sends, and waits for its end. */
function converse(talk: (send: (text: string) => void) => (() => void) | undefined): Promise<Ended> {
  const { hostname, port } = new URL(server.url);
  const began = Date.now();
  return new Promise((resolve, reject) => {
    let answer = '';
    let stop: (() => void) | undefined;
    const socket = connect(Number(port), hostname, () => {
      stop = talk((text) => {
        if (!socket.destroyed) socket.write(text);
      });
    });
    socket.setTimeout(15_000, () => {
      socket.destroy();
      reject(new Error(`still open after 15 s: ${answer}`));
    });
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    // Writing to a connection that the server has closed is what is tested.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      stop?.();
      resolve({ answer, afterMs: Date.now() - began });
    });
  });
}
/** One piece now and then, for ever. */
const drip = (send: (text: string) => void, piece: () => string) => {
  const timer = setInterval(() => send(piece()), 40);
  return () => clearInterval(timer);
};
const LOGIN = 'POST /gateway/v1/account/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

test('headers that come drop by drop, and headers that never end', async () => {
  const dripping = await converse((send) => {
    send('GET /bff/v1/app-config HTTP/1.1\r\nhost: localhost\r\n');
    return drip(send, () => 'x-more: 1\r\n');
  });
  const silent = await converse((send) => {
    send('GET /bff/v1/app-config HTTP/1.1\r\nhost: localhost\r\n');
    return undefined;
  });
  for (const { answer, afterMs } of [dripping, silent]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(afterMs).toBeGreaterThanOrEqual(TIMES.headers);
  }
});

test('a connection that never says anything', async () => {
  const { afterMs } = await converse(() => undefined);
  expect(afterMs).toBeGreaterThanOrEqual(TIMES.headers);
});

test('a body that comes drop by drop, and one that is shorter than it said', async () => {
  const dripping = await converse((send) => {
    send(`${LOGIN}content-length: 200000\r\n\r\n`);
    return drip(send, () => 'x');
  });
  const short = await converse((send) => {
    send(`${LOGIN}content-length: 50\r\n\r\n{"username":"ada"`);
    return undefined;
  });
  const chunked = await converse((send) => {
    send(`${LOGIN}transfer-encoding: chunked\r\n\r\n`);
    return drip(send, () => '1\r\nx\r\n');
  });
  for (const { answer, afterMs } of [dripping, short, chunked]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(afterMs).toBeGreaterThanOrEqual(TIMES.request);
    expect(answer).not.toMatch(/stack|node_modules/);
  }
});

test('an answer may take longer: only the arrival is bounded', async () => {
  const post = async <Body>(path: string, body: object): Promise<Body> =>
    (await (
      await fetch(`${server.url}/gateway/v1/account/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()) as Body;
  const account = { username: 'ada', email: 'ada@example.com', password: 'deep water and old wood' };
  const { secretKey, code } = await post<Enrolment>('create', account);
  const otpCode = totpCode(secretKey, Date.now());
  const { accessToken } = await post<Confirmed>('confirm-2fa', { otpCode, confirmationCode: code });
  const response = await fetch(`${server.url}/bff/v2/stream?topics=notifications`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${accessToken}` },
  });
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  await reader.read();
  // Another connection runs out of its time meanwhile; this one was opened before it.
  await converse((send) => {
    send(`${LOGIN}content-length: 50\r\n\r\n`);
    return undefined;
  });
  server.context.stream.heartbeat();
  expect((await reader.read()).done).toBe(false);
  await reader.cancel();
});
