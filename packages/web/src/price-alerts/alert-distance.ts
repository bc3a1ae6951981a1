import {
  add,
  decimal,
  divide,
  HUNDRED,
  isDecimalText,
  isPositive,
  multiply,
  ONE,
  subtract,
  toFixedText,
} from '@pilotfish/core/money/decimal';
import type { Percent, Price } from '@pilotfish/core/money/figure';
import { isWatchingState, type PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';

type Measured = Pick<PriceAlert, 'lastPrice' | 'distancePct' | 'priceSource'>;

/**
 * How far the newest price is from what fires the alert, in percent of the price; null where nothing can be measured.
 * The middle of bid and ask is not on the stream: such alerts keep the figure they were loaded with.
 */
export function liveDistance({ lastPrice, distancePct, priceSource }: Measured, newest: Price | undefined): Percent | null {
  if (distancePct === null || lastPrice === null || newest === undefined || priceSource !== 'last' || !isDecimalText(newest))
    return distancePct;
  const now = decimal(newest);
  if (!isPositive(now)) return distancePct;
  const level = multiply(decimal(lastPrice), add(ONE, divide(decimal(distancePct), HUNDRED)));
  return toFixedText(multiply(subtract(divide(level, now), ONE), HUNDRED), 2);
}

/** How full the bar is, 0 to 100: at its level an alert has come all the way, ten percent off it has yet to begin. */
export const nearness = (distancePct: Percent): number => Math.max(0, Math.min(100, 100 - Math.abs(Number(distancePct)) * 10));

export type AlertGroup = { readonly key: string; readonly symbol: string | undefined; readonly alerts: readonly PriceAlert[] };

const far = ({ distancePct, state }: PriceAlert): number =>
  distancePct === null ? 1e6 : Math.abs(Number(distancePct)) + (isWatchingState(state) ? 0 : 1e5);

/** Alerts by pair, the one nearest to firing first, in the group and among the groups. */
export function groupAlerts(alerts: readonly PriceAlert[]): AlertGroup[] {
  const groups = new Map<string, PriceAlert[]>();
  for (const alert of alerts) {
    const key =
      alert.symbol ?? (alert.condition.kind === 'newListing' ? 'market' : alert.condition.kind === 'screener' ? 'filters' : 'bots');
    groups.set(key, [...(groups.get(key) ?? []), alert]);
  }
  return [...groups]
    .map(([key, members]) => ({
      key,
      symbol: members[0]?.symbol,
      alerts: members.sort((a, b) => far(a) - far(b) || (a.id < b.id ? 1 : -1)),
    }))
    .sort((a, b) => far(a.alerts[0]!) - far(b.alerts[0]!) || (a.key < b.key ? -1 : 1));
}

/** Alerts that still wait for something, or remind of it; the others are over or switched off. */
export const isActive = ({ state, allowed }: Pick<PriceAlert, 'state' | 'allowed'>): boolean =>
  isWatchingState(state) || allowed.includes('acknowledge');
