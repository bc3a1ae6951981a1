import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { sparkline } from '@pilotfish/core/prices/sparkline';
import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { startTestServer } from '../src/app/testing/test-server.ts';
import { authFeature } from '../src/auth/auth-routes.ts';
import { type FixturePair, marketFixture } from '../src/prices/market-fixture.ts';
import type { Prices } from '../src/prices/prices.ts';

// The last 24 hours of 3,000 pairs as the table of the markets asks for them, over HTTP: bytes that leave, and CPU of an
// answer that is made for the call. Beside it the first page that the table asks the screener for; the two take turns.
const PAIRS = 3000;
const ROUNDS = 12;
const HOURS = 24;
const MOST_BYTES = 150_000;

let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const coins = Array.from(
  { length: PAIRS },
  (_, n): FixturePair => ({
    base: `C${(n * 7919).toString(36).toUpperCase()}`,
    price: String(n + 1),
    quoteVolume: String((n * 7919) % 3001),
  }),
);
/** Closes of a price that walks at random. */
function walk(): number[] {
  const closes = [100];
  while (closes.length < HOURS) closes.push(closes.at(-1)! * (1 + (random() - 0.5) * 0.02));
  return closes;
}

const time = virtualTime();
let prices: Prices | undefined;
const server = await startTestServer({
  time,
  features: async (context) => {
    prices = marketFixture(coins, context.now()).open(context);
    // Without the history, which would begin to ask for candles.
    return [await authFeature(context), ...prices.features.map(({ handlers }) => ({ handlers }))];
  },
});
const unknown = { close7d: 1, close30d: 1, high7d: 1, low7d: 1, volumeChange: 1, correlation7d: 1, correlation30d: 1 };
for (const { base } of coins) {
  prices!.figures.setIndicators(`${base}USDT`, '1h', {}, time.now() - 3_600_000);
  prices!.figures.setHours(`${base}USDT`, { ...unknown, sparkline: sparkline(walk()) });
}

/** One call as a browser makes it; the answer stays packed. */
async function ask(path: string, body?: unknown): Promise<Buffer> {
  const headers = { 'accept-encoding': 'gzip', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = new Promise<Buffer>((resolve, reject) => {
    const call = request(server.url + path, { method: body === undefined ? 'GET' : 'POST', headers }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${path} answers ${reply.statusCode ?? ''}`));
      else buffer(reply).then(resolve, reject);
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
  return time.during(answer);
}
const columns = ['price', 'change.24h', 'change.1h', 'quoteVolume', 'highDistance.24h', 'lowDistance.24h', 'rsi.1h'].map((id) => {
  const [key, timeframe] = id.split('.');
  return { key, ...(timeframe && { timeframe }) };
});
const lines = () => ask('/bff/v2/prices/sparklines');
const page = () => ask('/bff/v1/filter/results', { sort: [{ key: 'quoteVolume', direction: 'desc' }], columns, page: 1, pageSize: 1000 });

const packed = await lines();
const whole = gunzipSync(packed);
const { items } = JSON.parse(whole.toString()) as { items: unknown[] };
if (items.length !== PAIRS) throw new Error(`${items.length} lines; nothing is measured`);

/** ms of processor time for a call, the best of several rounds. */
const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, work] of [lines, page].entries()) {
    // What others were told a moment ago is not told again then.
    await time.advance(10_000);
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best[index] = Math.min(best[index]!, (user + system) / 1000);
  }
}
await server.close();
const [ours = 0, screener = 0] = best;
const kB = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
console.log(
  `${PAIRS} sparklines: ${kB(packed.length)} packed, ${kB(whole.length)} whole, ${ours.toFixed(1)} ms of CPU; the screener's first page ${screener.toFixed(1)} ms`,
);
if (packed.length > MOST_BYTES || ours > screener) {
  console.error(`more than ${kB(MOST_BYTES)}, or slower than the screener's first page`);
  process.exitCode = 1;
}
