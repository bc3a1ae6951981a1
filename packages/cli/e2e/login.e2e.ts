/** @module-tag smoke */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoginContext, loginMachine } from '@pilotfish/core/auth/login-machine';
import { ERROR_CODES, type ErrorCode } from '@pilotfish/core/http/error-codes';
import { readSession } from '@pilotfish/core/session/stored-session';
import { title, transitionPaths } from '@pilotfish/core/testing/machine-paths';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Terminal } from './screen.ts';
import { openTerminal } from './terminal.ts';

// Every transition of the login machine, by the paths generated from it, typed into the program in a
// terminal. The gateway's answers are the path's own steps, so in-flight states can be left by Escape.

const session = { accessToken: 'access-token', refreshToken: 'refresh-token', expiresAt: '2026-01-15T13:00:00.000Z' };
const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = 'JBSWY3DPEHPK3PXP';
const failures = (['wrong-code', 'code-used', 'code-expired', 'offline'] as const).map((code) => ({ error: { code } }));
const paths = transitionPaths(loginMachine, {
  input: { now: () => 0 },
  identity: ({ wrongCodes }: LoginContext) => wrongCodes || undefined,
  cases: {
    'login.submitted': [{ username: 'ada', password: 'long password' }],
    // A terminal has no address that could resume a challenge.
    'challenge.resumed': [],
    'otp.submitted': [{ otpCode: '123456' }],
    'xstate.done.actor.login': [{ output: { code: 'c1' } }, { output: { code: 'c1', secretKey: SECRET } }],
    'xstate.error.actor.login': [{ error: { code: 'invalid-credentials' } }],
    'xstate.done.actor.verifyTwoFactor': [{ output: session }],
    'xstate.error.actor.verifyTwoFactor': failures,
    'xstate.done.actor.confirmTwoFactor': [{ output: { ...session, recoveryCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'] } }],
    'xstate.error.actor.confirmTwoFactor': failures,
  },
  stopWhen: ({ value, context }) => context.wrongCodes > 0 || value === 'signedIn',
});

const CALL_PATHS = { login: '/account/login', verifyTwoFactor: '/account/verify-2fa', confirmTwoFactor: '/account/confirm-2fa' } as const;

/** A gateway that holds every call until the path says how it ends. */
function heldGateway() {
  const held: { path: string; response: ServerResponse }[] = [];
  const waiting = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      held.push({ path: request.url ?? '', response });
      for (const wake of waiting) wake();
    });
  });
  const take = (name: keyof typeof CALL_PATHS): Promise<ServerResponse> =>
    new Promise((resolve) => {
      const look = () => {
        const index = held.findIndex(({ path }) => path.endsWith(CALL_PATHS[name]));
        const [found] = index < 0 ? [] : held.splice(index, 1);
        if (!found) return;
        waiting.delete(look);
        resolve(found.response);
      };
      waiting.add(look);
      look();
    });
  const answer = async (name: keyof typeof CALL_PATHS, status: number, body: unknown) => {
    const response = await take(name);
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  };
  return { server, held, take, answer };
}

let gateway: ReturnType<typeof heldGateway>;
let url: string;
let folder: string;
beforeAll(async () => {
  gateway = heldGateway();
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
});
afterAll(() => {
  gateway.server.closeAllConnections();
  gateway.server.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the person sees in each state that waits for them. */
const QUESTIONS: Readonly<Record<string, RegExp>> = {
  credentials: /Username:$/,
  awaitingCode: /Code:$/,
  enrolling: new RegExp(`secret=${SECRET}[\\s\\S]*Code:$`),
  recoveryCodes: /aaaaa-bbbbb[\s\S]*Type yes:$/,
};

/** A clock that stands still; what waits for a time is let go by hand. */
function heldTimers() {
  const held = new Map<number, () => void>();
  let count = 0;
  return {
    now: () => NOW,
    timers: {
      setTimeout: (work: () => void) => {
        count += 1;
        held.set(count, work);
        return count;
      },
      clearTimeout: (id: unknown) => void held.delete(id as number),
    },
    /** The time of everything that waits comes. */
    let: () => {
      for (const [id, work] of Array.from(held)) {
        held.delete(id);
        work();
      }
    },
  };
}

async function step(
  terminal: Terminal,
  letTimeCome: () => void,
  event: { type: string; output?: unknown; error?: { code: ErrorCode } },
): Promise<void> {
  const call = /^xstate\.(?:done|error)\.actor\.(\w+)/.exec(event.type)?.[1] as keyof typeof CALL_PATHS | undefined;
  if (call && event.error) {
    const { code } = event.error;
    // Being offline is not an answer: the connection just ends.
    if (code === 'offline') return void (await gateway.take(call)).destroy();
    await gateway.answer(call, ERROR_CODES[code].status, {
      title: code,
      status: ERROR_CODES[code].status,
      code,
      detail: `refused: ${code}`,
    });
    return;
  }
  if (call) {
    await gateway.answer(call, 200, event.output);
    return;
  }
  switch (event.type) {
    case 'xstate.init':
      return;
    case 'login.submitted':
      terminal.type('ada\r');
      await terminal.see(/Password:$/);
      terminal.type('long password\r');
      return;
    case 'otp.submitted':
      terminal.type('123456\r');
      return;
    case 'login.cancelled':
      terminal.press('escape');
      return;
    case 'recoveryCodes.saved':
      terminal.type('yes\r');
      return;
    default:
      if (event.type.startsWith('xstate.after.')) letTimeCome();
      else throw new Error(`no way to do ${event.type} in a terminal`);
  }
}

describe('signing in, every transition', () => {
  test.each(paths.map((path, index) => [`${index + 1}: ${title(path)}`, path] as const))('path %s', async (_, path) => {
    const clock = heldTimers();
    const terminal = openTerminal(['auth', 'login', '--url', url], { XDG_CONFIG_HOME: folder }, { rows: 60 }, clock);
    for (const { event, state } of path.steps) {
      await step(terminal, clock.let, event);
      const question = QUESTIONS[String(state.value)];
      if (question) await terminal.see(question);
      const code = (event as { error?: { code: string } }).error?.code;
      if (code) await terminal.see(code === 'offline' ? /cannot be reached/ : `refused: ${code}`);
      expect(terminal.raw()).not.toContain('long password');
    }
    const last = path.steps.at(-1)?.state.value;
    if (last === 'signedIn') {
      expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
      expect(terminal.screen()).toContain('Signed in as ada');
      const file = join(folder, 'pilotfish/sessions/default.json');
      expect(readSession(readFileSync(file, 'utf8'))).toEqual(session);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'pilotfish/sessions')).mode & 0o777).toBe(0o700);
    } else {
      terminal.press('ctrl-c');
      expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
    }
    for (const { response } of gateway.held.splice(0)) response.destroy();
  });
});
