import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { POSTGRES_DOOR } from '../packages/server/src/database/postgres-fixture.ts';
import { type PostgresProcess, startPostgres } from '../packages/server/src/database/postgres-process.ts';

/**
 * One PostgreSQL for all files and workers of a run. It is started when the first file asks for it, and ends with this
 * process, however that ends.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL || process.env[POSTGRES_DOOR]) return undefined;
  let started: ReturnType<typeof startPostgres> | undefined;
  const door = createServer((socket) => {
    socket.on('error', () => undefined);
    started ??= startPostgres();
    void started.then((found) => socket.end(JSON.stringify('skipped' in found ? found : { url: found.url })));
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  door.unref();
  process.env[POSTGRES_DOOR] = String((door.address() as AddressInfo).port);
  return async () => {
    delete process.env[POSTGRES_DOOR];
    door.close();
    const found = await started;
    if (found && !('skipped' in found)) await (found satisfies PostgresProcess).stop();
  };
}
