import { decimal, minimum, toText } from '../money/decimal.ts';
import type { Price } from '../money/figure.ts';
import type { LevelsOutlook } from './auto-trade-actions-contract.ts';
import type { AutoTradePosition } from './auto-trades-contract.ts';
import { stopInForce } from './position-risk.ts';
import { saleOutlook } from './sale-outlook.ts';

/**
 * Where the levels of a position stand, and what it comes to when its stop fills: the worst case, but for a gap.
 * @param sendsExits false where its rules send no exits: then only what rests at the exchange sells
 * @param bid what the market pays now, null when unknown: a stop above it sells there, not at the stop
 */
export function levelsOutlook(
  position: Pick<AutoTradePosition, 'machineState' | 'lines' | 'quantity' | 'averageCost' | 'breakEven'>,
  sendsExits: boolean,
  bid: Price | null,
): LevelsOutlook {
  const { lines } = position;
  const stop = stopInForce(lines, sendsExits && position.machineState !== 'needsAttention');
  return {
    stop: lines.stopLoss,
    trailingStart: lines.arm,
    takeProfit: lines.takeProfit.map(({ price }) => price),
    worst: (stop && saleOutlook(position, toText(bid === null ? stop : minimum(stop, decimal(bid))))?.result) ?? null,
  };
}
