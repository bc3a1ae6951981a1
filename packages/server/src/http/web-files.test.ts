import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { contentSecurityPolicy, inlineScriptHashes } from './security-headers.ts';

const THEME = "document.documentElement.dataset.theme = 'dark';";
const page = (text: string) =>
  `<!doctype html><head><script>${THEME}</script><script type="module" src="/assets/app-a1b2c3d4.js"></script></head><body>${text}</body>`;

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page('english'));
  writeFileSync(join(folder, 'assets', 'app-a1b2c3d4.js'), `export const long = '${'x'.repeat(5000)}';`);
  writeFileSync(join(folder, 'pilotfish.svg'), '<svg/>');
  writeFileSync(join(folder, '.secret'), 'canary');
  server = await startTestServer({ features: accountFeatures, settings: { webFolder: folder } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every path of the app answers the page, never cached, under the strict policy', async () => {
  const hash = createHash('sha256').update(THEME).digest('base64');
  for (const path of ['/', '/index.html', '/prices', '/auto-trade/detail/018f0000-0000-7000-8000-000000000000', '/no/such/page']) {
    const { status, body, headers } = await server.call<string>(path);
    expect([status, body.includes('english')], path).toEqual([200, true]);
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(/script-src[^;]*unsafe/.test(policy)).toBe(false);
  }
});

test('hashed assets are cached for ever and compressed; others are checked each time', async () => {
  const asset = await fetch(`${server.url}/assets/app-a1b2c3d4.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect(asset.status).toBe(200);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-encoding')).toBe('gzip');
  expect(await asset.text()).toContain('xxxx');
  expect((await server.call('/pilotfish.svg')).headers.get('cache-control')).toBe('no-cache');
});

test('what the build packed is sent as it is to who takes it, and so marked; others get the plain bytes', async () => {
  const packed = [
    ['index.html.br', brotliCompressSync(page('packed'))],
    ['index.html.gz', gzipSync(page('zipped'))],
    ['assets/app-a1b2c3d4.js.br', brotliCompressSync('export const packed = true;')],
  ] as const;
  for (const [name, contents] of packed) writeFileSync(join(folder, name), contents);
  await server.restart();
  // The other tests read the plain files, in whatever order they run.
  onTestFinished(async () => {
    for (const [name] of packed) rmSync(join(folder, name));
    await server.restart();
  });
  const get = async (path: string, coding: string) => {
    const { headers, sent } = await fetch(server.url + path, { headers: { 'accept-encoding': coding } }).then(async (answer) => ({
      headers: answer.headers,
      sent: await answer.text(),
    }));
    expect(headers.get('vary')).toContain('accept-encoding');
    return [headers.get('content-encoding'), sent.includes('packed'), sent.includes('zipped')];
  };
  expect(await get('/', 'gzip, deflate, br, zstd')).toEqual(['br', true, false]);
  expect(await get('/', 'gzip, br;q=0')).toEqual(['gzip', false, true]);
  expect(await get('/', 'identity')).toEqual([null, false, false]);
  expect(await get('/assets/app-a1b2c3d4.js', 'br')).toEqual(['br', true, false]);
  expect(await get('/assets/app-a1b2c3d4.js', 'identity')).toEqual([null, false, false]);
  const { headers } = await fetch(`${server.url}/`, { headers: { 'accept-encoding': 'br' } });
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

/** As it stands: `fetch` takes the dots out of a path. */
const askedAs = async (path: string): Promise<{ answer: IncomingMessage; body: string }> => {
  const { hostname, port } = new URL(server.url);
  const [answer] = (await once(get({ hostname, port, path }), 'response')) as [IncomingMessage];
  return { answer, body: await text(answer) };
};

test.each([
  '/other.html',
  '/INDEX.html',
  '/index%2ehtml',
  '//index.html',
  '/./index.html',
  '/index.html/.',
  '/index.html/x/..',
  '/assets/../index.html',
  '/index.html.br',
  '/index.html.gz?a',
])('a file of a page is no address of it, and so never sent without its policy: %s', async (path) => {
  const files = ['index.html.gz', 'index.html.br', 'other.html', 'INDEX.html'];
  for (const file of files) writeFileSync(join(folder, file), 'packed');
  onTestFinished(() => {
    for (const file of files) rmSync(join(folder, file));
  });
  const { answer, body } = await askedAs(path);
  expect(body).not.toContain('packed');
  // What is no name of a file is a path of the app, and answers the shell.
  expect(answer.statusCode === 404 || answer.headers['content-security-policy']?.includes("default-src 'none'")).toBe(true);
});

test.each([
  '/assets/missing-a1b2c3d4.js',
  '/bff/v2/nothing',
  '/gateway/nothing',
  '/.secret',
  '/../package.json',
  '/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
])('%s is not found', async (path) => {
  const { status, body } = await server.call<unknown>(path);
  expect([400, 403, 404]).toContain(status);
  expect(JSON.stringify(body)).not.toContain('canary');
});

test('only GET and HEAD get the page', async () => {
  expect((await server.call('/prices', { method: 'POST' })).status).toBe(404);
  expect((await server.call('/prices', { method: 'HEAD' })).status).toBe(200);
});

test('scripts with a source need no hash; each inline one has its own', () => {
  expect(
    inlineScriptHashes('<script src="/a.js"></script><script></script><script type="module" crossorigin src="/b.js"></script>'),
  ).toEqual([]);
  expect(inlineScriptHashes('<script>a</script>\n<script nonce>b</script>')).toHaveLength(2);
  expect(contentSecurityPolicy('')).toContain("script-src 'self';");
});
