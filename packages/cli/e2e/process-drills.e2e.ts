import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Confirmed, Enrolment } from '@pilotfish/core/auth/auth-contract';
import { totpCode } from '@pilotfish/server/auth/totp';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from './process-terminal.ts';

// What the operator's guide tells people to copy and paste, pasted: the blocks of its drills in one bash, as they stand.

const GUIDE = fileURLToPath(new URL('../../../docs/operator-guide.md', import.meta.url));
const FOLDER = '/tmp/pilotfish-drill';
const PORT = '4699';
const PASSWORD = 'deep water and old wood';

type Block = { readonly title: string; readonly text: string };

/** The blocks below the heading of the drills, each with the drill that it belongs to. */
function blocks(): Block[] {
  const drills = /^## Drills\n([\s\S]*?)^## /m.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';
  let title = '';
  return [...drills.matchAll(/^\*\*([^*]+?)\.?\*\*|^```sh\n([\s\S]*?)^```/gm)].flatMap(([, heading, text = '']) => {
    if (heading !== undefined) title = heading;
    return heading === undefined ? [{ title, text }] : [];
  });
}

function mayMount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  }
}

async function post<Body>(url: string, body: unknown): Promise<Body> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Body;
}

/** Registers as a person does at the prompts, and answers a recovery code, by which the shell signs in. */
async function registration(server: () => string): Promise<string> {
  const helper = createServer((_request, response) => {
    const register = async () => {
      const account = { username: 'drill', email: 'drill@example.com', password: PASSWORD };
      const { secretKey, code } = await post<Enrolment>(`${server()}/gateway/v1/account/create`, account);
      const given = { otpCode: totpCode(secretKey, Date.now()), confirmationCode: code };
      return (await post<Confirmed>(`${server()}/gateway/v1/account/confirm-2fa`, given)).recoveryCodes[0];
    };
    register().then(
      (code) => response.end(code),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((listening) => helper.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void helper.close());
  return `http://127.0.0.1:${(helper.address() as AddressInfo).port}`;
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return String(port);
}

/** Runs a script in a bash of its own; nothing that it started stays. */
async function bash(script: string, env: Readonly<Record<string, string>>): Promise<{ exit: number | null; said: string }> {
  const shell = spawn('bash', ['-e', '-c', script], { env: { ...process.env, ...env }, detached: true });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  onTestFinished(() => {
    try {
      process.kill(-shell.pid!, 'SIGKILL');
    } catch {
      // It has ended, and all that it started.
    }
  });
  return new Promise((resolve) => shell.once('close', (exit) => resolve({ exit, said })));
}

test('every drill of the operator’s guide works as it is written', { timeout: 300_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'pilotfish-drills-'));
  const folder = join(home, 'drill');
  mkdirSync(folder);
  const hasDisk = mayMount(folder);
  if (!hasDisk) console.warn('No disk may be mounted here: the drill of the full disk is left out.');
  onTestFinished(() => {
    if (existsSync(join(folder, 'data')) && hasDisk) execFileSync('umount', ['-l', join(folder, 'data')]);
    rmSync(home, { recursive: true, force: true });
  });
  const port = await freePort();
  const helper = await registration(() => `http://127.0.0.1:${port}`);
  const program = `"${process.execPath}" "${PROGRAM}"`;
  const signIn = `echo '${PASSWORD}' | ${program} auth login --username drill --password-stdin --otp "$(curl -fs ${helper})"`;
  const command = `#!/bin/sh\nif [ "$1 $2" = 'auth register' ]; then ${signIn}; else exec ${program} "$@"; fi\n`;
  writeFileSync(join(home, 'pilotfish'), command, { mode: 0o755 });

  const drills = blocks().filter(({ title }) => !title.startsWith('Your own') && (hasDisk || title !== 'A full disk'));
  const titles = ['Begin', 'A name that leads here', 'A full disk', 'Restore', 'A database set back', 'End'];
  expect([...new Set(drills.map(({ title }) => title))]).toEqual(titles.filter((title) => hasDisk || title !== 'A full disk'));
  const script = [`sudo() { ${hasDisk ? '"$@"' : ':'}; }`, ...drills.map(({ title, text }) => `echo "== ${title}"\n${text}`)]
    .join('\n')
    .replaceAll(FOLDER, folder)
    .replaceAll(PORT, port);
  const { exit, said } = await bash(script, { PATH: `${home}:${process.env.PATH}`, PILOTFISH_KEYRING: 'off', LANG: 'en_US.UTF-8' });
  expect(exit, said.slice(-4000)).toBe(0);
  for (const shown of ['is intact', 'is restored', 'state\tHalted', 'UNKNOWN_SELL', ...(hasDisk ? ['state\tBlocked', 'storage-full'] : [])])
    expect(said).toContain(shown);
});
