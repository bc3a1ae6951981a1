import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, Server as HttpServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { startSimulator } from '@pilotfish/simulator/app/simulator';
import { BEGIN } from '../e2e/path-market.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { measuredLag } from '../src/http/loop-lag.ts';
import { READ_LIMITS } from '../src/http/read-limiter.ts';

/**
 * One account floods the server while exits of another are due: how long they take from the moment the market begins to
 * move until the order reaches the exchange, ms. The flood uploads one large file after the other, reads as much as it can,
 * holds all the streams it may have, changes its bots without a pause, and lets 50 bots follow 1,000 coins whose exits are
 * due in the same moments. Where others on this machine keep the process waiting for a processor, the figures say nothing
 * of the server, and nothing is judged. The exchange and the flood are processes of their own: what is measured is the server.
 */
const BOUND_MS = 1000;
/** Most that the process may have waited for a processor, as a share of the time, for a verdict. */
const STARVED = 0.2;
const COINS = 24;
/** Prices rise so often, by a percent each time, with so many seconds between. */
const STEPS = 10;
const PAUSE = 3;
/** Seconds of the market before it begins, and until its first rise: positions are bought then, and the flood begins. */
const [BEFORE, FLAT] = [1800, 40];
/** As the quotas allow: `quotas.bots`, `quotas.coins`. */
const FLOOD_BOTS = 50;
const FLOOD_COINS = 20;

const symbols = Array.from({ length: COINS }, (_, index) => `COIN${index}USDT`);
const percent = (share: number) => `${Math.round(share * 100)} %`;
/** How long the main thread was ready and had no processor, ms; 0 where the system does not tell. */
const unserved = (): number => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
};
const wall = () => performance.timeOrigin + performance.now();
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Order = { readonly symbol: string; readonly side: string; readonly key: string; readonly at: number };

/** The exchange: tells when each order came. */
async function exchange(): Promise<void> {
  const orders: Order[] = [];
  const emit = Reflect.get(HttpServer.prototype, 'emit') as (this: HttpServer, event: string, ...rest: unknown[]) => boolean;
  HttpServer.prototype.emit = function (this: HttpServer, event: string, ...rest: unknown[]) {
    const [asked] = rest as [{ method?: string; url?: string; headers: Record<string, string> }];
    if (event === 'request' && asked.method === 'POST' && asked.url?.startsWith('/api/v3/order?')) {
      const query = new URLSearchParams(asked.url.slice(asked.url.indexOf('?')));
      orders.push({
        symbol: query.get('symbol') ?? '',
        side: query.get('side') ?? '',
        key: asked.headers['x-mbx-apikey'] ?? '',
        at: wall(),
      });
    }
    return emit.call(this, event, ...rest);
  } as typeof emit;
  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-bench-'));
  const rises = Array.from({ length: STEPS }, (_, step) => BEFORE + FLAT + step * PAUSE);
  const prices = Array.from({ length: BEFORE + FLAT + STEPS * PAUSE + 600 }, (_, second) => {
    const risen = rises.filter((each) => each <= second).length;
    return risen === 0 ? 10_000 : 10_050 + risen * 100;
  });
  const lines = prices.map((price, second) => {
    const [open, at] = [prices[second - 1] ?? price, BEGIN + second * 1000];
    return [
      at,
      open,
      Math.max(open, price),
      Math.min(open, price),
      price,
      50.00001,
      at + 999,
      50.00001 * price,
      10,
      25,
      25 * price,
      0,
    ].join(',');
  });
  for (const symbol of symbols) writeFileSync(join(folder, `${symbol}-1s-path.csv`), `${lines.join('\n')}\n`);
  const simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + BEFORE * 1000 }, paused: true });
  rmSync(folder, { recursive: true });
  const risen: number[] = [];
  let second = BEFORE;
  // As fast as the wall clock, a second at a time: when each rise begins is known.
  const tick = async () => {
    if (rises.includes(second)) risen.push(wall());
    second += 1;
    await simulator.clock.advance(1000);
  };
  process.on('message', async (message: 'account' | 'start' | 'tell') => {
    if (message === 'account') process.send?.(await simulator.createAccount({ balances: { USDT: '1000000' } }));
    else if (message === 'tell') process.send?.({ orders, risen });
    else {
      setInterval(() => void tick(), 1000);
      process.send?.('started');
    }
  });
  process.send?.({ rest: simulator.origin, stream: simulator.wsOrigin });
}

/** Everything that an account may do, as often as it can. */
async function flood(url: string, token: string, bots: readonly string[], config: object): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const counts: Record<string, number> = {};
  const call = (what: string, method: string, path: string, body?: string, then?: (text: string) => void, type = 'application/json') =>
    new Promise<void>((resolve) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
      };
      const asked = request(`${url}${path}`, { agent, method, headers }, (answer) => {
        const name = `${what} ${answer.statusCode}`;
        counts[name] = (counts[name] ?? 0) + 1;
        const parts: Buffer[] = [];
        answer
          .on('data', (part: Buffer) => then && parts.push(part))
          .once('close', () => {
            then?.(Buffer.concat(parts).toString());
            resolve();
          });
      });
      asked.once('error', () => resolve());
      asked.end(body);
    });
  const line = '2025-01-01 10:00:00,BTCUSDT,BUY,50000,0.001BTC,50USDT,0.01USDT\n';
  const files = [
    `Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n${line.repeat(300_000)}`,
    `Date(UTC),Pair,Side,Price,Executed,Amount,Fee\n${','.repeat(20_000_000)}`,
  ].map(
    (text) => `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n--x--\r\n`,
  );
  void (async () => {
    for (let turn = 0; ; turn += 1)
      await call(
        'upload',
        'POST',
        '/bff/v2/import-trades/Binance?preview=true',
        files[turn % 2],
        undefined,
        'multipart/form-data; boundary=x',
      ).then(() => wait(20));
  })();
  for (let stream = 0; stream < 40; stream += 1) {
    const asked = request(`${url}/bff/v2/stream`, { headers: { authorization: `Bearer ${token}` } }, (answer) => answer.resume());
    asked.once('error', () => undefined).end();
  }
  const reads = [
    '/bff/v1/pairs',
    '/bff/v1/tickers',
    '/bff/v2/auto-trades',
    `/bff/v2/auto-trades/${bots[0]}/detail`,
    '/bff/v2/positions/open',
  ];
  setInterval(() => {
    for (let n = 0; n < 10; n += 1) void call('read', 'GET', reads[Math.floor(Math.random() * reads.length)] ?? '');
  }, 50);
  const change = async (bot: string): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      await call('change', 'PUT', `/bff/v2/auto-trades/${bot}`, JSON.stringify({ ...config, name: `Changed ${bot} ${turn % 7}` }));
      await call('look', 'PUT', `/bff/v2/auto-trades/${bot}?validateOnly=true`, JSON.stringify(config));
    }
  };
  for (const bot of bots) void change(bot);
  // What an account may have: each is enabled as soon as the exchange has told enough for it.
  for (let bot = 1; bot < FLOOD_BOTS; bot += 1)
    void call('bot', 'POST', '/bff/v2/auto-trades', JSON.stringify({ ...config, name: `Flood ${bot}` }), (text) => {
      const { autoTrade } = JSON.parse(text) as { autoTrade?: AutoTrade };
      if (autoTrade) void call('enabled', 'POST', `/bff/v2/auto-trades/${autoTrade.id}/enable`, '{}');
    });
  process.on('message', () => process.send?.(counts));
  process.send?.('begun');
}

const settings = (name: string, walletId: string, coins: readonly string[]) => ({
  name,
  walletId,
  coins: { symbols: coins },
  maxOpenPositions: coins.length,
  entry: {
    size: { mode: 'fixed', value: '500' },
    trigger: { kind: 'immediate' },
    trailing: { enabled: false },
    order: { type: 'Market' },
    maxSpreadPct: '5',
  },
  takeProfit: { levels: Array.from({ length: STEPS }, (_, level) => ({ gainPct: String(level + 1), sellPct: '10' })) },
  stopLoss: { mode: 'none' },
});

async function run(name: string, isFlooded: boolean): Promise<{ p99: number; starved: number }> {
  const self = fileURLToPath(import.meta.url);
  const venue = fork(self, ['exchange']);
  const ask = async <Answer>(message?: string): Promise<Answer> => {
    const answer = once(venue, 'message');
    if (message !== undefined) venue.send(message);
    return ((await answer) as [Answer])[0];
  };
  const origins = await ask<{ rest: string; stream: string }>();
  const { lag, stop } = measuredLag(() => performance.now());
  const server = await startTestServer({
    realClock: true,
    readLimits: READ_LIMITS,
    loopLag: lag,
    logLevel: 'warn',
    settings: { exchangeRestUrl: origins.rest, exchangeWsUrl: origins.stream },
  });
  const trader = async (): Promise<{ user: SignedInUser; key: string; wallet: Wallet }> => {
    const user = await server.register();
    const keys = await ask<{ apiKey: string; apiSecret: string }>('account');
    await must(user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } }));
    const wallet = await must(user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '900000' } }));
    return { user, key: keys.apiKey, wallet };
  };
  const begin = async ({ user, wallet }: Awaited<ReturnType<typeof trader>>, bot: string, coins: readonly string[]): Promise<string> => {
    const { autoTrade } = await must(user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: settings(bot, wallet.id, coins) }));
    await must(user.call(`/bff/v2/auto-trades/${autoTrade.id}/enable`, { body: {} }));
    return autoTrade.id;
  };
  const victim = await trader();
  const attacker = isFlooded ? await trader() : undefined;
  await ask('start');
  const told = () => ask<{ orders: Order[]; risen: number[] }>('tell');
  const ofVictim = async (wanted: string) => (await told()).orders.filter(({ key, side }) => key === victim.key && side === wanted);
  await begin(victim, 'Mine', symbols);
  while ((await ofVictim('BUY')).length < COINS) await wait(1000);
  const helpers: ChildProcess[] = [];
  if (attacker) {
    const coins = symbols.slice(0, FLOOD_COINS);
    const bots = [await begin(attacker, 'Flood', coins)];
    const config = settings('Changed', attacker.wallet.id, coins);
    const helper = fork(self, ['flood', JSON.stringify({ url: server.url, token: attacker.user.session.accessToken, bots, config })]);
    await once(helper, 'message');
    helpers.push(helper);
  }
  if ((await told()).risen.length > 0) throw new Error('it took too long to begin');
  const [begun, waited] = [wall(), unserved()];
  while ((await told()).risen.length < STEPS) await wait(1000);
  await wait(2 * PAUSE * 1000);
  const { risen } = await told();
  const starved = (unserved() - waited) / (wall() - begun);
  // Each rise sells a tenth of every coin: the first sale of a coin belongs to the first rise.
  const sales = await ofVictim('SELL');
  const waits = sales.map(({ symbol, at }) => at - (risen[sales.filter((each) => each.symbol === symbol && each.at < at).length] ?? 0));
  const counts = await Promise.all(
    helpers.map(async (helper) => {
      helper.send('tell');
      const [told] = (await once(helper, 'message')) as [unknown];
      helper.kill();
      return told;
    }),
  );
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.POSITIVE_INFINITY;
  console.log(
    `${name.padEnd(12)} p50 ${at(0.5).toFixed(0)} p99 ${at(0.99).toFixed(0)} longest ${at(1).toFixed(0)} ms of ${sorted.length} exits; ${percent(starved)} of the time without a processor; ${JSON.stringify(counts)}`,
  );
  stop();
  await server.close();
  venue.kill();
  return { p99: sorted.length < COINS * STEPS ? Number.POSITIVE_INFINITY : at(0.99), starved };
}

async function must<Body>(asked: ReturnType<TestServer['call']> | Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = (await asked) as { status: number; body: Body };
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body).slice(0, 400)}`);
  return body;
}

const [, , role, given] = process.argv;
// A helper ends with whoever began it.
if (role !== undefined) process.once('disconnect', () => process.exit());
if (role === 'exchange') await exchange();
else if (role === 'flood') {
  const { url, token, bots, config } = JSON.parse(given ?? '') as { url: string; token: string; bots: string[]; config: object };
  await flood(url, token, bots, config);
} else {
  await run('nobody else', false);
  const { p99, starved } = await run('flooded', true);
  if (starved > STARVED) console.error('no verdict: others kept the processors of this machine');
  else if (p99 > BOUND_MS) {
    console.error(`more than ${BOUND_MS} ms until an exit reaches the exchange`);
    process.exitCode = 1;
  }
}
