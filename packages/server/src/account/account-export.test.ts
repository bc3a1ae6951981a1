import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer } from '../app/testing/test-server.ts';
import { PROCESS_ORIGIN } from '../audit/audit-log.ts';
import { accountExports } from './account-export.ts';

test('an export that ends after its account was deleted leaves no file behind', async () => {
  const server = await startTestServer({ features: accountFeatures });
  const user = await server.register();
  const { context } = server;
  const { queries } = context.database;
  const { id } = await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow();
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // The writing waits where it first asks which tables there are.
  const slow = new Proxy(queries, {
    get: (target, key) => {
      if (key === 'introspection') return { getTables: () => held.then(() => target.introspection.getTables()) };
      const value = Reflect.get(target, key, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const exports = accountExports({ ...context, database: { ...context.database, queries: slow } });
  await exports.start(id, PROCESS_ORIGIN);
  await queries.deleteFrom('account_exports').where('account_id', '=', id).execute();
  goOn();
  await exports.settled();
  expect(existsSync(join(server.dataDir, 'exports', `${id}.json`))).toBe(false);
  await exports.start(id, PROCESS_ORIGIN);
  await exports.settled();
  expect(existsSync(join(server.dataDir, 'exports', `${id}.json`))).toBe(true);
  await server.close();
});
