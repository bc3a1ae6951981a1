import { AppError } from '@pilotfish/core/http/problem';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { add, type Decimal, toText, ZERO } from '@pilotfish/core/money/decimal';
import { netChange, unitsFor } from '@pilotfish/core/money/net-change';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Market } from '../market/market.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import { type BalanceHistory, balanceHistory, type ChartRange, SNAPSHOT_MS } from './balance-history.ts';
import { type Balance, type CostOf, type Valuation, valueHoldings } from './holdings.ts';
import { changeOver } from './price-change.ts';

const PRIMARY = 'USDT';
/** Coins whose change over a longer interval is asked of the exchange: one call each. */
const CHANGES_SHOWN = 20;

export type BalanceParts = {
  market: Pick<Market, 'rate' | 'ticker' | 'candles' | 'price' | 'pairs' | 'loaded'>;
  /** Balances of an account's connection. @throws AppError `not-connected` and what the exchange refuses with */
  balancesOf: (accountId: string) => Promise<Balance[]>;
  connectedAccounts: () => Promise<string[]>;
  /** What the account's coins cost, as far as its ledger knows. */
  costsOf: (accountId: string) => Promise<CostOf>;
  /** Deposits, withdrawals and the like of a span of time, in the primary currency, oldest first; negative: went out. */
  flowsOf: (accountId: string, from: number) => Promise<{ at: number; value: Decimal }[]>;
};
/** What was known when the account was valued last: an error code, and since when each try fails. */
export type BalanceTrouble = { readonly code: string; readonly since: number };
export type BalanceFeature = Feature & {
  /** What the connected account is worth now. @throws AppError `not-connected` and what the exchange refuses with */
  readonly worthOf: (accountId: string) => Promise<Valuation>;
  /** Why a connected account cannot be read; undefined while it can. Asks the exchange where the last answer is old. */
  readonly troubleOf: (accountId: string) => Promise<BalanceTrouble | undefined>;
  readonly history: Readonly<Record<TradeMode, BalanceHistory>>;
};
const DAY = 86_400_000;
/** How long an answer of the exchange stands for whether it can be asked; a failure is asked about again sooner: it may be over. */
const ANSWER_MS = { good: 5 * 60_000, bad: 30_000 };
/** A point this close to a day ago stands for it. */
const NEAR_MS = 3_600_000;

/** What the connected account holds and what it is worth, now and over time. */
export function balanceFeature(
  { accountExtras, database, now, timers, log }: AppContext,
  { market, balancesOf, connectedAccounts, costsOf, flowsOf }: BalanceParts,
): BalanceFeature {
  const history = balanceHistory(database, now);
  const outcomes = new Map<string, { at: number; trouble: BalanceTrouble | undefined }>();
  let timer: Cancel | undefined;

  const value = async (accountId: string): Promise<Valuation> => {
    try {
      const valuation = await valued(accountId);
      outcomes.set(accountId, { at: now(), trouble: undefined });
      return valuation;
    } catch (error) {
      if (error instanceof AppError) {
        const since = outcomes.get(accountId)?.trouble?.since ?? now();
        outcomes.set(accountId, { at: now(), trouble: { code: error.code, since } });
      }
      throw error;
    }
  };
  const valued = async (accountId: string): Promise<Valuation> => {
    const [balances, costs] = await Promise.all([balancesOf(accountId), costsOf(accountId)]);
    const priceOf = (asset: string) => {
      const price = market.rate(asset, PRIMARY);
      return price === undefined ? undefined : { now: price, dayAgo: market.ticker(`${asset}${PRIMARY}`)?.open };
    };
    const valuation = valueHoldings(balances, PRIMARY, priceOf, costs, coinNames(market.pairs()));
    const { total, invested, available } = valuation;
    // Before the first prices come every coin is without one: a point of that would show as a loss.
    if (market.loaded) await history.add(accountId, { at: now(), total, invested, available });
    return valuation;
  };

  /** One account after the other, so that the exchange's request budget is shared with what matters more. */
  const snapshots = async (): Promise<void> => {
    for (const accountId of await connectedAccounts())
      await value(accountId).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        log.debug({ reason: error.code }, 'an account could not be valued');
      });
  };

  const pointsOf = async (accountId: string, range: ChartRange) =>
    history.list(accountId, range, await timeZoneOf(database.queries, accountId));
  const iso = (at: number) => new Date(at).toISOString();
  accountExtras.afterDelete.push(async (accountId) => void outcomes.delete(accountId));
  return {
    worthOf: value,
    troubleOf: async (accountId) => {
      const known = outcomes.get(accountId);
      if (known === undefined || now() - known.at >= (known.trouble ? ANSWER_MS.bad : ANSWER_MS.good))
        await value(accountId).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
        });
      return outcomes.get(accountId)?.trouble;
    },
    history: { live: history, paper: balanceHistory(database, now, 'paper') },
    handlers: {
      getEstimatedBalance: async ({ account }) => {
        const { holdings: _, ...worth } = await value(account.id);
        // Measured where a day ago is known; else what is held now is compared with its prices of then.
        const since = now() - DAY;
        const before = await history.near(account.id, since, NEAR_MS);
        if (before !== undefined) {
          const flows = await flowsOf(account.id, before.at);
          worth.change24h = netChange(
            before.total,
            worth.total,
            flows.map((flow) => flow.value),
          ).pct;
        }
        return { ...worth, currency: PRIMARY, btc: unitsFor(worth.total, market.price('BTCUSDT')), asOf: iso(now()) };
      },
      getHoldings: async ({ caller, query }) => {
        if (caller === undefined) return [];
        const valuation = await value(caller.id).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'not-connected') return undefined;
          throw error;
        });
        const change = (asset: string, index: number) =>
          asset === PRIMARY
            ? '0'
            : index < CHANGES_SHOWN
              ? changeOver(market, `${asset}${PRIMARY}`, query.interval).catch(() => undefined)
              : undefined;
        return Promise.all(
          (valuation?.holdings ?? []).map(async (holding, index) => ({
            ...holding,
            changePct: (await change(holding.asset, index)) ?? null,
          })),
        );
      },
      getWalletChartV2: async ({ account, query }) => {
        const points = await pointsOf(account.id, query.range);
        const first = points[0];
        const flows = first === undefined ? [] : await flowsOf(account.id, first.at);
        let next = 0;
        return points.map(({ at, total, invested, available }) => {
          let flow = ZERO;
          for (; next < flows.length && flows[next]!.at <= at; next += 1) flow = add(flow, flows[next]!.value);
          return { time: iso(at), total, invested, available, flow: toText(flow) };
        });
      },
      getWalletChart: async ({ account, query }) => {
        const points = await pointsOf(account.id, query.range);
        return points.map(({ at, total }): [string, string] => [iso(at), total]);
      },
    },
    start: async () => {
      timer = timers.every(
        SNAPSHOT_MS,
        () => void snapshots().catch((error: unknown) => log.error({ err: error }, 'balances could not be kept')),
      );
    },
    stop: async () => timer?.(),
  };
}
