import {
  absolute,
  add,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isZero,
  maximum,
  multiply,
  subtract,
  ZERO,
} from '@pilotfish/core/money/decimal';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { textOfUnread, type UnreadRow, unreadOf } from '../exchange/exchange-rows.ts';
import type { Signer } from '../exchange/signing.ts';
import type { Market } from '../market/market.ts';

/** How long after the last event balances are compared: the fills behind a change of balance have come by then. */
const SETTLE_MS = 1500;
/** A bot that never rests must not keep balances uncompared: then one comparison happens in the middle of it. */
const MOST_SETTLE_MS = 30_000;
const TRIES = 3;
/** A difference below this share of the balance is none. */
const TOLERANCE_PERCENT = decimal('0.1');

export type Difference = { readonly asset: string; readonly balance: Decimal; readonly known: Decimal; readonly difference: Decimal };
export type Compared = {
  readonly at: number;
  readonly balances: ReadonlyMap<string, Decimal>;
  /** Balances that could not be read: of these nothing is known. */
  readonly unread: readonly UnreadRow[];
  readonly differences: ReadonlyMap<string, Difference>;
  /** Balances less what the ledger explains, exactly, by coin: also what is too small to be a difference. */
  readonly drifts: ReadonlyMap<string, Decimal>;
  /** When anything of the account changed last, by the exchange; undefined where it does not say. */
  readonly updatedAt: number | undefined;
  /** Fraction, as the exchange charges this account. */
  readonly taker: Decimal | undefined;
};
export type BalanceCheck = ReturnType<typeof balanceCheck>;

/** Amounts of assets as amounts of coins. */
function byCoin(amounts: Iterable<readonly [asset: string, amount: Decimal]>, coinOf: (asset: string) => string): Map<string, Decimal> {
  const coins = new Map<string, Decimal>();
  for (const [asset, amount] of amounts) coins.set(coinOf(asset), add(coins.get(coinOf(asset)) ?? ZERO, amount));
  return coins;
}

/**
 * What accounts hold at the exchange against what their ledgers explain. Compared when both stand still: a judgement
 * made while a fill is on its way would blame the wrong one, so until then the last one holds.
 */
export function balanceCheck(options: {
  exchange: Pick<Exchange, 'account'>;
  market: Pick<Market, 'pairs'>;
  signerOf: (accountId: string) => Promise<Signer>;
  /** Resolves when every fill reported so far is written. */
  written: (accountId: string) => Promise<void>;
  flowsOf: (accountId: string) => Promise<ReadonlyMap<string, Decimal>>;
  onCompared: (accountId: string, compared: Compared, before: Compared | undefined) => void;
  now: () => number;
  timers: Pick<Timers, 'after'>;
  log: Logger;
}) {
  const { exchange, market, now, timers, log } = options;
  const results = new Map<string, Compared>();
  const events = new Map<string, number>();
  const waiting = new Map<string, { quiet: Cancel; limit: Cancel }>();
  let steps: { of: readonly unknown[]; byAsset: Map<string, Decimal> } = { of: [], byAsset: new Map() };

  /** The finest lot of an asset over its pairs. */
  const stepOf = (asset: string): Decimal => {
    const pairs = market.pairs();
    if (steps.of.length !== pairs.length) {
      const byAsset = new Map<string, Decimal>();
      for (const { baseAsset, filters } of pairs) {
        const step = decimal(filters.stepSize);
        const known = byAsset.get(baseAsset);
        if (known === undefined || subtract(step, known).units < 0n) byAsset.set(baseAsset, step);
      }
      steps = { of: pairs, byAsset };
    }
    return steps.byAsset.get(asset) ?? decimal('0.00000001');
  };

  /** What is held against what is explained, at one moment. */
  async function look(accountId: string): Promise<Compared> {
    for (let attempt = 1; ; attempt += 1) {
      await options.written(accountId);
      const before = events.get(accountId);
      const { balances: rows, commissionRates, updateTime: updatedAt } = await exchange.account(await options.signerOf(accountId));
      await options.written(accountId);
      if (events.get(accountId) !== before && attempt < TRIES) continue;
      const known = await options.flowsOf(accountId);
      const coinOf = coinNames(market.pairs());
      const balances = byCoin(
        rows.map(({ asset, free, locked }) => [asset, add(decimal(free), decimal(locked))]),
        coinOf,
      );
      // Moving a coin to Simple Earn is no movement of the ledger, and none of the coin either.
      const flows = byCoin(known, coinOf);
      const differences = new Map<string, Difference>();
      const drifts = new Map<string, Decimal>();
      const unread = unreadOf(rows);
      const unknown = new Set(unread.map((row) => textOfUnread(row, 'asset')).map((asset) => asset && coinOf(asset)));
      for (const asset of new Set([...balances.keys(), ...flows.keys()])) {
        // Not in the list is nothing, in it and not readable is unknown. One without a name may be any that is missing.
        if (unknown.has(asset) || (!balances.has(asset) && unknown.has(undefined))) continue;
        const [balance, known] = [balances.get(asset) ?? ZERO, flows.get(asset) ?? ZERO];
        const difference = subtract(balance, known);
        drifts.set(asset, difference);
        const allowed = maximum(stepOf(asset), divide(multiply(balance, TOLERANCE_PERCENT), HUNDRED));
        if (!isZero(difference) && subtract(absolute(difference), allowed).units > 0n)
          differences.set(asset, { asset, balance, known, difference });
      }
      return { at: now(), balances, unread, differences, drifts, updatedAt, taker: commissionRates && decimal(commissionRates.taker) };
    }
  }

  async function compare(accountId: string): Promise<Compared> {
    const compared = await look(accountId);
    const last = results.get(accountId);
    results.set(accountId, compared);
    options.onCompared(accountId, compared, last);
    return compared;
  }

  const unwait = (accountId: string): void => {
    const cancels = waiting.get(accountId);
    cancels?.quiet();
    cancels?.limit();
    waiting.delete(accountId);
  };

  return {
    /** Compares now. @throws what the exchange refuses with */
    compare,
    /** The same without a judgement: what is missing in a ledger that is about to be read is no difference. */
    look,
    /** The last judgement; undefined before the first. */
    last: (accountId: string): Compared | undefined => results.get(accountId),
    /** `updatedAt` as it was at a time, epoch ms; undefined where events of the account came after the last judgement, or that is younger. */
    updatedBefore: (accountId: string, time: number): number | undefined => {
      const last = results.get(accountId);
      return last === undefined || waiting.has(accountId) || last.at > time ? undefined : last.updatedAt;
    },
    /** Something happened on the account: compare a little later. */
    poke: (accountId: string): void => {
      events.set(accountId, (events.get(accountId) ?? 0) + 1);
      const before = waiting.get(accountId);
      before?.quiet();
      const run = () => {
        unwait(accountId);
        compare(accountId).catch((error: unknown) => log.info({ reason: (error as Error).message }, 'balances could not be compared'));
      };
      waiting.set(accountId, {
        quiet: timers.after(SETTLE_MS, run),
        limit: before?.limit ?? timers.after(MOST_SETTLE_MS, run),
      });
    },
    forget: (accountId: string): void => {
      unwait(accountId);
      results.delete(accountId);
    },
    stop: (): void => {
      for (const accountId of waiting.keys()) unwait(accountId);
    },
  };
}
