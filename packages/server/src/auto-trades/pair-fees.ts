import type { TakerFees } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { add, type Decimal, decimal, maximum, multiply, ONE, subtract, sum, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Exchange } from '../exchange/exchange.ts';
import type { ExchangeError } from '../exchange/exchange-error.ts';
import type { CommissionPayload } from '../exchange/payloads.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';

/** A fee is asked anew after an hour, and one that could not be had after a minute. */
const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;
/** A pair that the exchange does not know, and keys that it refuses: asked again in a minute, they would be refused again. */
const LASTING: ReadonlySet<number> = new Set([-1121, -2014, -2015]);
/** Longest that anybody waits for fees: what comes later is known to the next who asks. */
const PATIENCE_MS = 5000;
/** Requests at a time: the fees of a filter of many coins leave room for others. */
const LANES = 4;
/** Fees of an account that looks at its positions have asked for at a time. None waits for them: the next looks ask for the others. */
const MOST_OF_LOOK = 5;

/**
 * What an account pays for taking on a pair, as a fraction: standard, special and tax commission, each with the dearer
 * of the two sides. The discount is that of the standard commission alone, where account and pair have it.
 */
export function takerFeeOf({ standardCommission, specialCommission, taxCommission, discount }: CommissionPayload): string {
  const rateOf = (rates: CommissionPayload['specialCommission']): Decimal =>
    rates ? add(decimal(rates.taker), maximum(decimal(rates.buyer ?? '0'), decimal(rates.seller ?? '0'))) : ZERO;
  const standard = rateOf(standardCommission);
  const isReduced = discount?.enabledForAccount && discount.enabledForSymbol;
  // The exchange's documents show it as what is left (0.75) and as what is taken off (0.25): the dearer reading protects.
  const rest = decimal(discount?.discount ?? '1');
  const paid = isReduced ? multiply(standard, maximum(rest, subtract(ONE, rest))) : standard;
  return toText(sum([paid, rateOf(specialCommission), rateOf(taxCommission)]));
}

export type PairFees = ReturnType<typeof pairFees>;

/** The taker fee of every pair as the exchange tells it of an account, remembered. */
export function pairFees({
  exchange,
  accounts,
  now,
  timers,
}: {
  readonly exchange: Pick<Exchange, 'commission'>;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  readonly now: () => number;
  readonly timers: Pick<Timers, 'wait'>;
}) {
  type Known = { readonly fee?: string | undefined; readonly dueAt: number };
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<void>>();
  const nameOf = (key: AccountKey, symbol: string): string => `${key} ${symbol}`;
  const isDue = (key: AccountKey, symbol: string): boolean => now() >= (known.get(nameOf(key, symbol))?.dueAt ?? 0);

  /** Two who ask for the same at once are answered by one request. Never throws: what was known before stays known. */
  function ask(key: AccountKey, symbol: string): Promise<void> {
    const name = nameOf(key, symbol);
    const keep = (fee: string | undefined, ms: number): void => void known.set(name, { fee, dueAt: now() + ms });
    const running = asking.get(name);
    if (running) return running;
    // An answer to a question from before `forget` says what was.
    const isOf = (): boolean => asking.get(name) === asked;
    const asked: Promise<void> = accounts
      .get(key)
      .then(({ signer }) => exchange.commission(signer, symbol))
      .then((answer) => (isOf() ? keep(takerFeeOf(answer), FRESH_MS) : undefined))
      .catch((error: unknown) =>
        isOf() ? keep(known.get(name)?.fee, LASTING.has((error as ExchangeError).code ?? 0) ? FRESH_MS : RETRY_MS) : undefined,
      )
      .finally(() => isOf() && asking.delete(name));
    asking.set(name, asked);
    return asked;
  }

  const knownOf = (key: AccountKey, symbols: readonly string[]): TakerFees =>
    Object.fromEntries(
      symbols.flatMap((symbol) => {
        const fee = known.get(nameOf(key, symbol))?.fee;
        return fee === undefined ? [] : [[symbol, fee]];
      }),
    );

  return {
    isDue,
    /** The fees that are known now. Some that are due are asked for; whoever looks next has them. */
    known: (key: AccountKey, symbols: readonly string[]): TakerFees => {
      const running = [...asking.keys()].filter((name) => name.startsWith(`${key} `)).length;
      for (const symbol of symbols.filter((each) => isDue(key, each)).slice(0, Math.max(0, MOST_OF_LOOK - running))) void ask(key, symbol);
      return knownOf(key, symbols);
    },
    /** After new keys, or new terms on paper: something else may be paid now. */
    forget: (key: AccountKey): void => {
      for (const each of [known, asking]) for (const name of each.keys()) if (name.startsWith(`${key} `)) each.delete(name);
    },
    /** The fees of pairs that are known, asked now where they are due; a pair whose fee was never told is left out. */
    of: async (key: AccountKey, symbols: readonly string[]): Promise<TakerFees> => {
      const due = symbols.filter((symbol) => isDue(key, symbol));
      const lane = async (): Promise<void> => {
        for (let symbol = due.shift(); symbol !== undefined; symbol = due.shift()) await ask(key, symbol);
      };
      if (due.length > 0) await Promise.race([Promise.all(Array.from({ length: LANES }, lane)), timers.wait(PATIENCE_MS)]);
      return knownOf(key, symbols);
    },
  };
}
