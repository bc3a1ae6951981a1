import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import type { Price, Quantity } from '@pilotfish/core/money/figure';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useEffect, useMemo } from 'react';
import { useApp } from '../app/app-context.tsx';
import { useQuery } from '../app/use-query.ts';
import { useAccount } from '../app/use-session.ts';

/** Bots and positions asked for their trades: a chart shows what is recent, not everything that ever was. */
const MOST_BOTS = 4;
const MOST_POSITIONS = 6;

export type OwnTrade = { at: string; side: 'Buy' | 'Sell'; price: Price; quantity: Quantity; bot: string };

/** Trades of the user's bots in one pair, by way of the bots that trade it. */
async function ownTrades(client: Client<Contract>, symbol: string, signal: AbortSignal): Promise<OwnTrade[]> {
  const call = { signal, quiet: true };
  const bots = (await client.listAutoTrades(undefined, call)).filter(({ config }) => config.coins.symbols.includes(symbol));
  const trades = await Promise.all(
    bots.slice(0, MOST_BOTS).map(async ({ id, name }) => {
      const { positions } = await client.getAutoTradeDetail({ params: { id } }, call);
      const traded = positions.filter((position) => position.symbol === symbol && position.openedAt !== null);
      const fills = await Promise.all(
        traded
          .sort((a, b) => (b.openedAt ?? '').localeCompare(a.openedAt ?? ''))
          .slice(0, MOST_POSITIONS)
          .map((position) => client.listAutoTradePositionTrades({ params: { id, positionId: position.id } }, call)),
      );
      return fills.flat().map(({ at, side, price, quantity }) => ({ at, side, price, quantity, bot: name }));
    }),
  );
  return trades.flat();
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

/** Open orders, recent bot trades and alerts of who is signed in; nothing for guests and who has no exchange connected. */
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
  const trades = useQuery(`own-trades:${symbol}`, (client, _: null, signal) => ownTrades(client, symbol, signal), null, {
    enabled: account !== undefined,
  });
  // Under the name that the alerts' own screen loads them by: whoever goes there finds them loaded.
  const alerts = useQuery('price-alerts', (client, _: null, signal) => client.listPriceAlerts(undefined, { signal, quiet: true }), null, {
    enabled: account !== undefined,
  });
  useEffect(() => {
    if (!account) return;
    const renew = () => app.queries.invalidate(`own-orders:${symbol}`, `own-trades:${symbol}`);
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
