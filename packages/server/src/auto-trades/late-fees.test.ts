import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { positionIdFor } from '@pilotfish/core/auto-trades/position/position-ids';
import { newPosition } from '@pilotfish/core/auto-trades/position/position-state';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { afterTransfer, emptySums } from '@pilotfish/core/wallets/wallet-book';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { UnvaluedPosition } from './auto-trades-store.ts';
import { lateFees } from './late-fees.ts';
import { withoutSettings } from './position-rows.ts';
import type { StepRecord, StepWriter } from './step-writer.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const HOUR = 3_600_000;

test('a fee whose value could not be written is valued in the next round', async () => {
  const config = autoTradeConfigSchema.parse({
    name: 'Bot',
    walletId: ID,
    coins: { symbols: ['BTCUSDT'] },
    entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' } },
    stopLoss: { mode: 'none' },
  });
  const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = btcusdt;
  const pair = { symbol, baseAsset, quoteAsset, filters, pricePrecision };
  const settings = { autoTradeId: ID, runNo: 1, mode: 'paper', config, configVersion: 1, takerFee: '0.001', ...pair } as const;
  const unvalued = [{ tradeId: '7', fee: '0.5', feeAsset: 'BNB' }];
  const context = withoutSettings({ ...newPosition(settings, 1, positionIdFor(ID, 1, symbol, 1)), closedAt: 5, unvalued });
  const row = { runNo: 1, symbol, number: 1, configVersion: 1, takerFee: '0.001', state: 'closed', context } as const;
  const stored = { ...row, id: context.positionId, autoTradeId: ID, accountId: ID } as unknown as UnvaluedPosition;
  const wallet = { id: ID, accountId: ID, mode: 'paper', currency: 'USDT' };
  const changedAt = 10 * HOUR;
  let now = changedAt + HOUR;
  const pushed: StepRecord[] = [];
  /** As the service has it: a write that fails is told of later, by another writer that takes the place of the first. */
  const failing: StepWriter = {
    push: () => undefined,
    settled: async () => {
      if (pushed.length === 0 && writing) writer = working;
    },
  };
  const working: StepWriter = { push: (record) => void pushed.push(record), settled: async () => undefined };
  let writer: StepWriter = failing;
  let writing = false;
  const versions = new Map<string, number>();
  const fees = lateFees({
    store: {
      unvalued: async (since) => (changedAt >= since && pushed.length === 0 ? [stored] : []),
      config: async () => config,
      filledAt: async () => 3,
    },
    wallets: {
      find: async () => wallet,
      book: async () => ({ id: ID, currency: 'USDT', reservePct: '0', sums: afterTransfer(emptySums, '5000') }),
    } as never,
    market: { asOf: 0, pair: () => btcusdt },
    rateAt: async () => {
      writing = true;
      return '600';
    },
    writer: () => writer,
    isLookedAfter: () => false,
    versions,
    changed: (id) => void versions.set(id, (versions.get(id) ?? 0) + 1),
    now: () => now,
    log: pino({ level: 'silent' }),
  });
  await fees.round();
  await failing.settled();
  expect(pushed).toEqual([]);
  now += HOUR;
  await fees.round();
  expect(pushed).toMatchObject([{ walletId: ID, walletSums: { free: '4700', realised: '-300' } }]);
  now += HOUR;
  await fees.round();
  expect(pushed).toHaveLength(1);
});
