import type { AddressInfo } from 'node:net';
import { realTimers, type Timers } from '@pilotfish/core/time/timers';
import type { NewAccountOptions } from '../accounts/account-store.ts';
import type { KeyRestrictions } from '../accounts/api-key.ts';
import { Journal } from '../accounts/journal.ts';
import { OrderWay } from '../accounts/order-way.ts';
import { FaultBoard } from '../faults/fault-board.ts';
import { type Fault, type RequestFault, readFault, type ScriptedFault } from '../faults/fault-contract.ts';
import { GENESIS } from '../market/asset-walk.ts';
import type { Market } from '../market/market-contract.ts';
import { openReplay } from '../market/replay-market.ts';
import { SeededMarket } from '../market/seeded-market.ts';
import { type Mirror, openMirror } from '../mirror/mirror.ts';
import type { Upstream } from '../mirror/upstream.ts';
import { createHttpServer } from '../rest/http-server.ts';
import { type Limits, RateLimits, STANDARD_LIMITS } from '../rest/rate-limits.ts';
import { answerSimulatorPath } from '../rest/simulator-endpoints.ts';
import { SocketServer, type SocketTimes, STANDARD_TIMES } from '../websocket/socket-server.ts';
import { Exchange } from './exchange.ts';
import { MarketClock } from './market-clock.ts';

export type SimulatorOptions = {
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 (default) takes any free port. */
  port?: number;
  market:
    | {
        kind: 'seeded';
        seed: string | number;
        /** Market time to begin at, ms; default: now. */
        startTime?: number;
        /** The only pairs it lists, as small as a test can do with; default: all of the table. */
        symbols?: readonly string[];
        /** That market, made before: it is a function of seed and moment, so exchanges of a process may share what it remembers. */
        made?: Market;
      }
    | { kind: 'replay'; folder: string /** Market time to begin at, ms; default: 1,000 bars into the tape. */; start?: number }
    /** The market of another exchange, as it is now: accounts trade here on its prices. Its time is the wall clock's. */
    | {
        kind: 'mirror';
        upstream: Upstream /** Start at once, and read the other exchange meanwhile: until then nothing is answered. */;
        inBackground?: boolean;
      };
  // With a storage folder both are the first start only: a market that was left goes on where it was.
  /** Market milliseconds per wall millisecond, or as fast as possible. Default 1. */
  speed?: number | 'max';
  /** Where accounts, orders and fills are kept; without it they live in memory only. */
  storageFolder?: string;
  /** Name of the file there, where several exchanges share the folder. */
  storageName?: string;
  /** Wall clock, ms. */
  now?: () => number;
  /** Every wait, beside `now`; those of the platform when absent. */
  timers?: Timers;
  log?: (line: string) => void;
  /** Hears that the disk of `storageFolder` refused a write. What was to be written is tried again after it. */
  onStorageRefused?: (error: unknown) => void;
  /** What callers of `/sim/…` must show in `x-sim-key`; everybody may call without it. */
  controlKey?: string;
  /** Start with the market standing still. */
  paused?: boolean;
  /** Gives up a start that still reads recorded candles. */
  signal?: AbortSignal | undefined;
  /** Raise or lower the exchange's limits. */
  limits?: Partial<Limits>;
  /** How often connections are pinged and how long they live. */
  sockets?: Partial<SocketTimes>;
  /** Faults that come at their market time. */
  script?: readonly ScriptedFault[];
};

export type SimulatorStatus = {
  marketTime: number;
  speed: number | 'max';
  paused: boolean;
  kind: Market['kind'];
  symbols: number;
  ended: boolean;
  accounts: number;
  /** How many subscriptions to accounts' events are open. */
  userStreams: number;
};

export type Simulator = {
  /** `http://host:port` */
  readonly origin: string;
  /** `ws://host:port` */
  readonly wsOrigin: string;
  close(): Promise<void>;
  createAccount(options?: NewAccountOptions): Promise<{ apiKey: string; apiSecret: string }>;
  /** What a key may do from now on, as its owner changes it on the exchange's own page. */
  restrict(apiKey: string, restrictions: Partial<KeyRestrictions>): Promise<void>;
  readonly clock: {
    /** Market time, ms. */
    now(): number;
    pause(): void;
    resume(): void;
    /** Moves the market on by `ms` through every trade between; resolves when all of it happened. */
    advance(ms: number): Promise<void>;
    setSpeed(speed: number | 'max'): void;
  };
  /** Failures on purpose, for those who must survive them. */
  readonly faults: {
    /** Hits the next matching request(s). */
    next(fault: RequestFault): void;
    /** Any fault, as `POST /sim/v1/faults` takes it. Throws `RangeError` that names the wrong field. */
    apply(fault: Fault): void;
    /** Ends everything that was asked for. */
    clear(): void;
    /** Cuts every WebSocket; with `announce` after a `serverShutdown` event. */
    dropSockets(announce?: boolean): void;
  };
  status(): SimulatorStatus;
};

/** How often the market's position is kept, wall ms. */
const POSITION_BEAT = 5000;

/**
 * Starts a simulated exchange that speaks Binance's spot protocol on one origin.
 *
 * Two clocks: `/api/v3/time` and the signature window follow the **wall** clock, so unmodified clients work at any
 * market speed. Everything about the market and the orders (candles, tickers, trades, order times, event times E and
 * T) follows the **market** clock. In a seeded market at speed 1 that starts now, both agree.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const wallNow = options.now ?? Date.now;
  const timers = options.timers ?? realTimers;
  const log = options.log ?? (() => undefined);
  const host = options.host ?? '127.0.0.1';
  const speed = options.speed ?? 1;
  checkSpeed(speed);
  const journal =
    options.storageFolder === undefined
      ? undefined
      : await Journal.open(options.storageFolder, {
          name: options.storageName,
          timers,
          onRefused: (error) => {
            log(`journal: ${String(error)}; it is tried again`);
            options.onStorageRefused?.(error);
          },
        });
  const position = await journal?.readPosition();
  const { market, start, mirror } = await openMarket(options, position, wallNow(), { timers, wallNow, log });

  let clock: MarketClock | undefined;
  let faults: FaultBoard | undefined;
  const marketNow = (): number => clock?.now() ?? start;
  // The exchange's own clock can be made wrong; the market's pace never follows that.
  const exchangeNow = (): number => wallNow() + (faults?.skewMs ?? 0);
  const exchange = new Exchange(market, marketNow, exchangeNow, journal, mirror?.view);
  const restore = async (): Promise<void> => journal?.restore(exchange.accounts, market, exchange.engine);
  if (!mirror) await restore();
  const limits = new RateLimits({ ...STANDARD_LIMITS, ...options.limits }, wallNow);
  exchange.firstFill = (accountId) => limits.uncountOrder(accountId);
  const paceOf = (): number | 'max' => clock?.speed ?? speed;
  const way = new OrderWay(exchange.accounts, timers, paceOf);
  const sockets = new SocketServer(
    { exchange, limits, mirror, way, faults: () => board, catchUp: () => clock?.catchUp(), speed: paceOf, timers, log },
    { ...STANDARD_TIMES, ...options.sockets },
  );
  const board = new FaultBoard(exchange, sockets, limits);
  faults = board;
  exchange.deliver = (event) => {
    for (const each of board.pass(event)) sockets.deliver(each);
  };
  const time = new MarketClock(
    market,
    {
      followed: () =>
        mirror ? [] : new Set([...exchange.pairsWithOrders(), ...sockets.followed()].filter((pair) => exchange.view.isMoving(pair))),
      onTick: (tick) => {
        exchange.onTick(tick);
        sockets.onTick(tick);
      },
      onStep: (now, barClosed) => {
        board.onStep(now);
        sockets.onStep(now, barClosed);
      },
      settle: () => exchange.settle(),
    },
    wallNow,
    timers,
    { start, speed, paused: options.paused ?? false, failed: (error) => log(`the market stopped: ${String(error)}`) },
  );
  clock = time;

  const status = (): SimulatorStatus => ({
    marketTime: time.now(),
    speed: time.speed,
    paused: time.paused,
    kind: market.kind,
    symbols: exchange.view.listed().length,
    ended: time.ended,
    accounts: exchange.accounts.accounts.size,
    userStreams: sockets.userStreams,
  });
  const setSpeed = (next: number | 'max'): void => {
    if (mirror) throw new RangeError(NO_CLOCK);
    checkSpeed(next);
    time.setSpeed(next);
  };
  board.plan(options.script ?? [], start);
  const server = createHttpServer({
    faults: board,
    timers,
    exchange,
    limits,
    mirror,
    way,
    catchUp: () => time.catchUp(),
    other: (method, path, body) =>
      answerSimulatorPath(
        { exchange, time: mirror ? undefined : time, setSpeed, status, faults: board, forget: (apiKey) => sockets.forget(apiKey) },
        method,
        path,
        body,
      ),
    controlKey: options.controlKey,
    log,
  });
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  if (market.kind === 'seeded' && position !== undefined && !options.paused && position < wallNow()) {
    // The exchange did not stop because this process did: open orders meet every trade of the time between.
    await time.advance(wallNow() - position);
  }
  const begun = mirror?.begin(exchange, restore, position);
  if (options.market.kind === 'mirror' && options.market.inBackground)
    begun?.catch((error: unknown) => log(`the mirror could not begin: ${String(error)}`));
  else await begun;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  time.start();
  // Up to where orders have met the market: what they missed is asked for from there at the next start.
  const recordPosition = async (): Promise<void> => {
    if (mirror?.isCurrent !== false) await journal?.recordPosition(time.now());
  };
  const positions =
    journal && timers.every(POSITION_BEAT, () => void recordPosition().catch((error: unknown) => log(`journal: ${String(error)}`)));

  const { port } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    origin: `http://${authority}`,
    wsOrigin: `ws://${authority}`,
    status,
    createAccount: (account = {}) => exchange.createAccount(account),
    restrict: (apiKey, restrictions) => exchange.restrict(apiKey, restrictions),
    clock: {
      now: () => time.now(),
      pause: () => time.pause(),
      resume: () => time.resume(),
      advance: (ms) => time.advance(ms),
      setSpeed,
    },
    faults: {
      next: (fault) => board.next(fault),
      apply: (fault) => board.apply(readFault(fault)),
      clear: () => board.clear(),
      dropSockets: (announce = false) => sockets.drop(announce),
    },
    close: async () => {
      positions?.();
      way.close();
      mirror?.close();
      await time.close();
      // Nobody waits for a full disk: the process ends.
      journal?.end();
      await exchange.settle();
      sockets.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await recordPosition();
      await journal?.close();
    },
  };
}

const NO_CLOCK = 'A mirrored market has the time of its exchange: it cannot be paused, moved or sped up.';

function checkSpeed(speed: number | 'max'): void {
  if (speed !== 'max' && !(Number.isFinite(speed) && speed > 0)) throw new RangeError("speed must be a number above 0 or 'max'");
}

async function openMarket(
  options: SimulatorOptions,
  position: number | undefined,
  now: number,
  parts: { timers: Timers; wallNow: () => number; log: (line: string) => void },
): Promise<{ market: Market; start: number; mirror?: Mirror }> {
  if (options.market.kind === 'mirror') {
    if (options.speed !== undefined && options.speed !== 1) throw new RangeError(NO_CLOCK);
    const mirror = openMirror({ upstream: options.market.upstream, ...parts });
    return { market: mirror.pairs, start: now, mirror };
  }
  if (options.market.kind === 'replay') {
    const market = await openReplay(options.market.folder, options);
    return { market, start: position ?? options.market.start ?? market.defaultStart };
  }
  const market = options.market.made ?? new SeededMarket(options.market.seed, options.market.symbols);
  const start = options.market.startTime ?? now;
  if (start < GENESIS) throw new RangeError(`market.startTime must not be before ${new Date(GENESIS).toISOString()}`);
  return { market, start: position ?? start };
}
