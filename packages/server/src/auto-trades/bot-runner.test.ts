import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/auto-trade-machine';
import type { TapeRecord } from '@pilotfish/core/auto-trades/tape';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { afterTransfer, emptySums } from '@pilotfish/core/wallets/wallet-book';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type BotParts, runBot } from './bot-runner.ts';
import type { StepRecord } from './step-writer.ts';

const ID = '01890000-0000-7000-8000-000000000001';

test('a bot plans by the filters that the exchange has now, and its tape knows of the change', async () => {
  let pair: Pair = btcusdt;
  const tape: TapeRecord[] = [];
  const steps: StepRecord[] = [];
  const config = autoTradeConfigSchema.parse({
    name: 'Bot',
    walletId: ID,
    coins: { symbols: ['BTCUSDT'] },
    entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' }, maxSpreadPct: '5' },
    stopLoss: { mode: 'none' },
  });
  const row = { id: ID, accountId: ID, walletId: ID, name: 'Bot', state: 'running' as const, context: newAutoTradeContext, config };
  const bot = runBot(
    {
      bot: { ...row, configVersion: 1, takerFee: '0.001', createdAt: 0, updatedAt: 0 },
      wallet: { id: ID, currency: 'USDT', reservePct: '0', sums: afterTransfer(emptySums, '5000') },
      walletMode: 'paper',
      accountKey: `paper:${ID}`,
      pairs: [pair],
      coins: ['BTCUSDT'],
      positions: [],
      awaitingFees: [],
      configs: new Map([[1, config]]),
      lastSeq: 0,
      history: [],
      pauses: [],
    },
    {
      market: { asOf: 5000, pair: () => pair, watch: () => () => undefined } as unknown as BotParts['market'],
      highs: undefined as never,
      writer: { push: (record) => void steps.push(record), settled: async () => undefined },
      now: () => 0,
      log: pino({ level: 'silent' }),
      onProtection: () => undefined,
      onProtectionWarning: () => undefined,
      onPauseEnded: () => undefined,
      tape: (record) => void tape.push(record),
    },
  );
  await bot.begin();
  bot.observe('BTCUSDT', { at: 5000, price: 1003, bid: 1002.5, ask: 1003.5 });
  // The hourly reading of the exchange brings the same again: nothing is told.
  pair = structuredClone(btcusdt);
  const told = tape.length;
  bot.followFilters();
  expect(tape).toHaveLength(told);
  pair = { ...btcusdt, filters: { ...btcusdt.filters, stepSize: '0.01', minQty: '0.01' } };
  bot.followFilters();
  bot.followFilters();
  expect(tape.slice(told)).toEqual([{ type: 'coins', symbols: ['BTCUSDT'], pairs: [pair], at: 5000 }]);
  expect(bot.enter('BTCUSDT')).toEqual({ ok: true });
  expect(steps.at(-1)?.step.context.order?.quantity).toBe('0.99');
});
