import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX } from '@pilotfish/core/http/endpoint-path';
import { ERROR_CODES, isErrorCode } from '@pilotfish/core/http/error-codes';
import { problemSchema } from '@pilotfish/core/http/problem-document';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';
import { type FuzzRequest, filledPath, HOSTILE_TEXTS, requestsOf, wellFormed } from './fuzz-requests.ts';

// Every endpoint is sent what its schema allows, nearly allows and never allows, by everybody who may knock. Whatever
// comes: a foreseen answer that fits the contract, soon, and not a word of what is inside.
// `PILOTFISH_FUZZ_RUNS=200 PILOTFISH_FUZZ_SEED=7` looks longer and elsewhere.

const RUNS = Number(process.env.PILOTFISH_FUZZ_RUNS ?? 8);
const SEED = Number(process.env.PILOTFISH_FUZZ_SEED ?? 20_261_122);
/**
 * The most an answer may cost, ms of processor time of this process: a pattern that backtracks costs more, and a machine with
 * other work changes nothing of it.
 */
const SOON_MS = 5000;

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let admin: SignedInUser;
let user: SignedInUser;
let other: SignedInUser;
let ids: string[];
const endpoints = Object.entries(contract) as [string, AnyEndpoint][];
const counted = { requests: 0, slowest: 0, byStatus: new Map<number, number>() };

type Role = 'guest' | 'user' | 'admin';
const ROLES: readonly Role[] = ['guest', 'user', 'admin'];

/** What an answer never holds: places in the code or on the disk, the database's language, stored secrets. */
const LEAKS: readonly RegExp[] = [
  /\n\s+at \S+/,
  /node_modules|node:internal|file:\/\/\/(?!etc\/passwd)/,
  /packages\/(?:core|server|simulator)\/src/,
  /\$argon2id\$/,
  /SQLITE_|SqliteError|LibsqlError|kysely|syntax error at or near|no such (?:table|column)/i,
  /"?(?:password_hash|totp_secret|code_hash|token_hash)"?/,
];

beforeAll(async () => {
  stage = await startExchangeStage(5, { allowPrivateWebhooks: true });
  ({ simulator, server } = stage);
  admin = await server.register();
  user = await server.register();
  other = await server.register();
  ids = ['018f0000-0000-7000-8000-000000000000'];
  for (const owner of [user, other]) ids.push(...(await furnish(owner)));
});
afterAll(async () => {
  await stage?.close();
});

/** Some of everything, so that requests reach further than "not found". */
async function furnish(owner: SignedInUser): Promise<string[]> {
  const keys = await simulator.createAccount();
  await owner.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  const wallet = await owner.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '1000' } });
  expect(wallet.status).toBe(201);
  const bot = await owner.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
    body: {
      name: 'Dip',
      walletId: wallet.body.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: { size: { mode: 'fixed', value: '100' } },
      stopLoss: { mode: 'percent', pct: '5' },
      takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
    },
  });
  const alert = await owner.call<PriceAlert>('/bff/v2/price-alerts', {
    body: { symbol: 'BTCUSDT', condition: { kind: 'crosses', direction: 'up', level: '999999' } },
  });
  const account = await owner.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account');
  const accountId = account.body.claims.find(({ name }) => name === 'sub')?.value ?? '';
  const sessions = await owner.call<{ items: { id: string }[] }>('/gateway/v1/account/sessions');
  const found = [wallet.body.id, bot.body.autoTrade.id, alert.body.id, accountId, ...sessions.body.items.map(({ id }) => id)];
  expect(found.every((id) => typeof id === 'string' && id.length === 36)).toBe(true);
  return found;
}

/** Requests may sign somebody out or delete them; the next one should get as far all the same. */
async function alive(who: SignedInUser): Promise<SignedInUser> {
  await server.context.database.queries.deleteFrom('throttles').execute();
  if ((await who.call('/bff/v2/account')).status === 200) return who;
  try {
    who.session = await server.signIn(who);
    return who;
  } catch {
    const next = await server.register();
    ids.push(...(await furnish(next)));
    return next;
  }
}

const form = (seed: number): FormData => {
  const data = new FormData();
  const text = HOSTILE_TEXTS[seed % HOSTILE_TEXTS.length] ?? '';
  const content =
    seed % 3 === 0 ? text : seed % 3 === 1 ? `Date(UTC),Pair,Side\n${text},${text},${text}\n` : new Uint8Array(5000).fill(seed);
  data.append(seed % 5 === 0 ? 'other' : 'file', new Blob([content]), wellFormed(text.slice(0, 100)) || 'x');
  return data;
};

async function send(id: string, endpoint: AnyEndpoint, role: Role, request: FuzzRequest, index: number): Promise<void> {
  const path = `${BACKEND_PREFIX[endpoint.backend]}${filledPath(endpoint.path, request.params)}${request.query === '' ? '' : `?${request.query}`}`;
  const told = { id, role, path: path.slice(0, 300), body: JSON.stringify(request.body)?.slice(0, 600) };
  const token = role === 'guest' ? undefined : (role === 'user' ? user : admin).session.accessToken;
  const body = endpoint.content === 'multipart' ? form(index) : request.body;
  // Writes are limited by the minute; a refusal for that would prove nothing.
  server.advance(300);
  const began = process.cpuUsage();
  const {
    status,
    body: answer,
    headers,
  } = await server.call<unknown>(path, {
    method: endpoint.method,
    token,
    ...(endpoint.method === 'GET' || body === undefined ? {} : { body }),
  });
  const { user: inCode, system } = process.cpuUsage(began);
  const took = (inCode + system) / 1000;
  counted.requests += 1;
  counted.slowest = Math.max(counted.slowest, took);
  counted.byStatus.set(status, (counted.byStatus.get(status) ?? 0) + 1);
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const shown = { ...told, status, answer: text?.slice(0, 300) };

  expect({ ...shown, foreseen: status < 500 }).toEqual({ ...shown, foreseen: true });
  expect({ ...shown, soon: took < SOON_MS }).toEqual({ ...shown, soon: true });
  expect({ ...shown, limited: status === 429 && (answer as { code?: string }).code === 'rate-limited' }).toEqual({
    ...shown,
    limited: false,
  });
  const inside = [...LEAKS, new RegExp(server.dataDir), ...[user, admin, other].map(({ password }) => new RegExp(password))];
  // What was sent may come back: in the path of a problem, or as a text that an Admin wrote.
  const given = `${JSON.stringify(request.body)} ${Object.values(request.params).join(' ')} ${path}`;
  const leaked = inside.filter((leak) => leak.test(text ?? '') && !leak.test(given));
  expect({ ...shown, leaked }).toEqual({ ...shown, leaked: [] });
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (status >= 400) {
    const problem = problemSchema.safeParse(answer);
    expect({
      ...shown,
      problem: problem.success && isErrorCode(problem.data.code) && ERROR_CODES[problem.data.code].status === status,
    }).toEqual({
      ...shown,
      problem: true,
    });
  } else if (status !== 204 && endpoint.answers !== 'file') {
    const parsed = endpoint.answer.safeParse(answer);
    expect({ ...shown, status: endpoint.status ?? 200, fits: parsed.success ? true : parsed.error.issues }).toEqual({
      ...shown,
      fits: true,
    });
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
}

test.each(endpoints)('%s answers whatever it is sent', async (id, endpoint) => {
  // Ending one's own sessions proves little and costs a sign-in each time.
  const runs = ['logout', 'revokeOtherSessions', 'deleteAccount'].includes(id) ? 2 : RUNS;
  const seed = SEED + endpoints.findIndex(([each]) => each === id);
  for (const role of ROLES) {
    user = await alive(user);
    admin = await alive(admin);
    const mayCall = endpoint.access !== 'user' && endpoint.access !== 'admin' ? true : role !== 'guest';
    const requests = fc.sample(requestsOf(endpoint, ids), { numRuns: mayCall ? runs : 2, seed: seed + ROLES.indexOf(role) });
    for (const [index, request] of requests.entries()) await send(id, endpoint, role, request, index);
  }
  if (endpoint.access === 'admin') {
    // What an Admin may set would change what the next endpoint answers.
    const { database, instance } = server.context;
    await database.queries.deleteFrom('app_settings').execute();
    await instance.settings.load();
    const sub = (await admin.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account')).body.claims?.find(
      ({ name }) => name === 'sub',
    )?.value;
    if (sub !== undefined)
      await database.queries
        .insertInto('account_roles')
        .values({ account_id: sub, role: 'Admin', granted_at: 1 })
        .onConflict((conflict) => conflict.columns(['account_id', 'role']).doNothing())
        .execute();
  }
});

test('the server still stands, and no request ended in an error that nobody foresaw', async () => {
  expect((await server.call('/readyz')).status).toBe(200);
  const unexpected = server
    .logged()
    .split('\n')
    .filter((line) => line.includes('a request failed unexpectedly'));
  expect(unexpected).toEqual([]);
  const [statuses, slowest] = [Object.fromEntries([...counted.byStatus].sort(([a], [b]) => a - b)), Math.round(counted.slowest)];
  console.info(`fuzz: ${counted.requests} requests, slowest ${slowest} ms, by status ${JSON.stringify(statuses)}`);
  // Enough must have got through for the rest to mean anything.
  expect((counted.byStatus.get(200) ?? 0) / counted.requests).toBeGreaterThan(0.1);
});
