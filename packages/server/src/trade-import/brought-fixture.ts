import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { foldLedger } from '@pilotfish/core/positions/asset-fold';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { FOLD_OPTIONS } from '@pilotfish/core/testing/ledger-entries';
import { realTimers } from '@pilotfish/core/time/timers';
import { CASH_ASSETS } from '@pilotfish/core/trade-import/known-pairs';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import type { TestContext } from 'vitest';
import type * as z from 'zod';
import { openDatabase } from '../database/database.ts';
import { account, NOW, OWNER } from '../positions/ledger-fixture.ts';
import { ledgerStore } from '../positions/ledger-store.ts';
import { syncStore } from '../positions/sync-store.ts';
import { transferHistory } from '../positions/transfer-history.ts';
import { uploadOf } from './import-fixture.ts';
import { importService } from './import-service.ts';

const PAIRS = ['BTC/USDT', 'ETH/USDT', 'BNB/USDT', 'ETH/BTC', '1000SATS/USDT', '1INCH/USDT', 'BTC/EUR', 'ETH/EUR'].map((pair) => {
  const [baseAsset = '', quoteAsset = ''] = pair.split('/');
  return { symbol: baseAsset + quoteAsset, baseAsset, quoteAsset };
});

/** An account that files are given to; each answers with its counts, and the ledger speaks in words. */
export async function stage(context: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-brought-'));
  const database = await (await openDatabase({ dataDir })).forMarket('simulated');
  context.onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await account(database);
  const store = ledgerStore(database);
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `018f0000-0000-7000-8000-${String(ids).padStart(12, '0')}`;
  };
  const service = importService(
    {
      timers: realTimers,
      database,
      now: () => NOW,
      newId,
      stream: { publish: () => undefined } as never,
      log: { error: () => undefined } as never,
    },
    {
      market: { pairs: () => PAIRS as never },
      store,
      rates: { load: async () => () => undefined },
      valueLater: () => {},
      reconcile: async () => undefined,
    },
  );
  context.onTestFinished(() => service.stop());
  const words = (entry: LedgerEntry): string => {
    const at = new Date(entry.at).toISOString().slice(0, 16);
    if (entry.kind === 'trade')
      return `${at} ${entry.side} ${entry.quantity} ${entry.baseAsset} for ${entry.quoteQuantity} ${entry.quoteAsset}`;
    if (entry.kind === 'swap') return `${at} ${entry.fromQuantity} ${entry.fromAsset} → ${entry.quantity} ${entry.asset}`;
    return `${at} ${entry.transfer} ${entry.change} ${entry.asset}`;
  };
  let last: ImportAnswer['rows'] = [];
  let warned: ImportAnswer['warnings'] = [];
  let batch = '';
  return {
    database,
    newId,
    store,
    service,
    rows: () => last,
    warnings: () => warned.map(({ code, asset, at, amount }) => `${code} ${digits(amount)} ${asset} ${at.slice(0, 16)}`),
    undo: () => service.undo(OWNER, batch),
    /** Reads the wallet's lists of the exchange, where that has given these amounts of coins. */
    readWallet: async (gifts: readonly { id: number; divTime: number; asset: string; amount: string }[]) => {
      const request = async ({
        path,
        parameters: { startTime = 0, endTime = NOW },
        answer,
      }: {
        path: string;
        parameters: Record<string, number>;
        answer: z.ZodType;
      }) => {
        const sent = path.endsWith('assetDividend')
          ? { rows: gifts.filter(({ divTime }) => startTime <= divTime && divTime <= endTime).map((gift) => ({ ...gift, direction: 1 })) }
          : path.endsWith('tradeFlow')
            ? { list: [] }
            : path.endsWith('dribblet')
              ? { userAssetDribblets: [] }
              : [];
        return answer.parse(sent);
      };
      await transferHistory({
        exchange: { hasWallet: true, rest: { request } } as never,
        store: syncStore(database),
        ledger: store,
        market: { pairs: () => [], asOf: NOW } as never,
        rates: { load: async () => () => undefined },
        pacer: { take: async () => true } as never,
        log: { info: () => undefined } as never,
        timers: { wait: async () => undefined } as never,
      }).read(OWNER, { signer: {}, uid: '1' } as never);
    },
    give: async (name: string, data: string | Uint8Array, zone?: number) => {
      const answer = await service.importFile(OWNER, uploadOf(name, data), {
        commit: true,
        acceptPartial: false,
        ...(zone === undefined ? {} : { zone }),
      });
      last = answer.rows;
      warned = answer.warnings;
      batch = answer.batchId ?? '';
      const { imported, duplicate, error } = answer.counts;
      return { imported, duplicate, error };
    },
    ledger: async () => (await store.entries(OWNER)).map(words),
    positions: async () =>
      foldLedger(await store.entries(OWNER), { ...FOLD_OPTIONS, cash: CASH_ASSETS }).flatMap(({ positions }) =>
        positions.map(({ symbol, quantity, cost, realised, reasons }) =>
          [symbol, toText(quantity), toText(cost), toText(realised), ...reasons].join(' '),
        ),
      ),
  };
}

export const STATEMENT_HEADER = 'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark';
export const statement = (...rows: string[]) => [STATEMENT_HEADER, ...rows.map((row) => `1,${row},`)].join('\n');
export const OLD_TRADES = 'Date(UTC),Market,Type,Price,Amount,Total,Fee,Fee Coin';
