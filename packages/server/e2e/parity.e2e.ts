import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { createAutoTradeEngine, type EngineStep } from '@pilotfish/core/auto-trades/engine/auto-trade-engine';
import { replayTape, type TapeRecord, tapePlayer } from '@pilotfish/core/auto-trades/engine/tape';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { runTickBacktest } from '@pilotfish/core/backtest/tick-backtest';
import { traceParity } from '@pilotfish/core/backtest/tick-parity';
import { readTickTape } from '@pilotfish/core/backtest/tick-tape';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { openReplay } from '@pilotfish/simulator/market/replay-market';
import type { SocketServer } from '@pilotfish/simulator/websocket/socket-server';
import { afterEach, expect, test, vi } from 'vitest';
import { type Get, tracesOf } from '../src/app/testing/bot-audit.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { type Insides, lockstep, type OrderedSockets, tradeTimes } from './lockstep.ts';
import { PARITY_BOTS, settingsOf } from './parity-bots.ts';

// Paper bots trade over the simulator, by the real protocol, while everything they are told is recorded. Then everything
// about orders is taken out of the recordings, and a backtest has to come to the same traces by its own exchange.
// Six hours of recorded market by default; PILOTFISH_PARITY_HOURS=24 is a whole day.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOURS = Number(process.env.PILOTFISH_PARITY_HOURS ?? 6);
const recorded = resolve(import.meta.dirname, '../../../../shared/data/klines');
const files = existsSync(recorded) ? readdirSync(recorded).filter((name) => /^(BTC|ETH)USDT-1m-2025/.test(name)) : [];
if (files.length < 2) console.warn('No recorded candles beside the project: parity is NOT tested on the recorded market.');

const insides: Partial<Insides> = {};
vi.mock('../src/auto-trades/auto-trades-service.ts', async (original) => {
  const real = await original<typeof import('../src/auto-trades/auto-trades-service.ts')>();
  const watched = (...given: Parameters<typeof real.autoTradesService>) => {
    insides.service = real.autoTradesService(...given);
    return insides.service;
  };
  return { ...real, autoTradesService: watched };
});
vi.mock('../../simulator/src/app/exchange.ts', async (original) => {
  const real = await original<typeof import('@pilotfish/simulator/app/exchange')>();
  class Watched extends real.Exchange {
    constructor(...given: ConstructorParameters<typeof real.Exchange>) {
      super(...given);
      insides.exchange = this;
    }
  }
  return { ...real, Exchange: Watched };
});
vi.mock('../../simulator/src/websocket/socket-server.ts', async (original) => {
  const real = await original<typeof import('@pilotfish/simulator/websocket/socket-server')>();
  // Between two connections nothing says what comes first: here prices do, and what a trade did to orders follows.
  class Ordered extends real.SocketServer implements OrderedSockets {
    private held: Parameters<SocketServer['deliver']>[0][] | undefined;
    constructor(...given: ConstructorParameters<typeof real.SocketServer>) {
      super(...given);
      insides.sockets = this;
    }
    hold(): void {
      this.held ??= [];
    }
    release(): void {
      const held = this.held ?? [];
      this.held = undefined;
      for (const event of held) super.deliver(event);
    }
    override deliver(event: Parameters<SocketServer['deliver']>[0]): void {
      if (this.held) this.held.push(event);
      else super.deliver(event);
    }
  }
  return { ...real, SocketServer: Ordered };
});

let folder: string | undefined;
let simulator: Simulator | undefined;
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  await simulator?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** `shares`: its wallet is that of the bot before. */
type BotToRun = {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly settings: object;
  readonly shares?: true | undefined;
};

/** A market over a folder of candles, a server that trades on it, and bots at work. */
async function begin(bots: readonly BotToRun[], start: number, speed?: number) {
  simulator = await startSimulator({
    market: { kind: 'replay', folder: folder!, start },
    ...(speed === undefined ? { paused: true } : { speed }),
    limits: { weightPerMinute: 10_000_000, requestsPer5Minutes: 10_000_000, ordersPer10Seconds: 10_000, ordersPerDay: 10_000_000 },
  });
  server = await startTestServer({
    realClock: true,
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, recordTapes: true },
  });
  const user = await server.register();
  const get: Get = async <Body>(path: string) => (await user.call<Body>(path)).body;
  const running: { name: string; id: string }[] = [];
  let walletId = '';
  for (const bot of bots) {
    if (!bot.shares) {
      const { body } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: bot.name, mode: 'paper', initialBalance: '1000' } });
      walletId = body.id;
    }
    const created = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: { ...bot.settings, name: bot.name, walletId, coins: { symbols: bot.symbols } },
    });
    expect(created.status, `${bot.name}: ${JSON.stringify(created.body)}`).toBe(200);
    const { id } = created.body.autoTrade;
    const enabled = await user.call<AutoTrade>(`/bff/v2/auto-trades/${id}/enable`, { method: 'POST', body: {} });
    // Where the market has just fallen its own guard holds it from the first moment on, and that is said at once.
    const held = enabled.body.state === 'Paused' && created.body.autoTrade.config.protections.btcGuard != null;
    expect(enabled.body).toMatchObject(held ? { stateReason: 'btcGuard' } : { state: 'Running' });
    running.push({ name: bot.name, id });
  }
  return { user, get, running, simulator, server };
}

/** Lets bots trade from trade to trade of the market, and runs each recording again. */
async function trade(bots: readonly BotToRun[], start: number, hours: number) {
  const { user, get, running, simulator, server } = await begin(bots, start);
  const symbols = [...new Set(bots.flatMap((bot) => bot.symbols))];
  const times = tradeTimes(await openReplay(folder!), symbols, simulator.clock.now(), start + hours * HOUR);
  const ids = running.map(({ id }) => id);
  const step = lockstep(simulator, insides as Insides, ids);
  await step.listening(symbols);
  await step.through(times);

  const totals = { bots: 0, steps: step.steps, ticks: 0, orders: 0, inParts: 0, traces: 0, beyondBest: 0 };
  const kinds: Record<string, number> = {};
  const differing: unknown[] = [];
  for (const { name, id } of running) {
    const recorded = await tracesOf(get, id);
    const tape = await tapeUntil(user, id, recorded.length);
    expect(traceParity(recorded, replayTape(tape)).difference).toBeNull();
    const run = runTickBacktest({ records: tape.filter(({ type }) => type !== 'order' && type !== 'fee') });
    const { difference, ...same } = traceParity(recorded, run.traces);
    if (difference) differing.push({ name, ...same, ...difference });
    totals.bots += 1;
    totals.ticks += run.counts.ticks;
    totals.orders += run.counts.orders;
    totals.inParts += filledInParts(recorded);
    totals.traces += recorded.length;
    totals.beyondBest += run.counts.beyondBest;
    for (const { kind, reason } of recorded) kinds[`${kind} ${reason}`] = (kinds[`${kind} ${reason}`] ?? 0) + 1;
    expect(run.report.refusals).toEqual({});
  }
  console.info(
    Object.entries({ ...totals, ...kinds })
      .map(([what, count]) => `${what} ${count}`)
      .join(', '),
  );
  expect(differing).toEqual([]);
  // A tape says what its owner does and has: nobody else is given it.
  const stranger = await server.register();
  expect((await stranger.call(`/bff/v2/auto-trades/${running[0]!.id}/tape`)).status).toBe(404);
  return { totals, kinds };
}

test.runIf(files.length >= 2)('a market that does not wait: what differs is the time that orders take, and nothing else', async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-parity-'));
  for (const name of files) symlinkSync(join(recorded, name), join(folder, name));
  const settings = {
    ...settingsOf(PARITY_BOTS[0]!),
    entry: {
      size: { mode: 'fixed', value: '60' },
      trigger: { kind: 'immediate' },
      trailing: { enabled: false },
      order: { type: 'Market' },
      maxSpreadPct: '5',
    },
    takeProfit: { levels: [{ gainPct: '0.25', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '0.2' },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
  };
  const bots = ['BTCUSDT', 'ETHUSDT'].map((symbol) => ({ name: symbol, symbols: [symbol], settings }));
  const { user, running } = await begin(bots, Date.UTC(2025, 5, 22, 13), 300);
  const tapes = async () => Promise.all(running.map(async ({ id }) => takenAt(await wholeTape(user, id))));
  await expect.poll(async () => (await tapes()).flat().length, { timeout: 60_000, interval: 500 }).toBeGreaterThan(30);
  const taken = (await tapes()).flat();
  const late = taken.map(({ ticks }) => ticks).sort((a, b) => a - b);
  console.info(
    `${taken.length} fills, ${late.filter((ticks) => ticks === 0).length} of them before the next trade, the latest ${late.at(-1)} trades later`,
  );
  expect(taken.filter(({ price, best }) => price !== best)).toEqual([]);
  expect(late.at(-1)).toBeLessThan(30);

  // What was recorded goes with the account.
  const { accountId } = insides.service!.running(running[0]!.id)!.bot;
  for (const forget of server!.context.accountExtras.afterDelete) await forget(accountId);
  expect(await wholeTape(user, running[0]!.id)).toEqual([]);
});

/** What each order at the market was filled at, the best price by the recording then, and the trades since its decision. */
function takenAt(records: readonly TapeRecord[]): { price: number; best: number; ticks: number }[] {
  const decided = decisionsOf(records);
  const trades = records.filter((record) => record.type === 'tick');
  return records.flatMap((record) => {
    if (record.type !== 'order' || record.input.type !== 'filled') return [];
    const { price, at, feeAsset, clientOrderId } = record.input;
    const standing = trades.findLast((trade) => trade.at <= at)!;
    const since = trades.filter((trade) => trade.at > decided.get(clientOrderId)! && trade.at <= at);
    return [{ price: Number(price), best: feeAsset === 'USDT' ? standing.bid : standing.ask, ticks: since.length }];
  });
}

/** When each order was decided, market ms. */
function decisionsOf([first, ...rest]: readonly TapeRecord[]): Map<string, number> {
  const decided = new Map<string, number>();
  if (first?.type !== 'activated') throw new Error('the tape does not begin with an activation');
  const emit = ({ context }: EngineStep) => {
    for (const effect of context.effects) if (effect.kind === 'place') decided.set(effect.order.clientOrderId, effect.order.placedAt);
  };
  const engine = createAutoTradeEngine({ ...first, wallet: { ...first.wallet }, emit });
  const player = tapePlayer(engine, first.config, engine.symbols);
  for (const record of rest) if (record.type !== 'activated' && record.type !== 'wallet') player.play(record);
  return decided;
}

/** Orders that were filled by more than one trade. */
function filledInParts(traces: readonly StoredTrace[]): number {
  const fills = new Map<string, number>();
  for (const { orderId, tradeId } of traces) if (orderId && tradeId) fills.set(orderId, (fills.get(orderId) ?? 0) + 1);
  return [...fills.values()].filter((count) => count > 1).length;
}

/** What a bot was told until now, once it is on disk: a tape is written beside everything else. */
const tapeUntil = (user: SignedInUser, id: string, traces: number): Promise<TapeRecord[]> =>
  until('the tape being on disk', async () => {
    const tape = await wholeTape(user, id);
    const { engine } = insides.service!.running(id)!;
    const heardOf = (symbol: string) =>
      tape.findLast((record) => record.type === 'tick' && record.symbol === symbol) as { at: number } | undefined;
    const isWhole = engine.symbols.every((symbol) => heardOf(symbol)?.at === engine.inspect(symbol)?.moment?.at);
    return isWhole && replayTape(tape).length >= traces && tape;
  });

/** Fetched as its owner does. */
async function wholeTape(user: SignedInUser, id: string): Promise<TapeRecord[]> {
  const { body } = await user.call<string>(`/bff/v2/auto-trades/${id}/tape`);
  return [...readTickTape(body.split('\n'))];
}

test.runIf(files.length >= 2)(
  'recorded candles: paper over the simulator equals a backtest over its ticks',
  { timeout: 60_000 + HOURS * 20_000 },
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'pilotfish-parity-'));
    for (const name of files) symlinkSync(join(recorded, name), join(folder, name));
    const pair = { first: 'BTCUSDT', second: 'ETHUSDT' };
    const bots = PARITY_BOTS.map((bot) => ({
      name: bot.name,
      symbols: bot.coins.map((coin) => pair[coin]),
      settings: settingsOf(bot),
      shares: bot.shares,
    }));
    const { totals, kinds } = await trade(bots, Date.UTC(2025, 5, 22, 13), HOURS);
    expect(totals).toMatchObject({ bots: 16, ticks: 14 * HOURS * 240 + 2 * HOURS * 480, beyondBest: 0 });
    expect(totals.traces).toBeGreaterThan(300);
    expect(Object.keys(kinds)).toEqual(
      expect.arrayContaining([
        'Entry Drop',
        'Buy Rebuy',
        'CostMovedUp Raised',
        'Sell TakeProfit',
        'Exit StopLoss',
        'Exit TrailingCost',
        'Exit Abandoned',
      ]),
    );
  },
);

test('a thin market with holes and jumps: what only fills in parts fills in the same parts', async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-parity-'));
  const begin = Date.UTC(2026, 0, 5);
  for (const [index, [symbol, price, places]] of THIN.entries())
    writeFileSync(join(folder, `${symbol}-1m-thin.csv`), thinMarket(index + 1, price, places, begin, 330));
  // Everybody has coins of his own: what one takes of a thin book is missing for the next.
  let next = 0;
  const bots = PARITY_BOTS.filter(({ rests }) => rests).map((bot) => ({
    name: bot.name,
    symbols: bot.coins.map(() => THIN[next++]![0]),
    settings: settingsOf(bot),
  }));
  const { totals } = await trade(bots, begin + 90 * MINUTE, 4);
  expect(totals.inParts).toBeGreaterThan(5);
  expect(totals.traces).toBeGreaterThan(100);
});

const THIN = [
  ['BTCUSDT', 60_000, 2],
  ['ETHUSDT', 3000, 2],
  ['BNBUSDT', 600, 2],
  ['SOLUSDT', 150, 2],
  ['XRPUSDT', 0.6, 4],
  ['ADAUSDT', 0.4, 4],
  ['LTCUSDT', 80, 2],
  ['LINKUSDT', 15, 3],
  ['AVAXUSDT', 30, 3],
  ['DOTUSDT', 6, 3],
] as const;

/** Seeded minutes of a market in which little is traded: some are missing, some jump, and some trade nothing. */
function thinMarket(seed: number, price: number, places: number, begin: number, minutes: number): string {
  let state = seed;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const rows: string[] = [];
  let last = price;
  for (let minute = 0; minute < minutes; minute += 1) {
    const kind = draw();
    const move = (draw() - 0.5) * (kind < 0.02 ? 0.02 : 0.004) + (price / last - 1) * 0.01;
    const open = last;
    last *= 1 + move;
    const [top, bottom] = [draw() * 0.001, draw() * 0.001];
    const worth = kind > 0.98 ? 0 : 200 * 200 ** draw();
    if (kind > 0.95 && kind < 0.97) continue;
    const at = begin + minute * MINUTE;
    const cells = [open, Math.max(open, last) * (1 + top), Math.min(open, last) * (1 - bottom), last].map((value) => value.toFixed(places));
    rows.push([at, ...cells, (worth / last).toFixed(5), at + MINUTE - 1, worth.toFixed(2), 4, 0, 0, 0].join(','));
  }
  return `${rows.join('\n')}\n`;
}
