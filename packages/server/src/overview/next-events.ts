import type { Upcoming } from '@pilotfish/core/auto-trades/upcoming';
import type { TradeMode } from '@pilotfish/core/http/wire';
import type { Price } from '@pilotfish/core/money/figure';
import { distanceTo, nearestFirst, withoutRepeats } from '@pilotfish/core/overview/next-events';
import type { NextEvent } from '@pilotfish/core/overview/overview-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';

export type NextParts = {
  readonly bots: (accountId: string) => Promise<
    {
      autoTradeId: string;
      botName: string;
      mode: TradeMode;
      symbol: string;
      currency: string;
      priceNow: Price | null;
      event: Upcoming;
    }[]
  >;
  /** Alerts that watch, each with the level that fires it next. */
  readonly alerts: (accountId: string) => { alert: PriceAlert; level: string | null }[];
};
type BotRow = Awaited<ReturnType<NextParts['bots']>>[number];

function ofBot({ autoTradeId, botName, mode, symbol, currency, priceNow, event }: BotRow): NextEvent {
  const { code, price, at, quantity, quote, detail } = event;
  return {
    id: `bot:${autoTradeId}:${symbol}:${code}`,
    kind: price === null ? 'time' : 'bot',
    code,
    symbol,
    autoTradeId,
    botName,
    alertId: null,
    condition: null,
    mode,
    price,
    priceNow,
    distancePct: distanceTo(price, priceNow),
    at,
    quantity,
    quote,
    currency,
    detail,
  };
}

/** An alert without a level fires by what no price tells before: it is not near to anything. */
function ofAlert({ alert, level }: ReturnType<NextParts['alerts']>[number]): NextEvent[] {
  if (level === null || alert.distancePct === null) return [];
  return [
    {
      id: `alert:${alert.id}`,
      kind: 'alert',
      code: 'alert',
      symbol: alert.symbol ?? null,
      autoTradeId: null,
      botName: null,
      alertId: alert.id,
      condition: alert.condition,
      mode: null,
      price: level,
      priceNow: alert.lastPrice,
      distancePct: alert.distancePct,
      at: null,
      quantity: null,
      quote: null,
      currency: null,
      detail: null,
    },
  ];
}

/** What happens next, nearest first. */
export const nextEvents =
  ({ bots, alerts }: NextParts) =>
  async (accountId: string): Promise<NextEvent[]> =>
    nearestFirst(withoutRepeats([...(await bots(accountId)).map(ofBot), ...alerts(accountId).flatMap(ofAlert)]));
