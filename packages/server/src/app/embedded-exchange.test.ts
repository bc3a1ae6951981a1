import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, test } from 'vitest';
import { openExchange } from '../exchange/exchange.ts';
import { issueDemoKeys } from '../exchange-connection/exchange-connection-routes.ts';
import { openExchangeOrigins } from './embedded-exchange.ts';
import { createLog } from './log.ts';
import { readSettings } from './settings.ts';

test('only this process makes accounts at its exchange and turns its market', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-embedded-'));
  const parts = { now: () => Date.UTC(2026, 0, 15), timers: realTimers, random: (size: number) => new Uint8Array(size).fill(7) };
  const settings = readSettings({ PILOTFISH_DATA_DIR: dataDir });
  const { origins, simulator } = await openExchangeOrigins({
    ...parts,
    settings,
    marketSource: 'simulated',
    givenUp: undefined,
    log: createLog('silent'),
    storage: { refused: () => undefined, isFull: () => false, onChange: () => undefined },
  });
  const exchange = openExchange({ origins, ...parts, random: () => 0.5 });
  try {
    for (const path of ['accounts', 'clock', 'faults', 'deposits'])
      expect([path, (await fetch(`${origins.rest}/sim/v1/${path}`, { method: 'POST', body: '{}' })).status]).toEqual([path, 401]);
    // A page in the browser of this machine, even one that knew the key.
    const headers = { 'x-sim-key': origins.controlKey ?? '' };
    const call = (path: string, origin?: string) =>
      fetch(`${origins.rest}/sim/v1/${path}`, { method: 'POST', body: '{}', headers: { ...headers, ...(origin && { origin }) } });
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
      for (const path of ['accounts', 'clock', 'faults', 'deposits'])
        expect([origin, path, (await call(path, origin)).status]).toEqual([origin, path, 403]);
    expect(simulator?.status().accounts).toBe(0);
    expect((await call('accounts')).status).toBe(200);
    expect(await issueDemoKeys(origins, { USDT: '1' }, realTimers)).toMatchObject({ clientId: expect.any(String) });
  } finally {
    await exchange.close();
    await simulator?.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('addresses of the environment are those of the exchange, each for its own', async () => {
  const settings = readSettings({
    PILOTFISH_EXCHANGE: 'binance-demo',
    PILOTFISH_EXCHANGE_REST_URL: 'http://rest.test',
    PILOTFISH_EXCHANGE_WS_URL: 'ws://both.test',
    PILOTFISH_EXCHANGE_WS_API_URL: 'ws://api.test',
    PILOTFISH_EXCHANGE_STREAM_URL: 'ws://stream.test',
  });
  const { origins } = await openExchangeOrigins({ settings, marketSource: 'binance-demo' } as never);
  expect(origins).toEqual({ rest: 'http://rest.test', api: 'ws://api.test', stream: 'ws://stream.test' });
  const { exchangeStreamUrl: _stream, ...both } = settings;
  expect((await openExchangeOrigins({ settings: both, marketSource: 'binance-demo' } as never)).origins).toMatchObject({
    api: 'ws://api.test',
    stream: 'ws://both.test',
  });
});
