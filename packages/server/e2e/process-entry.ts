// What the end-to-end tests run as a process of its own: accounts without an exchange, from the environment.
import { accountFeatures } from '../src/app/features.ts';
import { startServer } from '../src/app/server.ts';
import { readSettings } from '../src/app/settings.ts';

try {
  const settings = readSettings(process.env);
  const server = await startServer({
    settings: { ...settings, auth: { ...settings.auth, accountsPerAddress: 1_000_000 } },
    features: accountFeatures,
  });
  void server.ended.then(() => process.exit(1));
  process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
  process.stderr.write(`listening ${server.url}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
