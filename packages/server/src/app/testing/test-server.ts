import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confirmed, Enrolment, Session } from '@pilotfish/core/auth/auth-contract';
import { totpCode } from '../../auth/totp.ts';
import { findPostgres, type TestPostgres } from '../../database/postgres-fixture.ts';
import { createLog } from '../log.ts';
import { type ServerOptions, startServer } from '../server.ts';
import { type AuthPolicy, readSettings, type Settings } from '../settings.ts';

export type CallOptions = {
  method?: string;
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
};

/** One HTTP answer, its JSON parsed. `Body` is what the test expects it to be. */
export type Reply<Body> = { status: number; body: Body; headers: Headers };

export type SignedInUser = {
  username: string;
  email: string;
  password: string;
  secretKey: string;
  recoveryCodes: string[];
  session: Session;
  /** Calls with this user's access token. */
  call: <Body = Record<string, unknown>>(path: string, options?: CallOptions) => Promise<Reply<Body>>;
};

export type TestServer = {
  readonly url: string;
  readonly dataDir: string;
  readonly context: Awaited<ReturnType<typeof startServer>>['context'];
  /** The injected clock, in epoch ms. It stands still until moved. */
  now: () => number;
  advance: (milliseconds: number) => void;
  /** `POST` when there is a body, `GET` otherwise. Path with its backend: `/gateway/v1/…`, `/bff/v2/…`. */
  call: <Body = Record<string, unknown>>(path: string, options?: CallOptions) => Promise<Reply<Body>>;
  /** A new account, enrolled and signed in. The first one of a server is Admin. */
  register: (fields?: Partial<{ username: string; email: string; password: string }>) => Promise<SignedInUser>;
  /** A further session of an account, by password and authenticator. */
  signIn(user: Pick<SignedInUser, 'username' | 'password' | 'secretKey'>): Promise<Session>;
  /** The next unused authenticator code: moves the clock one step on, because each step is accepted once. */
  nextCode: (secretKey: string) => string;
  /** Everything logged so far, at level trace unless asked otherwise. */
  logged: () => string;
  /** @param meanwhile what happens while no server runs */
  restart: (meanwhile?: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
};

export type TestServerOptions = {
  /** The wall clock instead of one that stands still: for whatever talks to an exchange that runs by itself. */
  realClock?: boolean;
  settings?: Partial<Settings>;
  auth?: Partial<AuthPolicy>;
  now?: number;
  /** In place of all features, e.g. the account ones plus one under test. */
  features?: ServerOptions['features'];
  /** The least that is logged: a test that runs for hours need not remember every request. */
  logLevel?: 'trace' | 'warn';
};

/** Cheap hashes: the tests are about the flow, and Argon2's cost is tested on its own. */
const TEST_POLICY: Partial<AuthPolicy> = { argon2: { memoryCost: 64, timeCost: 1, parallelism: 1 }, accountsPerAddress: 100_000 };

let postgres: Promise<TestPostgres> | undefined;

/** `PILOTFISH_TEST_DIALECT=postgres` runs every test that uses this fixture on PostgreSQL. */
async function testDatabaseUrl(): Promise<string | undefined> {
  if (process.env.PILOTFISH_TEST_DIALECT !== 'postgres') return undefined;
  postgres ??= findPostgres().then((found) => {
    if ('skipped' in found) throw new Error(`PILOTFISH_TEST_DIALECT=postgres, but there is no PostgreSQL: ${found.skipped}`);
    return found.postgres;
  });
  return (await postgres).createDatabase();
}

/** A whole server on an ephemeral port with an empty data folder and a clock that the test moves. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-server-'));
  const databaseUrl = await testDatabaseUrl();
  let time = options.now ?? Date.UTC(2026, 0, 15, 12, 0, 0);
  let ahead = 0;
  const now = () => (options.realClock ? Date.now() + ahead : time);
  const logLines: string[] = [];
  const log = createLog(options.logLevel ?? 'trace', { write: (line: string) => logLines.push(line) });
  const base = readSettings({ PILOTFISH_PORT: '0', PILOTFISH_DATA_DIR: dataDir });
  const settings: Settings = { ...base, databaseUrl, ...options.settings, auth: { ...base.auth, ...TEST_POLICY, ...options.auth } };
  const start = () => startServer({ settings, now, log, processMetrics: false, ...(options.features && { features: options.features }) });
  let running = await start();
  let users = 0;

  const call: TestServer['call'] = async <Body>(path: string, { method, body, token, headers = {} }: CallOptions = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${running.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  };

  const nextCode = (secretKey: string): string => {
    time += 30_000;
    ahead += 30_000;
    return totpCode(secretKey, now());
  };

  const register: TestServer['register'] = async (fields = {}) => {
    users += 1;
    const username = fields.username ?? `user${users}-${randomBytes(3).toString('hex')}`;
    const email = fields.email ?? `${username}@example.com`;
    const password = fields.password ?? `deep water ${username.split('').reverse().join('')}`;
    const created = await call<Enrolment>('/gateway/v1/account/create', { body: { username, email, password } });
    if (created.status !== 201) throw new Error(`register(): create answered ${created.status} ${JSON.stringify(created.body)}`);
    const { secretKey, code } = created.body;
    const confirmed = await call<Confirmed>('/gateway/v1/account/confirm-2fa', {
      body: { otpCode: totpCode(secretKey, now()), confirmationCode: code },
    });
    if (confirmed.status !== 200) throw new Error(`register(): confirm-2fa answered ${confirmed.status} ${JSON.stringify(confirmed.body)}`);
    const { recoveryCodes, ...session } = confirmed.body;
    const user: SignedInUser = {
      username,
      email,
      password,
      secretKey,
      recoveryCodes,
      session,
      call: (path, more) => call(path, { token: user.session.accessToken, ...more }),
    };
    return user;
  };

  const signIn: TestServer['signIn'] = async ({ username, password, secretKey }) => {
    const login = await call<{ code: string }>('/gateway/v1/account/login', { body: { username, password } });
    if (login.status !== 200) throw new Error(`signIn(): login answered ${login.status} ${JSON.stringify(login.body)}`);
    const verified = await call<Session>('/gateway/v1/account/verify-2fa', {
      body: { otpCode: nextCode(secretKey) },
      token: login.body.code,
    });
    if (verified.status !== 200) throw new Error(`signIn(): verify-2fa answered ${verified.status} ${JSON.stringify(verified.body)}`);
    return verified.body;
  };

  return {
    get url() {
      return running.url;
    },
    get context() {
      return running.context;
    },
    dataDir,
    now,
    advance: (milliseconds) => {
      time += milliseconds;
      ahead += milliseconds;
    },
    call,
    register,
    signIn,
    nextCode,
    logged: () => logLines.join(''),
    restart: async (meanwhile) => {
      await running.close();
      await meanwhile?.();
      running = await start();
    },
    close: async () => {
      await running.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
