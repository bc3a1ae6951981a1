import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Market } from '../market/market.ts';
import { balanceHistory, SNAPSHOT_MS } from './balance-history.ts';
import { type Balance, inBitcoin, type Valuation, valueHoldings } from './holdings.ts';
import { changeOver } from './price-change.ts';

const PRIMARY = 'USDT';
/** Coins whose change over a longer interval is asked of the exchange: one call each. */
const CHANGES_SHOWN = 20;

export type BalanceParts = {
  market: Pick<Market, 'rate' | 'ticker' | 'candles' | 'price'>;
  /** Balances of an account's connection. @throws AppError `not-connected` and what the exchange refuses with */
  balancesOf: (accountId: string) => Promise<Balance[]>;
  connectedAccounts: () => Promise<string[]>;
};

/** What the connected account holds and what it is worth, now and over time. */
export function balanceFeature({ database, now, log }: AppContext, { market, balancesOf, connectedAccounts }: BalanceParts): Feature {
  const history = balanceHistory(database, now);
  let timer: NodeJS.Timeout | undefined;

  const value = async (accountId: string): Promise<Valuation> => {
    const valuation = valueHoldings(await balancesOf(accountId), PRIMARY, (asset) => {
      const price = market.rate(asset, PRIMARY);
      return price === undefined ? undefined : { now: price, dayAgo: market.ticker(`${asset}${PRIMARY}`)?.open };
    });
    const { total, invested, available } = valuation;
    await history.add(accountId, { at: now(), total, invested, available });
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

  const iso = (at: number) => new Date(at).toISOString();
  return {
    handlers: {
      getEstimatedBalance: async ({ account }) => {
        const { holdings: _, ...worth } = await value(account.id);
        return { ...worth, currency: PRIMARY, btc: inBitcoin(worth.total, market.price('BTCUSDT')), asOf: iso(now()) };
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
        const points = await history.list(account.id, query.range);
        return points.map(({ at, total, invested, available }) => ({ time: iso(at), total, invested, available }));
      },
      getWalletChart: async ({ account, query }) => {
        const points = await history.list(account.id, query.range);
        return points.map(({ at, total }): [string, string] => [iso(at), total]);
      },
    },
    start: async () => {
      timer = setInterval(
        () => void snapshots().catch((error: unknown) => log.error({ err: error }, 'balances could not be kept')),
        SNAPSHOT_MS,
      ).unref();
    },
    stop: async () => clearInterval(timer),
  };
}
