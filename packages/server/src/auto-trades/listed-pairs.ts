import type { Exchange } from '../exchange/exchange.ts';

/** One reading of the list serves all who ask so soon after each other, ms. */
const SHARED_MS = 10_000;
/** An order of a pair that has left is asked for again so often: the pair may be back, ms. */
const AWAY_MS = 3_600_000;

export type ListedPairs = ReturnType<typeof listedPairs>;

/** Which pairs the exchange has taken off its list. The market goes on knowing a pair that it once knew. */
export function listedPairs(exchange: Pick<Exchange, 'pairs'>, now: () => number) {
  const leftAt = new Map<string, number>();
  let reading: Promise<ReadonlySet<string>> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  function read(): Promise<ReadonlySet<string>> {
    if (reading && now() - askedAt < SHARED_MS) return reading;
    askedAt = now();
    const asked = exchange.pairs().then((pairs) => new Set(pairs.map(({ symbol }) => symbol)));
    // One that failed says nothing: whoever asks next asks the exchange.
    asked.catch(() => {
      if (reading === asked) reading = undefined;
    });
    reading = asked;
    return asked;
  }

  return {
    /** Asks the exchange whether it lists a pair no more. False where that cannot be read: unknown is not gone. */
    hasLeft: async (symbol: string): Promise<boolean> => {
      const listed = await read().catch(() => undefined);
      // A list without any pair is no list.
      if (!listed || listed.size === 0 || listed.has(symbol)) {
        leftAt.delete(symbol);
        return false;
      }
      leftAt.set(symbol, now());
      return true;
    },
    /** Whether a pair was found to have left a short while ago: its orders need not be asked for now. */
    isAway: (symbol: string): boolean => now() - (leftAt.get(symbol) ?? Number.NEGATIVE_INFINITY) < AWAY_MS,
  };
}
