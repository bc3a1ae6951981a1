import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startBotApiServer } from '../app/testing/bot-api-server.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { outboxFolder } from '../mail/mailer.ts';
import { openTelegram, telegramFeature } from '../telegram/telegram-routes.ts';
import { basePathOf, pageBelow, withoutBasePath } from './base-path.ts';
import { inProcessCaller } from './in-process-calls.ts';

const PUBLIC_URL = 'https://home.example/pilotfish';
const PAGE =
  '<!doctype html>\n<html lang="en">\n  <head><link rel="icon" href="/pilotfish.svg" /><style>a{src:url(/assets/a.woff2)}</style></head>' +
  '<body><a class="x" href="/">home</a><a href="/auth/login">in</a><a href="//elsewhere.example/">out</a><a href="#main">main</a>' +
  '<img alt="" src="/icons/currency/BTC.png" /><script type="module" src="/assets/app-a1b2c3d4.js"></script></body></html>';

test.each([
  [undefined, ''],
  ['https://home.example', ''],
  [PUBLIC_URL, '/pilotfish'],
  ['https://home.example/a/b', '/a/b'],
])('the base of %s is "%s"', (publicUrl, base) => {
  expect(basePathOf({ publicUrl })).toBe(base);
});

test.each([
  ['/pilotfish', '/'],
  ['/pilotfish?a=1', '/?a=1'],
  ['/pilotfish/', '/'],
  ['/pilotfish/prices?a=/pilotfish/', '/prices?a=/pilotfish/'],
  ['/prices', '/prices'],
  ['/pilotfish.svg', '/pilotfish.svg'],
  ['/pilotfishes/x', '/pilotfishes/x'],
  // Once: what lies below may be called like it.
  ['/pilotfish/pilotfish/x', '/pilotfish/x'],
  ['//pilotfish/x', '//pilotfish/x'],
  ['/pilotfish//evil.example', '//evil.example'],
  ['/%70ilotfish/x', '/%70ilotfish/x'],
])('below /pilotfish, %s is asked for as %s', (url, path) => {
  expect(withoutBasePath('/pilotfish', url)).toBe(path);
  expect(withoutBasePath('', url)).toBe(url);
});

test.each([
  ['http://home.example/pilotfish/prices?a=1', '/prices?a=1', '/pilotfish/prices?a=1'],
  ['HTTPS://user@home.example:8443/prices', '/prices', '/prices'],
  ['http://home.example', '/', '/'],
  ['http://home.example?a=1', '/?a=1', '/?a=1'],
  ['http://home.example/a/http://b/', '/a/http://b/', '/a/http://b/'],
  ['http:///prices', '/prices', '/prices'],
  ['*', '*', '*'],
])('a whole address, as proxies are asked: of %s the path counts', (url, below, atRoot) => {
  expect(withoutBasePath('/pilotfish', url)).toBe(below);
  expect(withoutBasePath('', url)).toBe(atRoot);
});

describe('a page of the build', () => {
  test('is byte for byte the same at the root of a site', () => {
    expect(pageBelow('', PAGE)).toBe(PAGE);
  });
  test('names what is its own below the base, and only that', () => {
    const page = pageBelow('/pilotfish', PAGE);
    expect([...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      '/pilotfish/pilotfish.svg',
      '/pilotfish/',
      '/pilotfish/auth/login',
      '//elsewhere.example/',
      '#main',
      '/pilotfish/icons/currency/BTC.png',
      '/pilotfish/assets/app-a1b2c3d4.js',
    ]);
    expect(page).toContain('url(/pilotfish/assets/a.woff2)');
    expect(page).toContain('<html data-base="/pilotfish" lang="en">');
  });
  test.each([
    ['/pilotfish/prices', undefined],
    ['/pilotfish/', undefined],
    ['/pilotfish', '/pilotfish/?a=1#b'],
    ['/', '/pilotfish/?a=1#b'],
    ['/prices', '/pilotfish/prices?a=1#b'],
    ['/pilotfish.svg', '/pilotfish/pilotfish.svg?a=1#b'],
  ])('opened as %s it goes to %s', (pathname, wanted) => {
    const script = /<script>([\s\S]*?)<\/script>/.exec(pageBelow('/pilotfish', PAGE))?.[1] ?? '';
    const gone: string[] = [];
    runInNewContext(script, { location: { pathname, search: '?a=1', hash: '#b', replace: (url: string) => gone.push(url) } });
    expect(gone).toEqual(wanted === undefined ? [] : [wanted]);
  });
});

describe('a server below a path', () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pilotfish-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), PAGE);
    writeFileSync(join(folder, 'index.html.br'), brotliCompressSync('what the build packed'));
    writeFileSync(join(folder, 'index.html.gz'), gzipSync('what the build packed'));
    writeFileSync(join(folder, 'assets', 'app-a1b2c3d4.js'), 'export {}');
    server = await startTestServer({ features: accountFeatures, settings: { webFolder: folder, publicUrl: PUBLIC_URL, trustProxy: 1 } });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // As a proxy that keeps the path asks, and as one that takes it away.
  test.each(['/pilotfish', ''])('answers what is asked for as "%s/…"', async (base) => {
    for (const path of ['/', '/prices/BTCUSDT']) {
      const { status, body, headers } = await server.call<string>(base + path);
      expect([status, body]).toEqual([200, pageBelow('/pilotfish', PAGE)]);
      const script = /<script>([\s\S]*?)<\/script>/.exec(body)?.[1] ?? '';
      expect(headers.get('content-security-policy')).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    }
    expect((await server.call(`${base}/healthz`)).headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect((await server.call<string>(`${base}/assets/app-a1b2c3d4.js`)).body).toBe('export {}');
    expect((await server.call(`${base}/healthz`)).body).toEqual({ status: 'ok' });
    expect((await server.call(`${base}/bff/v2/nothing`)).status).toBe(404);
    const document = await server.call<{ servers: unknown }>(`${base}/bff/openapi.json`);
    expect(document.body.servers).toEqual([{ url: '/pilotfish/bff' }]);
  });

  test('a whole address is answered as its path is, marked as an answer of the API', async () => {
    const { hostname, port, host } = new URL(server.url);
    const ask = get({ hostname, port, path: `http://${host}/pilotfish/bff/openapi.json` });
    const [answer] = (await once(ask, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, 'attachment; filename="api.json"']);
  });

  test('figures have no second address below the path', async () => {
    expect((await server.call('/metrics')).status).toBe(200);
    expect((await server.call('/pilotfish/metrics')).status).toBe(404);
    expect((await server.call('/pilotfish/metrics?a=1')).status).toBe(404);
  });

  test('packs its pages itself: what the build packed is of the root', async () => {
    for (const [coding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      // Not by fetch, which unpacks.
      const [answer] = (await once(get(`${server.url}/pilotfish/`, { headers: { 'accept-encoding': coding } }), 'response')) as [
        IncomingMessage,
      ];
      expect(answer.headers['content-encoding']).toBe(coding);
      expect(unpack(await buffer(answer)).toString()).toBe(pageBelow('/pilotfish', PAGE));
    }
  });

  test('keeps its cookie below the path, marked for https', async () => {
    const user = await server.register();
    const login = await server.call<{ code: string }>('/pilotfish/gateway/v1/account/login', {
      body: { username: user.username, password: user.password },
    });
    const { headers } = await server.call('/pilotfish/gateway/v1/account/verify-2fa', {
      body: { otpCode: server.nextCode(user.secretKey) },
      token: login.body.code,
    });
    expect(headers.get('set-cookie')).toMatch(/^pilotfish_device=.*; Path=\/pilotfish\/gateway\/v1\/account; .*; Secure$/);
  });

  test('links below the path in mails', async () => {
    const { email } = await server.register();
    await server.call('/gateway/v1/account/forgot-password', { body: { email } });
    await server.context.mailer.settle();
    const mails = readdirSync(outboxFolder(server.dataDir)).map((name) =>
      readFileSync(join(outboxFolder(server.dataDir), name), 'utf8')
        .replace(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    );
    const links = mails.flatMap((mail) => mail.match(/https:\/\/[^\s#]+/g) ?? []);
    expect(new Set(links)).toEqual(new Set([`${PUBLIC_URL}/user/my-account`, `${PUBLIC_URL}/auth/forgot-password`]));
  });
});

test('Telegram links below the path', async () => {
  const telegram = await startBotApiServer();
  const server = await startTestServer({
    realClock: true,
    settings: { publicUrl: PUBLIC_URL, telegramBotToken: telegram.token, telegramApiRoot: telegram.url },
    features: async (context) => [
      ...(await accountFeatures(context)),
      telegramFeature(context, openTelegram(context), inProcessCaller({}, context)),
    ],
  });
  try {
    expect((await telegram.chat(4711).say('/start')).text).toContain(`${PUBLIC_URL}/user/telegram-connect`);
  } finally {
    await server.close();
    await telegram.close();
  }
});
