import type { Account } from '@pilotfish/core/account/account-contract';
import type { Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterEach, expect, test } from 'vitest';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// The test network and demo mode answer nothing below /sapi.

let stage: ExchangeStage;
afterEach(() => stage?.close());

const CONNECTION = '/gateway/v2/account/connect/binance';
const TIMES = 1000;

test.each(['binance-testnet', 'binance-demo'] as const)(
  'a key is connected at %s without its wallet paths, and what they would say is unknown',
  { tags: ['smoke'] },
  async (exchange) => {
    stage = await startExchangeStage(11, { exchange });
    const { simulator, server, time } = stage;
    simulator.faults.apply({ kind: 'request', path: '/sapi', status: 404, times: TIMES });
    const user = await server.register();
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '10000', BTC: '1' } });
    // Said below /sapi alone, where nobody asks.
    await time.during(simulator.restrict(apiKey, { enableWithdrawals: true }));

    const { status, body } = await user.call<Permissions>(CONNECTION, { body: { clientId: apiKey, clientSecret: apiSecret } });
    expect([status, body]).toEqual([
      200,
      { enableReading: true, enableSpotAndMarginTrading: true, warnings: [], keyEnding: apiKey.slice(-4), exchange },
    ]);
    expect((await user.call(CONNECTION)).body).toEqual(body);
    expect((await user.call<Account>('/bff/v2/account')).body.exchanges).toEqual([{ name: 'Binance', tradeEnabled: true }]);

    const sync = async () => (await user.call<SyncStatus>('/bff/v2/positions/sync')).body;
    await user.call('/bff/v2/positions/sync', { body: { full: true } });
    await until('the history being read', async () => (await sync()).state === 'idle', { time });
    expect(await sync()).toMatchObject({ error: null, withoutTransfers: true });
    const wallet = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '100' } });
    expect(wallet.status).toBe(201);

    const faults = (await (await fetch(`${simulator.origin}/sim/v1/faults`)).json()) as { requests: { times: number }[] };
    expect(faults.requests).toEqual([expect.objectContaining({ path: '/sapi', times: TIMES })]);
  },
);
