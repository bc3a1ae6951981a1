import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type ClientOptions, createClient } from './client.ts';
import { endpoint } from './endpoint.ts';
import { AppError } from './problem.ts';

const thing = z.object({ id: z.string(), price: z.string() });
const contract = {
  getThing: endpoint({
    backend: 'bff',
    method: 'GET',
    path: '/v2/things/{id}',
    access: 'user',
    summary: '',
    params: z.object({ id: z.string() }),
    query: z.object({ deep: z.boolean().optional(), 'pnl.min': z.string().optional() }),
    answer: thing,
  }),
  listThings: endpoint({ backend: 'bff', method: 'GET', path: '/v1/things', access: 'none', summary: '', answer: z.array(thing) }),
  patchThing: endpoint({
    backend: 'bff',
    method: 'PATCH',
    path: '/v2/things/{id}',
    access: 'user',
    summary: '',
    params: z.object({ id: z.string() }),
    body: z.object({ price: z.string() }),
    answer: z.void(),
    status: 204,
  }),
  upload: endpoint({
    backend: 'bff',
    method: 'POST',
    path: '/v2/import',
    access: 'user',
    summary: '',
    content: 'multipart',
    answer: z.void(),
    status: 204,
  }),
  linkChat: endpoint({
    backend: 'gateway',
    method: 'POST',
    path: '/v2/link',
    access: 'user',
    summary: '',
    headers: ['code'],
    answer: z.void(),
    status: 204,
  }),
  verify: endpoint({
    backend: 'gateway',
    method: 'POST',
    path: '/v1/verify',
    access: 'pending',
    summary: '',
    body: z.object({ otpCode: z.string() }),
    answer: z.object({ ok: z.boolean() }),
  }),
};

type Reply = { status?: number; body?: unknown; text?: string } | 'network error' | 'never';
const problem = (status: number, code: string, detail = 'the detail') => ({ status, body: { title: 'Title', status, code, detail } });

function setUp(
  replies: Reply[] | ((request: Request) => Reply),
  more: Partial<ClientOptions<typeof contract>['session']> & { timeout?: number } = {},
) {
  const requests: Request[] = [];
  const bodies: string[] = [];
  const fetch = vi.fn(async (url: unknown, init?: RequestInit) => {
    const request = new Request(url as string, init);
    requests.push(request.clone());
    bodies.push(await request.text());
    const reply = typeof replies === 'function' ? replies(request) : replies.shift();
    if (!reply) throw new Error('no reply left');
    if (reply === 'network error') throw new TypeError('fetch failed');
    if (reply === 'never')
      return new Promise<Response>((_, reject) => {
        if (init?.signal?.aborted) reject(init.signal.reason);
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const text = reply.text ?? (reply.body === undefined ? null : JSON.stringify(reply.body));
    return new Response(text, { status: reply.status ?? 200 });
  });
  const cleared = vi.fn();
  const onProblem = vi.fn();
  let token: string | undefined = 'old';
  const refresh = vi.fn(async () => {
    token = 'new';
    return token;
  });
  const client = createClient({
    contract,
    baseUrl: 'http://app.test',
    fetch: fetch as never,
    session: { accessToken: () => token, refresh, cleared, ...more },
    language: () => 'tr',
    onProblem,
    ...(more.timeout ? { timeout: more.timeout } : {}),
  });
  return { client, requests, bodies, cleared, onProblem, refresh: more.refresh ?? refresh, fetch };
}
const failure = async (promise: Promise<unknown>): Promise<AppError> => {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
};

describe('requests', () => {
  test('path, query, language and bearer come from the declaration and the session', async () => {
    const { client, requests } = setUp([{ body: { id: '1', price: '2.5', extra: true } }]);
    const answer = await client.getThing({ params: { id: 'a/b' }, query: { deep: true, 'pnl.min': '-5' } });
    expect(answer).toEqual({ id: '1', price: '2.5' });
    expect(requests[0]?.url).toBe('http://app.test/bff/v2/things/a%2Fb?deep=true&pnl.min=-5');
    expect(Object.fromEntries(requests[0]!.headers)).toMatchObject({ authorization: 'Bearer old', 'accept-language': 'tr' });
  });
  test('public calls carry no token', async () => {
    const { client, requests } = setUp([{ body: [] }]);
    await client.listThings();
    expect(requests[0]?.headers.has('authorization')).toBe(false);
  });
  test('PATCH sends the plain object as application/json-patch+json, with its idempotency key', async () => {
    const { client, requests, bodies } = setUp([{ status: 204 }]);
    await client.patchThing({ params: { id: '1' }, body: { price: '3' } }, { idempotencyKey: 'k1' });
    expect(requests[0]?.headers.get('content-type')).toBe('application/json-patch+json');
    expect(requests[0]?.headers.get('idempotency-key')).toBe('k1');
    expect(bodies[0]).toBe('{"price":"3"}');
  });
  test('the login code is the bearer of a pending call', async () => {
    const { client, requests } = setUp([{ body: { ok: true } }]);
    await client.verify({ body: { otpCode: '123456' } }, { bearer: 'login-code' });
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer login-code');
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  });
  test('a multipart call carries its file, and refuses to go without one', async () => {
    const { client, requests, bodies } = setUp([{ status: 204 }]);
    await client.upload(undefined, { file: new Blob(['a;b']), fileName: 'trades.csv' });
    expect(requests[0]?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
    expect(bodies[0]).toContain('filename="trades.csv"');
    await expect(client.upload()).rejects.toThrow(/file is required/);
  });
  test('a declared header is required', async () => {
    const { client, requests } = setUp([{ status: 204 }]);
    await expect(client.linkChat()).rejects.toThrow(/header code is required/);
    await client.linkChat(undefined, { headers: { code: 'c1' } });
    expect(requests[0]?.headers.get('code')).toBe('c1');
  });
});

describe('failures', () => {
  test('a problem document becomes an AppError with its fields', async () => {
    const errors = [{ path: 'entry.size', code: 'too_small', message: 'Too small', limit: '10', actual: '5' }];
    const { client } = setUp([{ status: 422, body: { title: 'T', status: 422, code: 'rules-violated', detail: 'D', errors } }]);
    const error = await failure(client.listThings());
    expect(error).toMatchObject({ code: 'rules-violated', title: 'T', detail: 'D', fields: errors });
  });
  test.each([
    [502, 'offline'],
    [429, 'rate-limited'],
    [404, 'not-found'],
    [500, 'internal'],
  ])("a proxy's %i page is %s", async (status, code) => {
    const { client } = setUp([{ status, text: '<html>' }]);
    expect((await failure(client.listThings())).code).toBe(code);
  });
  test('no network is offline; no answer in time is timeout', async () => {
    expect((await failure(setUp(['network error']).client.listThings())).code).toBe('offline');
    expect((await failure(setUp(['never'], { timeout: 5 }).client.listThings())).code).toBe('timeout');
  });
  test('an answer of another shape is an internal error that names the field, without its value', async () => {
    const { client } = setUp([{ body: [{ id: 'secret-value', price: 7 }] }]);
    const error = await failure(client.listThings());
    expect(error.code).toBe('internal');
    expect(String(error.cause)).toContain('0.price');
    expect(String(error.cause)).not.toContain('secret-value');
  });
  test('an aborted call throws the reason of its signal and shows no toast', async () => {
    const { client, onProblem } = setUp(['never']);
    const leaving = new AbortController();
    const call = client.listThings(undefined, { signal: leaving.signal });
    const reason = new Error('left the page');
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(onProblem).not.toHaveBeenCalled();
    await expect(client.listThings(undefined, { signal: leaving.signal })).rejects.toBe(reason);
  });
});

describe('the error catalogue', () => {
  test('gateway 401: the session is removed', async () => {
    const { client, cleared, refresh } = setUp([problem(401, 'unauthenticated')]);
    await failure(client.linkChat(undefined, { headers: { code: 'c' } }));
    expect(cleared.mock.calls).toEqual([['remove-session']]);
    expect(refresh).not.toHaveBeenCalled();
  });
  test('BFF 403: storage is cleared', async () => {
    const { client, cleared, onProblem } = setUp([problem(403, 'forbidden')]);
    await failure(client.listThings());
    expect(cleared.mock.calls).toEqual([['clear-storage']]);
    expect(onProblem).not.toHaveBeenCalled();
  });
  test('BFF 401: one refresh, then the same request with the new token', async () => {
    const { client, requests, bodies, cleared, refresh } = setUp([problem(401, 'unauthenticated'), { status: 204 }]);
    await client.patchThing({ params: { id: '1' }, body: { price: '3' } }, { idempotencyKey: 'once' });
    expect(refresh).toHaveBeenCalledExactlyOnceWith('old');
    expect(
      requests.map((request) => [
        request.method,
        request.url,
        request.headers.get('authorization'),
        request.headers.get('idempotency-key'),
      ]),
    ).toEqual([
      ['PATCH', 'http://app.test/bff/v2/things/1', 'Bearer old', 'once'],
      ['PATCH', 'http://app.test/bff/v2/things/1', 'Bearer new', 'once'],
    ]);
    expect(bodies[1]).toBe(bodies[0]);
    expect(cleared).not.toHaveBeenCalled();
  });
  test('BFF 401 again after the refresh: session cleared, no second refresh', async () => {
    const { client, cleared, refresh, fetch } = setUp([problem(401, 'unauthenticated'), problem(401, 'unauthenticated')]);
    await failure(client.listThings());
    expect(cleared.mock.calls).toEqual([['clear-session']]);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(fetch).toHaveBeenCalledTimes(2);
  });
  test('a refused refresh clears the session', async () => {
    const refresh = vi.fn().mockRejectedValue(new AppError('unauthenticated'));
    const { client, cleared, fetch } = setUp([problem(401, 'unauthenticated')], { refresh });
    expect((await failure(client.listThings())).code).toBe('unauthenticated');
    expect(cleared.mock.calls).toEqual([['clear-session']]);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
  test('a refresh that could not be made for want of a connection keeps the session', async () => {
    const refresh = vi.fn().mockRejectedValue(new AppError('offline'));
    const { client, cleared } = setUp([problem(401, 'unauthenticated')], { refresh });
    expect((await failure(client.listThings())).code).toBe('offline');
    expect(cleared).not.toHaveBeenCalled();
  });
  test('other BFF errors are handed to the toast, unless the caller is quiet', async () => {
    const { client, onProblem, cleared } = setUp([problem(409, 'in-use'), problem(500, 'internal')]);
    await failure(client.listThings());
    expect(onProblem.mock.calls).toEqual([[expect.objectContaining({ code: 'in-use', detail: 'the detail' }), 'listThings']]);
    await failure(client.listThings(undefined, { quiet: true }));
    expect(onProblem).toHaveBeenCalledTimes(1);
    expect(cleared).not.toHaveBeenCalled();
  });
  test('gateway errors are left to the form that caused them', async () => {
    const { client, onProblem, cleared } = setUp([problem(400, 'wrong-code'), problem(403, 'forbidden')]);
    await failure(client.verify({ body: { otpCode: '1' } }));
    await failure(client.verify({ body: { otpCode: '1' } }));
    expect(onProblem).not.toHaveBeenCalled();
    expect(cleared).not.toHaveBeenCalled();
  });
  test('one caller that leaves during the refresh does not stop the others', async () => {
    let finish: (token: string) => void = () => {};
    const refresh = vi.fn(() => new Promise<string>((resolve) => (finish = resolve)));
    const { client } = setUp(
      (request) => (request.headers.get('authorization') === 'Bearer new' ? { body: [] } : problem(401, 'unauthenticated')),
      { refresh },
    );
    const leaving = new AbortController();
    const left = client.listThings(undefined, { signal: leaving.signal });
    const stayed = client.listThings();
    await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(2));
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    finish('new');
    expect(await stayed).toEqual([]);
  });
});
