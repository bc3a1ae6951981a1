import { pino } from 'pino';

/** Bytes of lines that wait for their reader or for room; what comes beyond is dropped. */
const MOST_WAITING = 1024 * 1024;
/** Tries of a reader that does not take anything, a tenth of a second apart, before the line waits for the next one. */
const MOST_TRIES = 20;

export type LogDestination = {
  write(line: string): void;
  /** Lines that were dropped since the process began. */
  readonly dropped: number;
  /** Called when lines get through again after some were dropped. */
  onBack(listener: (lines: number) => void): void;
};

/**
 * The standard output, without its dangers: a disk that is full, a pipe that nobody reads any more or one that is
 * gone neither stop the process nor end it. Lines wait in memory for a while; then they are dropped and counted.
 */
export function logDestination(fd = 1, mostWaiting = MOST_WAITING): LogDestination {
  let tries = 0;
  let dropped = 0;
  let told = 0;
  let back: (lines: number) => void = () => undefined;
  const mayTryAgain = (): boolean => {
    tries += 1;
    return tries < MOST_TRIES;
  };
  // Asynchronous: a write that blocks holds a thread of the pool, not the one that trades.
  const out = pino.destination({ dest: fd, sync: false, maxLength: mostWaiting, retryEAGAIN: mayTryAgain });
  const flush = out.flushSync.bind(out);
  // At the end of the process, too, a line that cannot be written is no reason for another exit code.
  out.flushSync = () => {
    try {
      flush();
    } catch {
      dropped += 1;
    }
  };
  // Without a listener it would end the process. The line is kept, and tried again with the next one.
  out.on('error', () => {
    tries = 0;
  });
  out.on('drop', () => {
    dropped += 1;
  });
  out.on('drain', () => {
    tries = 0;
    if (dropped === told) return;
    const lines = dropped - told;
    told = dropped;
    back(lines);
  });
  return {
    write: (line) => void out.write(line),
    get dropped() {
      return dropped;
    },
    onBack: (listener) => {
      back = listener;
    },
  };
}

let standardOutput: LogDestination | undefined;
/** The one of this process. */
export const standardLogDestination = (): LogDestination => (standardOutput ??= logDestination());
