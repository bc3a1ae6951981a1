import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { realTimers } from '@pilotfish/core/time/timers';
import { startServer } from '@pilotfish/server/app/server';
import { readSettings } from '@pilotfish/server/app/settings';
import { stopServer } from '@pilotfish/server/app/stop-server';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { colours, isColoured } from '../ui/colour.ts';

/** The web app beside this bundle, as the build lays it. */
const webFolder = (): string | undefined => {
  const folder = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  return existsSync(folder) ? folder : undefined;
};

export type ServeOptions = { port?: string; host?: string; dataDir?: string; exchange?: string; fresh?: boolean };

/** Serves until it is told to stop. The sentence for people goes to stderr, the log to stdout. */
export async function run(context: Context, options: ServeOptions): Promise<void> {
  const { env, stdout, stderr, exit } = context;
  // Before anything is started: a signal that comes meanwhile is heard when that is done.
  const interrupted = context.untilInterrupted();
  const atOnce = context.untilInterruptedAgain();
  const told = {
    PILOTFISH_PORT: options.port,
    PILOTFISH_HOST: options.host,
    PILOTFISH_DATA_DIR: options.dataDir,
    PILOTFISH_EXCHANGE: options.exchange,
  };
  const flags = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  // A person at a terminal wants to hear of trouble, not of every request; a log collector wants all of it.
  const level = env.PILOTFISH_LOG_LEVEL || (stdout.isTTY ? 'warn' : 'info');
  try {
    const settings = readSettings({ ...env, ...flags, PILOTFISH_LOG_LEVEL: level });
    const givenUp = new AbortController();
    const starting = startServer({
      signal: givenUp.signal,
      settings: { ...settings, webFolder: settings.webFolder ?? webFolder() },
      ...(options.fresh && { fresh: true }),
    });
    const stop = () => stopServer(starting, { timers: realTimers, atOnce });
    const server = await Promise.race([starting, interrupted]);
    if (!server) {
      givenUp.abort(new Error('stopped while it started'));
      await stop();
      return exit(EXIT.done);
    }
    const t = await context.texts();
    const paint = colours(context, stderr);
    const { marketSource, marketDecision } = server.context;
    const exchange = t(`exchange.${marketSource}.name`);
    stderr.write(
      `${t('cli.serve.ready', { url: paint.bold(server.url), exchange: marketSource === 'simulated' ? paint.simulated(isColoured(context, stderr) ? ` ${exchange} ` : exchange) : exchange })}\n`,
    );
    if (marketDecision.by === 'default') stderr.write(`${t('cli.serve.marketOpen')}\n`);
    const setup = server.setupCode;
    // The one place that shows it; the log never does.
    if (setup) stderr.write(`${t(setup.given ? 'cli.serve.setupCodeGiven' : 'cli.serve.setupCode', { code: paint.bold(setup.code) })}\n`);
    if (stderr.isTTY) stderr.write(`${paint.dim(t('cli.serve.hint', { folder: settings.dataDir }))}\n`);
    const ended = await Promise.race([server.ended, interrupted]);
    if (ended) {
      stderr.write(`${ended.message}\n`);
      return exit(EXIT.failed);
    }
    await stop();
    exit(EXIT.done);
  } catch (error) {
    if (error instanceof Error) throw new LocalFailure('serve', { reason: error.message }, { cause: error });
    throw error;
  }
}
