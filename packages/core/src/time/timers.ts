/** Ends a timer; a second call, or one after it ran, does nothing. */
export type Cancel = () => void;

/** `ref: true` keeps the process alive until the timer has run; without it a process that has nothing else to do ends. */
export type TimerOptions = { readonly ref?: boolean };

/**
 * Every wait of the server and of the simulator. It is given like `now`, so that tests run hours of back-offs, polls and
 * deadlines without waiting for them.
 */
export type Timers = {
  /** Runs `work` once, `ms` from now. */
  readonly after: (ms: number, work: () => void, options?: TimerOptions) => Cancel;
  /** Runs `work` every `ms`, first `ms` from now. Never keeps the process alive. */
  readonly every: (ms: number, work: () => void) => Cancel;
  /** Resolves `ms` from now. */
  readonly wait: (ms: number, options?: TimerOptions) => Promise<void>;
  /** Aborts `ms` from now with a `TimeoutError`, as `AbortSignal.timeout` does. */
  readonly deadline: (ms: number) => AbortSignal;
  /**
   * Milliseconds since some moment, which never go back and never jump when the wall clock is set. They stand still
   * while the machine sleeps: what must not outlive its time is measured by the wall clock, too.
   */
  readonly running: () => number;
  /** The wall clock of the machine, epoch ms: for ages only. Moments that are kept or shown are `now`'s. */
  readonly wall: () => number;
  /** Waits for work of another thread. A clock that jumps does not jump meanwhile. */
  readonly meanwhile: <Result>(work: Promise<Result>) => Promise<Result>;
};

/** Node's timers can let the process end; a browser's are numbers. */
function released<Handle>(handle: Handle): Handle {
  (handle as { unref?: () => void }).unref?.();
  return handle;
}

/** The timers of the platform. */
export const realTimers: Timers = {
  after: (ms, work, { ref = false } = {}) => {
    const handle = setTimeout(work, ms);
    if (!ref) released(handle);
    return () => clearTimeout(handle);
  },
  every: (ms, work) => {
    // biome-ignore lint/style/noRestrictedGlobals: this is where the platform's timers are handed out
    const handle = released(setInterval(work, ms));
    return () => clearInterval(handle);
  },
  wait: (ms, { ref = false } = {}) =>
    new Promise((done) => {
      const handle = setTimeout(done, ms);
      if (!ref) released(handle);
    }),
  deadline: (ms) => AbortSignal.timeout(ms),
  running: () => performance.now(),
  wall: () => Date.now(),
  meanwhile: (work) => work,
};
