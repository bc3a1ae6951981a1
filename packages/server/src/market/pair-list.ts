import type { Price } from '@pilotfish/core/money/figure';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { textOfUnread, unreadOf } from '../exchange/exchange-rows.ts';

/** Nobody has the pairs read again sooner than this: one reading serves all who were refused for their filters. */
const SOONEST_MS = 10_000;

/**
 * Every pair that the exchange ever listed while we run, with the filters of its orders and whether it trades. One that
 * has left stays known, because positions and records name it, and counts as one that does not trade.
 */
export function pairList(options: {
  readonly exchange: Pick<Exchange, 'pairs'>;
  /** Last price of a pair; undefined before the first. */
  readonly price: (symbol: string) => string | undefined;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}) {
  const { exchange, price, now, log } = options;
  const pairs = new Map<string, Pair>();
  /** Pairs that do not trade, with the price they stood at: another one says that they do again. */
  const resting = new Map<string, string | undefined>();
  /** As it is answered; frozen, so that it is checked and written once until a pair changes. */
  let told: Pair[] | undefined;
  /** Symbols of the rows that could not be read the last time; undefined for one without a name. */
  let unread: ReadonlySet<string | undefined> = new Set();
  let isRead = false;
  let reading: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  function noteResting(): void {
    resting.clear();
    for (const { symbol, status } of pairs.values()) if (status !== 'TRADING') resting.set(symbol, price(symbol));
  }

  /** @throws what the exchange answers instead */
  async function read(): Promise<void> {
    const listed = await exchange.pairs();
    told = undefined;
    isRead ||= listed.length > 0;
    for (const pair of listed) pairs.set(pair.symbol, pair);
    unread = new Set(unreadOf(listed).map((row) => textOfUnread(row, 'symbol')));
    // A list without any pair is no list. A row that cannot be read says nothing of its pair, and one without a name of none.
    if (listed.length > 0 && !unread.has(undefined)) {
      const symbols = new Set([...listed.map(({ symbol }) => symbol), ...unread]);
      for (const [symbol, pair] of pairs)
        if (!symbols.has(symbol) && pair.status === 'TRADING') pairs.set(symbol, { ...pair, status: 'BREAK' });
    }
    noteResting();
  }

  /** What the exchange asks of orders now; as it was where it cannot be read. */
  async function readSoon(): Promise<void> {
    if (reading && now() - askedAt < SOONEST_MS) return reading;
    askedAt = now();
    reading = read().catch((error: Error) => log.warn({ reason: error.message }, 'the pairs could not be read again'));
    return reading;
  }

  return {
    read,
    readSoon,
    /** Prices of before any was known are no news. */
    noteResting,
    /** New prices. That of a pair which did not trade has the pairs read again. */
    heard(rows: readonly (readonly [symbol: string, price: Price, ...unknown[]])[]): void {
      if (resting.size > 0 && rows.some(([symbol, told]) => resting.has(symbol) && resting.get(symbol) !== told)) void readSoon();
    },
    get: (symbol: string): Pair | undefined => pairs.get(symbol),
    /**
     * Whether a pair that is not known may be one whose row could not be read, or one of a list that has not come yet: it
     * may be listed, and its name says nothing of its assets.
     */
    isUnread: (symbol: string): boolean => !pairs.has(symbol) && (!isRead || unread.has(symbol) || unread.has(undefined)),
    all: (): Pair[] => {
      told ??= Object.freeze([...pairs.values()]) as Pair[];
      return told;
    },
    get size() {
      return pairs.size;
    },
  };
}
