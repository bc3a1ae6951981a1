import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { fillPath } from '@pilotfish/core/http/endpoint-path';
import type { FieldError } from '@pilotfish/core/http/problem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Feature } from '../app/feature.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { authFeature } from '../auth/auth-routes.ts';
import { routePath } from './endpoint-routes.ts';

// Every call that writes, over HTTP: what nobody knows is refused before anything is done. A new call is in the walk by itself.

const writing = (Object.entries(contract) as [string, AnyEndpoint][]).filter(([, { method }]) => method !== 'GET');

let server: TestServer;
let admin: SignedInUser;
let reached: string[] = [];
beforeAll(async () => {
  server = await startTestServer({
    features: async (context) => {
      const auth = await authFeature(context);
      const others = Object.keys(contract).filter((id) => !(id in auth.handlers));
      const note = (id: string) => () => {
        reached.push(id);
        throw new Error('reached');
      };
      return [auth, { handlers: Object.fromEntries(others.map((id) => [id, note(id)])) } as Feature];
    },
  });
  admin = await server.register();
});
afterAll(() => server.close());

/** What parts of a path are where they are no id. */
const PARTS: Readonly<Record<string, string>> = {
  code: 'BTC',
  exchange: 'Binance',
  symbol: 'BTCUSDT',
  orderId: '1',
  interval: '1h',
  month: '2024-01',
};
const addressOf = (endpoint: AnyEndpoint): string => {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const params = Object.fromEntries(names.map((name) => [name, PARTS[name] ?? '018f0000-0000-7000-8000-000000000000']));
  return routePath({ ...endpoint, path: fillPath(endpoint.path, params) as `/${string}` });
};
const refused = async (endpoint: AnyEndpoint, more: { query?: string; body?: unknown }): Promise<unknown[]> => {
  // Writes are limited by the minute.
  server.advance(1000);
  const answer = await admin.call<{ errors?: FieldError[] }>(`${addressOf(endpoint)}${more.query ?? ''}`, {
    method: endpoint.method,
    body: more.body,
    headers: Object.fromEntries((endpoint.headers ?? []).map((name) => [name, 'x'])),
  });
  const found = answer.body?.errors?.find(({ path }) => path === 'nonsense');
  return [answer.status, found?.code, found?.message.includes('nonsense')];
};
const REFUSED = [400, expect.stringMatching(/^unknown_field(_near|_none)?$/), true];

test.each(writing)('%s refuses a field, and a word in its address, that it does not know', async (id, endpoint) => {
  reached = [];
  if (endpoint.content !== 'multipart') expect(await refused(endpoint, { body: { nonsense: 1 } })).toEqual(REFUSED);
  expect(await refused(endpoint, { query: '?nonsense=1' })).toEqual(REFUSED);
  expect(reached, id).toEqual([]);
});

type Definition = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly getter?: () => z.ZodType;
} & Readonly<Partial<Record<'element' | 'valueType' | 'innerType' | 'left' | 'right' | 'in', z.ZodType>>>;

/** Where anything may stand, in which no field can be unknown. */
function openPlaces(schema: z.ZodType, path = '', seen = new Set<z.ZodType>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const definition = schema._zod.def as unknown as Definition;
  const { type, shape = {}, catchall, options = [], items = [], getter } = definition;
  const inner = (['element', 'valueType', 'innerType', 'left', 'right', 'in'] as const).flatMap((name) => definition[name] ?? []);
  const isOpen = ['any', 'unknown', 'custom'].includes(type) || (catchall && catchall._zod.def.type !== 'never');
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(shape).flatMap(([name, each]) => openPlaces(each, `${path}.${name}`, seen)),
    ...[...options, ...items, ...inner, ...(getter ? [getter()] : [])].flatMap((each) => openPlaces(each, path, seen)),
  ];
}

test('nor does anything that a call takes lie where any field may stand, but what is listed here', () => {
  const open = writing.flatMap(([id, { body, query }]) =>
    [body, query].flatMap((schema) => (schema === undefined ? [] : openPlaces(schema).map((path) => `${id}${path}`))),
  );
  // Groups of rules that lie deeper than they may: refused by a rule of their own, and not read before.
  expect(open).toEqual([
    'getFilterResults.filter.rules.rules.rules.rules',
    'createCoinFilter.conditions.rules.rules.rules.rules',
    'createAutoTrade.entry.trigger.rules.rules.rules.rules.rules',
    'updateAutoTrade.entry.trigger.rules.rules.rules.rules.rules',
    'createBotTemplate.settings.entry.trigger.rules.rules.rules.rules.rules',
    'updateBotTemplate.settings.entry.trigger.rules.rules.rules.rules.rules',
  ]);
});
