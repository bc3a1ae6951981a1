import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import type { SyncRun } from './sync-store.ts';

export type SyncProgress = Omit<SyncStatus, 'differences' | 'comparedAt' | 'unread' | 'withoutTransfers'>;

/**
 * How far the reading of a history is.
 * @param symbol the pair that is read at this moment
 * @param now epoch ms
 */
export function progressOf(run: SyncRun | undefined, symbol: string | null, now: number): SyncProgress {
  if (run === undefined)
    return { state: 'never', done: 0, total: 0, symbol: null, tradesFound: 0, etaSeconds: null, finishedAt: null, error: null };
  const { done, total, startedAt, finishedAt } = run;
  const pace = done > 0 ? (now - startedAt) / done : null;
  return {
    state: run.state === 'done' ? 'idle' : run.state,
    done,
    total,
    symbol,
    tradesFound: run.tradesFound,
    etaSeconds: run.state === 'running' && pace !== null ? Math.ceil(((total - done) * pace) / 1000) : null,
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    error: run.error,
  };
}
