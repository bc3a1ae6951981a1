import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SwapEntry } from '@pilotfish/core/positions/ledger-entry';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { account, NOW, OWNER } from './ledger-fixture.ts';
import { ledgerStore } from './ledger-store.ts';
import { syncStore } from './sync-store.ts';
import { transferHistory } from './transfer-history.ts';

test('new units that a swap of the ledger tells of are not counted again when the exchange lists them', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-transfers-'));
  const database = await openDatabase({ dataDir });
  context.onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await account(database);
  const ledger = ledgerStore(database);
  const given = { fromAsset: 'ETH', fromQuantity: '2', asset: 'ETH', quantity: '200' };
  const swap: SwapEntry = { kind: 'swap', id: 'swap:ETH', at: NOW - 3_600_000, ...given, source: 'user' };
  await ledger.append(OWNER, [swap]);
  const dividend = (id: number, asset: string, amount: string) => ({ id, divTime: NOW - 1_800_000, asset, amount, direction: 1 });
  const answers: Record<string, unknown> = {
    '/sapi/v1/asset/assetDividend': { rows: [dividend(1, 'ETH', '198'), dividend(2, 'BNB', '1')] },
    '/sapi/v1/convert/tradeFlow': { list: [] },
    '/sapi/v1/asset/dribblet': { userAssetDribblets: [] },
  };
  const isNew = ({ startTime }: { startTime: number }) => startTime > NOW - 300 * 86_400_000;
  const history = transferHistory({
    exchange: {
      rest: {
        request: async ({ path, parameters }: { path: string; parameters: { startTime: number } }) =>
          (path.endsWith('Dividend') && !isNew(parameters) ? { rows: [] } : answers[path]) ?? [],
      },
    } as never,
    store: syncStore(database),
    ledger,
    market: { pairs: () => [], asOf: NOW } as never,
    rates: { load: async () => () => undefined },
    pacer: { take: async () => true } as never,
    log: { info: () => undefined } as never,
    timers: { wait: async () => undefined } as never,
  });
  await history.read(OWNER, { signer: {}, uid: 1 } as never);
  expect((await ledger.entries(OWNER)).map(({ id }) => id)).toEqual(['swap:ETH', 'dividend:2']);
});
