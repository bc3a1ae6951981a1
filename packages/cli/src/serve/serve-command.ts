import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startServer } from '@pilotfish/server/app/server';
import { readSettings } from '@pilotfish/server/app/settings';

/** The web app beside this bundle, as the build lays it. */
const webFolder = (): string | undefined => {
  const folder = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  return existsSync(folder) ? folder : undefined;
};

/** Serves until it is told to stop. Sentences for people go to stderr, the log to stdout. */
export async function runServe(): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const server = await startServer({ settings: { ...settings, webFolder: settings.webFolder ?? webFolder() } });
    process.stderr.write(`Pilotfish is ready on ${server.url} (${settings.exchange} exchange)\n`);
    const stop = (code: number) => () => {
      void server.close().then(() => process.exit(code));
    };
    process.once('SIGINT', stop(0));
    process.once('SIGTERM', stop(0));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
