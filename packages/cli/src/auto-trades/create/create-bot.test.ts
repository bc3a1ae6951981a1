import { expect, test } from 'vitest';
import { autoTrade } from '../../../testing/auto-trade-fixture.ts';
import { fakeHost } from '../../../testing/fake-host.ts';
import { WALLET } from '../../../testing/wallet-sample.ts';
import { execute } from '../../app/cli.ts';

const ladder = { rungs: [], exits: [], stops: [], worstCaseTotal: '0', worstLoss: null, currency: 'USDT' };
const FLAGS = ['--name', 'Dip', '--wallet', 'Main', '--coins', 'BTCUSDT', '--size', '15', '--take-profit', '2', '--stop-loss', 'none'];

/** Saves and starts a bot; what the server answers the start with, undefined where no answer comes. */
async function started(answer: (() => Response) | undefined) {
  const enabled: string[] = [];
  const bot = { ...autoTrade('Disabled'), allowed: ['enable'] };
  const fetch = (async (input: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(input);
    if (pathname.endsWith('/enable')) {
      enabled.push(pathname);
      if (!answer) throw new TypeError('fetch failed');
      return answer();
    }
    if (pathname.endsWith('/wallets')) return new Response(JSON.stringify([WALLET]));
    if (method === 'POST')
      return new Response(
        JSON.stringify({
          autoTrade: searchParams.get('validateOnly') === 'true' ? null : bot,
          valid: true,
          errors: [],
          changes: [],
          ladder,
        }),
      );
    return new Response(JSON.stringify(pathname.endsWith('/auto-trades') ? [bot] : []));
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
  const exit = await execute(['bots', 'create', ...FLAGS, '--start'], host);
  return { exit, err: host.err(), enabled };
}

test('a bot whose start is refused is said to be saved and not started', async () => {
  const refusal = { type: 'about:blank', title: 'No', status: 409, code: 'not-ready', detail: 'Its wallet is gone.' };
  const { exit, err, enabled } = await started(() => new Response(JSON.stringify(refusal), { status: 409 }));
  expect([exit === 0, enabled.length]).toEqual([false, 1]);
  expect(err).toContain('Dip is saved, not enabled.');
});

test('of a bot whose start gets no answer it is not said that it does not trade', async () => {
  const { exit, err, enabled } = await started(undefined);
  expect([exit === 0, enabled.length > 0]).toEqual([false, true]);
  expect(err).not.toContain('not started');
  expect(err).toContain('Dip is saved. It is unknown whether it was enabled');
});
