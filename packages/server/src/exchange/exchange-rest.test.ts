import { realTimers } from '@pilotfish/core/time/timers';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ExchangeError, KeptBackError, toAppErrorFromExchange } from './exchange-error.ts';
import { exchangeRest, RECV_WINDOW_MS } from './exchange-rest.ts';
import { signerFor } from './signing.ts';
import { type WeightBudget, weightBudget } from './weight-budget.ts';

const SECRET = 'canary-secret-canary-secret';

function stage(answer: (url: string, init: RequestInit) => Response | Promise<Response>, tellsTime = false) {
  const asked: string[] = [];
  const budget = weightBudget({ timers: realTimers, limit: 6000, now: () => 0 });
  const rest = exchangeRest({
    timers: { ...realTimers, running: () => 0 },
    origin: 'http://127.0.0.1:1',
    now: () => 1000,
    budget,
    fetch: async (url, init) => {
      const address = url instanceof Request ? url.url : url.toString();
      // Before anything is signed the exchange is asked for its time; what a test says of that comes first.
      if (!tellsTime && address.endsWith('/api/v3/time')) return json({ serverTime: 1000 });
      asked.push(address);
      return answer(address, init ?? {});
    },
  });
  const call = (method: 'GET' | 'POST' = 'POST') =>
    rest.request({
      method,
      path: '/api/v3/order',
      weight: 1,
      signer: signerFor('key-key-key-key-key', SECRET),
      parameters: { a: 1 },
      answer: z.object({ ok: z.boolean() }),
    });
  return { rest, call, asked, budget };
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => new Response(JSON.stringify(body), { status, headers });

describe('every failure is told apart', () => {
  test.each([
    [
      'a refusal',
      () => json({ code: -2010, msg: 'Account has insufficient balance for requested action.' }, 400),
      'refused',
      'insufficient-balance',
    ],
    ['a bad key', () => json({ code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' }, 401), 'refused', 'invalid-key'],
    ['a filter', () => json({ code: -1013, msg: 'Filter failure: LOT_SIZE' }, 400), 'refused', 'filter-violated'],
    [
      'a wrong clock',
      () => json({ code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' }, 400),
      'refused',
      'clock-skew',
    ],
    [
      'too many requests',
      () => json({ code: -1003, msg: 'Too much request weight used' }, 429, { 'retry-after': '7' }),
      'limited',
      'exchange-rate-limited',
    ],
    [
      'a ban',
      () => json({ code: -1003, msg: 'Way too much request weight used' }, 418, { 'retry-after': '120' }),
      'limited',
      'exchange-rate-limited',
    ],
    ['a limit told by a gateway', () => new Response('<html>', { status: 429 }), 'limited', 'exchange-rate-limited'],
    ['a page of a firewall', () => new Response('<html>', { status: 403 }), 'limited', 'exchange-unreachable'],
    [
      'a place that is not served',
      () => json({ code: 0, msg: 'Service unavailable from a restricted location.' }, 451),
      'refused',
      'exchange-unreachable',
    ],
    ['too many orders', () => json({ code: -1015, msg: 'Too many new orders' }, 429), 'limited', 'exchange-rate-limited'],
    ['an error inside the exchange', () => json({ code: -1001, msg: 'Internal error' }, 400), 'unknown', 'exchange-unreachable'],
    [
      'an unexpected response inside the exchange',
      () => json({ code: -1006, msg: 'An unexpected response was received from the message bus. Execution status unknown.' }, 400),
      'unknown',
      'exchange-unreachable',
    ],
    ['a 502 after an order', () => new Response('<html>', { status: 502 }), 'unknown', 'exchange-unreachable'],
    [
      'a time-out inside the exchange',
      () => json({ code: -1007, msg: 'Timeout waiting for response from backend server.' }, 400),
      'unknown',
      'exchange-unreachable',
    ],
    ['an answer of another shape', () => json({ surprise: 1 }), 'unknown', 'exchange-unreachable'],
  ] as const)('%s', async (_, answer, kind, code) => {
    const error = await stage(answer)
      .call()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ExchangeError);
    expect((error as ExchangeError).kind).toBe(kind);
    expect(toAppErrorFromExchange(error).code).toBe(code);
  });

  test.each([undefined, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])(
    'a connection lost after an order (%s) is unknown, after a question only unreachable',
    async (code) => {
      const broken = () => {
        throw Object.assign(new TypeError('fetch failed'), { cause: { code } });
      };
      await expect(stage(broken).call('POST')).rejects.toMatchObject({ kind: 'unknown' });
      await expect(stage(broken).call('GET')).rejects.toMatchObject({ kind: 'unreachable' });
    },
  );

  test('the exchange is told the time after which a request counts as never executed', async () => {
    const { call, asked } = stage(() => json({ ok: true }));
    await call('POST');
    expect(new URL(asked[0] ?? '').searchParams.get('recvWindow')).toBe(String(RECV_WINDOW_MS));
  });

  test('nobody listening means it was never sent', async () => {
    const refused = () => {
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    };
    await expect(stage(refused).call('POST')).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

describe('a host that cannot be reached', () => {
  const SILENCE = { code: 'ABORT_ERR' };
  const fails = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause });
  /** Hosts `a`, `b` and `c` of one exchange, and `d` for public data; those named in `away` fail so. */
  function places(away: Record<string, object>, maySign = () => true) {
    const seen: string[] = [];
    const queries: string[] = [];
    let running = 0;
    const rest = exchangeRest({
      timers: {
        ...realTimers,
        running: () => running,
        deadline: () => (away.a === SILENCE ? AbortSignal.abort() : realTimers.deadline(10_000)),
      },
      origin: 'https://a',
      others: { restOthers: ['https://b', 'https://c'], dataRest: 'https://d' },
      now: () => 1000,
      budget: weightBudget({ timers: realTimers, limit: 6000, now: () => 0 }),
      maySign,
      fetch: async (input) => {
        const { host, pathname, search } = new URL(input instanceof Request ? input.url : input);
        if (pathname === '/api/v3/time' && !(host in away)) return json({ serverTime: 1000 });
        seen.push(`${host} ${pathname.slice('/api/v3/'.length)}`);
        queries.push(search);
        if (away[host]) throw fails(away[host]);
        return json({ ok: true });
      },
    });
    const ask = (method: 'GET' | 'POST', path: `/${string}`, isSigned = true) =>
      rest.request({
        method,
        path,
        weight: 1,
        ...(isSigned && { signer: signerFor('key-key-key-key-key', SECRET) }),
        answer: z.object({ ok: z.boolean() }),
      });
    return {
      rest,
      ask,
      away,
      seen,
      queries,
      later: (ms: number) => {
        running += ms;
      },
    };
  }

  test.each([
    { code: 'ECONNREFUSED' },
    { code: 'ENOTFOUND' },
    { code: 'UND_ERR_CONNECT_TIMEOUT' },
    { code: 'ETIMEDOUT', syscall: 'connect' },
    { code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT', syscall: 'connect' }] },
  ])('gives its order to the next one, with the very same signature: %j', async (cause) => {
    const { rest, ask, away, seen, queries } = places({});
    await rest.syncClock();
    away.a = cause;
    await ask('POST', '/api/v3/order');
    expect(seen).toEqual(['a order', 'b order']);
    expect(queries[1]).toBe(queries[0]);
    expect(queries[0]).toContain('signature=');
  });

  test.each([
    { code: 'ECONNRESET' },
    { code: 'ETIMEDOUT' },
    { code: 'UND_ERR_SOCKET' },
    { code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }] },
  ])('an order that may have arrived is sent to no other, a question is: %j', async (cause) => {
    const { rest, ask, away, seen, later } = places({});
    await rest.syncClock();
    away.a = cause;
    await expect(ask('POST', '/api/v3/order')).rejects.toMatchObject({ kind: 'unknown' });
    expect(seen).toEqual(['a order']);
    later(60_000);
    await ask('GET', '/api/v3/order');
    expect(seen.slice(1)).toEqual(['a order', 'b order']);
  });

  test('one that says nothing until the time is over keeps its question, and the next one goes elsewhere', async () => {
    const { rest, ask, away, seen } = places({});
    await rest.syncClock();
    away.a = SILENCE;
    await expect(ask('GET', '/api/v3/account')).rejects.toMatchObject({ kind: 'unreachable' });
    away.a = { code: 'ECONNREFUSED' };
    await ask('GET', '/api/v3/account');
    expect(seen).toEqual(['a account', 'b account']);
  });

  test('is left alone for a minute, and found again by a question, never by an order', async () => {
    const { rest, ask, away, seen, later } = places({ a: { code: 'ECONNREFUSED' } });
    await rest.syncClock();
    expect(seen.splice(0)).toEqual(['a time']);
    await ask('GET', '/api/v3/account');
    later(60_000);
    delete away.a;
    await ask('POST', '/api/v3/order');
    await ask('GET', '/api/v3/account');
    await ask('POST', '/api/v3/order');
    expect(seen).toEqual(['b account', 'b order', 'a account', 'a order']);
  });

  test('public data comes from its own host, with the others behind it; what is signed or not served there never goes to it', async () => {
    const { rest, ask, away, seen } = places({});
    await rest.syncClock();
    await ask('GET', '/api/v3/klines', false);
    await ask('GET', '/api/v3/executionRules', false);
    await ask('GET', '/api/v3/klines');
    away.d = { code: 'ENOTFOUND' };
    away.a = { code: 'ENOTFOUND' };
    await ask('GET', '/api/v3/klines', false);
    await ask('GET', '/api/v3/klines', false);
    expect(seen).toEqual(['d klines', 'a executionRules', 'a klines', 'd klines', 'a klines', 'b klines', 'b klines']);
  });

  test('nothing more leaves once another server may have taken over; nor where all are away', async () => {
    let isOurs = true;
    const { rest, ask, away, seen } = places({}, () => isOurs);
    await rest.syncClock();
    Object.defineProperty(away, 'a', {
      get: () => {
        isOurs = false;
        return { code: 'ECONNREFUSED' };
      },
    });
    await expect(ask('POST', '/api/v3/order')).rejects.toBeInstanceOf(KeptBackError);
    expect(seen).toEqual(['a order']);
    isOurs = true;
    for (const host of ['b', 'c']) away[host] = { code: 'ECONNREFUSED' };
    await expect(ask('GET', '/api/v3/account')).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

test('too many orders of one account keep no other account waiting; too much weight does', async () => {
  let waits = 0;
  const budget = weightBudget({
    limit: 6000,
    now: () => waits * 60_000,
    timers: {
      wait: async () => {
        waits += 1;
      },
    },
  });
  const answers = [json({ code: -1015, msg: 'Too many new orders' }, 429), json({ code: -1003, msg: 'Too much' }, 429)];
  const rest = exchangeRest({
    timers: realTimers,
    origin: 'http://127.0.0.1:1',
    now: () => 0,
    budget,
    fetch: async () => answers.shift()!,
  });
  const ask = () => rest.request({ method: 'POST', path: '/api/v3/order', weight: 1, answer: z.object({}) }).catch(() => undefined);
  await ask();
  await budget.spend(1, false);
  expect(waits).toBe(0);
  await ask();
  await budget.spend(1, false);
  expect(waits).toBeGreaterThan(0);
});

test('the time is not asked for during a ban, which that would prolong', async () => {
  const left: string[] = [];
  let time = 0;
  const timers = {
    wait: async (ms: number) => {
      time += ms;
    },
  };
  const rest = exchangeRest({
    timers: { ...realTimers, running: () => time, ...timers },
    origin: 'http://127.0.0.1:1',
    now: () => time,
    budget: weightBudget({ limit: 6000, now: () => time, timers }),
    fetch: async () => {
      left.push(`at ${time}`);
      return left.length === 1 ? json({ code: -1003, msg: 'banned' }, 418, { 'retry-after': '90' }) : json({ serverTime: time });
    },
  });
  await expect(rest.serverTime()).rejects.toMatchObject({ kind: 'limited', retryAfterMs: 90_000 });
  await rest.serverTime();
  expect(left).toEqual(['at 0', 'at 90000']);
});

test('no error carries the key, the secret or the signed address', async () => {
  const { call, asked } = stage((url) => {
    throw new TypeError(`could not reach ${url}`);
  });
  const error = (await call().catch((thrown: unknown) => thrown)) as Error;
  expect(asked[0]).toContain('signature=');
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/signature|canary|key-key/);
});

test('a throw in the turn of signing keeps the request from leaving', async () => {
  const { rest, asked } = stage(() => json({ ok: true }));
  const halted = new Error('halted');
  await expect(
    rest.request({
      method: 'POST',
      path: '/api/v3/order',
      weight: 1,
      signer: signerFor('key-key-key-key-key', SECRET),
      answer: z.object({ ok: z.boolean() }),
      beforeSigning: () => {
        throw halted;
      },
    }),
  ).rejects.toBe(halted);
  expect(asked).toEqual([]);
});

test('the clock offset is that of the quickest sample', async () => {
  const { rest } = stage(() => json({ serverTime: 61_000 }), true);
  expect(rest.time()).toBe(1000);
  await rest.syncClock();
  expect(rest.time()).toBe(61_000);
});

test('a clock that was set is asked for anew, once for all whose questions were turned away, and they are signed again', async () => {
  let [exchangeClock, times] = [1_030_000, 0];
  const stamps: number[] = [];
  const rest = exchangeRest({
    timers: { ...realTimers, running: () => 0 },
    origin: 'http://127.0.0.1:1',
    now: () => exchangeClock,
    budget: weightBudget({ limit: 6000, now: () => 0, timers: { wait: async () => undefined } }),
    fetch: async (input) => {
      const url = new URL(input as string);
      if (url.pathname === '/api/v3/time') {
        times += 1;
        return json({ serverTime: exchangeClock });
      }
      const stamp = Number(url.searchParams.get('timestamp'));
      stamps.push(stamp);
      return Math.abs(stamp - exchangeClock) > 1000 ? json({ code: -1021, msg: 'Timestamp is outside of the recvWindow.' }, 400) : json({});
    },
  });
  await rest.syncClock();
  exchangeClock = 1_000_000;
  const ask = () =>
    rest.request({
      method: 'GET',
      path: '/api/v3/account',
      weight: 1,
      signer: signerFor('key-key-key-key-key', SECRET),
      answer: z.object({}),
    });
  times = 0;
  expect(await Promise.all([ask(), ask()])).toEqual([{}, {}]);
  expect(stamps).toEqual([1_030_000, 1_030_000, 1_000_000, 1_000_000]);
  expect(times).toBe(3);
});
describe('what waits for its weight', () => {
  /** One order that waits until it is let pass. */
  async function waiting() {
    const state = { now: 1_000_000, signable: true, pass: (): void => undefined, stamps: [] as string[] };
    const budget = weightBudget({ limit: 6000, now: () => 0, timers: { wait: async () => undefined } });
    const rest = exchangeRest({
      timers: { ...realTimers, running: () => state.now },
      origin: 'http://127.0.0.1:1',
      now: () => 0,
      budget: { ...budget, spend: (_weight, urgent) => (urgent ? Promise.resolve() : new Promise((resolve) => (state.pass = resolve))) },
      maySign: () => state.signable,
      fetch: async (input) => {
        const url = new URL(input as string);
        if (url.pathname === '/api/v3/time') return json({ serverTime: state.now });
        state.stamps.push(url.searchParams.get('timestamp') ?? '');
        return json({});
      },
    });
    const signer = signerFor('key-key-key-key-key', SECRET);
    await rest.syncClock();
    return { state, order: rest.request({ method: 'POST', path: '/api/v3/order', weight: 1, signer, answer: z.object({}) }) };
  }

  test('is signed only if it may be signed then', async () => {
    const { state, order } = await waiting();
    // The hold on the database is lost meanwhile.
    state.signable = false;
    state.pass();
    await expect(order).rejects.toBeInstanceOf(KeptBackError);
    expect(state.stamps).toEqual([]);
  });

  test('bears the time at which it leaves, or the exchange refuses it as too old', async () => {
    const { state, order } = await waiting();
    state.now += 60_000;
    state.pass();
    await order;
    // Counted on a little slow, so as to be ahead never.
    expect(state.stamps).toEqual(['1059970']);
  });
});

test('a machine that stood still signs nothing anew before its owner heard of the jump', async () => {
  let clock = 0;
  let exchangeClock = 1_000_000;
  let signable = true;
  let orders = 0;
  const rest = exchangeRest({
    timers: { ...realTimers, running: () => clock },
    origin: 'http://127.0.0.1:1',
    now: () => 1_000_000 + clock,
    budget: weightBudget({ limit: 6000, now: () => 0, timers: { wait: async () => undefined } }),
    maySign: () => signable,
    onClockJump: () => {
      signable = false;
    },
    fetch: async (input) => {
      const url = new URL(input as string);
      if (url.pathname === '/api/v3/time') return json({ serverTime: exchangeClock });
      orders += 1;
      const late = exchangeClock - Number(url.searchParams.get('timestamp')) > 5000;
      return late ? json({ code: -1021, msg: 'Timestamp is outside of the recvWindow.' }, 400) : json({});
    },
  });
  await rest.syncClock();
  exchangeClock += 900;
  await rest.syncClock();
  expect(signable).toBe(true);
  // All clocks of a paused virtual machine stand still, that of the exchange goes on.
  exchangeClock += 60_000;
  clock += 10;
  const order = () =>
    rest.request({
      method: 'POST',
      path: '/api/v3/order',
      weight: 1,
      signer: signerFor('key-key-key-key-key', SECRET),
      answer: z.object({}),
    });
  await expect(order()).rejects.toMatchObject({ code: -1021 });
  await expect(order()).rejects.toBeInstanceOf(KeptBackError);
  expect(orders).toBe(1);
});

test.each(['POST', 'DELETE', 'PUT'] as const)(
  'what acts (%s) is not signed anew when it came too late; what follows is right',
  async (method) => {
    let clock = 0;
    let frozenMs = 6000;
    const stamps: number[] = [];
    const rest = exchangeRest({
      timers: { ...realTimers, running: () => clock },
      origin: 'http://127.0.0.1:1',
      now: () => 0,
      budget: weightBudget({ limit: 6000, now: () => 0, timers: { wait: async () => undefined } }),
      fetch: async (input) => {
        const url = new URL(input as string);
        if (url.pathname === '/api/v3/time') return json({ serverTime: 1_000_000 + clock });
        stamps.push(Number(url.searchParams.get('timestamp')));
        // Signed, and not sent yet: the process stands still.
        clock += frozenMs;
        const late = 1_000_000 + clock - stamps.at(-1)! > Number(url.searchParams.get('recvWindow'));
        return late ? json({ code: -1021, msg: 'Timestamp is outside of the recvWindow.' }, 400) : json({});
      },
    });
    const act = () =>
      rest.request({ method, path: '/api/v3/order', weight: 1, signer: signerFor('key-key-key-key-key', SECRET), answer: z.object({}) });
    await expect(act()).rejects.toMatchObject({ kind: 'refused', code: -1021 });
    expect(stamps).toEqual([1_000_000]);
    frozenMs = 0;
    await act();
    expect(stamps).toEqual([1_000_000, 1_006_000]);
  },
);

test('nothing is signed before the exchange has told its time', async () => {
  const { call, asked } = stage((url) => (url.endsWith('/api/v3/time') ? json({}, 503) : json({ ok: true })), true);
  await expect(call()).rejects.toMatchObject({ kind: 'unreachable' });
  expect(asked).toEqual(['http://127.0.0.1:1/api/v3/time']);
});

test('a signed request may be two to five seconds old: longer lets a frozen order be executed late, shorter none arrive', () => {
  expect(RECV_WINDOW_MS).toBeGreaterThanOrEqual(2000);
  expect(RECV_WINDOW_MS).toBeLessThanOrEqual(5000);
});

test('a time that stays wrong is told, not tried for ever', async () => {
  let asked = 0;
  const { rest } = stage((url) => {
    if (url.includes('/api/v3/time')) return json({ serverTime: 1000 });
    asked += 1;
    return json({ code: -1021, msg: 'Timestamp is outside of the recvWindow.' }, 400);
  }, true);
  const call = {
    method: 'GET',
    path: '/api/v3/account',
    weight: 1,
    signer: signerFor('key-key-key-key-key', SECRET),
    answer: z.object({}),
  } as const;
  await expect(rest.request(call)).rejects.toMatchObject({ code: -1021 });
  expect(asked).toBe(1);
});

test('weight is spent in the name of the key that signs; what is asked for everybody in nobody’s', async () => {
  const spent: Parameters<WeightBudget['spend']>[] = [];
  const budget = weightBudget({ limit: 6000, now: () => 0, timers: { wait: async () => undefined } });
  const rest = exchangeRest({
    timers: { ...realTimers, running: () => 0 },
    origin: 'http://127.0.0.1:1',
    now: () => 1000,
    budget: { ...budget, spend: async (...given) => void spent.push(given) },
    fetch: async (url) =>
      json((url instanceof Request ? url.url : url.toString()).endsWith('/api/v3/time') ? { serverTime: 1000 } : { ok: true }),
  });
  const ask = (more: object) =>
    rest.request({ method: 'GET', path: '/api/v3/order', weight: 4, answer: z.object({ ok: z.boolean() }), ...more });
  await ask({ signer: signerFor('key-of-ada', SECRET) });
  await ask({ signer: signerFor('key-of-bob', SECRET), urgent: true });
  await ask({});
  expect(spent.filter(([weight]) => weight === 4)).toEqual([
    [4, false, 'key-of-ada'],
    [4, true, 'key-of-bob'],
    [4, false, undefined],
  ]);
});
