import { stripVTControlCharacters } from 'node:util';
import type { MarketChoice } from '@pilotfish/core/admin/market-choice-contract';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS } from './cli.ts';
import { createContext } from './create-context.ts';
import { askFirstMarket, hintAtMarket } from './first-market.tsx';

const open: MarketChoice = { market: 'simulated', decidedBy: 'default', reachable: true, changingTo: null, rests: [] };
const binance: MarketChoice = { ...open, market: 'binance', decidedBy: 'admin' };

type Answers = readonly (readonly [RegExp, string])[];
const DOWN = '\u001b[B';

/** What the first Admin is asked by a server with this choice, and what it is then told to work with. */
async function asked(choice: MarketChoice | 403, answers: Answers, { reachable = true, hint = false } = {}) {
  const chosen: string[] = [];
  let now = choice;
  const fetch = (async (input: string, { method = 'GET', body }: RequestInit = {}) => {
    if (!new URL(input).pathname.endsWith('/admin/market')) return new Response('{}', { status: 404 });
    if (now === 403) return new Response('{}', { status: 403 });
    if (method === 'GET') return new Response(JSON.stringify(now));
    const { market } = JSON.parse(body as string) as { market: MarketChoice['market'] };
    chosen.push(market);
    now = { ...binance, market, reachable: reachable || market === 'simulated' };
    return new Response(JSON.stringify({ ...now, changingTo: market }));
  }) as typeof globalThis.fetch;
  const timers = { setTimeout: (work: () => void) => setImmediate(work), clearTimeout: () => undefined };
  const host = fakeHost({ fetch, timers, answers, columns: 200, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  await (hint ? hintAtMarket : askFirstMarket)(createContext([], host, {}, ENDLESS));
  return { chosen, said: stripVTControlCharacters(host.err()) };
}
const QUESTION = /Which market should Pilotfish use\?/;

test('whoever may not choose is not asked, nor is one whose market is chosen', async () => {
  for (const choice of [403, binance, { ...open, decidedBy: 'environment' }] as const)
    for (const hint of [true, false]) expect(await asked(choice, [], { hint })).toEqual({ chosen: [], said: '' });
  expect((await asked(open, [], { hint: true })).said).toMatch(/^No market is chosen yet[^\n]*\n$/);
});

test('Enter chooses the simulated market; later leaves it open and says how', async () => {
  const { chosen, said } = await asked(open, [[QUESTION, '\r']]);
  expect(chosen).toEqual(['simulated']);
  expect(said).toMatch(/Market: Simulated market\.\n$/);
  const later = await asked(open, [[QUESTION, `${DOWN.repeat(3)}\r`]]);
  expect(later.chosen).toEqual([]);
  expect(later.said).toMatch(/Choose at any time: pilotfish admin market use <market>\n$/);
});

test('an account of the exchange is offered to be connected, once its prices arrive', async () => {
  const key = [QUESTION, `${DOWN.repeat(2)}\r`] as const;
  const { chosen, said } = await asked(open, [key, [/Connect your Binance account now\?/, 'n\r']]);
  expect(chosen).toEqual(['binance']);
  expect(said).toMatch(/Connect your account: pilotfish exchange connect\n$/);
});

test('without prices the person decides: nothing falls back by itself', async () => {
  const real = [QUESTION, `${DOWN}\r`] as const;
  const AWAY = /No prices/;
  const stays = await asked(open, [real, [AWAY, `${DOWN}\r`]], { reachable: false });
  expect(stays.chosen).toEqual(['binance']);
  expect(stays.said).toMatch(/Market: Binance\. Prices appear once it can be reached\. To use the simulated market: [^\n]+\n$/);
  const back = await asked(open, [real, [AWAY, '\r']], { reachable: false });
  expect(back.chosen).toEqual(['binance', 'simulated']);
});
