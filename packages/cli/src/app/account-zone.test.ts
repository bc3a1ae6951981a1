import { DEFAULT_PREFERENCES } from '@pilotfish/core/account/preferences';
import { endpoint } from '@pilotfish/core/http/endpoint';
import { isoTime } from '@pilotfish/core/http/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { printRows } from '../ui/output.ts';
import { localTime, showTimesIn } from '../ui/times.ts';
import { giveZone } from './account-zone.ts';
import { ENDLESS } from './cli.ts';
import { createContext } from './create-context.ts';

beforeEach(() => showTimesIn('Europe/Berlin'));
// Files of a worker share the module.
afterEach(() => showTimesIn(new Intl.DateTimeFormat().resolvedOptions().timeZone));

const summary = 'When';
const getTime = endpoint({ backend: 'bff', access: 'user', method: 'GET', path: '/v2/time', summary, answer: isoTime });
const ROWS = {
  empty: 'entries',
  columns: [{ key: 'at', value: ({ at }: { at: string }) => at, shown: ({ at }: { at: string }) => localTime(at) }],
};

/** A server of one account; null is one that chose no zone, undefined one that does not answer. */
function host(timeZone: string | null | undefined, { terminal = true, machine = 'Europe/Berlin' } = {}) {
  const calls: string[] = [];
  let zone = timeZone;
  const fetch = async (url: string, init?: RequestInit) => {
    const path = new URL(url).pathname;
    calls.push(`${init?.method ?? 'GET'} ${path.split('/').at(-1)}`);
    if (path.endsWith('/time')) return Response.json('2026-10-31T22:30:00.000Z');
    if (zone === undefined) return Response.json({ title: 'T', status: 500, code: 'internal' }, { status: 500 });
    if (init?.method === 'PUT') zone = (JSON.parse(init.body as string) as { timeZone: string }).timeZone;
    return Response.json({ ...DEFAULT_PREFERENCES, timeZone: zone, updatedAt: null });
  };
  const given = fakeHost({ terminal, env: { NO_COLOR: '1', PILOTFISH_TOKEN: 't', TZ: machine }, fetch: fetch as typeof globalThis.fetch });
  return { ...given, context: createContext([], given, {}, ENDLESS), calls };
}

test('times follow the account, not the machine; without a choice they are UTC, as its days are', async () => {
  for (const [zone, shown] of [
    ['Europe/Istanbul', '1 Nov 2026 1:30:00 AM'],
    [null, '31 Oct 2026 10:30:00 PM'],
    // It could not be asked for: the command itself got its answer.
    [undefined, '31 Oct 2026 11:30:00 PM'],
  ] as const) {
    const { context, out, calls } = host(zone);
    const client = await context.client({ getTime });
    await client.getTime();
    await printRows(context, ROWS, [{ at: await client.getTime() }]);
    expect(out()).toContain(shown);
    expect(calls.filter((call) => call.endsWith('preferences'))).toHaveLength(1);
    expect(await context.zone()).toBe(zone === undefined ? 'Europe/Berlin' : (zone ?? 'UTC'));
  }
});

test('a pipe gets the exact times and asks for no zone', async () => {
  const { context, out, calls } = host('Europe/Istanbul', { terminal: false });
  await printRows(context, ROWS, [{ at: await (await context.client({ getTime })).getTime() }]);
  expect([out(), calls]).toEqual(['2026-10-31T22:30:00.000Z\n', ['GET time']]);
});

test('signing in gives an account without a zone that of the machine, and says so; a choice stays', async () => {
  const fresh = host(null);
  await giveZone(fresh.context);
  expect(fresh.calls).toEqual(['GET preferences', 'PUT preferences']);
  expect(fresh.err()).toContain('use the time zone Europe/Berlin');
  for (const zone of ['Asia/Tokyo', undefined]) {
    const { context, calls, err } = host(zone);
    await giveZone(context);
    expect([calls, err()]).toEqual([['GET preferences'], '']);
  }
  const server = host(null, { machine: 'UTC' });
  await giveZone(server.context);
  expect(server.calls).toEqual([]);
});
