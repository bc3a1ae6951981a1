import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type ClientOptions, createClient } from './client.ts';
import { endpoint } from './endpoint.ts';
import { ERROR_CODES } from './error-codes.ts';
import { fileForm } from './file-form.ts';
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
  saveThing: endpoint({
    backend: 'bff',
    method: 'PUT',
    path: '/v2/things',
    access: 'user',
    summary: '',
    query: z.object({ sellNow: z.boolean().default(false) }),
    body: z.object({
      name: z.string(),
      // What later versions added.
      guard: z.object({ pct: z.string() }).nullable().default(null),
      levels: z.array(z.object({ pct: z.string(), wait: z.int().default(0) })).default([]),
      version: z.int().optional(),
    }),
    guards: ['version'],
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
  more: Partial<ClientOptions<typeof contract>['session']> & { timeout?: number } & Pick<
      ClientOptions<typeof contract>,
      'onSecondFactor' | 'onUnheard'
    > = {},
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
    onSecondFactor: more.onSecondFactor,
    onUnheard: more.onUnheard,
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
    await client.upload(undefined, { form: fileForm(new Blob(['a;b']), 'trades.csv', { zone: 'UTC' }) });
    expect(requests[0]?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
    expect(bodies[0]).toContain('filename="trades.csv"');
    expect(bodies[0]?.indexOf('name="zone"')).toBeLessThan(bodies[0]?.indexOf('name="file"') ?? 0);
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
  test('what must happen once is sent once more under its key when no answer came, and then nobody knows', async () => {
    const onUnheard = vi.fn(async () => undefined);
    const patched = { params: { id: '1' }, body: { price: '3' } };
    const heard = setUp(['network error', { status: 204 }], { onUnheard });
    await heard.client.patchThing(patched, { idempotencyKey: 'k' });
    expect(heard.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['k', 'k']);
    expect(heard.bodies[1]).toBe(heard.bodies[0]);
    expect(onUnheard).not.toHaveBeenCalled();
    const lost = setUp(['never', 'network error'], { onUnheard, timeout: 5 });
    expect((await failure(lost.client.patchThing(patched, { idempotencyKey: 'k' }))).code).toBe('offline');
    expect(onUnheard).toHaveBeenCalledOnce();
    // Without a key the second might be another one.
    const plain = setUp(['network error'], { onUnheard });
    await failure(plain.client.patchThing(patched));
    expect([plain.requests.length, onUnheard.mock.calls.length]).toEqual([1, 1]);
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
  test('a form that checks itself says in itself what is wrong, and in no toast', async () => {
    const { client, onProblem } = setUp([problem(400, 'invalid')]);
    await expect(client.patchThing({ params: { id: '1' }, body: { price: '' } }, { check: true })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(onProblem).not.toHaveBeenCalled();
  });
  test('a form that checks itself keeps no failure of the server to itself', async () => {
    const { client, onProblem } = setUp([problem(500, 'internal')]);
    await failure(client.patchThing({ params: { id: '1' }, body: { price: '' } }, { check: true }));
    expect(onProblem).toHaveBeenCalledTimes(1);
  });

  test('every other BFF error is handed to the toast, with the call and whether its caller shows it, too', async () => {
    const { client, onProblem, cleared } = setUp([problem(409, 'in-use'), problem(500, 'internal')]);
    await failure(client.patchThing({ params: { id: '1' }, body: { price: '3' } }));
    await failure(client.listThings());
    expect(onProblem.mock.calls).toEqual([
      [expect.objectContaining({ code: 'in-use', detail: 'the detail' }), { name: 'patchThing {"id":"1"}', isQuiet: false }],
      [expect.objectContaining({ code: 'internal' }), { name: 'listThings {}', isQuiet: true }],
    ]);
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

describe('a call that needs a second factor', () => {
  const needed = problem(428, 'second-factor-required');

  test('is repeated once it was given, as it was, and says nothing of it', async () => {
    const onSecondFactor = vi.fn(async () => true);
    const { client, bodies, cleared, onProblem } = setUp([needed, { status: 204 }], { onSecondFactor });
    await client.patchThing({ params: { id: '1' }, body: { price: '3' } });
    expect(bodies).toEqual(['{"price":"3"}', '{"price":"3"}']);
    expect([onSecondFactor.mock.calls.length, cleared.mock.calls, onProblem.mock.calls]).toEqual([1, [], []]);
  });
  test('is refused when the person gives up, without a toast; and after a second refusal, with one', async () => {
    const given = setUp([needed], { onSecondFactor: async () => false });
    expect((await failure(given.client.patchThing({ params: { id: '1' }, body: { price: '3' } }))).code).toBe('second-factor-required');
    expect(given.onProblem).not.toHaveBeenCalled();
    const again = setUp([needed, needed], { onSecondFactor: async () => true });
    expect((await failure(again.client.patchThing({ params: { id: '1' }, body: { price: '3' } }))).code).toBe('second-factor-required');
    expect(again.onProblem).toHaveBeenCalledOnce();
  });
  test('shares its question with others that wait', async () => {
    let answer: (given: boolean) => void = () => undefined;
    const onSecondFactor = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
    const { client, requests } = setUp([needed, needed, { status: 204 }, { status: 204 }], { onSecondFactor });
    const calls = ['1', '2'].map((id) => client.patchThing({ params: { id }, body: { price: '3' } }));
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    await new Promise<void>((resolve) => setImmediate(resolve));
    answer(true);
    await Promise.all(calls);
    expect([onSecondFactor.mock.calls.length, requests.length]).toEqual([1, 4]);
  });
});

test('no refusal but those two ends a session: a missing second factor, scope, quota or permission is none of them', () => {
  const ending = Object.entries(ERROR_CODES).filter(([, { status }]) => [401, 403].includes(status));
  expect(ending.map(([code]) => code)).toEqual(['unauthenticated', 'forbidden']);
  expect([ERROR_CODES['second-factor-required'].status, ERROR_CODES['step-up-required'].status]).toEqual([428, 428]);
});

describe('a server that is older than its client', () => {
  const refusal = (...paths: string[]) => ({
    status: 400,
    body: {
      title: 'Title',
      status: 400,
      code: 'invalid',
      errors: paths.map((path) => ({ path, code: 'unknown_field', message: `${path} is unknown` })),
    },
  });
  const body = { name: 'a', guard: null, levels: [{ pct: '1', wait: 0 }, { pct: '2' }] };

  test('is sent no field that it does not know, where its absence means the same', async () => {
    const { client, bodies, requests, onProblem } = setUp([refusal('guard', 'levels.0.wait', 'sellNow'), { status: 204 }]);
    await client.saveThing({ body, query: { sellNow: false } }, { idempotencyKey: 'k' });
    expect(JSON.parse(bodies[1] ?? '')).toEqual({ name: 'a', levels: [{ pct: '1' }, { pct: '2' }] });
    expect(requests[1]?.url).toBe('http://app.test/bff/v2/things');
    expect(requests[1]?.headers.get('idempotency-key')).toBe('k');
    expect(onProblem).not.toHaveBeenCalled();
  });
  test('is asked without what would only have it refuse more', async () => {
    const { client, bodies } = setUp([refusal('version', 'guard'), { status: 204 }]);
    await client.saveThing({ body: { ...body, version: 4 }, query: {} });
    expect(JSON.parse(bodies[1] ?? '')).toEqual({ name: 'a', levels: body.levels });
  });
  test.each([
    ['a field that says something, beside a guard', { ...body, guard: { pct: '5' }, version: 4 }, false, refusal('version', 'guard')],
    ['a field that says something', { ...body, guard: { pct: '5' } }, false, refusal('guard')],
    ['a word of the address that says something', body, true, refusal('sellNow')],
    ['one that is needed', body, false, refusal('name')],
    ['a whole place of a list', body, false, refusal('levels.0')],
    ['one that was not sent', body, false, refusal('other')],
  ])('refuses %s by its name: it is never dropped in silence', async (_, given, sellNow, answer) => {
    const { client, requests } = setUp([answer]);
    const error = await failure(client.saveThing({ body: given, query: { sellNow } }));
    expect(new Set(error.fields.map(({ code }) => code))).toEqual(new Set(['unknown_field']));
    expect(requests).toHaveLength(1);
  });
});
