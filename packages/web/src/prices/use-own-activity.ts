import type { Price } from '@pilotfish/core/money/figure';
import type { PairFill } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useEffect, useMemo } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';

/** A chart shows what is recent, not everything that ever was. */
const MOST_TRADES = 200;

/** `bot` is null for what was traded by hand. */
export type OwnTrade = Pick<PairFill, 'at' | 'side' | 'price' | 'quantity' | 'mode'> & {
  id: string;
  bot: string | null;
  autoTradeId: string | null;
};

/** The user's newest trades in a pair, of bots and by hand, newest first. Closed for guests. */
export function useOwnTrades(symbol: string) {
  const app = useApp();
  const account = useAccount();
  useEffect(() => {
    if (!account) return;
    const renew = () => app.queries.invalidate(`own-trades:${symbol}`);
    const stops = [app.live.on('auto-trades', renew), app.live.on('account', renew), app.live.on('positions', renew)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [app, symbol, account]);
  return useQuery(
    `own-trades:${symbol}`,
    async (client, _: null, signal): Promise<OwnTrade[]> => {
      const fills = await client.listPairFills({ query: { symbol, limit: MOST_TRADES } }, { signal, quiet: true });
      return fills.map(({ botName, ...fill }) => ({ ...fill, bot: botName }));
    },
    null,
    { enabled: account !== undefined },
  );
}

/** Prices at which alerts of a pair wait, as texts; each once. */
export function alertLevels(alerts: readonly Pick<PriceAlert, 'symbol' | 'state' | 'condition'>[], symbol: string): Price[] {
  const waiting = alerts.filter((alert) => alert.symbol === symbol && (alert.state === 'Armed' || alert.state === 'Cooldown'));
  const levels = waiting.flatMap(({ condition }) => {
    if (condition.kind === 'channel') return [condition.lower, condition.upper];
    return condition.kind === 'above' || condition.kind === 'below' || condition.kind === 'crosses' ? [condition.level] : [];
  });
  return [...new Set(levels)];
}

/** Open orders, recent trades and alerts of who is signed in; nothing for guests and who has no exchange connected. */
export function useOwnActivity(symbol: string) {
  const app = useApp();
  const account = useAccount();
  const connected = (account?.exchanges.length ?? 0) > 0;
  const orders = useQuery(
    `own-orders:${symbol}`,
    (client, _: null, signal) => client.listOpenOrders({ params: { exchange: 'Binance', symbol } }, { signal, quiet: true }),
    null,
    { enabled: connected },
  );
  const trades = useOwnTrades(symbol);
  // Under the name that the alerts' own screen loads them by: whoever goes there finds them loaded.
  const alerts = useQuery('price-alerts', (client, _: null, signal) => client.listPriceAlerts(undefined, { signal, quiet: true }), null, {
    enabled: account !== undefined,
  });
  useEffect(() => {
    if (!account) return;
    const renew = () => app.queries.invalidate(`own-orders:${symbol}`);
    const stops = [
      app.live.on('auto-trades', renew),
      app.live.on('account', renew),
      app.live.on('price-alerts', () => app.queries.invalidate('price-alerts')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [app, symbol, account]);
  const levels = useMemo(() => (account ? alertLevels(alerts.data ?? [], symbol) : []), [account, alerts.data, symbol]);
  return {
    orders: connected ? orders.data : undefined,
    trades: account ? trades.data : undefined,
    alerts: levels,
  };
}
