import { realTimers } from '@pilotfish/core/time/timers';
import { createLog } from './log.ts';
import { type RunningServer, type ServerOptions, startRun } from './server-run.ts';

export type { RunningServer, ServerOptions } from './server-run.ts';

/** The answer to whoever chose gets out before the run ends. */
const LAST_ANSWER_MS = 100;

/**
 * Starts the server. When an Admin chooses another market it ends in order and begins again with that one, at the same
 * port, as if its process had been restarted: nothing of one market can linger in the other.
 * @param start what begins a run; a stand-in in tests
 * @throws StartError | DatabaseStartError, whose message is a sentence for the person at the terminal
 */
export async function startServer(given: ServerOptions, start: typeof startRun = startRun): Promise<RunningServer> {
  const { timers = realTimers, log = createLog(given.settings.logLevel) } = given;
  let end: (reason: Error) => void = () => undefined;
  const ended = new Promise<Error>((resolve) => {
    end = resolve;
  });
  let closing = false;
  let changing: Promise<void> = Promise.resolve();
  const begin = async (options: ServerOptions): Promise<RunningServer> => {
    const onMarket = () => {
      changing = change();
    };
    const run = await start({ ...options, timers, log, onMarket });
    void run.ended.then(end);
    return run;
  };
  const change = async (): Promise<void> => {
    try {
      await timers.wait(LAST_ANSWER_MS);
      // Only a port that was found by itself is read from the address, which does not name port 80.
      const settings = { ...given.settings, port: given.settings.port || Number(new URL(run.url).port) };
      await run.close();
      if (closing) return;
      run = await begin({ ...given, settings, fresh: false });
    } catch (error) {
      log.fatal({ err: error }, 'the server could not begin again with another market');
      end(error instanceof Error ? error : new Error(String(error)));
    }
  };
  let run = await begin(given);
  return {
    get url() {
      return run.url;
    },
    get context() {
      return run.context;
    },
    get setupCode() {
      return run.setupCode;
    },
    close: async () => {
      closing = true;
      await changing;
      await run.close();
    },
    write: () => run.write(),
    ended,
  };
}
