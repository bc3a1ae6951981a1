import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Confirmed, Enrolment } from '@pilotfish/core/auth/auth-contract';
import { rolldown } from 'rolldown';
import { totpCode } from '../src/auth/totp.ts';

export type ServerProcess = { readonly child: ChildProcess; readonly url: string };

export type ServerProgram = {
  /** Starts it as a process of its own on a free port; resolves when it listens, rejects with its last words. */
  start(dataDir: string, environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  remove(): void;
};

/**
 * A program that can be started and killed.
 *
 * @param entry a file beside this one that prints `listening <url>` to stderr
 */
export async function buildServerProgram(entry: string): Promise<ServerProgram> {
  const name = basename(entry, '.ts');
  const output = fileURLToPath(new URL(`../dist/e2e-${name}-${process.pid}`, import.meta.url));
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'node',
    // Libraries stay where they are installed; our own packages are TypeScript and go in.
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@pilotfish/'),
  });
  await bundle.write({ dir: output, format: 'esm' });
  await bundle.close();
  return {
    start: async (dataDir, environment = {}) => {
      const child = spawn(process.execPath, [join(output, `${name}.js`)], {
        env: { ...process.env, PILOTFISH_PORT: '0', PILOTFISH_DATA_DIR: dataDir, PILOTFISH_LOG_LEVEL: 'warn', ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      const url = await new Promise<string>((listens, fails) => {
        child.stderr?.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          const found = /listening (\S+)\n/.exec(said)?.[1];
          if (found) listens(found);
        });
        child.once('exit', (code) => fails(new Error(`ended with ${code}: ${said}`)));
      });
      return { child, url };
    },
    remove: () => rmSync(output, { recursive: true, force: true }),
  };
}

/** Calls a server that may be another one, at another address, the next time: `POST` when there is a body. */
export function callerOf(url: () => string) {
  let token = '';
  async function call<Body>(path: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${url()}${path}`, {
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return (isJson ? await response.json() : await response.text()) as Body;
  }
  return {
    call,
    /** Makes the account `ada`; from here on calls are hers. */
    register: async (): Promise<void> => {
      const account = { username: 'ada', email: 'ada@example.com', password: 'deep water and old wood' };
      const enrolment = await call<Enrolment>('/gateway/v1/account/create', account);
      const codes = { otpCode: totpCode(enrolment.secretKey, Date.now()), confirmationCode: enrolment.code };
      token = (await call<Confirmed>('/gateway/v1/account/confirm-2fa', codes)).accessToken;
    },
  };
}
