import type { Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

process.env.TZ = 'UTC';
const statusOf = async (permissions: Partial<Permissions>) => {
  const fetch = (async () => new Response(JSON.stringify({ warnings: [], keyEnding: 'abcd', ...permissions }))) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, terminal: true, columns: 200, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  expect(await execute(['exchange', 'status'], host)).toBe(0);
  return { out: host.out(), err: host.err() };
};

test('needless rights are warned of, and the end of the right to trade is shown', async () => {
  const { out, err } = await statusOf({
    exchange: 'binance',
    warnings: ['no-ip-restriction', 'universal-transfers-enabled'],
    tradingEndsAt: '2027-03-04T10:00:00.000Z',
  });
  expect(out).toMatch(/Trading ends +4 Mar 2027 10:00:00 AM/);
  expect(err).toContain('This key can make universal transfers');
  expect(err).toContain('public IP address of the machine');
  expect(err).not.toContain('does not report all permissions');
});

test.each(['binance-demo', 'binance-testnet'] as const)('%s: what is unknown of a key is named', async (exchange) => {
  const { out, err } = await statusOf({ exchange, enableReading: true, enableSpotAndMarginTrading: true });
  expect(out).toMatch(/Can withdraw +–/);
  expect(err).toContain('This exchange does not report all permissions of a key');
});
