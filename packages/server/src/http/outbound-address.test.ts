import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, describe, expect, test } from 'vitest';
import { AddressRefused, checkedUrl, isPublicAddress, publicLookup } from './outbound-address.ts';
import { outboundRequest } from './outbound-request.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(answer: (path: string) => { status: number; headers?: Record<string, string>; body?: string }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status, headers, body } = answer(request.url ?? '');
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, port: (server.address() as AddressInfo).port, asked };
}
const post = { method: 'POST', headers: {}, body: '{}' } as const;

describe('public addresses', () => {
  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700:4700::1111'])('%s', (address) => expect(isPublicAddress(address)).toBe(true));
  test.each([
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    'nonsense',
  ])('not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('URLs of users', () => {
  test.each(['https://hooks.example.com/x', 'https://8.8.8.8/x', 'https://[2606:4700:4700::1111]/'])('%s', (url) =>
    expect(checkedUrl(url, false).href).toBe(url),
  );
  // Other spellings of an address become the usual one when a URL is read.
  test.each([
    'http://hooks.example.com/x',
    'ftp://example.com',
    'file:///etc/passwd',
    'https://localhost/x',
    'https://api.localhost',
    'https://printer.local',
    'https://metadata.google.internal/x',
    'https://router',
    'https://127.0.0.1',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'nonsense',
  ])('not %s', (url) => expect(() => checkedUrl(url, false)).toThrow(AddressRefused));
});

test('a name that has a private address among its addresses is refused, and the checked ones are connected to', async () => {
  const resolving = (...addresses: string[]) =>
    publicLookup(((_: string, __: unknown, done: (error: null, found: { address: string; family: number }[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as never);
  const ask = (lookup: ReturnType<typeof publicLookup>, all: boolean) =>
    new Promise<unknown>((resolve) => lookup('x.example', { all }, (error, found) => resolve(error ?? found)));
  expect(await ask(resolving('8.8.8.8', '127.0.0.1'), true)).toBeInstanceOf(AddressRefused);
  expect(await ask(resolving(), true)).toBeInstanceOf(AddressRefused);
  expect(await ask(resolving('8.8.8.8', '1.1.1.1'), false)).toBe('8.8.8.8');
  expect(await ask(resolving('8.8.8.8'), true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
});

test('a name that turns private is not called', async () => {
  const { port, asked } = await listen(() => ({ status: 200 }));
  const lookup = publicLookup(((_: string, __: unknown, done: (error: null, found: unknown[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as never);
  await expect(
    outboundRequest({ timers: realTimers, allowPrivate: false, lookup })(`https://hooks.example.com:${port}/`, post),
  ).rejects.toThrow(AddressRefused);
  expect(asked).toEqual([]);
});

test('redirects are answers, not followed', async () => {
  const { url, asked } = await listen(() => ({ status: 302, headers: { location: '/elsewhere' } }));
  expect((await outboundRequest({ timers: realTimers, allowPrivate: true })(`${url}/x`, post)).status).toBe(302);
  expect(asked).toEqual(['/x']);
});

test('a long answer is cut off, and a silent server is left', async () => {
  const { url } = await listen(() => ({ status: 200, body: 'x'.repeat(1_000_000) }));
  expect((await outboundRequest({ timers: realTimers, allowPrivate: true })(url, post)).status).toBe(200);
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  cleanups.push(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const time = virtualTime();
  const call = outboundRequest({ allowPrivate: true, timers: time.timers })(
    `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    post,
  );
  await expect(time.during(call)).rejects.toThrow(/abort/i);
});
