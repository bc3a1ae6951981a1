/** Reloads cost the server an answer made anew: at most one in this time. */
const RELOAD_MS = 1_000;

/** At once when quiet, then not before the pause is over: one call for however many wishes. */
export function reloader(load: () => Promise<void>, signal: AbortSignal): () => void {
  let resting = false;
  let wanted = false;
  const run = () => {
    if (signal.aborted) return;
    if (resting) {
      wanted = true;
      return;
    }
    resting = true;
    wanted = false;
    // A failure is not shown here: the stream's status already says that the connection is lost.
    void load().catch(() => undefined);
    setTimeout(() => {
      resting = false;
      if (wanted) run();
    }, RELOAD_MS).unref();
  };
  return run;
}
