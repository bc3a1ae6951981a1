import { claimSchema } from '@pilotfish/core/account/account-contract';
import { endpoint } from '@pilotfish/core/http/endpoint';
import { STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS } from './cli.ts';
import { createContext } from './create-context.ts';

const HOME = 'https://home.example';
const getIt = endpoint({
  backend: 'bff',
  access: 'none',
  method: 'GET',
  path: '/v1/app-config',
  summary: 'It',
  answer: claimSchema,
  errors: ['not-found'],
});
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PROBLEM = { 'content-type': 'application/problem+json', [STREAM_POSITION_HEADER]: 's 1' };
const page = (status = 200) => new Response('<!doctype html>', { status, headers: HTML });
const missing = (headers: Record<string, string>) =>
  new Response(JSON.stringify({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found', detail: 'Gone.' }), {
    status: 404,
    headers,
  });

/** What a call at an address says that another answers at; `at` is where Pilotfish lies. */
async function said(url: string, answer: () => Response, { at = '', language = 'en' } = {}) {
  const asked: string[] = [];
  const fetch = (async (input: string) => {
    asked.push(input);
    return at !== '' && input === `${at}/bff/v1/app-config`
      ? Response.json({ name: 'it', value: 'x' }, { headers: { [STREAM_POSITION_HEADER]: 's 1' } })
      : answer();
  }) as typeof globalThis.fetch;
  const context = createContext(['--lang', language], fakeHost({ fetch }), { url }, ENDLESS);
  const client = await context.client({ getIt });
  const error = (await client.getIt().catch((thrown: unknown) => thrown)) as { code?: string; message: string };
  return { code: error.code, text: error.message, asked: asked.map((each) => each.replace('/bff/v1/app-config', '')) };
}

test.each([
  ['a page of the app', page],
  ['a page that does not exist', () => page(404)],
  ['the app, which knows no such call', () => missing({ 'content-type': 'application/problem+json' })],
])('%s below the path is named, with the address above it', async (_, answer) => {
  const { code, text, asked } = await said(`${HOME}/pilotfish/prices`, answer, { at: `${HOME}/pilotfish` });
  expect([code, text]).toEqual(['internal', expect.stringContaining(`${HOME}/pilotfish/prices is not the address`)]);
  expect(text).toMatch(/answers at --url https:\/\/home\.example\/pilotfish$/);
  expect(asked).toEqual([`${HOME}/pilotfish/prices`, `${HOME}/pilotfish`]);
});

test('an address from a page of the root leads to the root; in Turkish, too', async () => {
  const { text } = await said(`${HOME}/auto-trade/detail/7`, page, { at: HOME, language: 'tr' });
  expect(text).toMatch(/API adresi değil.*--url https:\/\/home\.example$/);
});

test('where nothing above it is Pilotfish the form of an address is said', async () => {
  const { text, asked } = await said(`${HOME}/other`, page);
  expect(text).toContain('such as https://home.example or https://home.example/pilotfish');
  expect(asked).toEqual([`${HOME}/other`, HOME]);
  expect((await said(HOME, page)).asked).toEqual([HOME]);
});

test.each([
  ['a proxy whose server is away', HOME, () => page(502), 'offline'],
  ['a proxy that wants a sign-in of its own', `${HOME}/pilotfish`, () => page(401), 'unauthenticated'],
  ['what the API does not find', `${HOME}/pilotfish`, () => missing(PROBLEM), 'not-found'],
  ['a server too old for the header', HOME, () => missing({ 'content-type': 'application/problem+json' }), 'not-found'],
])('%s is told as before', async (_, url, answer, known) => {
  const { code, text, asked } = await said(url, answer);
  expect(code).toBe(known);
  expect(text).not.toContain('is not the address');
  expect(asked).toHaveLength(1);
});
