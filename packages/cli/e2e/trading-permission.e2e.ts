import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { until } from '@pilotfish/core/testing/until';
import { realTimers } from '@pilotfish/core/time/timers';
import { openExchange } from '@pilotfish/server/exchange/exchange';
import { signerFor } from '@pilotfish/server/exchange/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// Keys that may not trade: what trades live ends with its reason and 6 before anybody is asked whether to do it.

const REFUSED = 6;
const bot = (name: string, trigger: string) => `name: ${name}
wallet: Real
coins: [BTCUSDT]
entry:
  size: { mode: fixed, value: 100 }
  trigger: { kind: ${trigger} }
  trailing: { enabled: false }
  order: { type: Market }
  maxSpreadPct: 5
stopLoss: { mode: none }
`;

let stage: Stage;
let account: Account;
let keys: { apiKey: string; apiSecret: string };
/** What its owner placed by another program. */
async function restingOrder(): Promise<void> {
  const { origin: rest, wsOrigin } = stage.simulator;
  const venue = openExchange({
    timers: realTimers,
    origins: { rest, stream: wsOrigin, api: wsOrigin } as never,
    now: stage.server.now,
    random: () => 0.5,
  });
  await venue.placeOrder(
    signerFor(keys.apiKey, keys.apiSecret),
    { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '2000', quantity: '0.1' },
    { urgent: true, beforeSigning: () => undefined },
  );
  await venue.close();
}
const mayTrade = async (may: boolean) => {
  await stage.simulator.restrict(keys.apiKey, { enableSpotAndMarginTrading: may });
  // The server asks the exchange.
  return account.pipe.run(['exchange', 'status']);
};

beforeAll(async () => {
  stage = await openStage();
  account = await openAccount();
  const { pipe, user } = account;
  keys = await stage.simulator.createAccount({ balances: { USDT: '10000' } });
  await user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
  await restingOrder();
  expect((await pipe.run(['wallets', 'add', 'Real', '--mode', 'live', '--balance', '1000', '--yes'])).exit).toBe(0);
  for (const [name, trigger] of [
    ['Holding', 'immediate'],
    ['Idle', 'manual'],
  ] as const)
    expect(await pipe.run(['bots', 'create', '-f', '-'], { input: bot(name, trigger) })).toMatchObject({ stderr: '' });
  expect((await pipe.run(['bots', 'enable', 'Holding', '--yes'])).exit).toBe(0);
  const { id } = (await user.call<AutoTrade[]>('/bff/v2/auto-trades')).body.find(({ name }) => name === 'Holding')!;
  await until(
    'an open position',
    async () => (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`)).body.positions.some(({ state }) => state === 'Open'),
    { meanwhile: () => stage.simulator.clock.advance(1000) },
  );
});
afterAll(() => account?.close());

test.each([
  ['bots', 'enable', 'Idle'],
  ['bots', 'sell', 'Holding', 'BTCUSDT'],
  ['bots', 'enter', 'Holding', 'BTCUSDT'],
  ['sell', 'BTCUSDT'],
  ['orders', 'cancel', 'ETHUSDT', '--all'],
  ['wallets', 'add', 'More', '--mode', 'live', '--balance', '1'],
])('pilotfish %s %s %s', async (...words) => {
  expect((await mayTrade(false)).stdout).toContain('no');
  // No --yes, and nobody to ask: were it asked first, it would end with another code.
  const { exit, stderr } = await account.pipe.run(words.filter((word) => word !== undefined));
  expect([exit, stderr]).toEqual([REFUSED, expect.stringContaining('The connected API key may not trade.')]);
});

test('what a bot shows says so, and it ends with the permission', async () => {
  await mayTrade(false);
  const shown = account.open(['bots', 'show', 'Idle'], { columns: 160 });
  await shown.see('The connected API key may not trade.');
  expect((await shown.ended()).exitCode).toBe(0);
  expect((await account.pipe.run(['auth', 'status'])).stdout).toContain('(read)');
  await mayTrade(true);
  expect((await account.pipe.run(['bots', 'enable', 'Idle', '--yes'])).exit).toBe(0);
});
