// What the end-to-end tests kill: the whole server, from the environment.
import { startServer } from '../src/app/server.ts';
import { readSettings } from '../src/app/settings.ts';

const server = await startServer({ settings: readSettings(process.env), processMetrics: false });
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
process.stderr.write(`listening ${server.url}\n`);
