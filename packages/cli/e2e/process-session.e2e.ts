import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SignedInUser, startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { openProcessPipe } from './process-pipe.ts';

// A session in a file that many processes share. They go by the machine's clock, and so does this server.

/** How long an access token lives here. */
const TOKEN_SECONDS = 15 * 60;
let server: TestServer;
let user: SignedInUser;
let folder: string;
let pipe: Pipe;

beforeAll(async () => {
  server = await startTestServer({ realClock: true, auth: { accessTokenSeconds: TOKEN_SECONDS } });
  user = await server.register({ username: 'ada' });
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
  pipe = openProcessPipe({ XDG_CONFIG_HOME: folder, PILOTFISH_URL: server.url });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('signed in by a script: the password comes through the pipe and is said nowhere', async () => {
  const words = ['auth', 'login', '--username', 'ada', '--password-stdin', '--otp'];
  expect(await pipe.run([...words, '000000'], { input: `${user.password}\n` })).toMatchObject({ exit: 4 });
  const signedIn = await pipe.run([...words, server.nextCode(user.secretKey)], { input: `${user.password}\n` });
  expect(signedIn).toMatchObject({ exit: 0, stdout: '' });
  expect(signedIn.stderr).not.toContain(user.password);
  expect((await pipe.run(['auth', 'status'])).exit).toBe(0);
});

test('twenty processes with a spent token refresh once and none is signed out', async () => {
  // The access token dies; the refresh token is used up by whoever comes first, and found renewed by the others.
  server.advance((TOKEN_SECONDS + 60) * 1000);
  const runs = await Promise.all(Array.from({ length: 20 }, () => pipe.run(['account', 'show', '--fields', 'username'])));
  expect(runs.map(({ exit, stdout }) => `${exit} ${stdout.trim()}`)).toEqual(Array.from({ length: 20 }, () => '0 username\tada'));
  // A second time, to show that the session they left behind is whole.
  expect((await pipe.run(['auth', 'status'])).exit).toBe(0);
});
