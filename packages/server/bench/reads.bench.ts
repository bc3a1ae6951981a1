import { Worker } from 'node:worker_threads';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { startTestServer } from '../src/app/testing/test-server.ts';
import { authFeature } from '../src/auth/auth-routes.ts';
import { measuredLag } from '../src/http/loop-lag.ts';
import { READ_LIMITS, type ReadLimits } from '../src/http/read-limiter.ts';

// Guests ask for the list of pairs 200 times a second, from one network, while somebody who is signed in asks for
// something small twenty times a second: how long the latter waits, ms. With the limits, and with what is shared alone.
const PAIRS = 3500;
const SECONDS = 8;
const amounts = ['tickSize', 'minPrice', 'maxPrice', 'stepSize', 'minQty', 'maxQty', 'marketMaxQty', 'minNotional', 'maxNotional'];
const multipliers = ['bidMultiplierUp', 'bidMultiplierDown', 'askMultiplierUp', 'askMultiplierDown'];
const pairs = Array.from(
  { length: PAIRS },
  (_, n): Pair => ({
    symbol: `COIN${n}USDT`,
    baseAsset: `COIN${n}`,
    quoteAsset: 'USDT',
    baseAssetPrecision: 8,
    quoteAssetPrecision: 8,
    pricePrecision: n % 8,
    quantityPrecision: n % 5,
    status: 'TRADING',
    filters: {
      ...Object.fromEntries([...amounts, ...multipliers].map((name, place) => [name, `0.0${n * 7 + place}`])),
      maxNumOrders: 200,
      maxNumAlgoOrders: 5,
    } as never,
  }),
);

/** Asks from a thread of its own, so that what is measured is the server. */
const FLOOD = `
const { Agent, get } = require('node:http');
const { parentPort, workerData: { url, perSecond, encoding } } = require('node:worker_threads');
const agent = new Agent({ keepAlive: true, maxSockets: 500 });
const counts = {};
setInterval(() => {
  for (let n = 0; n < perSecond / 20; n += 1)
    get(url, { agent, headers: { 'accept-encoding': encoding } }, (answer) => {
      counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1;
      answer.resume();
    }).on('error', () => undefined);
}, 50);
parentPort.on('message', () => parentPort.postMessage(counts));
`;

async function run(name: string, readLimits: ReadLimits, perSecond: number): Promise<void> {
  const { lag, stop } = measuredLag(() => performance.now());
  const server = await startTestServer({
    realClock: true,
    readLimits,
    loopLag: lag,
    logLevel: 'warn',
    features: async (context) => [
      await authFeature(context),
      { handlers: { listPairs: () => pairs as Pair[], getFilterOptions: () => ({ sort: [], filter: [] }) } },
    ],
  });
  const user = await server.register();
  const flood =
    perSecond === 0
      ? undefined
      : new Worker(FLOOD, { eval: true, workerData: { url: `${server.url}/bff/v1/pairs`, perSecond, encoding: 'br, gzip' } });
  const waits: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end) {
    const before = performance.now();
    const { status } = await user.call('/bff/v1/filter/options');
    if (status !== 200) console.log(`somebody signed in was answered ${status}`);
    waits.push(performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const counts = await new Promise<unknown>((resolve) => {
    if (flood === undefined) return resolve({});
    flood.once('message', resolve);
    flood.postMessage('tell');
  });
  await flood?.terminate();
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(
    `${name.padEnd(28)} p50 ${at(0.5)} p99 ${at(0.99)} longest ${at(1)} ms of ${sorted.length}; guests ${JSON.stringify(counts)}`,
  );
  stop();
  await server.close();
}

const much = { burst: Number.MAX_SAFE_INTEGER, perSecond: 1 };
await run('nobody else', READ_LIMITS, 0);
await run('200 a second, limited', READ_LIMITS, 200);
await run('200 a second, shared alone', { account: much, network: much, guests: much }, 200);
