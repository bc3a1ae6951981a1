import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServerProgram, type ServerProgram } from './server-process.ts';

let folder: string;
let program: ServerProgram;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-e2e-'));
  program = await buildServerProgram('./process-entry.ts');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  program.remove();
});

const start = () => program.start(join(folder, 'data'), { PILOTFISH_LOG_LEVEL: 'silent' });

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const passwordOf = (username: string) => `deep water ${username}`;

test('kill -9 under load, 5 rounds: every acknowledged account can sign in afterwards', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { child, url } = await start();
    let stopped = false;
    const client = async (number: number): Promise<void> => {
      for (let count = 0; !stopped; count += 1) {
        const username = `r${round}-c${number}-${count}`;
        const answer = await post(`${url}/gateway/v1/account/create`, {
          username,
          email: `${username}@example.com`,
          password: passwordOf(username),
        }).catch(() => undefined);
        if (answer?.status !== 201) return;
        acknowledged.push(username);
        if (acknowledged.length >= (round + 1) * 12) {
          stopped = true;
          child.kill('SIGKILL');
        }
      }
    };
    await Promise.all([client(1), client(2), client(3), client(4)]);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(60);
  const { child, url } = await start();
  for (const username of acknowledged) {
    const answer = await post(`${url}/gateway/v1/account/login`, { username, password: passwordOf(username) });
    expect([username, answer.status]).toEqual([username, 200]);
  }
  console.info(`${acknowledged.length} acknowledged accounts over 5 kills, none lost`);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});

test('a second process on the same folder is told who runs there', async () => {
  const { child } = await start();
  await expect(start()).rejects.toThrow(`ended with 1: Pilotfish is already running (pid ${child.pid})`);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('SIGTERM lets open streams end and leaves with 0', async () => {
  const { child, url } = await start();
  const stream = await fetch(`${url}/bff/v1/stream`);
  child.kill('SIGTERM');
  expect(await stream.text()).toBe(':\n\n');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});
