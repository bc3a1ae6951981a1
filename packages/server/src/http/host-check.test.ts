import { request as rawRequest } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { readSettings } from '../app/settings.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { hostCheck } from './host-check.ts';

type Asked = { host?: string; origin?: string; method?: string; localAddress?: string };

const verdict = (env: Record<string, string>, { host, origin, method = 'GET', localAddress = '127.0.0.1' }: Asked): string => {
  try {
    hostCheck(readSettings(env))({ headers: { host, origin }, method, socket: { localAddress } } as unknown as FastifyRequest);
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('names', () => {
  test.each(['localhost', 'localhost:4600', 'LocalHost.:4600', '127.0.0.1:4600', '[::1]:4600', '[0:0:0:0:0:0:0:1]'])(
    '%s is local',
    (host) => {
      expect(verdict({}, { host })).toBe('ok');
    },
  );

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4600',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil@localhost',
    'localhost/x',
    'localhost, evil.example',
    '0.0.0.0:4600',
    '192.168.1.5',
    '[::1',
    'local host',
  ])('%s is not this server', (host) => {
    expect(verdict({}, host === undefined ? {} : { host })).toBe('host-refused');
  });

  test('the public URL, the bound address and the list count; the port does not', () => {
    const env = { PILOTFISH_PUBLIC_URL: 'https://pilotfish.example/', PILOTFISH_ALLOWED_HOSTS: 'Pilotfish.lan, 10.0.0.7,[fd00::5]' };
    for (const host of ['pilotfish.example', 'PILOTFISH.example:443', 'pilotfish.lan:8080', '10.0.0.7', '[FD00:0::5]:4600'])
      expect([host, verdict(env, { host })]).toEqual([host, 'ok']);
    expect(verdict(env, { host: 'sub.pilotfish.example' })).toBe('host-refused');
    expect(verdict({ PILOTFISH_HOST: 'trader.lan' }, { host: 'trader.lan:4600' })).toBe('ok');
  });

  test('a wildcard stands for the address a connection came in at', () => {
    const env = { PILOTFISH_HOST: '0.0.0.0' };
    expect(verdict(env, { host: '192.168.1.5:4600', localAddress: '::ffff:192.168.1.5' })).toBe('ok');
    expect(verdict(env, { host: '[fe80::1]:4600', localAddress: 'fe80::1%eth0' })).toBe('ok');
    expect(verdict(env, { host: '192.168.1.6:4600', localAddress: '192.168.1.5' })).toBe('host-refused');
    expect(verdict(env, { host: '0.0.0.0:4600', localAddress: '127.0.0.1' })).toBe('host-refused');
  });

  test.each(['https://a.example', 'a.example:80', 'a b', '*.example'])('PILOTFISH_ALLOWED_HOSTS=%s stops the start', (list) => {
    expect(() => readSettings({ PILOTFISH_ALLOWED_HOSTS: list })).toThrow('host names without port');
  });
});

describe('origins of writes', () => {
  const post = { method: 'POST', host: '127.0.0.1:4600' };
  test('the own origin, behind a proxy too, and listed ones', () => {
    const env = { PILOTFISH_PUBLIC_URL: 'https://pilotfish.example', PILOTFISH_CORS_ORIGINS: 'https://other.example' };
    for (const origin of [undefined, 'http://127.0.0.1:4600', 'https://pilotfish.example', 'https://other.example'])
      expect([origin, verdict(env, { ...post, ...(origin && { origin }) })]).toEqual([origin, 'ok']);
    expect(verdict({}, { method: 'POST', host: 'LOCALHOST:4600', origin: 'http://localhost:4600' })).toBe('ok');
  });

  test.each(['null', 'https://evil.example', 'http://127.0.0.1:3000', 'http://localhost:4600', 'file://', 'chrome-extension://x'])(
    '%s is refused, and may read',
    (origin) => {
      expect(verdict({}, { ...post, origin })).toBe('origin-refused');
      expect(verdict({}, { ...post, method: 'GET', origin })).toBe('ok');
    },
  );
});

describe('over HTTP', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ features: accountFeatures });
  });
  afterAll(() => server.close());

  const ask = (path: string, headers: Record<string, string>, method = 'GET', body = '') =>
    new Promise<{ status: number; text: string; type: string }>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      rawRequest({ hostname, port, path, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, type: response.headers['content-type'] ?? '' }));
      })
        .on('error', reject)
        .end(body);
    });

  test('a name that a page let lead here reaches nothing: no account, no stream, no page, no figures', async () => {
    const host = 'rebound.example:4600';
    for (const path of [
      '/',
      '/index.html',
      '/healthz',
      '/metrics',
      '/bff/v1/app-config',
      '/bff/v1/stream',
      '/bff/openapi.json',
      '/nothing',
    ])
      expect([path, (await ask(path, { host })).status]).toEqual([path, 421]);
    const body = JSON.stringify({ username: 'mallory', email: 'mallory@example.com', password: 'deep water under a bridge' });
    const json = { 'content-type': 'application/json' };
    const create = await ask('/gateway/v1/account/create', { host, origin: `http://${host}`, ...json }, 'POST', body);
    expect([create.status, JSON.parse(create.text)]).toMatchObject([421, { code: 'host-refused' }]);
    const foreign = await ask('/gateway/v1/account/create', { host: 'localhost', origin: 'https://evil.example', ...json }, 'POST', body);
    expect([foreign.status, JSON.parse(foreign.text)]).toMatchObject([400, { code: 'origin-refused' }]);
    expect(await server.context.database.queries.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  test('a person reads a sentence, in their language', async () => {
    const page = await ask('/', { host: 'rebound.example', accept: 'text/html,*/*', 'accept-language': 'tr' });
    expect(page).toMatchObject({ status: 421, type: 'text/plain; charset=utf-8' });
    expect(page.text).toContain('PILOTFISH_ALLOWED_HOSTS');
    expect(page.text).toContain('Yanlış adres');
  });
});
