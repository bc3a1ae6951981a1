import type { AutoTradeEngine } from '@pilotfish/core/auto-trades/engine/auto-trade-engine';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import { add, compare, type Decimal, decimal, divide, isPositive, multiply, subtract, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { AccountKey } from '../exchange-connection/trading-accounts.ts';

/** How long a coin that trades again waits for its account before it is judged by the price alone, venue ms. */
const PATIENCE_MS = 30_000;
/** A balance that differs by this factor is another number of units, not dust or a fee. */
const FACTOR = decimal('1.5');

/** What an account holds of an asset, and what the fills of our bots alone make of it. */
export type Holding = { readonly held: Decimal; readonly booked: Decimal };
export type AskHoldings = {
  /** @throws what the exchange answers instead */
  readonly holding: (key: AccountKey, asset: string) => Promise<Holding>;
  /** What came in less what went out by deposits and withdrawals since a venue time. @throws what the exchange answers instead */
  readonly transferred: (key: AccountKey, asset: string, since: number) => Promise<Decimal>;
};

type Before = { readonly at: number; readonly asset: string; readonly holding: Promise<Holding> };
type Told = Extract<TapeRecord, { type: 'hold' | 'balance' }>;

/** True when two amounts differ by less than the factor of a jump. */
const isAlike = (before: Decimal, after: Decimal): boolean =>
  compare(after, multiply(before, FACTOR)) < 0 && compare(multiply(after, FACTOR), before) > 0;

/**
 * The coins of a bot whose trading stands still while it holds them: what the account holds is asked for when that is seen,
 * and again before the first price after it is judged. What differs by a factor that neither our fills nor transfers explain
 * is told to the engine: the unit of the coin has changed, whatever its price says.
 */
export function standstillWatch(parts: {
  readonly accountKey: AccountKey;
  readonly engine: Pick<AutoTradeEngine, 'symbols' | 'inspect' | 'openPositions'>;
  readonly market: { readonly asOf: number; readonly pair: (symbol: string) => Pick<Pair, 'status' | 'baseAsset'> | undefined };
  readonly ask: AskHoldings;
  readonly tell: (record: Told) => void;
  readonly onError: (error: unknown, symbol: string) => void;
}) {
  const { accountKey, engine, market, ask, tell, onError } = parts;
  const halted = new Map<string, Before>();

  async function factorOf(symbol: string, { at, asset, holding }: Before): Promise<string | null> {
    const before = await holding;
    const now = await ask.holding(accountKey, asset);
    const expected = add(before.held, subtract(now.booked, before.booked));
    if (!isPositive(expected) || isAlike(expected, now.held)) return null;
    const transferred = await ask.transferred(accountKey, asset, at).catch((error: unknown) => {
      // A list that cannot be read explains nothing: the owner is asked once too often rather than sold out.
      onError(error, symbol);
      return ZERO;
    });
    const explained = add(expected, transferred);
    return isAlike(explained, now.held) ? null : toText(divide(now.held, isPositive(explained) ? explained : expected, 8));
  }

  return {
    /** Remembers what is held of coins that have stopped trading; called about every minute. */
    note(): void {
      if (engine.openPositions === 0) return;
      for (const symbol of engine.symbols) {
        const pair = market.pair(symbol);
        if (!pair || pair.status === 'TRADING' || halted.has(symbol)) continue;
        if (!isPositive(decimal(engine.inspect(symbol)?.context.quantity ?? '0'))) continue;
        const holding = ask.holding(accountKey, pair.baseAsset);
        holding.catch((error: unknown) => {
          onError(error, symbol);
          // Asked for again at the next look.
          halted.delete(symbol);
        });
        halted.set(symbol, { at: market.asOf, asset: pair.baseAsset, holding });
      }
    },
    /** Before a price at venue time `at` is judged. */
    met(symbol: string, at: number): void {
      const before = halted.size > 0 ? halted.get(symbol) : undefined;
      if (!before) return;
      halted.delete(symbol);
      tell({ type: 'hold', symbol, until: at + PATIENCE_MS });
      void factorOf(symbol, before)
        .catch((error: unknown) => {
          onError(error, symbol);
          return null;
        })
        .then((factor) => tell({ type: 'balance', symbol, factor, at: market.asOf }));
    },
  };
}
export type StandstillWatch = ReturnType<typeof standstillWatch>;
