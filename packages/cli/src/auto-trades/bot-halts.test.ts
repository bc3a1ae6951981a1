import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const bot = autoTrade();
const halt = {
  id: '01a1fc3a-46e6-72f7-a393-a88a45a667dd',
  symbol: 'BTCUSDT',
  autoTradeId: bot.id,
  reason: 'news',
  haltedAt: '2026-11-21T10:00:00.000Z',
  until: '2026-11-21T12:00:00.000Z',
};

const run = async (...words: string[]) => {
  const seen: { method: string; path: string; body: unknown }[] = [];
  const fetch = (async (input: string, init: RequestInit = {}) => {
    const [path, method] = [new URL(input).pathname.replace('/bff/v2/auto-trades', ''), init.method ?? 'GET'];
    if (method !== 'GET') seen.push({ method, path, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined });
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return new Response(JSON.stringify(method === 'POST' ? { halted: 2, liquidating: 1 } : path === '/halts' ? [halt] : [bot]), {
      status: 200,
    });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
  return { exit: await execute(['bots', ...words], host), out: host.out(), err: host.err(), seen };
};

test.each([
  [['halt', 'Dip', '--all'], 'botOrAll'],
  [['halt'], 'botOrAll'],
  [['halt', 'Dip', '--hours', '3'], 'hoursNeedCoin'],
  [['halt', '--coin', 'BTCUSDT', '--sell-off'], 'coinOrSellOff'],
  [['halt', '--coin', 'BTCUSDT', '--hours', '169'], 'atMost'],
  [['halt', '--coin', 'BTCUSDT', '--hours', 'long'], 'amount'],
  [['halt', '--coin', 'BTCUSDT'], 'needsFlag'],
])('%j is refused: %s', async (words, code) => {
  const refused = await run(...words, ...(code === 'needsFlag' ? [] : ['--yes']));
  expect(refused).toMatchObject({ exit: 2, seen: [] });
  expect(refused.err).toContain(`(${code})`);
});
test.each([
  [['Dip', '--sell-off', '--reason', 'odd'], { scope: 'bot', autoTradeId: bot.id, reason: 'odd', liquidate: true }],
  [['--all'], { scope: 'all', reason: '', liquidate: false }],
  [
    ['Dip', '--coin', 'btcusdt', '--hours', '1.5'],
    { scope: 'coin', symbol: 'BTCUSDT', hours: 1.5, autoTradeId: bot.id, reason: '', liquidate: false },
  ],
  [['--coin', 'btcusdt'], { scope: 'coin', symbol: 'BTCUSDT', hours: 24, reason: '', liquidate: false }],
])('halt %j', async (words, body) => {
  const done = await run('halt', ...words, '--yes', '--json');
  expect(done.seen).toEqual([{ method: 'POST', path: '/halt', body }]);
  expect(JSON.parse(done.out)).toMatchObject({ scope: body.scope, halted: 2, liquidating: 1 });
});
test('a halt is lifted by its coin or the beginning of its id; the bot is named', async () => {
  for (const wanted of ['btcusdt', halt.id.slice(0, 8)]) {
    const lifted = await run('lift', wanted);
    expect(lifted.seen).toEqual([{ method: 'DELETE', path: `/halts/${halt.id}`, body: undefined }]);
    expect(lifted.err).toBe('Dip may enter BTCUSDT again.\n');
  }
  expect((await run('lift', 'ETHUSDT')).exit).toBe(7);
  expect((await run('halts')).out).toBe(`BTCUSDT\tDip\t${halt.until}\t${halt.haltedAt}\t${halt.id}\tnews\n`);
});
test('a bot that cannot be read is named below the list, and halted by its name', async () => {
  const seen: unknown[] = [];
  const fetch = (async (input: string, init: RequestInit = {}) => {
    const path = new URL(input).pathname.replace('/bff/v2', '');
    if (init.method === 'POST') seen.push(JSON.parse(init.body as string));
    const unreadable = [{ kind: 'auto-trade', id: 'gone-1', name: 'Odd', halted: false }];
    const answers: Record<string, unknown> = {
      '/account/unreadable': { items: unreadable },
      '/auto-trades': [bot],
      '/auto-trades/figures': [],
    };
    return new Response(JSON.stringify(answers[path] ?? { halted: 1, liquidating: 0 }), { status: 200 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' }, terminal: true });
  await execute(['bots', 'ls'], host);
  expect(host.err()).toContain('The bot Odd does not trade.');
  expect(await execute(['bots', 'halt', 'Odd', '--yes'], host)).toBe(0);
  expect(seen).toEqual([{ scope: 'bot', autoTradeId: 'gone-1', reason: '', liquidate: false }]);
});
