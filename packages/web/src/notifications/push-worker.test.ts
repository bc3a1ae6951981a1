import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const CODE = readFileSync(fileURLToPath(new URL('../../public/push-worker.js', import.meta.url)), 'utf8');
const SITE = 'https://home.example';

/** Shows a message about a page and presses it; what was opened or sent elsewhere by it. */
async function pressed(scope: string, link: unknown, open: readonly string[]): Promise<string[]> {
  const done: string[] = [];
  const handlers = new Map<string, (event: unknown) => void>();
  const pages = open.map((url) => ({
    url,
    focus: async () => undefined,
    navigate: async (to: string) => void done.push(`${url} goes to ${to}`),
  }));
  const notification = { close: () => undefined };
  const self = {
    addEventListener: (type: string, run: (event: unknown) => void) => handlers.set(type, run),
    registration: { scope, showNotification: async (_title: string, shown: object) => void Object.assign(notification, shown) },
    clients: { matchAll: async () => pages, openWindow: async (url: string) => void done.push(url) },
  };
  runInNewContext(CODE, { self, URL });
  for (const [type, event] of [
    ['push', { data: { json: () => ({ id: '1', kind: 'security', title: 'News', text: 'of it', link }) } }],
    ['notificationclick', { notification }],
  ] as const) {
    let work: Promise<unknown> | undefined;
    handlers.get(type)?.({ ...event, waitUntil: (wanted: Promise<unknown>) => (work = wanted) });
    await work;
  }
  return done;
}

test.each([
  ['/', '/auto-trade?x=1#y', '/auto-trade?x=1#y'],
  ['/pilotfish/', '/auto-trade?x=1#y', '/pilotfish/auto-trade?x=1#y'],
  ['/pilotfish/', undefined, '/pilotfish/'],
  ['/pilotfish/', '/../other', '/pilotfish/'],
  ['/pilotfish/', '//evil.example', '/pilotfish/'],
  ['/pilotfish/', 'https://evil.example', '/pilotfish/'],
  ['/pilotfish/', 'https://evil.example/pilotfish/prices', '/pilotfish/'],
  ['/pilotfish/', '/%2e%2e/other', '/pilotfish/'],
  ['/pilotfish/', 'javascript:alert(1)', '/pilotfish/'],
  ['/', 'https://evil.example', '/'],
  ['/', '//evil.example', '/'],
  ['/', '\t//evil.example', '/'],
  ['/', '/\\evil.example', '//evil.example'],
  ['/', 'javascript:alert(1)', '/'],
  ['/', null, '/'],
])('below %s a notification about %s opens %s', async (scope, link, wanted) => {
  expect(await pressed(SITE + scope, link, [])).toEqual([SITE + wanted]);
});

test('a page of its own is sent there, never one of another thing at this site', async () => {
  const [own, other] = [`${SITE}/pilotfish/prices`, `${SITE}/recipes`];
  expect(await pressed(`${SITE}/pilotfish/`, '/positions', [other, own])).toEqual([`${own} goes to ${SITE}/pilotfish/positions`]);
  expect(await pressed(`${SITE}/pilotfish/`, '/positions', [other])).toEqual([`${SITE}/pilotfish/positions`]);
});
