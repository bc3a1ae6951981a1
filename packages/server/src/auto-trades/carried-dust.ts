import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { AutoTradesStore, BotRow } from './auto-trades-store.ts';

/** Whether some coin of a bot keeps dust for its next position: its cost is still in the budget of the wallet. */
export async function carriesDust(store: Pick<AutoTradesStore, 'newestPositions' | 'config'>, { id, context }: BotRow): Promise<boolean> {
  for (const { state, configVersion, context: last } of await store.newestPositions(id, context.runNo)) {
    if (state === 'detached') continue;
    if (!isPositive(decimal(last.bought))) {
      if (isPositive(decimal(last.carriedQuantity ?? '0'))) return true;
      continue;
    }
    if (state !== 'closed' || !isPositive(decimal(last.quantity))) continue;
    if ((await store.config(id, configVersion)).dust.policy === 'includeInNext') return true;
  }
  return false;
}
