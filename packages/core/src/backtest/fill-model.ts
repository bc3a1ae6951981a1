import * as z from 'zod';
import { amountText } from '../http/wire.ts';
import { STANDARD_FEE } from '../money/trading-terms.ts';
import type { Pair } from '../prices/prices-contract.ts';

const percent = z.number().min(0).max(100);

/** How orders fill in a backtest; shown in every report. Percentages in percent units, fees as fractions in decimal text. */
export const fillModelSchema = z.object({
  /** Half of the assumed spread, and the slippage of a market order on top of it. */
  halfSpreadPct: percent,
  slippagePct: percent,
  /** Part of a bar's volume that a resting order may take. */
  volumeSharePct: percent,
  takerFee: amountText,
  /** Of orders that rested before they were filled. */
  makerFee: amountText,
});
export type FillModel = Readonly<z.infer<typeof fillModelSchema>>;

export const DEFAULT_FILL_MODEL: FillModel = {
  halfSpreadPct: 0.05,
  slippagePct: 0.05,
  volumeSharePct: 5,
  takerFee: STANDARD_FEE,
  makerFee: STANDARD_FEE,
};

/**
 * What a sale is paid when candles tell a price, as a double: half the assumed spread below it, down to the tick.
 */
export function assumedBid({ filters, pricePrecision }: Pair, { halfSpreadPct }: FillModel): (price: number) => number {
  const share = 1 - halfSpreadPct / 100;
  const [tick, unit] = [Number(filters.tickSize), 10 ** pricePrecision];
  // The double next to the decimal, so that a level at this very price is reached.
  return (price) => (halfSpreadPct === 0 ? price : Math.round(Math.floor((price * share) / tick + 1e-9) * tick * unit) / unit);
}
