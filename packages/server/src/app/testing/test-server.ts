import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confirmed, Enrolment, Session } from '@pilotfish/core/auth/auth-contract';
import { countCalls } from '@pilotfish/core/testing/quiet-process';
import type { VirtualTime } from '@pilotfish/core/testing/virtual-time';
import pg from 'pg';
import { totpCode } from '../../auth/totp.ts';
import { findPostgres, type TestPostgres } from '../../database/postgres-fixture.ts';
import { NO_RESERVE } from '../../database/storage-room.ts';
import { requireMarkets } from '../../database/testing/any-row.ts';
import type { ReadLimits } from '../../http/read-limiter.ts';
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
  /** What its operator was shown for the first account. */
  readonly setupCode: Awaited<ReturnType<typeof startServer>>['setupCode'];
  /** The injected clock, in epoch ms. It stands still until moved, or is that of the virtual time. */
  now: () => number;
  /** Sets the clock forward. Timers do not hear of it: a test that waits for one moves the virtual time. */
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
  /**
   * @param meanwhile what happens while no server runs
   * @param change settings that are others from then on
   */
  restart: (meanwhile?: () => Promise<void>, change?: Partial<Settings>) => Promise<void>;
  close: () => Promise<void>;
};

export type TestServerOptions = {
  /** The wall clock instead of one that stands still: for whatever talks to an exchange that runs by itself. */
  realClock?: boolean;
  /**
   * The clock and every wait of the server. It jumps to the next timer while an answer is waited for that does not come
   * without one; otherwise the test moves it.
   */
  time?: VirtualTime;
  settings?: Partial<Settings>;
  auth?: Partial<AuthPolicy>;
  /** Where the clock begins, epoch ms. With `realClock` it goes on from there with the wall clock. */
  now?: number;
  /** None unless they are the subject: on a clock that stands still nothing comes back. */
  readLimits?: ReadLimits;
  /** How far the server is behind, ms. */
  loopLag?: () => number;
  /** In place of all features, e.g. the account ones plus one under test. */
  features?: ServerOptions['features'];
  /** Where the data folder lies, with a reserve of its own; a temporary folder without one when absent. */
  disk?: string;
  /** Room for a full disk; endless when absent. */
  reserve?: ServerOptions['reserve'];
  /** The least that is logged: a test that runs for hours need not remember every request. */
  logLevel?: 'trace' | 'warn';
};

/** On a clock that jumps minutes are nothing: whoever signed in stays so for a day, unless that is the subject. */
const VIRTUAL_POLICY: Partial<AuthPolicy> = { accessTokenSeconds: 24 * 3600, secondFactorSeconds: 24 * 3600 };

const MUCH = { burst: Number.MAX_SAFE_INTEGER, perSecond: 1 };
const UNLIMITED: ReadLimits = { account: MUCH, network: MUCH, guests: MUCH };

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
  return (await postgres).createMigratedDatabase();
}

/** A whole server on an ephemeral port with an empty data folder and a clock that the test moves. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(options.disk ?? tmpdir(), 'pilotfish-server-'));
  const databaseUrl = await testDatabaseUrl();
  let time = options.now ?? Date.UTC(2026, 0, 15, 12, 0, 0);
  let ahead = options.realClock && options.now !== undefined ? options.now - Date.now() : 0;
  const virtual = options.time;
  if (virtual && databaseUrl) countCalls(pg.Client, ['connect', 'query', 'end']);
  const now = () => (virtual ? virtual.now() : options.realClock ? Date.now() + ahead : time);
  const moveClock = (milliseconds: number) => {
    time += milliseconds;
    ahead += milliseconds;
    virtual?.setWall(virtual.now() + milliseconds);
  };
  const during = <Result>(work: Promise<Result>): Promise<Result> => (virtual ? virtual.during(work) : work);
  const logLines: string[] = [];
  const log = createLog(options.logLevel ?? 'trace', { write: (line: string) => logLines.push(line) });
  const base = readSettings({ PILOTFISH_PORT: '0', PILOTFISH_EXCHANGE: 'simulated', PILOTFISH_DATA_DIR: dataDir });
  let settings: Settings = {
    ...base,
    databaseUrl,
    ...options.settings,
    auth: { ...base.auth, ...TEST_POLICY, ...(options.time && VIRTUAL_POLICY), ...options.auth },
  };
  const start = () =>
    during(
      startServer({
        settings,
        now,
        ...(virtual && { timers: virtual.timers }),
        log,
        processMetrics: false,
        readLimits: options.readLimits ?? UNLIMITED,
        loopLag: options.loopLag ?? (() => 0),
        ...(options.disk === undefined && { reserve: options.reserve ?? NO_RESERVE }),
        ...(options.features && { features: options.features }),
      }),
    );
  let running = await start();
  let users = 0;

  const ask = async <Body>(path: string, { method, body, token, headers = {} }: CallOptions): Promise<Reply<Body>> => {
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

  const call: TestServer['call'] = <Body>(path: string, given: CallOptions = {}) => during(ask<Body>(path, given));

  const nextCode = (secretKey: string): string => {
    moveClock(30_000);
    return totpCode(secretKey, now());
  };

  const register: TestServer['register'] = async (fields = {}) => {
    users += 1;
    const username = fields.username ?? `user${users}-${randomBytes(3).toString('hex')}`;
    const email = fields.email ?? `${username}@example.com`;
    const password = fields.password ?? `deep water ${username.split('').reverse().join('')}`;
    const setupCode = running.context.setupCode.needed() ? running.setupCode?.code : undefined;
    const created = await call<Enrolment>('/gateway/v1/account/create', {
      body: { username, email, password, ...(setupCode && { setupCode }) },
    });
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
    get setupCode() {
      return running.setupCode;
    },
    get context() {
      return running.context;
    },
    dataDir,
    now,
    advance: moveClock,
    call,
    register,
    signIn,
    nextCode,
    logged: () => logLines.join(''),
    restart: async (meanwhile, change) => {
      await during(running.close());
      await meanwhile?.();
      settings = { ...settings, ...change };
      running = await start();
    },
    close: async () => {
      await during(requireMarkets(running.context.database).finally(() => running.close()));
      if (databaseUrl !== undefined) await (await postgres)?.dropDatabase(databaseUrl);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
