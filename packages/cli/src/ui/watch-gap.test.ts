import { expect, test, vi } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS, execute } from '../app/cli.ts';

// A list that stays is read first and listened for afterwards: what happens between the two must not be lost.

const logLine = (number: number, code: string) => ({
  id: `01a1fc3a-46e6-72f7-a393-a88a45a667d${number}`,
  at: '2026-11-21T09:00:00.000Z',
  positionId: null,
  symbol: null,
  code,
  level: 'info',
  facts: {},
});

const NOTHING_HELD = {
  positions: [],
  evaluations: [],
  ladder: { rungs: [], exits: [], stops: [], worstCaseTotal: '0', worstLoss: null, currency: 'USDT' },
  coins: ['BTCUSDT'],
  coinPauses: [],
  coinHalts: [],
  withheld: [],
};

/** Runs a command that stays, against a server where everything changes just before its stream stands, and says nothing more. */
async function watching(words: readonly string[], look: (out: string) => void): Promise<void> {
  let isLate = false;
  let details = 0;
  let loseItsPlace: () => void = () => undefined;
  const fetch = (async (input: string, { signal }: RequestInit = {}) => {
    const { pathname } = new URL(input);
    if (pathname.endsWith('/stream')) {
      isLate = true;
      const body = new ReadableStream({
        start: (to) => {
          const send = (text: string) => to.enqueue(new TextEncoder().encode(text));
          loseItsPlace = () => send('id: e-1\nevent: reset\ndata: {}\n\n');
          send(':\n\n');
          signal?.addEventListener('abort', () => to.error(signal.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    if (pathname.endsWith('/detail')) {
      details += 1;
      if (details === 1) setImmediate(loseItsPlace);
      return new Response(JSON.stringify({ ...autoTrade(details === 1 ? 'Running' : 'Disabled'), ...NOTHING_HELD }));
    }
    if (pathname.endsWith('/logs')) {
      const items = [...(isLate ? [logLine(2, 'TARGET_SET')] : []), logLine(1, 'ENABLED')];
      return new Response(JSON.stringify({ items, total: items.length, page: 1, pageSize: 50 }));
    }
    if (pathname.endsWith('/figures')) return new Response('[]');
    if (pathname.endsWith('/auto-trades')) return new Response(JSON.stringify([autoTrade(isLate ? 'Disabled' : 'Running')]));
    return new Response('{}', { status: 404 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
  const endings: (() => void)[] = [];
  const atEnd = (work: () => void) => {
    endings.push(work);
    return () => undefined;
  };
  const run = execute(words, host, { ...ENDLESS, atEnd });
  try {
    await vi.waitFor(() => look(host.out()));
  } finally {
    for (const end of endings) end();
    await run;
  }
}

test('a list tells what changed before anybody listened', () =>
  watching(['bots', 'ls', '--watch', '--jsonl', '--fields', 'name,state'], (out) =>
    expect(out).toBe('{"name":"Dip","state":"Running"}\n{"name":"Dip","state":"Disabled"}\n'),
  ));

test('so does a log', () =>
  watching(['bots', 'logs', 'Dip', '--watch', '--jsonl', '--fields', 'code'], (out) =>
    expect(out).toBe('{"code":"ENABLED"}\n{"code":"TARGET_SET"}\n'),
  ));

test('one bot is told whole at the beginning, and again where the stream has lost its place', () =>
  watching(['bots', 'show', 'Dip', '--watch', '--json'], (out) =>
    expect(
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { state: string }).state),
    ).toEqual(['Running', 'Disabled']),
  ));
