import type { Exchange } from '../exchange/exchange.ts';
import { rowOf } from '../exchange/exchange-rows.ts';

/** One reading of the list serves all who ask so soon after each other, ms. */
const SHARED_MS = 10_000;
/** An order of a pair that has left is asked for again so often: the pair may be back, ms. */
const AWAY_MS = 3_600_000;

export type ListedPairs = ReturnType<typeof listedPairs>;

/** Which pairs the exchange has taken off its list. The market goes on knowing a pair that it once knew. */
export function listedPairs(exchange: Pick<Exchange, 'pairs'>, now: () => number) {
  const leftAt = new Map<string, number>();
  let reading: ReturnType<Exchange['pairs']> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  function read(): ReturnType<Exchange['pairs']> {
    if (reading && now() - askedAt < SHARED_MS) return reading;
    askedAt = now();
    const asked = exchange.pairs();
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
      const isListed = await read()
        // A list without any pair is no list.
        .then((pairs) => pairs.length === 0 || rowOf(pairs, 'symbol', symbol) !== undefined)
        .catch(() => true);
      if (isListed) {
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
