import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { fileForm } from '@pilotfish/core/http/file-form';
import type { AppError } from '@pilotfish/core/http/problem';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { toastText } from '../ui/toasts.ts';
import { signedIn, testApp } from './testing/shown-app.tsx';

// Every call that changes something, once, with no server to hear it: it fails for its caller, is sent once, and no word
// promises that it is tried again.

const endpoints: [string, AnyEndpoint][] = Object.entries(contract);
const writes = endpoints.filter(([, { method }]) => method !== 'GET');
/** Texts that would be such a promise. */
const PROMISE = /try|tries|retr|again|deneni|deneyec|yeniden|tekrar/i;

/** Something to call an endpoint with: the client sends what it is given. */
const anything = ({ path, headers, content }: AnyEndpoint) => ({
  input: { params: Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x'])), query: {}, body: {} },
  more: {
    headers: Object.fromEntries((headers ?? []).map((name) => [name, '1'])),
    ...(content === 'multipart' ? { form: fileForm(new Blob(['x']), 'x') } : {}),
  },
});

test('there are writes to look at', () => expect(writes.length).toBeGreaterThan(60));

test.each(writes)('%s without a server', async (id, endpoint) => {
  const sent: string[] = [];
  const said: AppError[] = [];
  const fetch = (async (input: string | URL | Request, init: RequestInit = {}) => {
    const { method = 'GET', url } = input instanceof Request ? input : { ...init, url: String(input) };
    // What is read meanwhile is not looked at here.
    if (method === 'GET') return new Promise<never>(() => undefined);
    sent.push(`${method} ${url}`);
    throw new TypeError('fetch failed');
  }) as typeof globalThis.fetch;
  const app = signedIn(testApp({ fetch, onProblem: (error) => void said.push(error) }));
  const { input, more } = anything(endpoint);
  const call = (app.client as unknown as Record<string, (input: object, more: object) => Promise<unknown>>)[id]!;
  await expect(call(input, more)).rejects.toMatchObject({ code: 'offline' });
  app.connectionRestored();
  expect(sent).toHaveLength(1);
  // What a form does not show itself is said in a toast.
  expect(said).toHaveLength(endpoint.backend === 'bff' ? 1 : 0);
  for (const error of said)
    for (const texts of [en, tr]) {
      const t = (key: string) => key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], texts) as string;
      expect(toastText(error, t)).not.toMatch(PROMISE);
    }
});
