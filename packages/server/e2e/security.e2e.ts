/** @module-tag smoke */
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX } from '@pilotfish/core/http/endpoint-path';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { totpCode } from '../src/auth/totp.ts';
import { outboxFolder } from '../src/mail/mailer.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// What somebody who means harm tries over HTTP: other people's things, other kinds of tokens, doors left open.

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let webFolder: string;
let ada: SignedInUser;
let bob: SignedInUser;
let eve: SignedInUser;
let wallet: Wallet;
let bot: AutoTrade;

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
const endpoints = Object.entries(contract) as [string, AnyEndpoint][];
const urlOf = ({ backend, path }: Pick<AnyEndpoint, 'backend' | 'path'>, id = UNKNOWN) =>
  `${BACKEND_PREFIX[backend]}${path.replace(/\{\w+\}/g, id)}`;

beforeAll(async () => {
  webFolder = mkdtempSync(join(tmpdir(), 'pilotfish-security-'));
  mkdirSync(join(webFolder, 'web', 'assets'), { recursive: true });
  writeFileSync(join(webFolder, 'secret.txt'), 'canary-outside');
  writeFileSync(join(webFolder, 'web', '.env'), 'canary-dotfile');
  writeFileSync(join(webFolder, 'web', 'index.html'), '<!doctype html><script>theme()</script><script src="/assets/app.js"></script>');
  writeFileSync(join(webFolder, 'web', 'assets', 'app.js'), '1');
  stage = await startExchangeStage(2, { webFolder: join(webFolder, 'web') });
  ({ simulator, server } = stage);
  [ada, bob, eve] = [await server.register(), await server.register(), await server.register()];
  const keys = await simulator.createAccount();
  await bob.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  wallet = (await bob.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '1000' } })).body;
  bot = (await bob.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config(wallet.id) })).body.autoTrade;
});
afterAll(async () => {
  await stage?.close();
  rmSync(webFolder, { recursive: true, force: true });
});

const config = (walletId: string) => ({
  name: 'Dip',
  walletId,
  coins: { symbols: ['BTCUSDT'] },
  entry: { size: { mode: 'fixed', value: '100' } },
  stopLoss: { mode: 'percent', pct: '5' },
  takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
});

describe('who may call what', () => {
  const guarded = endpoints.filter(([, { access }]) => access !== 'none' && access !== 'optional');
  const attempt = (endpoint: AnyEndpoint, token?: string) =>
    server.call(urlOf(endpoint), { method: endpoint.method, token, ...(endpoint.method === 'GET' ? {} : { body: {} }) });

  test.each(guarded)('%s refuses guests and tokens of another kind', async (_id, endpoint) => {
    const login = await server.call<{ code: string }>('/gateway/v1/account/login', {
      body: { username: eve.username, password: eve.password },
    });
    const [header = '', payload = '', signature = ''] = eve.session.accessToken.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const forged = createHmac('sha256', 'pilotfish').update(`${header}.${payload}`).digest('base64url');
    const wrong = [`${none}.${payload}.`, `${none}.${payload}.${signature}`, `${header}.${payload}.${forged}`, 'x'];
    const others = {
      refresh: [eve.session.accessToken, login.body.code],
      pending: [eve.session.accessToken, eve.session.refreshToken],
      user: [eve.session.refreshToken, login.body.code],
      admin: [eve.session.refreshToken, login.body.code],
    }[endpoint.access as 'refresh' | 'pending' | 'user' | 'admin'];
    expect((await attempt(endpoint)).status).toBe(401);
    for (const token of [...others, ...wrong]) {
      const { status } = await server.call(urlOf(endpoint), {
        method: endpoint.method,
        token,
        ...(endpoint.access === 'pending' ? { body: { otpCode: '123456' } } : endpoint.method === 'GET' ? {} : { body: {} }),
      });
      // The code of a sign-in that does not exist is "expired", by contract; no answer opens anything.
      expect([token, endpoint.access === 'pending' ? [401, 400, 422, 429, 410].includes(status) : status === 401]).toEqual([token, true]);
    }
  });
  test.each(endpoints.filter(([, { access }]) => access === 'admin'))('%s is for Admins', async (_id, endpoint) => {
    expect((await attempt(endpoint, eve.session.accessToken)).status).toBe(403);
    expect([401, 403]).not.toContain((await attempt(endpoint, ada.session.accessToken)).status);
  });
  const owned = endpoints.filter(([, { access, path }]) => access === 'user' && path.includes('{'));
  test.each(owned)("%s answers for another user's thing as for one that never was", async (_id, endpoint) => {
    const input = { method: endpoint.method, ...(endpoint.method === 'GET' ? {} : { body: bodyFor(endpoint) }) };
    const unknown = await eve.call(urlOf(endpoint), input);
    for (const id of [wallet.id, bot.id]) {
      const foreign = await eve.call(urlOf(endpoint, id), input);
      expect([foreign.status, foreign.body.code]).toEqual([unknown.status, unknown.body.code]);
      expect([400, 404, 501]).toContain(foreign.status);
      expect(JSON.stringify(foreign.body).replaceAll(id, UNKNOWN)).toBe(JSON.stringify(unknown.body));
    }
    expect((await bob.call<Wallet>(`/bff/v2/wallets/${wallet.id}`)).body.free).toBe(wallet.free);
  });
  /** Whole where it can be, so that the refusal is about the owner. */
  const bodyFor = ({ path }: AnyEndpoint): unknown =>
    path.endsWith('add-balance') ? { amount: '-1' } : path.includes('auto-trades') ? config(wallet.id) : {};

  test("a bot cannot trade with another user's wallet", async () => {
    const { status, body } = await eve.call('/bff/v2/auto-trades', { body: config(wallet.id) });
    const unknown = await eve.call('/bff/v2/auto-trades', { body: config(UNKNOWN) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect([status, body]).toEqual([unknown.status, unknown.body]);
  });
  test('lists hold own things only', async () => {
    for (const [id, endpoint] of endpoints) {
      if (endpoint.access !== 'user' || endpoint.method !== 'GET' || endpoint.path.includes('{')) continue;
      const { body } = await eve.call(urlOf(endpoint));
      for (const own of [wallet.id, bot.id, bob.email]) expect([id, JSON.stringify(body).includes(own)]).toEqual([id, false]);
    }
  });
  test('a role taken away works at once, also for a session that is open', async () => {
    const account = await eve.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account');
    const id = account.body.claims?.find(({ name }) => name === 'sub')?.value ?? '';
    await server.context.database.queries.insertInto('account_roles').values({ account_id: id, role: 'Admin', granted_at: 1 }).execute();
    expect((await eve.call(urlOf(contract.listUsers))).status).toBe(200);
    await server.context.database.queries.deleteFrom('account_roles').where('account_id', '=', id).execute();
    for (const [, endpoint] of endpoints.filter(([, { access }]) => access === 'admin'))
      expect((await attempt(endpoint, eve.session.accessToken)).status).toBe(403);
  });
  test('an idempotency key of one user says nothing to another', async () => {
    const headers = { 'idempotency-key': 'same-key' };
    const body = { name: 'Keyed', mode: 'live', initialBalance: '1' };
    expect((await bob.call('/bff/v2/wallets', { body, headers })).status).toBeLessThan(300);
    expect((await eve.call('/bff/v2/wallets', { body, headers })).body.code).toBe('not-connected');
  });
});

describe('what an old secret still opens', () => {
  // The attempts before came from this address too; its budget of writes is full again a minute later.
  beforeAll(() => server.advance(60_000));
  const reset = async ({ email }: { email: string }, newPassword: string) =>
    server.call('/gateway/v1/account/reset-password', { body: { code: await mailedCode(email), newPassword } });
  /** The newest code of a mail, as the mailbox's owner reads it. */
  const mailedCode = async (email: string): Promise<string> => {
    expect((await server.call('/gateway/v1/account/forgot-password', { body: { email } })).status).toBe(202);
    await stage.time.during(server.context.mailer.settle());
    const folder = outboxFolder(server.dataDir);
    const codes = readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) =>
        readFileSync(join(folder, name), 'utf8')
          .replace(/=\r?\n/g, '')
          .replace(/=3D/g, '='),
      )
      .filter((text) => text.includes(`To: ${email}`))
      .flatMap((text) => /#code=([\w-]{43})/.exec(text)?.[1] ?? []);
    expect(codes).not.toEqual([]);
    return codes.at(-1) ?? '';
  };

  test('a sign-in begun with the old password cannot be ended after a reset', async () => {
    const user = await server.register();
    const login = await server.call<{ code: string }>('/gateway/v1/account/login', {
      body: { username: user.username, password: user.password },
    });
    expect((await reset(user, 'another deep water 17')).status).toBe(200);
    const verified = await server.call('/gateway/v1/account/verify-2fa', {
      token: login.body.code,
      body: { otpCode: user.recoveryCodes[0] },
    });
    expect(verified.body.code).toBe('code-expired');
  });
  test('nor after a change, and a reset link sent before the change is void', async () => {
    const user = await server.register();
    const login = await server.call<{ code: string }>('/gateway/v1/account/login', {
      body: { username: user.username, password: user.password },
    });
    const code = await mailedCode(user.email);
    const changed = await user.call('/gateway/v1/account/change-password', {
      body: { currentPassword: user.password, newPassword: 'another deep water 18' },
    });
    expect(changed.status).toBe(200);
    const verified = await server.call('/gateway/v1/account/verify-2fa', {
      token: login.body.code,
      body: { otpCode: user.recoveryCodes[0] },
    });
    expect(verified.body.code).toBe('code-expired');
    const late = await server.call('/gateway/v1/account/reset-password', { body: { code, newPassword: 'another deep water 19' } });
    expect(late.body.code).toBe('code-expired');
  });
  test('an authenticator of somebody who knew the old password is not enrolled after a reset', async () => {
    const username = `slow-${Math.floor(server.now() % 1e6)}`;
    const created = await server.call<{ secretKey: string; code: string }>('/gateway/v1/account/create', {
      body: { username, email: `${username}@example.com`, password: 'the first deep water' },
    });
    const { secretKey, code } = created.body;
    expect((await reset({ email: `${username}@example.com` }, 'another deep water 20')).status).toBe(200);
    const confirmed = await server.call('/gateway/v1/account/confirm-2fa', {
      body: { otpCode: totpCode(secretKey, server.now()), confirmationCode: code },
    });
    expect(confirmed.body.code).toBe('code-expired');
  });
  test('a code of the authenticator that enrolled does not sign in as well; a recovery code works once', async () => {
    // Of the half minute that was used, or of one before it: the next one may have begun, and its code would be a new one.
    const began = server.now();
    const user = await server.register();
    const login = async () =>
      (await server.call<{ code: string }>('/gateway/v1/account/login', { body: { username: user.username, password: user.password } }))
        .body.code;
    const replay = await server.call('/gateway/v1/account/verify-2fa', {
      token: await login(),
      body: { otpCode: totpCode(user.secretKey, began) },
    });
    expect(replay.body.code).toMatch(/^code-used$|^wrong-code$/);
    const [one = ''] = user.recoveryCodes;
    expect((await server.call('/gateway/v1/account/verify-2fa', { token: await login(), body: { otpCode: one } })).status).toBe(200);
    const again = await server.call('/gateway/v1/account/verify-2fa', { token: await login(), body: { otpCode: one.toLowerCase() } });
    expect(again.body.code).toBe('wrong-code');
  });
  test('a deleted account is as unknown as one that never was, under whatever name it is tried', async () => {
    const user = await server.register();
    const account = await user.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account');
    const id = account.body.claims?.find(({ name }) => name === 'sub')?.value ?? '';
    expect(id).not.toBe('');
    const remove = contract.deleteUser as AnyEndpoint;
    expect((await ada.call(urlOf(remove, id), { method: 'DELETE' })).status).toBe(204);
    expect((await user.call('/bff/v2/account')).status).toBe(401);
    const unknown = await server.call('/gateway/v1/account/login', { body: { username: `deleted ${UNKNOWN}`, password: 'x' } });
    const gone = await server.call('/gateway/v1/account/login', { body: { username: `deleted ${id}`, password: 'x' } });
    expect([gone.status, gone.body]).toEqual([unknown.status, unknown.body]);
  });
});

describe('guessing', () => {
  test('case, spaces, wide letters and invented addresses make no fresh budget', async () => {
    // A server of its own: what other tests tried counts against this address too.
    const own = await startTestServer();
    const user = await own.register({ username: 'guessed' });
    const wide = user.username.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const names = [user.username, user.username.toUpperCase(), ` ${user.username} `, wide, `\t${user.username}`, wide.toUpperCase()];
    const answers: number[] = [];
    for (const [index, username] of [...names, ...names].entries()) {
      const { status } = await own.call('/gateway/v1/account/login', {
        body: { username, password: 'wrong' },
        headers: { 'x-forwarded-for': `10.0.0.${index}`, forwarded: `for=10.0.1.${index}`, 'x-real-ip': `10.0.2.${index}` },
      });
      answers.push(status);
    }
    expect(answers.slice(0, 5)).toEqual([400, 400, 400, 400, 400]);
    expect(answers.slice(6)).toContain(429);
    // The invented addresses have not been believed.
    const rows = await own.context.database.queries.selectFrom('throttles').select('key').execute();
    expect(rows.filter(({ key }) => key.includes('10.0.'))).toEqual([]);
    await own.close();
  });
});

describe('odd requests', () => {
  /** `fetch` tidies paths; an attacker does not. */
  const raw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      rawRequest({ hostname, port, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      })
        .on('error', reject)
        .end();
    });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/..%00/secret.txt',
    '//secret.txt',
    '/.env',
    '/icons/currency/..%2f..%2fsecret.png',
    '/icons/currency/../../secret.txt',
    '/icons/currency/<svg>.png',
    '/%ff',
    '/%',
  ])('%s leads nowhere, and its answer carries the common headers', async (path) => {
    const answer = await raw(path);
    expect(answer.text).not.toContain('canary');
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
  test('every page carries a policy that lets no foreign or inline script run', async () => {
    for (const path of ['/', '/index.html', '/auth/login', '/no/such/page']) {
      const { headers, status } = await raw(path);
      const policy = String(headers['content-security-policy']);
      expect([path, status]).toEqual([path, 200]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(/script-src[^;]*unsafe/.test(policy)).toBe(false);
    }
  });
  test('headers and bodies sent in are not repeated in headers sent out', async () => {
    const { headers } = await raw('/bff/v1/config', { 'x-request-id': 'canary-id', 'accept-language': 'canary' });
    expect(JSON.stringify(headers)).not.toContain('canary');
    const refused = await raw('/bff/v1/config', { host: 'canary.example' });
    expect(refused.status).toBe(421);
    expect(JSON.stringify(refused)).not.toContain('canary');
  });
  test.each(['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}'])('%s pollutes nothing', async (body) => {
    for (const [, endpoint] of endpoints.filter(([, { method, content }]) => method !== 'GET' && content !== 'multipart').slice(0, 30))
      if (endpoint !== contract.logout) await eve.call(urlOf(endpoint), { method: endpoint.method, body });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
  test('deep nesting and large bodies are refused as what they are', async () => {
    server.advance(30_000);
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const nested = `${'{"and":['.repeat(12_000)}${']}'.repeat(12_000)}`;
    for (const [id, endpoint] of endpoints.filter(([, { method }]) => method !== 'GET')) {
      if (id === 'logout') continue;
      for (const body of [deep, nested, `{"name":${deep},"entry":${nested},"roles":${nested.slice(0, 9)}}`]) {
        // Writes are limited per minute; a refusal for that would prove nothing.
        server.advance(1000);
        const user = endpoint.access === 'admin' ? ada : eve;
        const { status } = await user.call(urlOf(endpoint), { method: endpoint.method, body });
        expect([id, status < 500 || status === 501]).toEqual([id, true]);
        expect([id, status]).not.toEqual([id, 429]);
      }
    }
    server.advance(1000);
    const { status } = await eve.call('/bff/v2/wallets', { body: { name: 'x'.repeat(300_000) } });
    expect(status).toBe(413);
  });
});

describe('what lies on the disk and in the log', () => {
  test('key, database and outbox are readable by their owner only', () => {
    const open: string[] = [];
    const visit = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (/^pilotfish\.(?:pid|lock)/.test(entry.name)) continue;
        if ((statSync(path).mode & 0o077) !== 0) open.push(`${entry.name} ${(statSync(path).mode & 0o777).toString(8)}`);
        if (entry.isDirectory()) visit(path);
      }
    };
    visit(server.dataDir);
    expect(open).toEqual([]);
  });
  test('no token, password or code was logged', () => {
    const log = server.logged();
    for (const user of [ada, bob, eve])
      for (const secret of [user.password, user.secretKey, user.session.accessToken, user.session.refreshToken, ...user.recoveryCodes])
        expect(log.includes(secret)).toBe(false);
  });
});
