import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { AutoTradesStore, BotRow, PositionRow } from './auto-trades-store.ts';

type Store = Pick<AutoTradesStore, 'newestPositions' | 'config'>;

/** Whether a position, the newest of its coin, leaves dust to the next one: its cost is still in the budget of the wallet. */
async function leavesDust(store: Store, id: string, { state, configVersion, context }: PositionRow): Promise<boolean> {
  if (state === 'detached') return false;
  if (!isPositive(decimal(context.bought))) return isPositive(decimal(context.carriedQuantity ?? '0'));
  if (state !== 'closed' || !isPositive(decimal(context.quantity))) return false;
  return (await store.config(id, configVersion)).dust.policy === 'includeInNext';
}

/** Whether some coin of a bot keeps dust for its next position. */
export async function carriesDust(store: Store, { id, context }: BotRow): Promise<boolean> {
  for (const position of await store.newestPositions(id, context.runNo)) if (await leavesDust(store, id, position)) return true;
  return false;
}

/** The coins that a bot has to do with whatever its settings name: those it holds, and those of which it keeps dust. */
export async function symbolsKept(store: Store, id: string, positions: readonly PositionRow[]): Promise<string[]> {
  const kept: string[] = [];
  for (const position of positions) {
    const held = position.state !== 'closed' && position.state !== 'detached';
    if (held || (await leavesDust(store, id, position))) kept.push(position.symbol);
  }
  return kept;
}
