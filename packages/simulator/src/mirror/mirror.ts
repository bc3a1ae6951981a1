import { decimal } from '@pilotfish/core/money/decimal';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Exchange } from '../app/exchange.ts';
import type { Pair } from '../market/market-contract.ts';
import { ticksOf } from '../matching/book-walk.ts';
import { ApiError } from '../rest/api-error.ts';
import { LiveFeed, unreachable } from './live-feed.ts';
import { MirrorView } from './mirror-view.ts';
import { MirroredPairs, mirroredInfo, type PairChange } from './mirrored-pairs.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';
import { miniTickers, parseJson, priceRows } from './upstream-rows.ts';

/** How old the rules of pairs may be, ms; what they cost, in weight. */
const RULES_AGE = 60_000;
const INFO_WEIGHT = 20;
/** Between two tries to read an exchange that does not answer, ms. */
const BEGIN_AGAIN = 5000;

/**
 * The market of another exchange of the same protocol: what is public is passed through, and orders meet its trades and
 * its book here. Accounts never trade there.
 */
export type Mirror = {
  readonly upstream: Upstream;
  readonly pairs: MirroredPairs;
  readonly view: MirrorView;
  /**
   * Asks the exchange what it lists, has accounts and orders read back, and brings the trades that the orders missed since
   * `since`, ms. While the exchange does not answer this is tried again and again, and nothing is answered here.
   */
  begin(exchange: Exchange, restore: () => Promise<void>, since: number | undefined): Promise<void>;
  /** Whether open orders have met every trade up to now. */
  readonly isCurrent: boolean;
  /** Waits for the try that is under way. @throws ApiError before everything is read back: an account that is not known yet is none that does not exist */
  requireBegun(): Promise<void>;
  /** Resolves when what an order in this pair meets is known. @throws ApiError */
  prepare(symbol: string): Promise<void>;
  /** A public question, passed on. @throws ApiError where no answer came */
  forward(path: string, query: string, weight: number): Promise<UpstreamAnswer>;
  close(): void;
};

export function openMirror(options: {
  readonly upstream: Upstream;
  readonly wallNow: () => number;
  readonly timers: Timers;
  readonly log: (line: string) => void;
}): Mirror {
  const { upstream, wallNow: now, timers, log } = options;
  const pairs = new MirroredPairs();
  const view = new MirrorView(pairs, options.wallNow);
  let exchange: Exchange | undefined;
  let feed: LiveFeed | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let begun = false;
  let closed = false;
  let beginning: Promise<void> | undefined;
  let reading: Promise<void> | undefined;
  const ends: (() => void)[] = [];

  const ask = async (path: `/${string}`, query: string, weight: number): Promise<UpstreamAnswer> => {
    try {
      return await upstream.get(path, query, weight);
    } catch {
      throw unreachable();
    }
  };

  function apply(change: PairChange): void {
    if (!exchange) return;
    const { engine } = exchange;
    if (change.kind === 'rules') engine.filters.set(change.pair, change.filters);
    else if (change.kind === 'gone') engine.expireAll(change.pair);
    else {
      view.forget(change.pair);
      for (const order of engine.openByPair.get(change.pair.index) ?? []) {
        order.priceTicks *= change.price;
        order.stopTicks *= change.price;
        order.trailingTicks *= change.price;
      }
    }
  }

  async function readRules(): Promise<void> {
    const { status, text } = await ask('/api/v3/exchangeInfo', 'showPermissionSets=false', INFO_WEIGHT);
    const info = mirroredInfo.safeParse(parseJson(text));
    if (status !== 200 || !info.success) throw unreachable();
    for (const change of pairs.update(info.data.symbols)) apply(change);
    // None at all: another shape, and no exchange without pairs. Orders would be lost for it.
    if (pairs.pairs.length === 0) throw unreachable();
    readAt = now();
    // A pair that left ended its orders: on disk like any other change.
    await exchange?.settle();
  }
  /** One question for all who need it at the same time. */
  const freshRules = (): Promise<void> => {
    if (now() - readAt < RULES_AGE) return Promise.resolve();
    reading ??= readRules().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const seePrice = (symbol: string, price: string, time: number): void => {
    const pair = pairs.find(symbol);
    // Of pairs that are followed every trade is known.
    if (!pair || price === '0' || feed?.follows(pair)) return;
    view.see(pair, { last: { id: 0, time, price: ticksOf(pair, decimal(price)), quantity: 0, makerIsBuyer: false } });
  };

  const begin: Mirror['begin'] = (of, restore, since) => {
    beginning = tryToBegin(of, restore, since);
    return beginning;
  };

  async function tryToBegin(of: Exchange, restore: () => Promise<void>, since: number | undefined): Promise<void> {
    try {
      await readRules();
      const prices = await ask('/api/v3/ticker/price', '', 4);
      for (const { symbol, price } of priceRows.safeParse(parseJson(prices.text)).data ?? []) seePrice(symbol, price, now());
    } catch (error) {
      log(`the mirrored exchange could not be read: ${String(error)}; it is tried again`);
      const again = () => void begin(of, restore, since).catch((reason: unknown) => log(`the mirror could not begin: ${String(reason)}`));
      ends.push(timers.after(BEGIN_AGAIN, again, { ref: true }));
      return;
    }
    if (closed) return;
    // Orders are read back into pairs, so what the exchange lists comes first.
    await restore();
    follow(of);
    for (const pair of of.pairsWithOrders())
      await feed?.prepare(pair, since).catch((error: unknown) => log(`${pair.symbol} could not be followed: ${String(error)}`));
    begun = true;
  }

  function follow(of: Exchange): void {
    exchange = of;
    for (const pair of pairs.pairs) of.engine.filters.set(pair, pairs.filtersOf(pair));
    const isNeeded = (pair: Pair): boolean => of.engine.openByPair.has(pair.index);
    feed = new LiveFeed({
      upstream,
      view,
      isNeeded,
      now,
      timers,
      log,
      onTick: (tick) => {
        try {
          of.onTick(tick);
        } catch (error) {
          // An order that cannot be matched must not end the process, nor keep the others from their trades.
          log(`${tick.pair.symbol}: a trade could not be matched: ${String(error)}`);
        }
        void of.settle()?.catch((error: unknown) => log(`the mirror could not keep a fill: ${String(error)}`));
      },
    });
    ends.push(
      upstream.subscribe('!miniTicker@arr', (data) => {
        for (const { s, c, E } of miniTickers.safeParse(data).data ?? []) seePrice(s, c, E);
      }),
      // Orders that wait end with their pair, and are bound by what it allows by then.
      timers.every(RULES_AGE, () => {
        if (of.engine.openByPair.size > 0) void freshRules().catch((error: unknown) => log(`rules could not be read: ${String(error)}`));
      }),
    );
  }

  return {
    upstream,
    pairs,
    view,
    begin,
    get isCurrent() {
      return begun && upstream.connected && feed?.isWhole === true;
    },
    requireBegun: async () => {
      if (!begun) await beginning?.catch(() => undefined);
      if (!begun) throw unreachable();
    },
    prepare: async (symbol) => {
      await freshRules();
      const pair = pairs.find(symbol);
      // What it is refused for is the engine's to say.
      if (pair && view.isListed(pair)) await feed?.prepare(pair);
    },
    forward: async (path, query, weight) => {
      const answer = await ask(path as `/${string}`, query, weight);
      if (answer.status === 418) throw new ApiError(-1003, 'The mirrored exchange has banned this address.', { status: 503 });
      return answer;
    },
    close: () => {
      closed = true;
      for (const end of ends) end();
      feed?.close();
    },
  };
}
