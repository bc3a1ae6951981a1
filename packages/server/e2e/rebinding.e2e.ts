import { request } from 'node:http';
import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountFeatures } from '../src/app/features.ts';
import { startTestServer, type TestServer } from '../src/app/testing/test-server.ts';

// The drill of docs/operator-guide.md as a test: a page lets its own name lead to this machine after it was loaded. Its browser
// then connects to the server with that name in the address, and counts what it asks as same-origin.

let fresh: TestServer;
let listed: TestServer;
beforeAll(async () => {
  fresh = await startTestServer({ features: accountFeatures });
  listed = await startTestServer({ features: accountFeatures, settings: { allowedHosts: ['trader.example'] } });
});
afterAll(() => Promise.all([fresh?.close(), listed?.close()]));

/** What a name server says that somebody else keeps: every name leads to this machine. */
const rebound: LookupFunction = (_name, options, answer) =>
  options.all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4);

type Said = { status: number | undefined; text: string };
const ask = (server: TestServer, name: string, path: string, body?: object): Promise<Said> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const headers = { origin: `http://${name}:${port}`, ...(body && { 'content-type': 'application/json' }) };
    const sent = request(
      { host: name, port, path, lookup: rebound, method: body ? 'POST' : 'GET', headers: body ? headers : {} },
      async (answer) => resolve({ status: answer.statusCode, text: (await answer.toArray()).join('') }),
    );
    sent.once('error', reject).end(body && JSON.stringify(body));
  });
const account = { username: 'mallory', email: 'mallory@example.com', password: 'deep water under a bridge' };

test('a name that leads here but is not ours reads nothing, makes no account, and signs nobody in', async () => {
  const owner = await fresh.register();
  for (const path of ['/', '/bff/v1/app-config', '/bff/v1/stream', '/metrics', '/healthz'])
    expect([path, (await ask(fresh, 'rebound.example', path)).status]).toEqual([path, 421]);
  const { username, password } = owner;
  for (const [path, body] of [
    ['/gateway/v1/account/create', account],
    ['/gateway/v1/account/login', { username, password }],
  ] as const) {
    const refused = await ask(fresh, 'rebound.example', path, body);
    expect([path, refused.status, JSON.parse(refused.text)]).toMatchObject([path, 421, { code: 'host-refused' }]);
  }
  expect(await fresh.context.database.queries.selectFrom('accounts').select('username').execute()).toEqual([{ username }]);
  expect((await owner.call('/bff/v2/account')).status).toBe(200);
});

test('a name that its operator listed is answered, and no other', async () => {
  expect((await ask(listed, 'trader.example', '/healthz')).status).toBe(200);
  expect((await ask(listed, 'localhost', '/healthz')).status).toBe(200);
  expect((await ask(listed, 'rebound.example', '/healthz')).status).toBe(421);
  expect(
    (await ask(listed, 'trader.example', '/gateway/v1/account/create', { ...account, setupCode: listed.setupCode?.code })).status,
  ).toBe(201);
});
