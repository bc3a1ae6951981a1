import { stripVTControlCharacters } from 'node:util';
import type { TelegramLink } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import { expect, test, vi } from 'vitest';
import { SimulatedClock } from 'xstate';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const none: TelegramLink = { available: false, reason: 'unreachable', connected: false, connectedAt: null, mutedUntil: null };
const offered = (code: string): TelegramLink => ({
  ...none,
  available: true,
  reason: null,
  botName: 'pilot',
  link: `https://t.me/pilot?start=${code}`,
  code,
  expiresAt: '1970-01-01T00:10:00.000Z',
});
const linked: TelegramLink = { ...none, available: true, reason: null, connected: true, connectedAt: '1970-01-01T00:00:00.000Z' };

const LOST = new TypeError('the connection was cut');
type Given = {
  /** What the server says of the link, call by call; the last one stays. */
  links?: (TelegramLink | typeof LOST)[];
  posts?: ('done' | { status: number; code: string } | typeof LOST)[];
  answers?: readonly (readonly [RegExp, string])[];
};

/** Runs a command against a server that answers so. */
function run(words: string[], { links = [offered('one')], posts = [], answers }: Given) {
  const sent: string[] = [];
  const fetch = (async (input: string, { method = 'GET', headers }: RequestInit = {}) => {
    if (!new URL(input).pathname.endsWith('/connect/telegram')) return new Response('{}', { status: 404 });
    if (method !== 'GET') sent.push(`${method} ${new Headers(headers).get('code') ?? ''}`.trim());
    const reply = method !== 'GET' ? (posts.shift() ?? 'done') : links.length > 1 ? links.shift() : links[0];
    if (reply instanceof Error) throw reply;
    if (reply === 'done') return new Response(null, { status: 204 });
    const status = reply && 'status' in reply ? reply.status : 200;
    return new Response(JSON.stringify({ title: 'x', ...reply }), { status });
  }) as typeof globalThis.fetch;
  const clock = new SimulatedClock();
  const env = { PILOTFISH_TOKEN: 't', NO_COLOR: '1' };
  const host = fakeHost({ fetch, env, timers: clock, columns: 120, ...(answers && { answers }) });
  const err = () => stripVTControlCharacters(host.err());
  return { exit: execute(['telegram', ...words], host), err, sent, clock };
}

const DOWN = '\u001b[B';

test('a code that is over is said to be, and a new one is offered; a pasted link is its code', async () => {
  const { exit, err, sent, clock } = run(['connect'], {
    links: [offered('one'), offered('two'), linked],
    answers: [
      [/This code no longer works\.[\s\S]*Get a new code/, '\r'],
      [/start=two[\s\S]*Code or link[^\n]*:/, 'https://home.example/user/telegram-connect?code=from-the-chat\r'],
    ],
  });
  await vi.waitFor(() => expect(err()).toMatch(/start=one[\s\S]*Code or link[^\n]*:/));
  expect(err()).toContain('/start one');
  clock.increment(600_000);
  expect(await exit).toBe(0);
  expect(sent).toEqual(['POST from-the-chat']);
  expect(err()).toMatch(/The chat is linked\.\n$/);
});

test('where the bot cannot be reached, or the server, the reason stands at the question and it is asked again', async () => {
  const { exit, err, sent } = run(['connect'], {
    links: [none, LOST],
    answers: [
      [/The bot cannot be reached right now\. [\s\S]*What now\?[\s\S]*Try again/, '\r'],
      [/The server cannot be reached\.[\s\S]*What now\?[\s\S]*Leave/, `${DOWN}\r`],
    ],
  });
  expect(await exit).toBe(1);
  expect(err()).toMatch(/The server cannot be reached\. \(offline\)/);
  expect(sent).toEqual([]);
});

test('a script is told when the answer to its code was lost, which then is not sent again', async () => {
  const { exit, err, sent } = run(['connect', 'from-the-chat'], { posts: [LOST] });
  expect(await exit).toBe(1);
  expect(sent).toEqual(['POST from-the-chat']);
  expect(err()).toMatch(/^No answer arrived, so it is unknown whether this was done\./);
});

test('a code that was refused is told as that also where another chat was linked before', async () => {
  const { exit, err } = run(['connect', 'a-guess'], { links: [linked], posts: [{ status: 400, code: 'wrong-code' }], answers: [] });
  expect(await exit).toBe(4);
  expect(err()).toMatch(/\(wrong-code\)/);
  expect(err()).not.toContain('The chat is linked');
});

test('only a chat that is linked is unlinked, after a yes', async () => {
  const idle = run(['disconnect', '--yes'], {});
  expect([await idle.exit, idle.sent]).toEqual([8, []]);
  const kept = run(['disconnect'], { links: [linked], answers: [[/Unlink the chat\?/, '\r']] });
  expect([await kept.exit, kept.sent]).toEqual([1, []]);
  const taken = run(['disconnect', '--yes'], { links: [linked, offered('one')] });
  expect([await taken.exit, taken.sent]).toEqual([0, ['DELETE']]);
});
