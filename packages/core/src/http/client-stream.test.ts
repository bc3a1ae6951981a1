import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createEventParser, followStream, type StreamOptions, type StreamStatus } from './client-stream.ts';
import { STREAM_POSITION_HEADER } from './endpoint-path.ts';
import { AppError } from './problem.ts';

const frame = (id: string, event: string, data: unknown) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

test('events are the same however the bytes are cut', () => {
  const text = `:\n\n${frame('e-1', 'tickers', { a: 1 })}:\n\ndata: one\ndata: two\r\n\r\n${frame('e-2', 'account', { b: 'x:y' })}`;
  const whole = createEventParser()(text);
  expect(whole).toEqual([
    { id: 'e-1', event: 'tickers', data: '{"a":1}' },
    { id: 'e-1', event: 'message', data: 'one\ntwo' },
    { id: 'e-2', event: 'account', data: '{"b":"x:y"}' },
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 20 }), (cuts) => {
      const parse = createEventParser();
      const points = [0, ...new Set(cuts.toSorted((a, b) => a - b)), text.length];
      expect(points.slice(1).flatMap((end, index) => parse(text.slice(points[index], end)))).toEqual(whole);
    }),
  );
});

type Connection = { status?: number; position?: string; chunks?: string[]; fails?: boolean; stays?: boolean; forgetsSignal?: boolean };

/** Follows a row of scripted connections; waiting is instant, and the stream is left when the script ends. */
async function follow(script: Connection[], more: Partial<StreamOptions> = {}) {
  const leaving = new AbortController();
  const requests: { url: string; headers: Record<string, string> }[] = [];
  const waits: number[] = [];
  const statuses: StreamStatus[] = [];
  const messages: [string, unknown][] = [];
  const onReset = vi.fn();
  const fetch = vi.fn(async (url: string, init: RequestInit) => {
    requests.push({ url, headers: init.headers as Record<string, string> });
    const connection = script.shift();
    if (!connection) {
      leaving.abort();
      throw new TypeError('left');
    }
    if (connection.fails) throw new TypeError('fetch failed');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of connection.chunks ?? []) controller.enqueue(new TextEncoder().encode(chunk));
        if (!connection.stays) controller.close();
        if (connection.forgetsSignal) return;
        init.signal?.addEventListener('abort', () => connection.stays && controller.error(init.signal?.reason));
      },
    });
    return new Response(body, {
      status: connection.status ?? 200,
      headers: connection.position === undefined ? {} : { [STREAM_POSITION_HEADER]: connection.position },
    });
  });
  await followStream({
    baseUrl: '',
    topics: ['tickers', 'auto-trades'],
    fetch: fetch as never,
    accessToken: () => 'a1',
    refresh: async () => undefined,
    onMessage: (topic, payload) => messages.push([topic, payload]),
    onReset,
    onStatus: (status) => statuses.push(status),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (milliseconds === 37_500) {
          signal.addEventListener('abort', () => reject(signal.reason));
          if (script[0] === undefined && requests.length === 1 && more.topics?.length === 1) resolve();
        } else {
          waits.push(milliseconds);
          resolve();
        }
      }),
    signal: leaving.signal,
    ...more,
  });
  return { requests, waits, statuses, messages, onReset };
}
const tickers = { at: '2026-11-21T00:00:00.000Z', items: [], stale: false };

describe('following', () => {
  test('a signed-in client follows its topics with its token, a guest the public ones without', async () => {
    const signedIn = await follow([]);
    expect(signedIn.requests[0]).toEqual({
      url: '/bff/v2/stream?topics=tickers,auto-trades',
      headers: { accept: 'text/event-stream', authorization: 'Bearer a1' },
    });
    const guest = await follow([], { accessToken: () => undefined });
    expect(guest.requests[0]).toEqual({ url: '/bff/v1/stream?topics=tickers', headers: { accept: 'text/event-stream' } });
  });
  test('a lost connection is resumed after the last event', async () => {
    const { requests, messages } = await follow([{ chunks: [frame('e-7', 'tickers', tickers)] }, { chunks: [] }]);
    expect(messages).toEqual([['tickers', tickers]]);
    expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e-7', 'e-7']);
  });
  test('goes on after the event that was named, or tells where it began', async () => {
    const onPosition = vi.fn();
    const { requests } = await follow([{ chunks: [] }, { chunks: [frame('e-6', 'unknown', {})] }, {}], { since: 'e-5', onPosition });
    expect(requests.slice(0, 3).map(({ headers }) => headers['last-event-id'])).toEqual(['e-5', 'e-5', 'e-6']);
    expect(onPosition.mock.calls).toEqual([['e-6', false]]);

    const began = vi.fn();
    const anew = await follow([{ position: 'e-3' }, { position: 'e-9', chunks: [frame('e-10', 'unknown', {})] }], { onPosition: began });
    expect(anew.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e-3', 'e-10']);
    expect(began.mock.calls).toEqual([
      ['e-3', true],
      ['e-10', false],
    ]);
  });
  test('pauses grow while it cannot be reached and start over once it was', async () => {
    const down = { fails: true };
    const { waits, statuses } = await follow([down, down, down, down, down, down, down, { chunks: [':\n\n'] }, down]);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000, 2_000]);
    expect(statuses.slice(0, 3)).toEqual(['connecting', 'offline', 'connecting']);
    expect(statuses.filter((status) => status === 'live')).toHaveLength(1);
  });
  test('a reset says that lists must be loaded anew', async () => {
    const { onReset, messages } = await follow([{ chunks: [frame('n-1', 'reset', {})] }]);
    expect(onReset).toHaveBeenCalledTimes(1);
    expect(messages).toEqual([]);
  });
  test('unknown topics and broken payloads are skipped', async () => {
    const { messages } = await follow([
      {
        chunks: [
          frame('e-1', 'gossip', {}),
          'event: tickers\ndata: {\n\n',
          frame('e-2', 'account', { kind: 'nonsense' }),
          frame('e-3', 'tickers', tickers),
        ],
      },
    ]);
    expect(messages).toEqual([['tickers', tickers]]);
  });
  test('a refused token is refreshed once; refused again it waits like any failure', async () => {
    const refresh = vi.fn(async () => undefined);
    const { waits } = await follow([{ status: 401 }, { status: 401 }], { refresh });
    expect(refresh).toHaveBeenCalledExactlyOnceWith('a1');
    expect(waits).toEqual([2_000]);
  });
  test('a refused refresh ends it', async () => {
    const { requests } = await follow([{ status: 401 }, { chunks: [] }], {
      refresh: async () => {
        throw new AppError('unauthenticated');
      },
    });
    expect(requests).toHaveLength(1);
  });
  test.each([false, true])(
    'a connection silent for two and a half heartbeats is given up (fetch forgot its signal: %s)',
    async (forgetsSignal) => {
      const { requests, statuses } = await follow([{ chunks: [':\n\n'], stays: true, forgetsSignal }], { topics: ['tickers'] });
      expect(requests).toHaveLength(2);
      expect(statuses).toContain('live');
    },
  );
});
