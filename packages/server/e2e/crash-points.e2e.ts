import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditBots, tracesOf, untilFlat } from '../src/app/testing/bot-audit.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { BEGIN, flat, line, MINUTE, writeMarket } from './path-market.ts';
import { buildServerProgram, callerOf, type ServerProgram } from './server-process.ts';

// The server dies at every single step between a decision and its stored fill: before and after each commit, before
// and after each request about an order. Whatever the moment, after the restart no order is doubled and none is lost.
// Without PILOTFISH_CRASHES=all only some of the moments are tried, spread evenly.

const SAMPLED = 5;
const QUIET = 20;
/** Quiet, down by 2.4 %, up by 5 %, quiet: an entry, two rebuys, a resident stop that follows, a ladder of exits. */
const PATH = [...flat(100_000, QUIET + 4), ...line(100_000, 97_600, 12), ...line(97_600, 102_600, 25), ...flat(102_600, 200)];

/** States of a position whose order may not have been answered. */
const ON_ITS_WAY: ReadonlySet<AutoTradePosition['state']> = new Set(['EntryPending', 'Adding', 'Reducing', 'ExitPending']);
/** Looks, a tenth of a second apart, that the market waits for an answer at the most. */
const MOST_LOOKS = 450;

let folder: string;
let market: string;
let simulator: Simulator | undefined;
let program: ServerProgram;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-crash-'));
  market = writeMarket(join(folder, 'market'), { paths: { BTCUSDT: PATH } });
  program = await buildServerProgram('./crash-point-entry.ts');
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await simulator?.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  program.remove();
});

async function start(dataDir: string, crashAt: number): Promise<string> {
  const started = await program.start(dataDir, {
    PILOTFISH_CRASH_AT: String(crashAt),
    PILOTFISH_EXCHANGE_REST_URL: simulator!.origin,
    PILOTFISH_EXCHANGE_WS_URL: simulator!.wsOrigin,
  });
  child = started.child;
  return started.url;
}

type Run = { story: string[]; crossings: number; crashedAt: string | undefined };

/** One life of a position, with a death at the `crashAt`th step (0: none). */
async function run(name: string, crashAt: number): Promise<Run> {
  const dataDir = join(folder, name);
  simulator = await startSimulator({ market: { kind: 'replay', folder: market, start: BEGIN + QUIET * MINUTE }, paused: true });
  let url = await start(dataDir, crashAt);
  const { call, register } = callerOf(() => url);
  await register();
  const keys = await simulator.createAccount({ burnBnb: false, balances: { USDT: '10000' } });
  await call('/gateway/v2/account/connect/binance', { clientId: keys.apiKey, clientSecret: keys.apiSecret });
  const wallet = await call<Wallet>('/bff/v2/wallets', { name: 'Main', mode: 'live', initialBalance: '9000' });
  const settings = {
    ...BUYS_AT_ONCE,
    walletId: wallet.id,
    rebuys: { levels: [{ dropPct: '0.8' }, { dropPct: '0.8' }], minMinutesBetween: 0 },
    takeProfit: {
      levels: [
        { gainPct: '1', sellPct: '50' },
        { gainPct: '2', sellPct: '50' },
      ],
    },
    stopLoss: { mode: 'percent', pct: '6' },
    protectiveStop: { enabled: true, limitOffsetPct: '1' },
    cooldown: { afterWinMin: 10_000, afterLossMin: 10_000 },
  };
  const { autoTrade: bot } = await call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', settings);
  writeFileSync(join(dataDir, 'armed'), '');
  const died = once(child!, 'exit').then(() => true);
  let alive = true;
  let looks = 0;
  const isDead = () => child!.exitCode !== null || child!.signalCode !== null;
  const revive = async (): Promise<void> => {
    await died;
    url = await start(dataDir, 0);
    alive = true;
    looks = MOST_LOOKS;
  };
  await call(`/bff/v2/auto-trades/${bot.id}/enable`, {}).catch(() => {
    alive = false;
  });
  for (let step = 0; step < PATH.length - QUIET; step += 1) {
    if (!alive || isDead()) await revive();
    const detail = await call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`).catch(() => undefined);
    // Whether an order ever left is known by the clock of the exchange, not by that of the market: it must not run away.
    if (looks > 0 && detail?.positions.some(({ state }) => ON_ITS_WAY.has(state))) {
      await new Promise((done) => setTimeout(done, 100));
      step -= 1;
      looks -= 1;
      continue;
    }
    if (detail?.state === 'Disabled') await call(`/bff/v2/auto-trades/${bot.id}/enable`, {}).catch(() => undefined);
    if (detail?.lastTrace?.kind === 'Exit' && detail.lastTrace.reason !== 'Abandoned' && detail.openPositions === 0) break;
    await simulator.clock.advance(MINUTE);
    await new Promise((done) => setTimeout(done, 60));
  }
  /** It may also die of the very last step: then once more. */
  const survived = async <Result>(work: () => Promise<Result>): Promise<Result> =>
    work().catch(async (error: unknown) => {
      // What it answers is an `Error`, no answer is the `TypeError` of a call.
      if (!(error instanceof TypeError)) throw error;
      await revive();
      return work();
    });
  if (isDead()) await revive();
  await survived(async () => {
    const { state } = await call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`);
    if (state !== 'Disabled') await call(`/bff/v2/auto-trades/${bot.id}/disable`, {});
  });
  expect(await survived(() => untilFlat(call, [bot.id], 90_000))).toEqual([]);
  await auditBots({
    get: call,
    origin: simulator.origin,
    keys,
    autoTradeIds: [bot.id],
    walletIds: [wallet.id],
    symbols: ['BTCUSDT'],
    began: { USDT: '10000' },
  });
  const story = (await tracesOf(call, bot.id)).map(({ kind, reason, after }) => `${kind} ${reason} ${after.level ?? ''}`.trim());
  child!.kill('SIGTERM');
  await once(child!, 'exit');
  await simulator.close();
  simulator = undefined;
  const read = (file: string) => (existsSync(join(dataDir, file)) ? readFileSync(join(dataDir, file), 'utf8').trim() : undefined);
  return { story, crossings: Number(read('crossings') ?? 0), crashedAt: read('crashed') };
}

test('dead at any step from a decision to its stored fill: nothing doubled, nothing lost', { timeout: 3_600_000 }, async () => {
  const whole = await run('whole', 0);
  expect(whole.story[0]).toMatch(/^Entry/);
  expect(whole.story.at(-1)).toMatch(/^Exit TakeProfit/);
  expect(whole.crossings).toBeGreaterThan(30);
  const all = process.env.PILOTFISH_CRASHES === 'all';
  const points = Array.from({ length: whole.crossings }, (_, n) => n + 1).filter(
    (point) => all || point % Math.ceil(whole.crossings / SAMPLED) === 1,
  );
  let same = 0;
  let unreached = 0;
  const others: string[] = [];
  for (const point of points) {
    const crashed = await run(`crash-${point}`, point);
    // A run has a step more or less, as its answers and events happen to meet: the last ones may not be reached.
    if (crashed.crashedAt === undefined) {
      unreached += 1;
      continue;
    }
    // It ends the same way, whatever was abandoned in between.
    expect([point, crashed.story.at(-1)?.startsWith('Exit')]).toEqual([point, true]);
    if (crashed.story.join('\n') === whole.story.join('\n')) same += 1;
    else others.push(crashed.crashedAt!);
  }
  expect(unreached).toBeLessThanOrEqual(Math.ceil(points.length / 20));
  console.info(
    `${whole.crossings} steps, died at ${points.length - unreached} of them: account, ledger and traces agree each time; ` +
      `${same} told the very story of the undisturbed run; the others died ${others.join(', ') || '-'}`,
  );
});
