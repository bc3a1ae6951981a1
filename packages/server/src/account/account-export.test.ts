import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toAppError } from '@pilotfish/core/http/problem';
import { expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer } from '../app/testing/test-server.ts';
import { PROCESS_ORIGIN } from '../audit/audit-log.ts';
import { problemOf } from '../http/problem-reply.ts';
import { LANGUAGES } from '../http/texts.ts';
import { accountExports } from './account-export.ts';

test('a second export is refused while one runs; one that ends after its account was deleted leaves no file behind', async () => {
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
  const refused = toAppError(await exports.start(id, PROCESS_ORIGIN).catch((thrown: unknown) => thrown));
  expect(LANGUAGES.map((language) => problemOf(refused, context.texts, language, '/').detail)).toEqual([
    'Your data is already being exported. Download it when the export is done.',
    'Verileriniz zaten dışa aktarılıyor. Dışa aktarma bitince indirin.',
  ]);
  await queries.deleteFrom('account_exports').where('account_id', '=', id).execute();
  goOn();
  await exports.settled();
  expect(existsSync(join(server.dataDir, 'exports', `${id}.json`))).toBe(false);
  await exports.start(id, PROCESS_ORIGIN);
  await exports.settled();
  expect(existsSync(join(server.dataDir, 'exports', `${id}.json`))).toBe(true);
  await server.close();
});

test('a document that is torn is exported as it is stored, and costs no other row', async () => {
  const server = await startTestServer({ features: accountFeatures });
  const user = await server.register();
  const { queries } = server.context.database;
  const { id } = await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow();
  for (const [key, settings] of [
    ['t1', '{"entry":'],
    ['t2', '{"entry":{}}'],
  ] as const)
    await queries
      .insertInto('bot_templates')
      .values({ id: key, account_id: id, name: key, name_key: key, settings, created_at: 0, updated_at: 0 })
      .execute();
  const exports = accountExports(server.context);
  await exports.start(id, PROCESS_ORIGIN);
  await exports.settled();
  const written = JSON.parse(readFileSync(join(server.dataDir, 'exports', `${id}.json`), 'utf8')) as {
    tables: Record<string, { settings: unknown }[]>;
  };
  expect(written.tables.bot_templates?.map(({ settings }) => settings)).toEqual(['{"entry":', { entry: {} }]);
  await server.close();
});
