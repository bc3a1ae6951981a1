import type { Timers } from '@pilotfish/core/time/timers';
import type { RunningServer } from './server.ts';

/** A service manager kills after ten seconds what it has asked to end: what cannot end in order by then ends as it is. */
export const CLOSE_PATIENCE_MS = 8500;
export const WRITE_PATIENCE_MS = 1000;

/**
 * Ends a server that runs or is still starting, within ten seconds whatever it is doing: the running calls end, its
 * bots stop, and what they have decided is written in any case. Orders on their way are settled by the next start.
 * @param options.atOnce resolves when somebody has asked a second time: only what is decided is written then
 */
export async function stopServer(
  starting: Promise<Pick<RunningServer, 'close' | 'write'>>,
  { timers, atOnce }: { readonly timers: Pick<Timers, 'wait'>; readonly atOnce: Promise<void> },
): Promise<void> {
  let server: Pick<RunningServer, 'close' | 'write'> | undefined;
  const closed = starting.then(
    (running) => {
      server = running;
      return running.close();
    },
    // It did not start: its failure is told by whoever started it.
    () => undefined,
  );
  await Promise.race([closed, atOnce, timers.wait(CLOSE_PATIENCE_MS)]);
  await Promise.race([server?.write().catch(() => undefined), timers.wait(WRITE_PATIENCE_MS)]);
}
