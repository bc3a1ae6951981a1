import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { SettingsPreview } from '@pilotfish/core/auto-trades/engine-inputs';
import { describePosition } from '@pilotfish/core/auto-trades/explain';

/** What new settings change for one open position, line by line: what a person is shown before it is done. */
export function positionChanges({ symbol, positionId, before, after }: SettingsPreview): PositionChange[] {
  const old = describePosition(before.state, before.context).lines;
  const fresh = describePosition(after.state, after.context).lines;
  const levels = (lines: typeof old) => lines.takeProfit.map(({ price, sellPct }) => `${price} (${sellPct} %)`).join(', ') || null;
  const rebuys = (lines: typeof old) => lines.rebuys.map(({ price }) => price).join(', ') || null;
  const pairs: [string, string | null, string | null][] = [
    ['stopLoss', old.stopLoss, fresh.stopLoss],
    ['takeProfit', levels(old), levels(fresh)],
    ['protectedCost', old.protectedCost, fresh.protectedCost],
    ['arm', old.arm, fresh.arm],
    ['rebuys', rebuys(old), rebuys(fresh)],
    ['protectiveStop', old.protectiveStop, fresh.protectiveStop],
    ['timeStop', old.timeStopAt, fresh.timeStopAt],
  ];
  return pairs.flatMap(([what, was, is]) => (was === is ? [] : [{ positionId, symbol, what, before: was, after: is }]));
}
