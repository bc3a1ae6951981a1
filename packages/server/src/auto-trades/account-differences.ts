import { add, compare, type Decimal, decimal, subtract, ZERO } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { ExchangeError } from '../exchange/exchange-error.ts';

/** What an account holds cannot be judged while the exchange's row of a pair cannot be read. */
export class UnreadPairError extends ExchangeError {
  readonly symbol: string;

  constructor(symbol: string) {
    super('unreachable', `The exchange's row of the pair ${symbol} cannot be read.`);
    this.symbol = symbol;
  }
}

/** Whole amounts of an account by asset, free and locked together. */
export type Holdings = ReadonlyMap<string, Decimal>;

export const holdingsOf = (balances: readonly { readonly asset: string; readonly free: string; readonly locked: string }[]): Holdings =>
  new Map(balances.map(({ asset, free, locked }) => [asset, add(decimal(free), decimal(locked))]));

/** One fill as the database counts it. */
export type CountedFill = {
  readonly symbol: string;
  readonly side: 'Buy' | 'Sell';
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly fee: string;
  readonly feeAsset: string;
};

/** What an account holds after these fills. Those of pairs that nobody knows any more change nothing here. */
export function afterFills(before: Holdings, fills: readonly CountedFill[], pair: (symbol: string) => Pair | undefined): Holdings {
  const held = new Map(before);
  const move = (asset: string, amount: Decimal, isGain: boolean): void =>
    void held.set(asset, (isGain ? add : subtract)(held.get(asset) ?? ZERO, amount));
  for (const fill of fills) {
    const known = pair(fill.symbol);
    if (!known) continue;
    move(known.baseAsset, decimal(fill.quantity), fill.side === 'Buy');
    move(known.quoteAsset, decimal(fill.quoteQuantity), fill.side === 'Sell');
    if (fill.feeAsset !== '') move(fill.feeAsset, decimal(fill.fee), false);
  }
  return held;
}

/**
 * Assets of which an account does not hold what is expected.
 * @param expected undefined where the account was never looked at: whatever it holds may have been bought by us
 */
export function differingAssets(expected: Holdings | undefined, held: Holdings): Set<string> {
  const differing = new Set<string>();
  for (const asset of new Set([...(expected?.keys() ?? []), ...held.keys()]))
    if (compare(expected?.get(asset) ?? ZERO, held.get(asset) ?? ZERO) !== 0) differing.add(asset);
  return differing;
}

/**
 * The pairs whose orders have to be asked for: those of bots where one of the two assets differs (what was bought and
 * sold again leaves a difference in the quote asset only), and those that a coin was bought in by a bot that is gone.
 * @throws ExchangeError where a pair may be one of these and cannot be read: its orders would not be asked for
 */
export function symbolsInDoubt(
  differing: ReadonlySet<string>,
  traded: readonly string[],
  { pair, isUnread }: { readonly pair: (symbol: string) => Pair | undefined; readonly isUnread: (symbol: string) => boolean },
): readonly string[] {
  const read = (symbol: string): Pair | undefined => {
    if (isUnread(symbol)) throw new UnreadPairError(symbol);
    return pair(symbol);
  };
  const known = [...new Set(traded)].flatMap((symbol) => read(symbol) ?? []);
  const quotes = new Set(known.map(({ quoteAsset }) => quoteAsset));
  const symbols = known
    .filter(({ baseAsset, quoteAsset }) => differing.has(baseAsset) || differing.has(quoteAsset))
    .map(({ symbol }) => symbol);
  for (const asset of differing)
    for (const quote of quotes) {
      const other = asset === '' || asset === quote ? undefined : read(`${asset}${quote}`);
      if (other) symbols.push(other.symbol);
    }
  return [...new Set(symbols)];
}
