import { gunzipSync } from 'node:zlib';
import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { afterEach, expect, test } from 'vitest';
import type { Feature } from '../app/feature.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../app/testing/test-server.ts';
import { authFeature } from '../auth/auth-routes.ts';
import { type ReadLimits, readCost, readLimiter } from './read-limiter.ts';
import { sharedAnswers } from './shared-answers.ts';

// What reading costs and who pays for it. How fast it is, `bench/reads.bench.ts` tells.

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const PAIRS = '/bff/v1/pairs';
const amounts = ['tickSize', 'minPrice', 'maxPrice', 'stepSize', 'minQty', 'maxQty', 'marketMaxQty', 'minNotional', 'maxNotional'];
const multipliers = ['bidMultiplierUp', 'bidMultiplierDown', 'askMultiplierUp', 'askMultiplierDown'];
const pair = (n: number): Pair => ({
  symbol: `COIN${n}USDT`,
  baseAsset: `COIN${n}`,
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quoteAssetPrecision: 8,
  pricePrecision: 2,
  quantityPrecision: 5,
  status: 'TRADING',
  filters: {
    ...Object.fromEntries([...amounts, ...multipliers].map((name) => [name, '1'])),
    maxNumOrders: 200,
    maxNumAlgoOrders: 5,
  } as never,
});

async function stage(options: Partial<TestServerOptions> = {}) {
  const time = virtualTime();
  const market = { pairs: Array.from({ length: 50 }, (_, n) => pair(n)), asked: 0 };
  const feature: Feature = {
    handlers: {
      listPairs: () => {
        market.asked += 1;
        return market.pairs;
      },
      listRoles: () => [],
      getFilterOptions: () => ({ sort: [], filter: [] }),
    },
  };
  server = await startTestServer({ time, features: async (context) => [await authFeature(context), feature], ...options });
  const get = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server?.url}${PAIRS}`, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { time, market, server, get };
}

test('the same for everybody is made once for all who ask within a moment, packed once, and has an ETag', async () => {
  const { time, market, get } = await stage();
  const answers = await Promise.all([get(), get(), get()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[0]?.headers.get('content-encoding')).toBe('gzip');
  expect(answers[0]?.headers.get('cache-control')).toBe('no-cache');
  expect(JSON.parse(answers[0]?.text ?? '')).toHaveLength(50);
  expect(market.asked).toBe(1);
  const etag = answers[0]?.headers.get('etag') ?? '';
  const same = await get({ 'if-none-match': etag });
  expect([same.status, same.text]).toEqual([304, '']);
  // Made anew after its moment: the same bytes and the same tag, as long as nothing has changed.
  await time.advance(1000);
  expect((await get({ 'if-none-match': `W/${etag}` })).status).toBe(304);
  expect(market.asked).toBe(2);
  market.pairs = [pair(7)];
  await time.advance(1000);
  const changed = await get({ 'if-none-match': etag });
  expect([changed.status, (JSON.parse(changed.text) as Pair[]).length]).toEqual([200, 1]);
});

test('pairs, tickers, candles and sparklines are such answers', () => {
  const shared = (Object.entries(contract) as [string, AnyEndpoint][]).filter(([, { sharedMs }]) => sharedMs !== undefined);
  // Nobody's account is in what everybody is told.
  expect(shared.map(([id, { access }]) => [id, access])).toEqual([
    ['listPairs', 'none'],
    ['listTickers', 'none'],
    ['listCandles', 'none'],
    ['listSparklines', 'none'],
  ]);
});

test('whoever takes nothing packed, or asks for another position of the stream, is answered rightly', async () => {
  const { get, server: running } = await stage();
  const before = (await get()).headers.get('x-stream-position');
  running.context.stream.publish('instance', { texts: '1', config: '1' });
  const plain = await get({ 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(JSON.parse(plain.text)).toHaveLength(50);
  // Whoever follows the stream from there misses nothing of what came since it was made.
  expect(plain.headers.get('x-stream-position')).toBe(before);
  expect((await get({ 'accept-encoding': 'gzip;q=0, br' })).headers.get('content-encoding')).toBeNull();
});

test('bytes are packed once, and a failure is not remembered', async () => {
  let now = 0;
  const shared = sharedAnswers(
    () => now,
    () => 'p',
  );
  let made = 0;
  const make = async () => {
    made += 1;
    return 'x'.repeat(5000);
  };
  const { shared: one, isMade } = await shared.get('a', 1000, make);
  const { shared: two, isMade: isMadeAgain } = await shared.get('a', 1000, make);
  expect([isMade, isMadeAgain]).toEqual([true, false]);
  expect([made, one.packed() === two.packed()]).toEqual([1, true]);
  now = 1000;
  const { shared: again } = await shared.get('a', 1000, make);
  expect([made, again.packed() === one.packed(), again.etag === one.etag]).toEqual([2, true, true]);
  expect(gunzipSync(await one.packed()).toString()).toBe('x'.repeat(5000));
  await expect(shared.get('b', 1000, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect((await shared.get('b', 1000, make)).shared.text).toHaveLength(5000);
});

const limits = (over: Partial<ReadLimits>): ReadLimits => {
  const much = { burst: 1e9, perSecond: 1 };
  return { account: much, network: much, guests: much, ...over };
};

test('guests of one network share what they may read; accounts do not pay for them', async () => {
  const { server: running, time } = await stage({ readLimits: limits({ guests: { burst: 2.3, perSecond: 0.1 } }) });
  const user = await running.register();
  const guest = () => running.call<{ code?: string; retryAfter?: number }>(PAIRS);
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await guest()).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const refused = await guest();
  expect(refused.body).toMatchObject({ code: 'rate-limited', retryAfter: 3 });
  expect(refused.headers.get('retry-after')).toBe('3');
  expect((await user.call('/bff/v1/filter/options')).status).toBe(200);
  await time.advance(3000);
  expect((await guest()).status).toBe(200);
});

test('an account pays by what its answers cost; writes are not counted', async () => {
  const { server: running } = await stage({ readLimits: limits({ account: { burst: 2.5, perSecond: 0.001 } }) });
  const user = await running.register();
  const read = async () => (await user.call('/bff/v1/filter/options')).status;
  expect([await read(), await read(), await read()]).toEqual([200, 200, 429]);
  expect((await user.call('/gateway/v1/account/logout', { method: 'POST' })).status).toBe(204);
  expect([readCost(0, true), readCost(64 * 1024, true), readCost(64 * 1024, false)]).toEqual([1, 2, 0.5]);
});

test('opening a stream, and the description of the calls, are reads like any other', async () => {
  const { server: running, time } = await stage({
    readLimits: limits({ guests: { burst: 2, perSecond: 0.1 }, account: { burst: 2, perSecond: 0.1 } }),
  });
  const user = await running.register();
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const { status } = await fetch(`${running.url}${path}`, { headers, signal: leaving.signal });
    leaving.abort();
    return status;
  };
  const opened = async (path: string, headers?: Record<string, string>) => {
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push(await open(path, headers));
    return [statuses[0], statuses.at(-1)];
  };
  expect(await opened('/bff/v1/stream')).toEqual([200, 429]);
  expect(await opened('/bff/v2/stream', { authorization: `Bearer ${user.session.accessToken}` })).toEqual([200, 429]);
  await time.advance(60_000);
  expect(await opened('/bff/openapi.json')).toEqual([200, 429]);
});

const reader = (accountId: string, network = 'home') => ({ accountId, network });

test('accounts of one network share a larger allowance', async () => {
  const limiter = readLimiter(() => 0, limits({ network: { burst: 10, perSecond: 1 } }));
  await limiter.admit(reader('ada'));
  limiter.charge(reader('ada'), 30);
  await expect(limiter.admit(reader('bob'))).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 21 });
  await limiter.admit(reader('far', 'away'));
});

test('one read begins in a turn of the event loop, and whoever waits comes before one who has read', async () => {
  const limiter = readLimiter(() => 0, limits({}));
  const begun: string[] = [];
  const read = (who: string) => limiter.admit(reader(who)).then(() => begun.push(who));
  const all = [read('ada'), read('ada'), read('ada'), read('bob')];
  // What is due meanwhile, an exit perhaps, is looked at between any two of them.
  setImmediate(() => begun.push('exit'));
  await Promise.all(all);
  expect(begun).toEqual(['ada', 'exit', 'bob', 'ada', 'ada']);
});

test('a read is paid for by the time for which it kept the process', async () => {
  let time = 0;
  const limiter = readLimiter(() => time, limits({ account: { burst: 10, perSecond: 1 } }));
  await limiter.admit(reader('ada'));
  time += 50;
  await new Promise((done) => setImmediate(done));
  await expect(limiter.admit(reader('ada'))).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 16 });
});

test('of one account only so many reads wait; others are not refused for them', async () => {
  const limiter = readLimiter(() => 0, limits({}));
  const outcomes = await Promise.all(
    Array.from({ length: 150 }, () =>
      limiter.admit(reader('ada')).then(
        () => 200,
        () => 429,
      ),
    ).concat(limiter.admit(reader('bob')).then(() => 201)),
  );
  const count = (status: number) => outcomes.filter((each) => each === status).length;
  expect([count(200), count(429), count(201)]).toEqual([100, 50, 1]);
});

test('behind: guests are sent away first, then those who read, and never whoever writes', async () => {
  let lag = 0;
  const { server: running } = await stage({ loopLag: () => lag });
  const user = await running.register();
  const read = async (who: Pick<TestServer, 'call'>) => (await who.call('/bff/v1/filter/options')).status;
  expect([await read(running), await read(user as never)]).toEqual([200, 200]);
  lag = 600;
  const refused = await running.call(PAIRS);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'overloaded', '2']);
  expect([await read(running), await read(user as never)]).toEqual([503, 200]);
  const headers = { authorization: `Bearer ${user.session.accessToken}` };
  const open = async (path: string) => {
    const answer = await fetch(`${running.url}${path}`, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  expect([await open('/bff/v1/stream'), await open('/bff/v2/stream'), await open('/bff/openapi.json')]).toEqual([503, 200, 503]);
  lag = 3000;
  expect([await read(running), await read(user as never), await open('/bff/v2/stream')]).toEqual([503, 503, 503]);
  expect((await running.call('/healthz')).status).toBe(200);
  expect((await user.call('/gateway/v1/account/logout', { method: 'POST' })).status).toBe(204);
});
