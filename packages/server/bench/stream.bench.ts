import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import type { AppContext } from '../src/app/context.ts';
import type { Authenticator } from '../src/http/guard.ts';
import { createTexts } from '../src/http/texts.ts';
import { tickerBoard } from '../src/market/ticker-board.ts';
import { streamHub } from '../src/stream/stream-hub.ts';
import { registerStream } from '../src/stream/stream-routes.ts';

/**
 * 1,000 listeners on 2,000 symbols, one beat a second: CPU of the serving process per beat (the listeners are another
 * process) and bytes per listener. A quarter of the symbols change each second, as on a busy market; all of them
 * beside it. Listeners that never read: they must be dropped, not fed into memory.
 */
const LISTENERS = 1000;
const DEAF = 20;
const SYMBOLS = 2000;
const BEATS = 12;
const TARGET_MS = 30;
// The benchmark runs as a bundle somewhere below the root; the listeners are found from there.
const here = dirname(fileURLToPath(import.meta.url));
const child = join(
  here.includes('node_modules') ? here.slice(0, here.indexOf('node_modules')) : join(here, '../../..'),
  'packages/server/bench/stream-listeners.mjs',
);

/** Lets in whoever comes, under the name of what they bear. */
const everybody: Authenticator = {
  authenticate: async (bearer) => ({ id: bearer, sessionId: bearer, username: bearer }) as never,
  requireSecondFactor: async () => undefined,
  isAdmin: async () => false,
  requirePermission: async () => undefined,
};
const services = { authenticator: everybody, reads: { admit: async () => undefined, charge: () => undefined }, lag: () => 0 };

async function measure(share: number, encoding: 'gzip' | 'identity') {
  const hub = streamHub({ epoch: 'bench' });
  const server = fastify();
  const context = { stream: hub, texts: createTexts() } as unknown as AppContext;
  registerStream(server, context, services);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const board = tickerBoard();
  const beat = (second: number, part: number) => {
    const events = [];
    for (let n = 0; n < SYMBOLS; n += 1)
      if ((n * 7919 + second * 104_729) % 1000 < part * 1000) {
        const price = (100 + ((n * 31 + second * 17) % 1000) / 37).toFixed(8);
        events.push({
          s: `COIN${n}USDT`,
          E: second * 1000,
          c: price,
          o: '100',
          h: '127.5',
          l: '99.25',
          v: '1',
          q: (1e6 + n * 13.7 + second).toFixed(8),
        });
      }
    board.apply(events);
  };
  beat(0, 1);
  hub.provideState('tickers', () => ({ at: new Date(0).toISOString(), items: board.allRows(), stale: false }));

  const { port } = server.server.address() as AddressInfo;
  const listeners = fork(child, [String(port), String(LISTENERS), encoding, '0']);
  await once(listeners, 'message');
  while (hub.clientCount() < LISTENERS) await new Promise((done) => setTimeout(done, 50));
  await new Promise((done) => setTimeout(done, 1500));
  const bytes = async () => {
    listeners.send('count');
    const [{ bytes: count }] = (await once(listeners, 'message')) as [{ bytes: number }];
    return count;
  };
  const before = await bytes();
  board.takeChanged();
  const times: number[] = [];
  for (let second = 1; second <= BEATS; second += 1) {
    beat(second, share);
    const started = process.cpuUsage();
    hub.publish('tickers', { at: new Date(second * 1000).toISOString(), items: board.takeChanged(), stale: false });
    // The writes that the sockets could not take at once are done by the loop.
    await new Promise((done) => setTimeout(done, 400));
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / 1000);
  }
  await new Promise((done) => setTimeout(done, 500));
  const perListener = ((await bytes()) - before) / LISTENERS / BEATS;
  listeners.disconnect();
  hub.close();
  await server.close();
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)]!, best: times[0]!, perListener };
}

const report = async (name: string, share: number, encoding: 'gzip' | 'identity') => {
  const { median, best, perListener } = await measure(share, encoding);
  console.log(
    `${name.padEnd(40)} ${median.toFixed(1).padStart(6)} ms CPU per beat (best ${best.toFixed(1)})  ${(perListener / 1024).toFixed(1).padStart(6)} kB per listener and beat`,
  );
  return best;
};
console.log(`${LISTENERS} listeners, ${SYMBOLS} symbols`);
const typical = await report('a quarter changed, packed', 0.25, 'gzip');
await report('a quarter changed, plain', 0.25, 'identity');
await report('all changed, packed', 1, 'gzip');
await report('all changed, plain', 1, 'identity');

const before = process.memoryUsage().rss;
let state = tickersOfSize(600_000);
const hub = streamHub({ epoch: 'deaf' });
function tickersOfSize(size: number) {
  return { at: new Date(0).toISOString(), items: [['BTCUSDT', '1', '1', '1', '1', '9'.repeat(size)]] as never, stale: false };
}
const server = fastify();
registerStream(server, { stream: hub, texts: createTexts() } as unknown as AppContext, services);
await server.listen({ port: 0, host: '127.0.0.1' });
const deaf = fork(child, [String((server.server.address() as AddressInfo).port), '0', 'identity', String(DEAF)]);
await once(deaf, 'message');
while (hub.clientCount() < DEAF) await new Promise((done) => setTimeout(done, 50));
let beats = 0;
for (; beats < 200 && hub.clientCount() > 0; beats += 1) {
  state = tickersOfSize(600_000 + beats);
  hub.publish('tickers', state);
  await new Promise((done) => setTimeout(done, 5));
}
console.log(
  `${DEAF} listeners that do not read: ${DEAF - hub.clientCount()} dropped after ${beats} beats of 0.6 MB, memory grew by ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB`,
);
if (hub.clientCount() > 0) process.exitCode = 1;
deaf.disconnect();
hub.close();
await server.close();

if (typical > TARGET_MS) {
  console.error(`more than ${TARGET_MS} ms per beat`);
  process.exitCode = 1;
}
process.exit();
