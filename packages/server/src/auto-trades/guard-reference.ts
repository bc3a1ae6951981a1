import type { Timers } from '@pilotfish/core/time/timers';
import { namesNoPair } from '../exchange/exchange-error.ts';
import type { Market } from '../market/market.ts';
import { untilRead } from '../market/until-read.ts';

/** Venue time between two prices of the reference that a guard is told. */
const EVERY_MS = 1000;
const MINUTE = 60_000;

/** The first of these pairs that the exchange still lists, with its history; the market goes on knowing those that left. */
async function firstListed<History>(
  symbols: readonly string[],
  read: (symbol: string) => Promise<History>,
): Promise<readonly [string, History] | undefined> {
  for (const symbol of symbols) {
    try {
      return [symbol, await read(symbol)];
    } catch (error) {
      if (!namesNoPair(error)) throw error;
    }
  }
  return undefined;
}

/**
 * Follows the reference price that the guard of a bot looks at, from the beginning of its window on. Answers how to
 * stop; undefined where the exchange lists no such pair.
 * @throws what the exchange answers when the history cannot be read
 */
export async function guardReference(options: {
  readonly market: Pick<Market, 'pair' | 'minuteHighs' | 'watch' | 'afterGap'>;
  readonly timers: Pick<Timers, 'wait'>;
  readonly quote: string;
  readonly windowMin: number;
  /** Venue ms, price. */
  readonly tell: (at: number, price: number) => void;
  /** Runs in the order of arrival, when the bot is ready. */
  readonly inOrder: (work: () => void) => void;
  readonly onError: (error: unknown) => void;
}): Promise<(() => void) | undefined> {
  const { market, quote, windowMin, tell, inOrder } = options;
  const known = [`BTC${quote}`, 'BTCUSDT'].filter((symbol) => market.pair(symbol));
  const found = await firstListed(known, (symbol) => market.minuteHighs(symbol, windowMin));
  if (!found) return undefined;
  const [reference, history] = found;
  for (const [at, price] of history) tell(at, price);
  let stopped = false;
  let last: { readonly at: number; readonly price: number } | undefined;

  /** From where it fell while the stream was away; then again where it is, which is what the guard judges by. */
  async function catchUp(since: number): Promise<void> {
    const isOver = () => stopped;
    const highs = await untilRead(() => market.minuteHighs(reference, windowMin), {
      timers: options.timers,
      isOver,
      onError: options.onError,
    });
    if (!highs) return;
    const top = highs.filter(([at]) => at > since - MINUTE).reduce((most, [, price]) => Math.max(most, price), 0);
    inOrder(() => {
      if (stopped || !last || !(top > last.price)) return;
      tell(last.at, top);
      tell(last.at, last.price);
    });
  }

  const stops = [
    market.watch(reference, (tick) =>
      inOrder(() => {
        if (last && tick.at - last.at < EVERY_MS) return;
        last = { at: tick.at, price: tick.price };
        tell(tick.at, tick.price);
      }),
    ),
    market.afterGap((since) => void catchUp(since).catch(options.onError)),
  ];
  return () => {
    stopped = true;
    for (const stop of stops) stop();
  };
}
