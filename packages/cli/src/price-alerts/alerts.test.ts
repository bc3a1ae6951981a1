import { stripVTControlCharacters } from 'node:util';
import type { AlertAction, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

const ID = '01a1fc3a-46e6-72f7-a393-000000000001';
const alert = (state: PriceAlert['state'], allowed: AlertAction[], more: Partial<PriceAlert> = {}): PriceAlert => ({
  id: ID,
  symbol: 'BTCUSDT',
  condition: { kind: 'above', level: '70000' },
  priceSource: 'last',
  repeat: 'once',
  cooldownMin: 60,
  hysteresisPct: '0.2',
  expiresAt: null,
  channels: ['app'],
  note: '',
  quietHours: null,
  snoozedUntil: null,
  fireIfTrue: false,
  enabled: true,
  state,
  allowed,
  reason: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  lastFiredAt: null,
  firedCount: 0,
  lastPrice: null,
  distancePct: null,
  anchor: null,
  cooldownUntil: null,
  ...more,
});

/** Runs a command at a server that has this one alert; `wrote` is what it was asked to do. */
async function run(words: readonly string[], found: PriceAlert, answers?: readonly (readonly [RegExp, string])[]) {
  const wrote: string[] = [];
  const fetch = (async (input: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(input);
    if (pathname.endsWith('/pairs')) return new Response(JSON.stringify([{ symbol: 'BTCUSDT' }]));
    if (!pathname.includes('/price-alerts')) return new Response('{}', { status: 404 });
    if (method === 'GET') return new Response(JSON.stringify([found]));
    wrote.push(`${pathname.split('/').at(-1)} ${typeof body === 'string' ? body : ''}`.trim());
    return new Response(JSON.stringify(found), { status: pathname.endsWith('/price-alerts') ? 201 : 200 });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, columns: 160, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' }, ...(answers && { answers }) });
  const exit = await execute(['alerts', ...words], host);
  return { exit, out: host.out(), err: stripVTControlCharacters(host.err()), wrote };
}

test.each([
  ['ack', 'Armed', { repeat: 'untilAcknowledged' }, 'it is not sending reminders now.'],
  ['ack', 'Fired', {}, 'it sends no reminders, so there are none to end.'],
  ['ack', 'Armed', {}, 'it sends no reminders, so there are none to end.'],
  ['ack', 'Fired', { repeat: 'untilAcknowledged' }, 'its reminders have ended already.'],
  ['snooze', 'Expired', {}, 'it cannot be snoozed. Turn it on first (alerts enable).'],
  ['snooze off', 'Armed', {}, 'it is not snoozed.'],
  ['enable', 'Armed', {}, 'it is already on.'],
  ['disable', 'Disabled', {}, 'it is already off.'],
] as const)('%s is refused in %s %j before anything is sent, by name, state and reason', async (action, state, more, why) => {
  const [command = '', ...time] = action.split(' ');
  const shown = { Armed: 'Armed', Fired: 'Fired', Expired: 'Expired', Disabled: 'Off' }[state];
  const done = await run([command, 'BTCUSDT', ...time], alert(state, [], more));
  expect(done).toMatchObject({ exit: 8, out: '', wrote: [] });
  expect(done.err).toBe(`Error: “BTCUSDT is above 70,000” is “${shown}”: ${why} (not-possible-now)\n`);
});

test('what is known of why it is in its state is told, too', async () => {
  const { err } = await run(['snooze', 'BTCUSDT'], alert('Failed', ['enable'], { reason: 'pair-delisted' }));
  expect(err).toContain('is “Failed (The pair is not listed any more.)”: it cannot be snoozed.');
});

test.each([
  ['ack', 'acknowledge', 'acknowledge'],
  ['snooze 2h', 'snooze', 'snooze {"minutes":120}'],
  ['snooze off', 'wake', 'snooze {"until":null}'],
  ['enable', 'enable', 'enable'],
  ['disable', 'disable', 'disable'],
] as const)('%s is sent where %s is allowed', async (words, action, wrote) => {
  const [command = '', ...time] = words.split(' ');
  expect(await run([command, 'BTCUSDT', ...time], alert('Fired', [action]))).toMatchObject({ exit: 0, wrote: [wrote] });
});

const LINE = /New alert:[^\n]*\n[^\n]*e\.g\. BTC > 70k/;
const UNDERSTOOD = /Understood: BTCUSDT is above 70,000\. Set this alert\? \[y\/N\]/;

test('with nothing said a terminal asks for the line until it is understood, and sets it after a yes', async () => {
  const answers = [
    [LINE, 'BTC > many\r'],
    [/many was not understood\.[\s\S]*New alert:/, 'BTC > 70k\r'],
    [UNDERSTOOD, '\r'],
    [LINE, 'BTC > 70k\r'],
    [UNDERSTOOD, 'y\r'],
  ] as const;
  const done = await run(['add'], alert('Armed', []), answers);
  expect(done).toMatchObject({ exit: 0, out: expect.stringContaining(ID) });
  expect(done.wrote).toHaveLength(1);
  expect(JSON.parse(done.wrote[0]?.replace(/^price-alerts /, '') ?? '')).toMatchObject({
    symbol: 'BTCUSDT',
    condition: { kind: 'above', level: '70000' },
  });
});

test('Escape sets nothing; with --yes what is understood is set; a script is told what is missing', async () => {
  expect(await run(['add'], alert('Armed', []), [[LINE, '\u001b']])).toMatchObject({ exit: 2, wrote: [] });
  const sure = await run(['add', '--yes'], alert('Armed', []), [[LINE, 'BTC > 70k\r']]);
  expect(sure).toMatchObject({ exit: 0, wrote: [expect.stringContaining('"level":"70000"')] });
  expect(await run(['add'], alert('Armed', []))).toMatchObject({ exit: 2, wrote: [], err: expect.stringContaining('(alertWays)') });
});

test('an alert whose level has been passed already says when it fires', async () => {
  const line = ['add', 'BTC > 70000'];
  const passed = await run(line, alert('Armed', [], { lastPrice: '97884.23' as never }));
  expect([passed.exit, passed.err]).toEqual([
    0,
    expect.stringContaining('Already true at 97,884.23: it fires the next time it becomes true.'),
  ]);
  expect((await run(line, alert('Armed', [], { lastPrice: '69000' as never }))).err).not.toContain('Already true');
});
