/** A value that a screen draws, told at a bounded rate. */
export type BeatStore<State extends object> = {
  /** What was told last. */
  get: () => State;
  /** The newest, told or not. */
  newest: () => State;
  change: (part: Partial<State>) => void;
  subscribe: (listener: () => void) => () => void;
};

/**
 * Holds the newest state and tells the screen at most once per `beatMs`, however many changes arrive: the first at
 * once, the others together when the beat is over. The state is replaced as a whole, so that React can compare it.
 */
export function beatStore<State extends object>(
  first: State,
  beatMs: number,
  timers: { set: (run: () => void, ms: number) => unknown },
): BeatStore<State> {
  let current = first;
  let told = first;
  let resting = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    if (resting || told === current) return;
    resting = true;
    told = current;
    for (const listener of listeners) listener();
    timers.set(() => {
      resting = false;
      tell();
    }, beatMs);
  };
  return {
    get: () => told,
    newest: () => current,
    change: (part) => {
      current = { ...current, ...part };
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
