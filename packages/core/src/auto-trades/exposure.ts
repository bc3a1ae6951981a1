import type { AutoTradeConfig } from './config/auto-trade-config.ts';

/**
 * What is left open when the server is off or cut from the exchange, as a key of `autoTrades.exposed`: no rule sells
 * below at all; the stop works here only; or a stop rests at the exchange, but not before the protected cost is drawn.
 */
export type Exposure = 'noStop' | 'stopAtServer' | 'untilLine';

/** Undefined when a stop rests at the exchange from the first buy on. */
export function exposureOf({
  stopLoss,
  trailingCost,
  protectiveStop,
}: Pick<AutoTradeConfig, 'protectiveStop'> & {
  readonly stopLoss: { readonly mode: string };
  readonly trailingCost: Pick<AutoTradeConfig['trailingCost'], 'enabled'>;
}): Exposure | undefined {
  const hasStop = stopLoss.mode !== 'none';
  if (!hasStop && !trailingCost.enabled) return 'noStop';
  if (!protectiveStop.enabled) return 'stopAtServer';
  return hasStop ? undefined : 'untilLine';
}
