import { decimal, equals } from '@pilotfish/core/money/decimal';
import { patient } from '@pilotfish/core/testing/patience-factor';
import type { Exchange } from '@pilotfish/simulator/app/exchange';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import type { Market } from '@pilotfish/simulator/market/market-contract';
import type { SocketServer } from '@pilotfish/simulator/websocket/socket-server';
import type { AutoTradesService } from '../src/auto-trades/auto-trades-service.ts';

/** Sockets that keep what they have to say of accounts until the prices of the same moment were heard. */
export type OrderedSockets = SocketServer & { hold(): void; release(): void };
/** The insides of a server and of a simulator in this process: looked at, never touched. */
export type Insides = { service: AutoTradesService; exchange: Exchange; sockets: OrderedSockets };

const PATIENCE_MS = patient(20_000);
const turn = () => new Promise<void>((done) => setImmediate(done));

/** Moments after `from`, up to `to`, at which any of these symbols trades; market ms, ascending. */
export function tradeTimes(market: Market, symbols: readonly string[], from: number, to: number): number[] {
  const times = new Set<number>();
  for (const symbol of symbols) {
    const pair = market.find(symbol)!;
    const length = market.barLength(pair);
    for (let start = Math.floor(from / length) * length; start <= to; start += length) {
      const block = market.ticks(pair, start);
      for (let k = 0; k < block.count; k += 1) if (block.times[k]! > from && block.times[k]! <= to) times.add(block.times[k]!);
    }
  }
  return [...times].sort((a, b) => a - b);
}

/**
 * Moves the market from trade to trade, and only when everybody has done what the last one asked for: every bot has
 * judged it, every decision is written, sent and answered, and server and exchange agree about every order.
 */
export function lockstep(simulator: Simulator, { service, exchange, sockets }: Insides, ids: readonly string[]) {
  let steps = 0;

  /** A coin whose last trade a bot did not judge yet; undefined when there is none. */
  function unheard(): string | undefined {
    for (const id of ids) {
      const bot = service.running(id);
      for (const symbol of bot?.symbols() ?? []) {
        const traded = exchange.view.last(exchange.view.find(symbol)!).time;
        const seen = bot?.engine.inspect(symbol)?.moment?.at ?? 0;
        if (seen < traded) return `${symbol} traded at ${traded}, and a bot stands at ${seen}`;
      }
    }
    return undefined;
  }

  /** An order about which server and exchange do not agree yet; undefined when there is none. */
  function unsettled(): string | undefined {
    for (const id of ids) {
      for (const { order } of service.running(id)?.inFlight() ?? []) {
        const theirs = openOrder(order.clientOrderId);
        if (!theirs || order.cancelRequested || order.orderId === null) return `order ${order.clientOrderId} is on its way`;
        if (!equals(theirs.executed, decimal(order.executed))) return `a fill of ${order.clientOrderId} is on its way`;
      }
    }
    return undefined;
  }

  function openOrder(clientOrderId: string) {
    for (const account of exchange.accounts.accounts.values())
      for (const order of account.openOrders.values()) if (order.clientOrderId === clientOrderId) return order;
    return undefined;
  }

  async function over(waits: () => string | undefined): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (let wait = waits(); wait !== undefined; wait = waits()) {
      if (Date.now() > end) throw new Error(`lockstep(): ${wait}`);
      await turn();
    }
  }

  return {
    get steps() {
      return steps;
    },
    /** Subscriptions leave a moment after they were asked for: resolves when the exchange has them all. */
    listening: (symbols: readonly string[]): Promise<void> =>
      over(() => {
        const followed = new Set([...sockets.followed()].map(({ symbol }) => symbol));
        return symbols.find((symbol) => !followed.has(symbol));
      }),
    /** To each of these moments (market ms) in turn. */
    async through(times: readonly number[]): Promise<void> {
      for (const time of times) {
        const ms = time - simulator.clock.now();
        if (ms <= 0) continue;
        sockets.hold();
        await simulator.clock.advance(ms);
        await over(unheard);
        sockets.release();
        do {
          await over(unsettled);
          await service.settled();
        } while (unsettled() !== undefined);
        steps += 1;
      }
    },
  };
}
