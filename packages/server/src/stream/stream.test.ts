import type { Socket } from 'node:net';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppContext } from '../app/context.ts';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import type { Authenticator } from '../http/guard.ts';
import { createTexts } from '../http/texts.ts';
import { type StreamClient, streamHub } from './stream-hub.ts';
import { registerStream } from './stream-routes.ts';

/** Reading that costs nothing. */
const free = { admit: async () => undefined, charge: () => undefined };

type Event = { id: string; event: string; data: unknown };

/** Reads a stream; `next` waits for the next event, `ended` for its end. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Event | 'end'> => {
    for (;;) {
      const at = text.indexOf('\n\n');
      if (at >= 0) {
        const block = text.slice(0, at);
        text = text.slice(at + 2);
        if (block.startsWith(':')) continue;
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
        return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) as unknown };
      }
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return 'end';
      text += chunk.value;
    }
  };
  return { response, next, close: () => abort.abort() };
}

const tickers = (price: string) => ({
  at: '2026-01-01T00:00:00.000Z',
  items: [['BTCUSDT', price, '1', '2', '3', '4']] as [string, string, string, string, string, string][],
  stale: false,
});
const position = (n: number) => ({ symbols: [`COIN${n}USDT`] });

describe('over HTTP', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ features: accountFeatures });
  });
  afterEach(() => server.close());
  const connected = (count: number) => expect.poll(() => server.context.stream.clientCount()).toBe(count);

  test('guests hear public topics, and the newest state at once', async () => {
    server.context.stream.publish('tickers', tickers('1'));
    server.context.stream.publish('tickers', tickers('2'));
    const stream = await listen(`${server.url}/bff/v1/stream`);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await stream.next()).toMatchObject({ event: 'tickers', data: tickers('2') });
    server.context.stream.publish('tickers', tickers('3'));
    expect(await stream.next()).toMatchObject({ data: tickers('3') });
    stream.close();
    await connected(0);
  });

  test('events are packed once for all who take gzip, and told plainly to the others', async () => {
    const listeners = await Promise.all([
      listen(`${server.url}/bff/v1/stream`),
      listen(`${server.url}/bff/v1/stream`, { 'accept-encoding': 'br, gzip;q=0.5' }),
      listen(`${server.url}/bff/v1/stream`, { 'accept-encoding': 'identity' }),
      listen(`${server.url}/bff/v1/stream`, { 'accept-encoding': 'gzip;q=0' }),
    ]);
    expect(listeners.map(({ response }) => response.headers.get('content-encoding'))).toEqual(['gzip', 'gzip', null, null]);
    for (let n = 1; n <= 50; n += 1) server.context.stream.publish('tickers', tickers(String(n)));
    const late = await listen(`${server.url}/bff/v1/stream`);
    expect(await late.next()).toMatchObject({ data: tickers('50') });
    for (const stream of listeners)
      for (let n = 1; n <= 50; n += 1) expect(await stream.next()).toMatchObject({ data: tickers(String(n)) });
    for (const stream of [...listeners, late]) stream.close();
  });

  test('a stream that is ended was a whole answer, packed or not', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const response = await fetch(`${server.url}/bff/v1/stream`, { headers: { 'accept-encoding': encoding } });
      server.context.stream.publish('tickers', tickers('7'));
      await server.restart();
      const text = await response.text();
      expect(text.startsWith(':\n\n')).toBe(true);
      expect(text).toContain('"7"');
    }
  });

  test('guests may not ask for private topics, nor anybody for unknown ones', async () => {
    const user = await server.register();
    expect(await server.call('/bff/v1/stream?topics=positions')).toMatchObject({ status: 400, body: { errors: [{ path: 'topics' }] } });
    expect((await user.call('/bff/v2/stream?topics=secrets')).status).toBe(400);
    expect((await server.call('/bff/v2/stream?topics=positions')).status).toBe(401);
    // A token in the URL is not one.
    expect((await server.call(`/bff/v2/stream?access_token=${user.session.accessToken}`)).status).toBe(401);
  });

  test("a user hears the own events and nobody else's", async () => {
    const [ann, bob] = [await server.register(), await server.register()];
    const idOf = async (user: typeof ann) =>
      (await user.call<{ claims: { name: string; value: string }[] }>('/bff/v2/account')).body.claims.find(({ name }) => name === 'sub')
        ?.value;
    const stream = await listen(`${server.url}/bff/v2/stream?topics=positions`, { authorization: `Bearer ${ann.session.accessToken}` });
    server.context.stream.publish('positions', position(1), await idOf(bob));
    server.context.stream.publish('positions', position(2), await idOf(ann));
    expect(await stream.next()).toMatchObject({ event: 'positions', data: position(2) });
    stream.close();
  });

  test('a reconnecting user gets what was missed', async () => {
    const user = await server.register();
    const headers = { authorization: `Bearer ${user.session.accessToken}` };
    const url = `${server.url}/bff/v2/stream?topics=positions`;
    const first = await listen(url, headers);
    server.context.stream.publish('positions', position(1));
    const seen = await first.next();
    first.close();
    await connected(0);
    server.context.stream.publish('positions', position(9), 'somebody else');
    server.context.stream.publish('positions', position(2));
    server.context.stream.publish('positions', position(3));
    const second = await listen(url, { ...headers, 'last-event-id': seen === 'end' ? '' : seen.id });
    expect(await second.next()).toMatchObject({ data: position(2) });
    expect(await second.next()).toMatchObject({ data: position(3) });
    second.close();
  });

  test('every answer says from where on the stream tells what it lacks', async () => {
    const user = await server.register();
    const headers = { authorization: `Bearer ${user.session.accessToken}` };
    const asked = async () => (await fetch(`${server.url}/bff/v2/account`, { headers })).headers.get('x-stream-position');
    server.context.stream.publish('positions', position(1));
    const before = await asked();
    server.context.stream.publish('positions', position(2));
    const after = await asked();
    expect(after).not.toBe(before);
    server.context.stream.publish('tickers', tickers('1'));
    expect(await asked()).toBe(after);
    const stream = await listen(`${server.url}/bff/v2/stream?topics=positions`, { ...headers, 'last-event-id': before! });
    expect(await stream.next()).toMatchObject({ data: position(2) });
    expect(stream.response.headers.get('x-stream-position')).toBe(await asked());
    stream.close();
  });

  test('an id of another run of the server is answered by a reset', async () => {
    const user = await server.register();
    const stream = await listen(`${server.url}/bff/v2/stream?topics=positions`, {
      authorization: `Bearer ${user.session.accessToken}`,
      'last-event-id': '018f0000-0000-7000-8000-000000000000-7',
    });
    expect(await stream.next()).toMatchObject({ event: 'reset' });
    stream.close();
  });

  test('signing out ends the stream; so does a revocation by another process, at the next sweep', async () => {
    const open = async () => {
      const user = await server.register();
      return {
        user,
        stream: await listen(`${server.url}/bff/v2/stream?topics=positions`, { authorization: `Bearer ${user.session.accessToken}` }),
      };
    };
    const first = await open();
    await first.user.call('/gateway/v1/account/logout', { method: 'POST' });
    expect(await first.stream.next()).toBe('end');
    const second = await open();
    await server.context.database.queries.updateTable('sessions').set({ revoked_at: 1 }).execute();
    await server.context.sessions.sweep();
    expect(await second.stream.next()).toBe('end');
  });

  test('closing the server ends every stream', async () => {
    const stream = await listen(`${server.url}/bff/v1/stream`);
    const restarting = server.restart();
    expect(await stream.next()).toBe('end');
    await restarting;
  });

  test('one holder may not open streams without end', async () => {
    const user = await server.register();
    const url = `${server.url}/bff/v2/stream`;
    const streams = await Promise.all(
      Array.from({ length: 31 }, () => listen(url, { authorization: `Bearer ${user.session.accessToken}` })),
    );
    expect(
      streams
        .map(({ response }) => response.status)
        .sort((a, b) => a - b)
        .at(-1),
    ).toBe(429);
    for (const { close } of streams) close();
    await connected(0);
    const again = await listen(url, { authorization: `Bearer ${user.session.accessToken}` });
    expect(again.response.status).toBe(200);
    again.close();
  });
});

describe('the hub', () => {
  const client = (more: Partial<StreamClient> = {}) => {
    const got: string[] = [];
    const ends: string[] = [];
    const made: StreamClient = {
      topics: new Set(['positions', 'tickers']),
      accountId: 'ann',
      sessionId: 's1',
      write: (bytes) => got.push(bytes.toString()) > 0,
      end: (reason) => void ends.push(reason),
      ...more,
    };
    return { made, got, ends };
  };

  test('serialises once: every listener gets the same bytes', () => {
    const hub = streamHub({ epoch: 'e' });
    const seen: Buffer[] = [];
    for (let count = 0; count < 3; count += 1) hub.attach(client({ write: (bytes) => seen.push(bytes) > 0 }).made, undefined);
    hub.publish('tickers', tickers('1'));
    expect(new Set(seen).size).toBe(1);
    expect(seen).toHaveLength(3);
  });

  test('drops a reader that is too slow and tells why', () => {
    const dropped: string[] = [];
    const hub = streamHub({ epoch: 'e', onDrop: (reason) => dropped.push(reason) });
    const slow = client({ write: () => false });
    const fine = client();
    hub.attach(slow.made, undefined);
    hub.attach(fine.made, undefined);
    hub.publish('positions', position(1));
    expect(slow.ends).toEqual(['slow']);
    expect(dropped).toEqual(['slow']);
    expect(hub.clientCount()).toBe(1);
    expect(fine.got).toHaveLength(1);
  });

  test('the ring is bounded: who missed more than it holds is told to start anew', () => {
    const hub = streamHub({ epoch: 'e' });
    for (let count = 0; count < 1501; count += 1) hub.publish('positions', position(1));
    const late = client();
    hub.attach(late.made, 'e-1');
    expect(late.got).toHaveLength(1);
    expect(late.got[0]).toContain('event: reset');
    const inTime = client();
    hub.attach(inTime.made, 'e-1000');
    expect(inTime.got).toHaveLength(501);
  });

  test('whoever comes or comes back is told how all prices stand, not what changed last', () => {
    const hub = streamHub({ epoch: 'e' });
    let told = 0;
    hub.provideState('tickers', () => {
      told += 1;
      return tickers('all');
    });
    hub.publish('tickers', tickers('1'));
    hub.publish('tickers', tickers('2'));
    const [one, two, back] = [client(), client(), client()];
    hub.attach(one.made, undefined);
    hub.attach(two.made, undefined);
    hub.attach(back.made, 'e-1');
    for (const { got } of [one, two]) expect(got.map((text) => text.includes('"all"'))).toEqual([true]);
    expect(back.got.at(-1)).toContain('"all"');
    expect(back.got.at(-1)).toContain('id: e-2');
    expect(told).toBe(1);
  });

  test('heartbeats reach everybody as comments', () => {
    const hub = streamHub({ epoch: 'e' });
    const one = client();
    const detach = hub.attach(one.made, undefined);
    hub.heartbeat();
    expect(one.got).toEqual([':\n\n']);
    detach();
    hub.heartbeat();
    expect(one.got).toHaveLength(1);
  });

  test('guests never get what is published to an account', () => {
    const hub = streamHub({ epoch: 'e' });
    const guest = client({ accountId: undefined, sessionId: undefined });
    hub.attach(guest.made, undefined);
    hub.publish('positions', position(1), 'ann');
    expect(guest.got).toEqual([]);
    expect(hub.hasListeners('positions')).toBe(true);
    expect(hub.hasListeners('account')).toBe(false);
  });
});

test('a client that leaves while its session is looked up does not count as an open stream', async () => {
  const hub = streamHub({ epoch: 'e' });
  const server = fastify();
  let arrived: (() => void) | undefined;
  const account = { id: 'a', username: 'a', sessionId: 's' };
  const authenticator: Authenticator = {
    requireSecondFactor: async () => undefined,
    isAdmin: async () => false,
    requirePermission: async () => undefined,
    authenticate: async (token) => {
      if (token === 'stays') return account;
      const [socket] = sockets.splice(0);
      const left = new Promise((resolve) => socket?.once('close', resolve));
      arrived?.();
      await left;
      return account;
    },
  };
  registerStream(server, { stream: hub, texts: createTexts() } as unknown as AppContext, { authenticator, reads: free, lag: () => 0 });
  const sockets: Socket[] = [];
  server.server.prependListener('request', (request) => sockets.push(request.socket));
  const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/bff/v2/stream`;
  try {
    for (let i = 0; i < 31; i += 1) {
      const abort = new AbortController();
      arrived = () => abort.abort();
      await expect(fetch(url, { headers: { authorization: 'Bearer leaves' }, signal: abort.signal })).rejects.toThrow();
    }
    const stream = await listen(url, { authorization: 'Bearer stays' });
    expect(stream.response.status).toBe(200);
    expect(hub.clientCount()).toBe(1);
    stream.close();
  } finally {
    hub.close();
    await server.close();
  }
});
